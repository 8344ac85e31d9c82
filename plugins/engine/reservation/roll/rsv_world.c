/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies nodes, partitions, active jobs and reservations under Slurm's read
 * locks, and marks which of our reservations are in use.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/roll/rsv_world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/util/grow.h"
#include "plugins/engine/reservation/rsv_gap_cache.h"
#include "plugins/engine/reservation/rsv_name_table.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/shadow_nodes.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/noderec.h"
#include "plugins/engine/slurm/noderec_gres.h"
#include "plugins/engine/slurm/partrec.h"
#include "plugins/engine/slurm/pass.h"
#include "plugins/engine/slurm/resvrec.h"
#include "plugins/engine/slurm/rsv_records.h"

static void add_hold(struct rsv_world *world, const struct maui_sr_hold *hold)
{
	world->holds = maui_grow(world->holds, world->hold_count + 1, &world->hold_room,
				 sizeof(*world->holds));
	world->holds[world->hold_count++] = *hold;
}

char *rsv_world_node_list(const struct rsv_world *world, const bitstr_t *nodes)
{
	compat_hostlist_t list = hostlist_create(NULL);
	int last = bit_fls((bitstr_t *)nodes);
	char *text;

	for (int i = bit_ffs((bitstr_t *)nodes); i >= 0 && i <= last; i++)
		if (bit_test((bitstr_t *)nodes, i) && *world->names[i])
			hostlist_push_host(list, world->names[i]);
	hostlist_sort(list);
	text = hostlist_ranged_string_xmalloc(list);
	hostlist_destroy(list);
	return text;
}

int64_t rsv_world_procs(const struct rsv_world *world, uint32_t node, uint32_t cores)
{
	return maui_sr_core_procs(&world->nodes[node], world->cores[node], cores);
}

/* ---- nodes ---- */

bitstr_t *rsv_world_down(const struct rsv_world *world)
{
	bitstr_t *down;

	if (world->table != noderec_table())
		return NULL;
	down = bit_alloc(world->count);
	for (uint32_t i = 0; i < world->count; i++)
		if (!world->nodes[i].up)
			bit_set(down, i);
	return down;
}

/* Split "a,b" into a list. */
static const char **world_split(struct rsv_world *world, const char *text, size_t *ret_count)
{
	char *copy = text ? maui_arena_text(world->arena, text, strlen(text)) : NULL;
	const char **list;
	size_t count = 0, room = 1;
	char *rest = NULL;

	for (const char *at = text; at && *at; at++)
		room += *at == ',';
	list = maui_arena_alloc(world->arena, room, sizeof(*list));
	for (char *one = copy ? strtok_r(copy, ",", &rest) : NULL; one && count < room;
	     one = strtok_r(NULL, ",", &rest))
		list[count++] = one;
	*ret_count = count;
	return list;
}

struct gres_walk {
	struct maui_sr_gres *list; /* NULL: they are counted */
	size_t count;
};

static void look_at_gres(void *context, const char *name, uint64_t configured, uint64_t used)
{
	struct gres_walk *walk = context;
	struct maui_sr_gres *into = walk->list ? &walk->list[walk->count] : NULL;

	(void)used;
	walk->count++;
	if (!into)
		return;
	into->count = maui_gres_within(configured);
	snprintf(into->name, sizeof(into->name), "%s", name);
}

static void look_at_all_gres(struct rsv_world *world, const node_record_t *node,
			     struct maui_sr_node *into)
{
	struct gres_walk walk = {0};

	noderec_gres_each(node, look_at_gres, &walk);
	if (!walk.count)
		return;
	walk.list = maui_arena_alloc(world->arena, walk.count, sizeof(*walk.list));
	walk.count = 0;
	noderec_gres_each(node, look_at_gres, &walk);
	into->gres = walk.list;
	into->gres_count = walk.count;
}

