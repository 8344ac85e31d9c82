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
	if (!placing->names || !placing->listed || !placing->first || !placing->former)
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

static int hold_nodes(struct rsv_placing *placing, const bitstr_t *nodes, uint32_t sr,
		      int64_t start, int64_t end, uint32_t existing)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < placing->world->count; i++) {
		struct own_hold own = {.existing = existing};

		if (!bit_test((bitstr_t *)nodes, i))
			continue;
		own.hold = rsv_world_whole(placing->world, i);
		own.hold.sr = sr;
		own.hold.start = start;
		own.hold.end = end;
		rc = add_own(placing, &own);
	}
	return rc;
}

int rsv_placing_see(struct rsv_placing *placing, size_t i, uint32_t sr)
{
	const struct rsv_there *there = &placing->world->there[i];

	return hold_nodes(placing, there->nodes, sr, there->start, there->end, (uint32_t)i);
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
		int64_t procs = world->nodes[i].procs;

		if (!bit_test(there->nodes, i))
			continue;
		placing->former[count++] = (struct maui_sr_share){
			.node = i,
			.tasks = sr->task.procs > 0 ? (uint32_t)(procs / sr->task.procs) : 1,
			.procs = procs,
			.in_use = world->passed[i] && there->start <= world->now,
		};
	}
	return count;
}

/* Whole nodes alone, until cores are there, too. NULL when memory is short, or there are none. */
static int nodes_of(const struct rsv_world *world, const struct maui_sr_placement *placement,
		    bitstr_t **ret_nodes, struct maui_error *error)
{
	*ret_nodes = NULL;
	for (size_t i = 0; i < placement->count; i++)
		if (placement->shares[i].procs < world->nodes[placement->shares[i].node].procs)
			return maui_error_set(
				error, ENOTSUP,
				"not made: it would hold a part of node %s, and parts of nodes "
				"are not there yet",
				world->names[placement->shares[i].node]);
	if (!placement->count)
		return 0;
	*ret_nodes = bit_alloc(world->count);
	for (size_t i = 0; i < placement->count; i++)
		bit_set(*ret_nodes, placement->shares[i].node);
	return 0;
}

int rsv_placing_step(struct rsv_placing *placing, const struct maui_sr_step *step,
		     uint32_t existing, struct maui_sr_placement *ret_placement,
		     bitstr_t **ret_nodes, struct maui_error *error)
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
		rc = nodes_of(world, ret_placement, ret_nodes, error);
	if (!rc && *ret_nodes)
		rc = hold_nodes(placing, *ret_nodes, step->sr, step->window.from, step->window.end,
				MAUI_SR_NO_INDEX);
	return rc;
}
