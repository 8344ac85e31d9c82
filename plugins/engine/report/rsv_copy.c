/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes the copy under Slurm's job and node read locks and the mutex, and
 * merges the roll's outcome with Slurm's reservations by name.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/report/rsv_copy.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/policy/reservation/sr_unknown.h"
#include "plugins/engine/nodes/node_use.h"
#include "plugins/engine/report/report_records.h"
#include "plugins/engine/reservation/roll/rsv_roll.h"
#include "plugins/engine/reservation/rsv_name_table.h"
#include "plugins/engine/reservation/rsv_owner.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/setres/rsv_admin.h"
#include "plugins/engine/reservation/trigger/rsv_trigger.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/noderec.h"
#include "plugins/engine/slurm/resvrec.h"

#define YEAR INT64_C(31536000)

static const char *keep_text(struct rsv_copy *copy, const char *text)
{
	return report_copy_text(copy->arena, text);
}

/* ---- standing reservations; the mutex is held ---- */

ENGINE_LOCKED static void keep_values(struct rsv_copy *copy, const struct maui_sr *sr,
				      struct rsv_copy_standing *into)
{
	const struct maui_object *object =
		maui_config_object(rsv_policy_config(sr), MAUI_SRCFG, sr->name);

	for (size_t i = 0; i < MAUI_SR_ATTRIBUTES; i++) {
		const struct maui_sr_attribute *row = maui_sr_attribute_at(i);

		if (maui_sr_attribute_is_told(row))
			maui_sr_attribute_value(row, sr, object, copy->arena, &into->values[i]);
	}
}

ENGINE_LOCKED static void keep_making(struct rsv_copy_standing *into, const char *name)
{
	const struct maui_admin_rsv *one = maui_admin_rsvs_find(rsv_admin_list(), name);

	if (!one)
		return;
	into->made = one->made;
	into->made_by = one->uid;
	into->recovered = one->recovered;
}

static void keep_lacks(struct rsv_copy *copy, const struct maui_sr *sr,
		       struct rsv_copy_standing *into)
{
	const char *owner = maui_sr_owner_lack(sr->flags, rsv_owner_preemption());
	char nobody[MAUI_SR_NOBODY_TEXT];

	if (owner)
		into->lacks[into->lack_count++] = owner; /* a constant */
	if (maui_sr_nobody(sr, nobody))
		into->lacks[into->lack_count++] = keep_text(copy, nobody);
}

ENGINE_LOCKED static void keep_standing(struct rsv_copy *copy, const struct maui_sr *sr,
					struct rsv_copy_standing *into)
{
	*into = (struct rsv_copy_standing){.name = keep_text(copy, sr->name), .sr = *sr};
	keep_values(copy, sr, into);
	keep_lacks(copy, sr, into);
	if (sr->period == MAUI_SR_ONCE)
		keep_making(into, sr->name);
}

ENGINE_LOCKED static void keep_all_standing(struct rsv_copy *copy)
{
	const struct maui_sr *list;
	size_t count = rsv_policy_list(&list);

	copy->known = rsv_policy_known();
	if (count > MAUI_SR_INSTANCES) /* each has at least one instance */
		count = MAUI_SR_INSTANCES;
	copy->standing = maui_arena_alloc(copy->arena, count, sizeof(*copy->standing));
	for (size_t i = 0; i < count; i++)
		keep_standing(copy, &list[i], &copy->standing[copy->standing_count++]);
}

/* ---- the roll; the mutex is held ---- */

/* Found by name: an index in the roll's list may belong to an older policy. */
ENGINE_LOCKED static uint32_t standing_of(const char *name)
{
	int64_t date;

	return rsv_policy_find(name, &date);
}

ENGINE_LOCKED static void keep_rolled(struct rsv_copy *copy, const struct rsv_rolled *rolled)
{
	copy->rows[copy->count++] = (struct rsv_copy_row){
		.name = keep_text(copy, rolled->name),
		.standing = standing_of(rolled->name),
		.ours = true,
		.rolled = true,
		.status = rolled->status,
		.tasks = rolled->tasks,
		.missing = rolled->missing,
		.text = keep_text(copy, rolled->text),
		.start = rolled->start,
		.end = rolled->end,
		.would = rolled->would,
		.procs = rolled->procs,
		.node_list = rolled->there || rolled->would ? keep_text(copy, rolled->nodes) : NULL,
		.fired = rsv_trigger_fired(rolled->name),
	};
}

