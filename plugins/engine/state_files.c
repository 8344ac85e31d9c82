/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/base.h"

#include "plugins/engine/state_files.h"

#include <math.h>

#include "plugins/engine/fairshare/rsv_idle.h"
#include "plugins/engine/nodes/node_usage_file.h"
#include "plugins/engine/policy/names_kept.h"
#include "plugins/engine/policy/policy_read.h"
#include "plugins/engine/queue/jobstate_file.h"
#include "plugins/engine/reservation/rsv_book.h"
#include "plugins/engine/reservation/rsv_reclaim_file.h"
#include "plugins/engine/reservation/setres/rsv_admin.h"
#include "plugins/engine/reservation/trigger/rsv_trigger.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/state.h"

static struct state_file *const table[] = {
	&last_good_file,    &names_file,  &jobs_file,     &nodes_file, &reclaims_file,
	&reservations_file, &setres_file, &triggers_file, &idle_file,
};

#define EACH(file)                                                                                 \
	for (struct state_file *const *file = table;                                               \
	     file < table + sizeof(table) / sizeof(*table); file++)

/* ---- reading ---- */

static void read_all(const struct site *site, enum engine_mode mode)
{
	EACH(file)
	if ((*file)->found && !(*file)->on_demand && (mode == ENGINE_PRIMARY || (*file)->in_shadow))
		state_read(*file, site->state_directory);
}

static void adopt_all(void)
{
	engine_assert_locked();
	EACH(file)
	if ((*file)->found)
		state_reset(*file);
}

static void discard_all(void)
{
	EACH(file)
	if ((*file)->found)
		(*file)->format->clear((*file)->found);
}

static double read_due(double now)
{
	double next = INFINITY;

	(void)now;
	engine_assert_locked();
	EACH(file)
	next = fmin(next, state_read_due(*file));
	return next;
}

/* Those of them that are due; at the end of the engine all. */
static double due_by(void)
{
	return engine_is_primary() ? monotonic() : nextafter(INFINITY, 0);
}

static void read_again(void)
{
	double by = due_by(), due;

	EACH(file)
	{
		engine_lock();
		due = state_read_due(*file);
		engine_unlock();
		if (due <= by)
			state_read_again(*file);
	}
}

static void look_at_all(void)
{
	if (!engine_is_shadow())
		EACH(file)
	state_look(*file);
}

const struct module state_read_module = {
	.read = read_all,
	.adopt = adopt_all,
	.discard = discard_all,
	.due = read_due,
	.chore = read_again,
	.saves = true,
	.before = look_at_all,
};

/* ---- writing ---- */

static double write_due(double now)
{
	double next = INFINITY;

	(void)now;
	engine_assert_locked();
	EACH(file)
	next = fmin(next, state_write_due(*file));
	return next;
}

static void write_all(void)
{
	struct maui_error why = {""};
	double by = due_by(), due;

	EACH(file)
	{
		engine_lock();
		due = state_write_due(*file);
		engine_unlock();
		if (due <= by)
			state_write(*file, &why);
	}
}

const struct module state_write_module = {.due = write_due, .chore = write_all, .saves = true};
