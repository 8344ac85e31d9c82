/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/rsv_placing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What one of our reservations holds of a node. */
struct own_hold {
	struct maui_sr_hold hold;
	uint32_t existing; /* whose it was before; MAUI_SR_NO_INDEX: it has been placed */
};

struct rsv_placing {
	const struct rsv_world *world;
	const struct maui_sr *list;
	size_t list_size;
	struct maui_node_names *names;
	bool **listed; /* by standing reservation: the nodes of its HOSTLIST; NULL: not asked for yet */
	struct own_hold *own;
	size_t own_count, own_room;
	/* Of the step at hand. */
	struct maui_sr_hold *holds;
	size_t holds_room;
	uint32_t *first; /* by node: its first hold */
	struct maui_sr_share *former;
	uint32_t *cores; /* by node: what it is to have */
};

struct rsv_placing *rsv_placing_free(struct rsv_placing *placing)
{
	if (!placing)
		return NULL;
	for (size_t i = 0; placing->listed && i < placing->list_size; i++)
		free(placing->listed[i]);
	free(placing->listed);
	maui_node_names_free(placing->names);
	free(placing->own);
	free(placing->holds);
	free(placing->first);
	free(placing->former);
	free(placing->cores);
	free(placing);
	return NULL;
}

struct rsv_placing *rsv_placing_new(const struct rsv_world *world, const struct maui_sr *list,
				    size_t list_size)
{
	struct rsv_placing *placing = calloc(1, sizeof(*placing));

	if (!placing)
		return NULL;
	placing->world = world;
	placing->list = list;
	placing->list_size = list_size;
	placing->names = maui_node_names_new(world->names, world->count);
	placing->listed = calloc(list_size + 1, sizeof(*placing->listed));
	placing->first = calloc(world->count + 2, sizeof(*placing->first));
	placing->former = calloc(world->count + 1, sizeof(*placing->former));
	placing->cores = calloc(world->count + 1, sizeof(*placing->cores));
	if (!placing->names || !placing->listed || !placing->first || !placing->former ||
	    !placing->cores)
		return rsv_placing_free(placing);
	return placing;
}

/* ---- what our reservations hold ---- */

static int add_own(struct rsv_placing *placing, const struct own_hold *own)
{
	if (placing->own_count == placing->own_room) {
		size_t room = placing->own_room ? placing->own_room * 2 : 256;
		void *grown = realloc(placing->own, room * sizeof(*placing->own));

		if (!grown)
			return -ENOMEM;
		placing->own = grown;
		placing->own_room = room;
	}
	placing->own[placing->own_count++] = *own;
	return 0;
}

/* The tasks that so many processors of a node are. */
static uint32_t tasks_of(const struct maui_sr *sr, int64_t procs)
{
	return sr->task.procs > 0 && procs > sr->task.procs ? (uint32_t)(procs / sr->task.procs)
							    : 1;
}

/* Of a part of a node its tasks' memory and disk are held, too, from other standing reservations at least. */
static struct maui_sr_hold part_of(const struct rsv_placing *placing, uint32_t node, uint32_t cores,
				   uint32_t sr)
{
	struct maui_sr_hold hold = rsv_world_part(placing->world, node, cores);

	hold.sr = sr;
	if (sr < placing->list_size && cores < placing->world->cores[node]) {
		const struct maui_sr_task *task = &placing->list[sr].task;
		int64_t tasks = tasks_of(&placing->list[sr], hold.procs);

		hold.memory = task->memory > 0 ? tasks * task->memory : 0;
		hold.disk = task->disk > 0 ? tasks * task->disk : 0;
	}
	return hold;
}

static int hold_nodes(struct rsv_placing *placing, bitstr_t *nodes, const uint32_t *cores,
		      uint32_t sr, int64_t start, int64_t end, uint32_t existing)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < placing->world->count; i++) {
		struct own_hold own = {.existing = existing};

		if (!bit_test(nodes, i))
			continue;
		own.hold = part_of(placing, i, cores[i], sr);
		own.hold.start = start;
		own.hold.end = end;
		rc = add_own(placing, &own);
	}
	return rc;
}

int rsv_placing_see(struct rsv_placing *placing, size_t i, uint32_t sr)
{
	const struct rsv_there *there = &placing->world->there[i];

	return hold_nodes(placing, there->nodes, there->cores, sr, there->start, there->end,
			  (uint32_t)i);
}

static void let_go(struct rsv_placing *placing, uint32_t existing)
{
	size_t kept = 0;

	for (size_t i = 0; i < placing->own_count; i++)
		if (placing->own[i].existing != existing)
			placing->own[kept++] = placing->own[i];
	placing->own_count = kept;
}

/* ---- one step ---- */

static bool overlaps(const struct maui_sr_hold *hold, const struct maui_sr_window *window)
{
	return hold->start < window->end && hold->end > window->from;
}

