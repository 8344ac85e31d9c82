/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gathers reclaims for the file `reclaims` and restores them. Entries wait
 * until users and groups are resolved, because owners are stored by name.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/rsv_reclaim_file.h"

#include "common/state/reclaims.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/reservation/rsv_reclaim_list.h"

/* What the file says, until it is adopted, and what is to be written: the thread that begins, then
 * the engine's own. */
static struct maui_reclaims found, copy;

/* The same, until names know the owners: before that nobody gets into a reservation. */
ENGINE_GUARDED static struct maui_reclaims adopted;

/* Those for which Slurm has preempted, and whose owner has a name. */
ENGINE_LOCKED static void copy_list(struct maui_reclaims *into)
{
	char text[MAUI_PRINCIPAL_TEXT_SIZE];
	struct rsv_reclaim *list;
	size_t count = rsv_reclaim_list(&list);

	for (size_t i = 0; i < count; i++) {
		const struct rsv_reclaim *reclaim = &list[i];
		struct maui_reclaim one = {
			.type = reclaim->type,
			.owner = maui_names_written(in_force.names, reclaim->type, reclaim->owner,
						    text),
			.nodes = reclaim->names,
			.job_id = reclaim->job_id,
			.made = reclaim->made,
			.until = reclaim->until,
			.settled = reclaim->settled,
		};

		if (reclaim->acted_upon && one.owner)
			maui_reclaims_add(into, &one);
	}
}

static void gather_reclaims(void *state)
{
	engine_assert_locked();
	for (size_t i = 0; i < adopted.count; i++)
		maui_reclaims_add(state, &adopted.list[i]);
	copy_list(state);
}

static void add_late(enum state_answer answer);

struct state_file reclaims_file = {
	.format = &maui_reclaims_file,
	.interval = 3,
	.found = &found,
	.late = add_late,
	.gather = gather_reclaims,
	.copy = &copy,
};

void rsv_reclaim_file_changed(void)
{
	reclaims_file.changed = true;
}

/* ---- the engine's life ---- */

/* Adds one that the file has to the list; names know its owner. */
ENGINE_LOCKED static void restore_one(const struct maui_reclaim *from)
{
	uint32_t owner = maui_names_of_written(in_force.names, from->type, from->owner);
	struct rsv_reclaim *reclaim =
		owner ? rsv_reclaim_list_add(from->job_id, from->type, owner) : NULL;

	if (!reclaim)
		return;
	reclaim->names = xstrdup(from->nodes);
	reclaim->made = from->made;
	reclaim->until = from->until;
	reclaim->acted_upon = true;
	reclaim->settled = from->settled;
}

static void adopt_found(void)
{
	struct rsv_reclaim *list;

	engine_assert_locked();
	for (size_t count = rsv_reclaim_list(&list); count > 0; count--)
		rsv_reclaim_list_remove(&list[count - 1]);
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
			restore_one(&found.list[i]);
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
		restore_one(&adopted.list[i]);
	maui_reclaims_clear(&adopted);
}

const struct module rsv_reclaim_file_module = {.adopt = adopt_found, .bind = bind_names};
