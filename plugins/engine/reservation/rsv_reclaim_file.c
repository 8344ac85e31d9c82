/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/rsv_reclaim_file.h"

#include <errno.h>

#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/reservation/rsv_reclaim.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/runtime/stateload.h"
#include "plugins/engine/runtime/statesave.h"

#define NAME "reclaims"

/* ---- reading ---- */

static int parse(const char *text, size_t size, void *result, struct maui_error *why)
{
	return maui_reclaims_parse(text, size, result, why);
}

static void read_late(void);

static const struct stateload stored = {
	.name = NAME,
	.limit = MAUI_RECLAIMS_MAX_SIZE,
	.parse = parse,
	.lost = "what owners have taken back and not got yet is anybody's",
	.kept = "what owners take back and have not got when slurmctld ends is anybody's",
	.waits = "what owners have taken back and not got yet is anybody's",
	.again = read_late,
};

/* What the file says, until it is adopted. Only the thread that begins the engine uses it. */
static struct maui_reclaims found;

/* The same, until names know the owners: before that nobody gets into a reservation. */
ENGINE_GUARDED static struct maui_reclaims adopted;

static void read_file(const struct site *site, enum engine_mode mode)
{
	if (mode == ENGINE_PRIMARY)
		stateload(&stored, site->state_directory, &found);
}

/* ---- writing ---- */

static int gather(void *state, struct maui_error *why)
{
	int rc = 0;

	(void)why; /* memory alone */
	engine_assert_locked();
	for (size_t i = 0; rc != -ENOMEM && i < adopted.count; i++)
		rc = maui_reclaims_add(state, &adopted.list[i]);
	return rc == -ENOMEM ? rc : rsv_reclaim_copy(state);
}

static int format(void *state, char **ret_text, size_t *ret_size, struct maui_error *why)
{
	(void)why; /* memory alone */
	return maui_reclaims_format(state, ret_text, ret_size);
}

ENGINE_GUARDED static struct statesave file = {
	.name = NAME,
	.interval = 3,
	.lost = "what owners have taken back and not got yet",
	.gather = gather,
	.format = format,
};

void rsv_reclaim_file_changed(void)
{
	file.changed = true;
}

static double due(double now)
{
	(void)now;
	engine_assert_locked();
	return statesave_due(&file);
}

static void save(void)
{
	struct maui_reclaims reclaims = {0};

	statesave(&file, &reclaims);
	maui_reclaims_clear(&reclaims);
}

/* ---- the engine's life ---- */

static void adopt(void)
{
	engine_assert_locked();
	rsv_reclaim_forget();
	maui_reclaims_clear(&adopted);
	adopted = found;
	found = (struct maui_reclaims){0};
	statesave_reset(&file);
}

/* Names know the owners by now, or will. */
static void read_late(void)
{
	struct maui_reclaims late = {0};

	if (stateload_again(&stored, &late) == STATE_NOT_NOW)
		return;
	engine_lock();
	for (size_t i = 0; i < late.count; i++)
		if (in_force.principals)
			rsv_reclaim_restore(&late.list[i]);
		else
			maui_reclaims_add(&adopted, &late.list[i]);
	file.changed = true;
	engine_unlock();
	maui_reclaims_clear(&late);
}

static void discard(void)
{
	maui_reclaims_clear(&found);
}

static void bind_names(struct maui_policy *policy, const struct maui_principals *principals)
{
	(void)policy;
	engine_assert_locked();
	if (!principals)
		return;
	for (size_t i = 0; i < adopted.count; i++)
		rsv_reclaim_restore(&adopted.list[i]);
	maui_reclaims_clear(&adopted);
}

static void collect(void)
{
	engine_assert_locked();
	rsv_reclaim_look();
}

const struct module rsv_reclaim_module = {
	.read = read_file,
	.adopt = adopt,
	.discard = discard,
	.bind = bind_names,
	.due = due,
	.chore = save,
	.saves = true,
	.collect = collect,
};
