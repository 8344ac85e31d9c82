/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gathers reclaims for the file `reclaims` and restores them. Entries wait
 * until users and groups are resolved, because owners are stored by name.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/rsv_reclaim_file.h"

#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/reservation/rsv_reclaim.h"

/* What the file says, until it is adopted, and what is to be written: the thread that begins, then
 * the engine's own. */
static struct maui_reclaims found, copy;

/* The same, until names know the owners: before that nobody gets into a reservation. */
ENGINE_GUARDED static struct maui_reclaims adopted;

static void gather(void *state)
{
	engine_assert_locked();
	for (size_t i = 0; i < adopted.count; i++)
		maui_reclaims_add(state, &adopted.list[i]);
	rsv_reclaim_copy(state);
}

static void add_late(enum state_answer answer);

struct state_file reclaims_file = {
	.format = &maui_reclaims_file,
	.interval = 3,
	.found = &found,
	.late = add_late,
	.gather = gather,
	.copy = &copy,
};

void rsv_reclaim_file_changed(void)
{
	reclaims_file.changed = true;
}

/* ---- the engine's life ---- */

static void adopt(void)
{
	engine_assert_locked();
	rsv_reclaim_forget();
	maui_reclaims_clear(&adopted);
	adopted = found;
	found = (struct maui_reclaims){0};
}

/* Names know the owners by now, or will. */
static void add_late(enum state_answer answer)
{
	(void)answer;
	engine_lock();
	for (size_t i = 0; i < found.count; i++)
		if (in_force.principals)
			rsv_reclaim_restore(&found.list[i]);
		else
			maui_reclaims_add(&adopted, &found.list[i]);
	engine_unlock();
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

const struct module rsv_reclaim_module = {.adopt = adopt, .bind = bind_names, .collect = collect};