static void look_at_node(struct rsv_world *world, uint32_t index)
{
	const node_record_t *node = noderec_at(index);
	struct maui_sr_node *into = &world->nodes[index];

	world->names[index] = "";
	if (!node)
		return;
	world->names[index] =
		maui_arena_text(world->arena, noderec_name(node), strlen(noderec_name(node)));
	*into = (struct maui_sr_node){
		.up = noderec_is_usable(node),
		.procs = noderec_job_cpus(node),
		.memory = (int64_t)noderec_job_memory(node),
		.disk = noderec_disk(node),
	};
	world->cores[index] = noderec_job_cores(node);
	look_at_all_gres(world, node, into);
	into->features = world_split(world, noderec_features(node), &into->feature_count);
	into->partitions = maui_arena_alloc(world->arena, (size_t)partrec_count() + 1,
					    sizeof(*into->partitions));
}

static int look_at_partition(part_record_t *partition, void *context)
{
	struct rsv_world *world = context;
	const char *name = maui_arena_text(world->arena, partrec_name(partition),
					   strlen(partrec_name(partition)));
	bitstr_t *nodes = partrec_nodes(partition);

	for (uint32_t i = 0; nodes && i < world->count; i++) {
		struct maui_sr_node *node = &world->nodes[i];

		if (bit_test(nodes, i) && node->partitions)
			((const char **)node->partitions)[node->partition_count++] = name;
	}
	return 0;
}

/* ---- what holds them ---- */

struct job_walk {
	struct rsv_world *world;
	struct maui_sr_hold hold; /* except its node */
	bool ours, pass;
};

static void look_at_held(uint32_t node, uint16_t cpus, uint64_t memory, void *context)
{
	struct job_walk *walk = context;
	struct rsv_world *world = walk->world;

	if (node >= world->count)
		return;
	walk->hold.node = node;
	walk->hold.procs = cpus;
	walk->hold.memory = (int64_t)memory;
	add_hold(world, &walk->hold);
	world->passed[node] |= walk->ours;
	if (walk->pass && walk->hold.start > world->entered[node])
		world->entered[node] = walk->hold.start;
}

static int look_at_job(job_record_t *job, void *context)
{
	struct rsv_world *world = context;
	struct job_walk walk = {
		.world = world,
		.hold = {.job = true,
			 .sr = UINT32_MAX,
			 .start = jobrec_start(job),
			 .end = jobrec_end(job)},
		.ours = rsv_pass_given(job),
		.pass = rsv_pass_given(job) || rsv_pass_has(job),
	};

	if (jobrec_is_active(job))
		jobrec_each_node(job, look_at_held, &walk);
	return 0;
}

/* Nodes and cores of one of ours. */
static void look_at_parts(const slurmctld_resv_t *reservation, struct rsv_world *world,
			  struct rsv_there *there)
{
	int last = bit_fls(there->nodes);

	there->whole = !resvrec_cores(reservation);
	there->parts = maui_arena_alloc(world->arena, (size_t)bit_set_count(there->nodes),
					sizeof(*there->parts));
	last = last < (int)world->count ? last : (int)world->count - 1;
	for (int i = bit_ffs(there->nodes); i >= 0 && i <= last; i++)
		if (bit_test(there->nodes, i))
			there->parts[there->part_count++] = (struct maui_sr_part){
				(uint32_t)i, there->whole
						     ? world->cores[i]
						     : resvrec_cores_of(reservation, (uint32_t)i)};
}

/* By a job that it may admit, or by one with a pass that began during its time, which only a job
 * that it admits can do. */
static bool is_in_use(const struct rsv_world *world, const struct rsv_there *there)
{
	for (size_t i = 0; i < there->part_count && there->start <= world->now; i++) {
		uint32_t node = there->parts[i].node;

		if (world->passed[node] || world->entered[node] >= there->start)
			return true;
	}
	return false;
}