/* Those that hold nodes during the window, in the order of nodes. Returns their number. */
static size_t gather_holds(struct rsv_placing *placing, const struct maui_sr_window *window)
{
	const struct rsv_world *world = placing->world;
	uint32_t *first = placing->first;

	memset(first, 0, (world->count + 2) * sizeof(*first));
	for (size_t i = 0; i < world->hold_count; i++)
		if (overlaps(&world->holds[i], window))
			first[world->holds[i].node + 2]++;
	for (size_t i = 0; i < placing->own_count; i++)
		if (overlaps(&placing->own[i].hold, window))
			first[placing->own[i].hold.node + 2]++;
	for (uint32_t node = 2; node < world->count + 2; node++)
		first[node] += first[node - 1];
	/* first[node + 1] is where the next hold of a node goes */
	for (size_t i = 0; i < world->hold_count; i++)
		if (overlaps(&world->holds[i], window))
			placing->holds[first[world->holds[i].node + 1]++] = world->holds[i];
	for (size_t i = 0; i < placing->own_count; i++)
		if (overlaps(&placing->own[i].hold, window))
			placing->holds[first[placing->own[i].hold.node + 1]++] =
				placing->own[i].hold;
	return world->count ? first[world->count] : 0;
}

static int make_room(struct rsv_placing *placing)
{
	size_t wanted = placing->world->hold_count + placing->own_count + 1;
	void *grown;

	if (wanted <= placing->holds_room)
		return 0;
	grown = realloc(placing->holds, wanted * sizeof(*placing->holds));
	if (!grown)
		return -ENOMEM;
	placing->holds = grown;
	placing->holds_room = wanted;
	return 0;
}

/* The nodes of HOSTLIST; *ret_listed is NULL if there is none. */
static int listed_nodes(struct rsv_placing *placing, uint32_t sr, const bool **ret_listed)
{
	*ret_listed = NULL;
	if (!placing->list[sr].hosts)
		return 0;
	if (!placing->listed[sr]) {
		placing->listed[sr] =
			calloc(placing->world->count + 1, sizeof(*placing->listed[sr]));
		if (!placing->listed[sr])
			return -ENOMEM;
		maui_sr_hosts_match(placing->list[sr].hosts, placing->names, placing->listed[sr],
				    NULL);
	}
	*ret_listed = placing->listed[sr];
	return 0;
}

/* What the instance has, as tasks. */
static size_t former_shares(struct rsv_placing *placing, const struct maui_sr *sr,
			    const struct rsv_there *there)
{
	const struct rsv_world *world = placing->world;
	size_t count = 0;

	for (uint32_t i = 0; i < world->count; i++) {
		int64_t procs = rsv_world_procs(world, i, there->cores[i]);

		if (!bit_test(there->nodes, i))
			continue;
		placing->former[count++] = (struct maui_sr_share){
			.node = i,
			.tasks = tasks_of(sr, procs),
			.procs = procs,
			.in_use = world->passed[i] && there->start <= world->now,
		};
	}
	return count;
}

/* What was placed, as Slurm is to be told it. NULL for the nodes if there are none. */
static bitstr_t *nodes_of(struct rsv_placing *placing, const struct maui_sr_placement *placement,
			  const uint32_t **ret_cores)
{
	const struct rsv_world *world = placing->world;
	bitstr_t *nodes = placement->count ? bit_alloc(world->count) : NULL;

	*ret_cores = NULL;
	memset(placing->cores, 0, world->count * sizeof(*placing->cores));
	for (size_t i = 0; i < placement->count; i++) {
		uint32_t node = placement->shares[i].node;

		bit_set(nodes, node);
		placing->cores[node] = rsv_world_cores(world, node, placement->shares[i].procs);
		if (placing->cores[node] < world->cores[node])
			*ret_cores = placing->cores;
	}
	return nodes;
}

int rsv_placing_step(struct rsv_placing *placing, const struct maui_sr_step *step,
		     uint32_t existing, struct maui_sr_placement *ret_placement,
		     bitstr_t **ret_nodes, const uint32_t **ret_cores, struct maui_error *error)
{
	const struct rsv_world *world = placing->world;
	struct maui_sr_request request = {
		.sr = &placing->list[step->sr],
		.sr_index = step->sr,
		.from = step->window.from,
		.end = step->window.end,
	};
	size_t hold_count;
	int rc;

	*ret_nodes = NULL;
	*ret_cores = NULL;
	*ret_placement = (struct maui_sr_placement){.shares = NULL};
	if (existing != MAUI_SR_NO_INDEX) {
		let_go(placing, existing);
		request.former = placing->former;
		request.former_count = former_shares(placing, request.sr, &world->there[existing]);
	}
	if (make_room(placing) || listed_nodes(placing, step->sr, &request.listed))
		return maui_error_set(error, ENOMEM, "out of memory");
	hold_count = gather_holds(placing, &step->window);
	rc = maui_sr_place(&request, world->nodes, world->count, placing->holds, hold_count,
			   ret_placement, error);
	if (!rc)
		*ret_nodes = nodes_of(placing, ret_placement, ret_cores);
	if (*ret_nodes && hold_nodes(placing, *ret_nodes, placing->cores, step->sr,
				     step->window.from, step->window.end, MAUI_SR_NO_INDEX))
		rc = maui_error_set(error, ENOMEM, "out of memory");
	return rc;
}
