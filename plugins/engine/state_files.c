/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of state files and its two modules: one reads the files and notices
 * removed ones, the other writes those that are due.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/state_files.h"

#include <math.h>

#include "plugins/engine/fairshare/rsv_idle.h"
#include "plugins/engine/nodes/node_usage_file.h"
#include "plugins/engine/policy/names_kept.h"
#include "plugins/engine/policy/policy_read.h"
#include "plugins/engine/queue/jobstate_file.h"
#include "plugins/engine/reservation/rsv_name_table.h"
#include "plugins/engine/reservation/rsv_reclaim_file.h"
#include "plugins/engine/reservation/setres/rsv_admin.h"
#include "plugins/engine/reservation/trigger/rsv_trigger.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/state.h"

static struct state_file *const table[] = {
	&last_good_file,    &names_file,  &jobs_file,     &nodes_file, &reclaims_file,
	&reservations_file, &setres_file, &triggers_file, &idle_file,
};

#define COUNT (sizeof(table) / sizeof(*table))

/* ---- reading ---- */

static void state_files_read_all(const struct site *site, enum engine_mode mode)
{
	for (size_t i = 0; i < COUNT; i++)
		if (table[i]->found && !table[i]->on_demand &&
		    (mode == ENGINE_PRIMARY || table[i]->in_shadow))
			state_read(table[i], site->state_directory);
}

static void state_files_adopt_all(void)
{
	engine_assert_locked();
	for (size_t i = 0; i < COUNT; i++)
		if (table[i]->found)
			state_reset(table[i]);
}

static void state_files_discard_all(void)
{
	for (size_t i = 0; i < COUNT; i++)
		if (table[i]->found)
			table[i]->format->clear(table[i]->found);
}

static double read_due(double now)
{
	double next = INFINITY;

	(void)now;
	engine_assert_locked();
	for (size_t i = 0; i < COUNT; i++)
		next = fmin(next, state_read_due(table[i]));
	return next;
}

/* Those of them that are due; at the end of the engine all. */
static double due_by(void)
{
	return engine_is_primary() ? monotonic_seconds() : nextafter(INFINITY, 0);
}

static void read_again(void)
{
	double by = due_by(), due;

	for (size_t i = 0; i < COUNT; i++) {
		engine_lock();
		due = state_read_due(table[i]);
		engine_unlock();
		if (due <= by)
			state_read_again(table[i]);
	}
}

static void look_at_all(void)
{
	if (!engine_is_shadow())
		for (size_t i = 0; i < COUNT; i++)
			state_look(table[i]);
}

const struct module state_read_module = {
	.read = state_files_read_all,
	.adopt = state_files_adopt_all,
	.discard = state_files_discard_all,
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
	for (size_t i = 0; i < COUNT; i++)
		next = fmin(next, state_write_due(table[i]));
	return next;
}

static void state_files_write_all(void)
{
	struct maui_error why = {""};
	double by = due_by(), due;

	for (size_t i = 0; i < COUNT; i++) {
		engine_lock();
		due = state_write_due(table[i]);
		engine_unlock();
		if (due <= by)
			state_write(table[i], &why);
	}
}

const struct module state_write_module = {
	.due = write_due, .chore = state_files_write_all, .saves = true};