/* ---- Slurm's; node read lock, and the mutex ---- */

struct search {
	struct rsv_copy *copy;
	size_t rolled; /* number of rows from the roll, sorted by name */
	size_t room;
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct rsv_copy_row *)a)->name,
		      ((const struct rsv_copy_row *)b)->name);
}

/* The roll's row with this name, or a new one; NULL if there is no room. */
ENGINE_LOCKED static struct rsv_copy_row *row_of(struct search *search, const char *name, bool ours)
{
	struct rsv_copy *copy = search->copy;
	struct rsv_copy_row wanted = {.name = name}, *row = NULL;

	if (ours && search->rolled)
		row = bsearch(&wanted, copy->rows, search->rolled, sizeof(wanted), compare_names);
	if (row)
		return row;
	if (copy->count == search->room)
		return NULL;
	row = &copy->rows[copy->count++];
	*row = (struct rsv_copy_row){.name = keep_text(copy, name),
				     .standing = ours ? standing_of(name) : UINT32_MAX,
				     .ours = ours};
	return row;
}

/* With TIME_FLOAT, times are relative to now, as scontrol shows them. */
static void keep_times(const struct rsv_copy *copy, const slurmctld_resv_t *from,
		       struct rsv_copy_row *row)
{
	uint32_t duration = resvrec_duration(from);

	row->start = resvrec_start(from);
	row->end = resvrec_end(from);
	if (!resvrec_floats(from))
		return;
	row->start += copy->now;
	if (duration == INFINITE)
		row->end = row->start + YEAR;
	else if (duration && duration != NO_VAL)
		row->end = row->start + duration * INT64_C(60);
}

/* 0: it has whole nodes. */
static uint32_t procs_of_part(const slurmctld_resv_t *from)
{
	uint64_t procs;

	if (!resvrec_holds_parts(from))
		return 0;
	procs = resvrec_cpus(from);
	return procs < UINT32_MAX ? (uint32_t)procs : resvrec_core_count(from);
}

/* The threads of its cores, node by node. */
static const uint32_t *keep_parts(struct rsv_copy *copy, const slurmctld_resv_t *from)
{
	bitstr_t *nodes = resvrec_nodes(from);
	uint32_t *parts =
		maui_arena_alloc(copy->arena, (size_t)bit_set_count(nodes), sizeof(*parts));
	int last = bit_fls(nodes);
	size_t count = 0;

	for (int i = bit_ffs(nodes); i >= 0 && i <= last; i++) {
		const node_record_t *node;

		if (!bit_test(nodes, i))
			continue;
		node = noderec_at((uint32_t)i);
		parts[count++] = node && noderec_cores(node)
					 ? resvrec_cores_of(from, (uint32_t)i) *
						   noderec_cpus(node) / noderec_cores(node)
					 : 0;
	}
	return parts;
}

static int keep_reservation(slurmctld_resv_t *from, void *context)
{
	struct search *search = context;
	struct rsv_copy *copy = search->copy;
	bitstr_t *nodes = resvrec_nodes(from);
	struct rsv_copy_row *row;
	bool ours;

	engine_assert_locked();
	ours = rsv_name_table_is_ours(from);
	if (!resvrec_name(from) || (resvrec_end(from) <= copy->now && !ours))
		return 0;
	row = row_of(search, resvrec_name(from), ours);
	if (!row)
		return -1;
	keep_times(copy, from, row);
	row->there = true;
	row->open = resvrec_max_start_delay(from);
	row->flags = resvrec_flags(from);
	row->node_list = keep_text(copy, resvrec_node_list(from));
	row->users = keep_text(copy, resvrec_users(from));
	row->accounts = keep_text(copy, resvrec_accounts(from));
	row->partition = keep_text(copy, resvrec_partition(from));
	row->procs = procs_of_part(from);
	if (nodes)
		row->nodes = bit_copy(nodes);
	if (nodes && row->procs)
		row->parts = keep_parts(copy, from);
	return 0;
}

static void keep_nodes(struct rsv_copy *copy)
{
	copy->node_count = noderec_count();
	copy->node_names =
		maui_arena_alloc(copy->arena, copy->node_count, sizeof(*copy->node_names));
	copy->node_procs =
		maui_arena_alloc(copy->arena, copy->node_count, sizeof(*copy->node_procs));
	copy->node_used = maui_arena_alloc(copy->arena, copy->node_count, sizeof(*copy->node_used));
	for (uint32_t i = 0; i < copy->node_count; i++) {
		const node_record_t *node = noderec_at(i);

		if (!node)
			continue;
		copy->node_names[i] = keep_text(copy, noderec_name(node));
		copy->node_procs[i] = noderec_cpus(node);
	}
	node_use_count(copy->node_used, copy->node_count);
}