static void look_at_ours(const slurmctld_resv_t *reservation, struct rsv_world *world)
{
	bitstr_t *nodes = resvrec_nodes(reservation);
	struct rsv_there *there;

	world->there = maui_grow(world->there, world->there_count + 1, &world->there_room,
				 sizeof(*world->there));
	there = &world->there[world->there_count++];
	*there = (struct rsv_there){.start = resvrec_start(reservation),
				    .end = resvrec_end(reservation),
				    .open = resvrec_max_start_delay(reservation),
				    .maint = resvrec_is_maint(reservation),
				    .altered = !rsv_record_is_intact(reservation)};
	snprintf(there->name, sizeof(there->name), "%s", resvrec_name(reservation));
	there->nodes = nodes ? bit_copy(nodes) : bit_alloc(world->count);
	look_at_parts(reservation, world, there);
	there->in_use = is_in_use(world, there);
}

static int look_at_reservation(slurmctld_resv_t *reservation, void *context)
{
	struct rsv_world *world = context;
	bitstr_t *nodes = resvrec_nodes(reservation);
	int64_t date;

	engine_assert_locked();
	if (rsv_name_table_is_ours(reservation)) {
		look_at_ours(reservation, world);
		return 0;
	}
	if (rsv_policy_find(resvrec_name(reservation), &date) != UINT32_MAX)
		return 0; /* it is in the place of ours, and keeps ours from nothing */
	for (uint32_t i = 0; nodes && i < world->count; i++) {
		struct maui_sr_part part;
		struct maui_sr_hold hold;

		if (!bit_test(nodes, i))
			continue;
		part = (struct maui_sr_part){i, resvrec_cores_of(reservation, i)};
		hold = maui_sr_core_hold(&world->nodes[i], world->cores[i], &part);
		hold.start = resvrec_floats(reservation) ? world->now : resvrec_start(reservation);
		hold.end = resvrec_end(reservation);
		add_hold(world, &hold);
	}
	return 0;
}

/* ---- all of it ---- */

static void world_allocate(struct rsv_world *world)
{
	world->arena = maui_arena_new();
	world->nodes = maui_arena_alloc(world->arena, world->count + 1, sizeof(*world->nodes));
	world->names = maui_arena_alloc(world->arena, world->count + 1, sizeof(*world->names));
	world->passed = maui_arena_alloc(world->arena, world->count + 1, sizeof(*world->passed));
	world->cores = maui_arena_alloc(world->arena, world->count + 1, sizeof(*world->cores));
	world->entered = maui_arena_alloc(world->arena, world->count + 1, sizeof(*world->entered));
}

static int by_place(const void *left, const void *right)
{
	const struct rsv_there *a = left, *b = right;

	return (a->place > b->place) - (a->place < b->place);
}

/* By name: the name table has all of them in that order. */
ENGINE_LOCKED static void sort_there(struct rsv_world *world)
{
	for (size_t i = 0; i < world->there_count; i++)
		world->there[i].place =
			maui_rsv_names_place(rsv_name_table(), world->there[i].name);
	if (world->there_count)
		qsort(world->there, world->there_count, sizeof(*world->there), by_place);
}

/* Job, node and partition read locks, and the mutex, for the names of our reservations. */
ENGINE_LOCKED static void look(struct rsv_world *world)
{
	for (uint32_t i = 0; i < world->count; i++)
		look_at_node(world, i);
	partrec_each(look_at_partition, world);
	jobrec_each(look_at_job, world);
	resvrec_each(look_at_reservation, world);
	sort_there(world);
}

int rsv_world_look(struct rsv_world *ret_world)
{
	slurmctld_lock_t records_read = {.job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK};
	struct rsv_world world = {.now = time(NULL)};
	int rc = 0;

	lock_slurmctld(records_read);
	shadow_forget_nodes();
	if (!engine_may_look() || !jobrec_there()) {
		rc = -EAGAIN;
	} else {
		world.count = noderec_count();
		world.table = noderec_table();
		world_allocate(&world);
		engine_lock();
		rsv_gap_cache_look();
		look(&world);
		engine_unlock();
	}
	unlock_slurmctld(records_read);
	*ret_world = world;
	return rc;
}

void rsv_world_clear(struct rsv_world *world)
{
	for (size_t i = 0; i < world->there_count; i++)
		FREE_NULL_BITMAP(world->there[i].nodes);
	free(world->there);
	free(world->holds);
	world->arena = maui_arena_free(world->arena);
	*world = (struct rsv_world){0};
}