ENGINE_LOCKED static void keep_rows(struct rsv_copy *copy)
{
	const struct rsv_rolled *rolled;
	struct search search = {.copy = copy, .rolled = rsv_roll_outcome(&rolled)};

	search.room = search.rolled + resvrec_count();
	copy->rows = maui_arena_alloc(copy->arena, search.room, sizeof(*copy->rows));
	for (size_t i = 0; i < search.rolled; i++) {
		keep_rolled(copy, &rolled[i]);
		if (rolled[i].would && !rolled[i].there)
			copy->rows[i].nodes = noderec_bits(rolled[i].nodes);
	}
	resvrec_each(keep_reservation, &search);
}

/* ---- all of it ---- */

/* Ours first. No lock held. */
static void put_ours_first(struct rsv_copy *copy)
{
	struct rsv_copy_row *sorted = maui_arena_alloc(copy->arena, copy->count, sizeof(*sorted));
	size_t count = 0;

	for (int ours = 1; ours >= 0; ours--)
		for (size_t i = 0; i < copy->count; i++)
			if (copy->rows[i].ours == ours)
				sorted[count++] = copy->rows[i];
	copy->rows = sorted;
}

const char *rsv_copy_take(struct rsv_copy *ret_copy)
{
	slurmctld_lock_t records_read = {.job = READ_LOCK, .node = READ_LOCK};
	bool primary;

	*ret_copy = (struct rsv_copy){.arena = maui_arena_new(), .now = time(NULL)};
	lock_slurmctld(records_read);
	primary = engine_may_look();
	if (primary) {
		keep_nodes(ret_copy);
		engine_lock();
		keep_all_standing(ret_copy);
		keep_rows(ret_copy);
		engine_unlock();
	}
	unlock_slurmctld(records_read);
	if (!primary)
		return REPORT_STANDBY;
	put_ours_first(ret_copy);
	return NULL;
}

void rsv_copy_clear(struct rsv_copy *copy)
{
	for (size_t i = 0; i < copy->count; i++)
		FREE_NULL_BITMAP(copy->rows[i].nodes);
	maui_arena_free(copy->arena);
	*copy = (struct rsv_copy){0};
}

const struct maui_sr_value *rsv_copy_acl(const struct rsv_copy_standing *standing)
{
	size_t i = 0;

	while (maui_sr_attribute_at(i)->form != MAUI_SR_IS_LIST)
		i++;
	return &standing->values[i];
}

int64_t rsv_copy_procs(const struct rsv_copy *copy, const struct rsv_copy_row *row)
{
	int64_t procs = 0;
	int last;

	if (row->procs || !row->nodes)
		return row->procs;
	last = bit_fls(row->nodes);
	for (int i = bit_ffs(row->nodes); i >= 0 && i <= last && (uint32_t)i < copy->node_count;
	     i++)
		if (bit_test(row->nodes, i))
			procs += copy->node_procs[i];
	return procs;
}

int64_t rsv_copy_procs_on(const struct rsv_copy *copy, const struct rsv_copy_row *row,
			  uint32_t node)
{
	if (!row->parts)
		return copy->node_procs[node];
	return row->parts[bit_set_count_range(row->nodes, 0, (int)node)];
}

int64_t rsv_copy_used(const struct rsv_copy *copy, const struct rsv_copy_row *row)
{
	int64_t used = 0;
	int last = row->nodes ? bit_fls(row->nodes) : -1;

	for (int i = last >= 0 ? bit_ffs(row->nodes) : 0;
	     i >= 0 && i <= last && (uint32_t)i < copy->node_count; i++) {
		int64_t most;

		if (!bit_test(row->nodes, i))
			continue;
		most = rsv_copy_procs_on(copy, row, (uint32_t)i);
		used += copy->node_used[i] < most ? copy->node_used[i] : most;
	}
	return used;
}

bool rsv_copy_is_active(const struct rsv_copy *copy, const struct rsv_copy_row *row)
{
	return row->there && row->start <= copy->now && row->end > copy->now;
}
