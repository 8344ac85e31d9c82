/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/reservation/rsv_placing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/engine/reservation/rsv_ranks.h"

/* One of our reservations, and what it holds: count holds from first on, in the pool. */
struct occupant {
	int64_t start, end;
	size_t first, count;
	uint32_t
		existing; /* its place in world->there; MAUI_SR_NO_INDEX: it has been placed in this roll */
};

/* Steps come in the order of their beginnings: what has ended by then is of no interest any
 * more. */
struct occupants {
	struct occupant *list;
	size_t count, room;
	size_t head; /* those before it have ended, or were placed anew */
};

struct rsv_placing {
	const struct rsv_world *world;
	const struct maui_sr *list;
	size_t list_size;
	struct maui_node_names *names;
	struct rsv_ranks *ranks;
	bool **listed; /* by standing reservation: the nodes of its HOSTLIST; NULL: not asked for yet */
	struct maui_sr_hold
		*others;         /* of jobs, and of others' reservations: the last to end first */
	struct occupants before; /* by start, once sorted */
	struct occupants placed;
	uint32_t *place; /* by world->there: in before */
	bool sorted;
	struct maui_sr_hold *pool;
	size_t pool_count, pool_room;
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
	rsv_ranks_free(placing->ranks);
	free(placing->others);
	free(placing->before.list);
	free(placing->placed.list);
	free(placing->place);
	free(placing->pool);
	free(placing->holds);
	free(placing->first);
	free(placing->former);
	free(placing->cores);
	free(placing);
	return NULL;
}

static int last_end_first(const void *left, const void *right)
{
	const struct maui_sr_hold *a = left, *b = right;

	return (a->end < b->end) - (a->end > b->end);
}

static void sort_others(struct rsv_placing *placing)
{
	size_t count = placing->world->hold_count;

	if (!count)
		return;
	memcpy(placing->others, placing->world->holds, count * sizeof(*placing->others));
	qsort(placing->others, count, sizeof(*placing->others), last_end_first);
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
	placing->ranks = rsv_ranks_new(world);
	placing->listed = calloc(list_size + 1, sizeof(*placing->listed));
	placing->first = calloc(world->count + 2, sizeof(*placing->first));
	placing->former = calloc(world->count + 1, sizeof(*placing->former));
	placing->cores = calloc(world->count + 1, sizeof(*placing->cores));
	placing->place = calloc(world->there_count + 1, sizeof(*placing->place));
	placing->others = calloc(world->hold_count + 1, sizeof(*placing->others));
	if (!placing->names || !placing->ranks || !placing->listed || !placing->first ||
	    !placing->former || !placing->cores || !placing->place || !placing->others)
		return rsv_placing_free(placing);
	sort_others(placing);
	return placing;
}

/* ---- what our reservations hold ---- */

static int add_hold(struct rsv_placing *placing, const struct maui_sr_hold *hold)
{
	if (placing->pool_count == placing->pool_room) {
		size_t room = placing->pool_room ? placing->pool_room * 2 : 256;
		void *grown = realloc(placing->pool, room * sizeof(*placing->pool));

		if (!grown)
			return -ENOMEM;
		placing->pool = grown;
		placing->pool_room = room;
	}
	placing->pool[placing->pool_count++] = *hold;
	return 0;
}

static int add_occupant(struct occupants *occupants, const struct occupant *occupant)
{
	if (occupants->count == occupants->room) {
		size_t room = occupants->room ? occupants->room * 2 : 64;
		void *grown = realloc(occupants->list, room * sizeof(*occupants->list));

		if (!grown)
			return -ENOMEM;
		occupants->list = grown;
		occupants->room = room;
	}
	occupants->list[occupants->count++] = *occupant;
	return 0;
}

/* The tasks that so many processors of a node are. */
static uint32_t tasks_of(const struct maui_sr *sr, int64_t procs)
{
	return sr->task.procs > 0 && procs > sr->task.procs ? (uint32_t)(procs / sr->task.procs)
							    : 1;
}

/* Of a part of a node its tasks' memory and disk are held, too, from other standing reservations at
 * least. */
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

/* cores: by node; NULL: all. */
static int hold_nodes(struct rsv_placing *placing, struct occupants *occupants,
		      struct occupant occupant, bitstr_t *nodes, const uint32_t *cores, uint32_t sr)
{
	int last = bit_fls(nodes);

	occupant.first = placing->pool_count;
	for (int i = bit_ffs(nodes); i >= 0 && i <= last; i++) {
		struct maui_sr_hold hold;

		if (!bit_test(nodes, i))
			continue;
		hold = part_of(placing, (uint32_t)i, cores ? cores[i] : placing->world->cores[i],
			       sr);
		hold.start = occupant.start;
		hold.end = occupant.end;
		if (add_hold(placing, &hold))
			return -ENOMEM;
	}
	occupant.count = placing->pool_count - occupant.first;
	return add_occupant(occupants, &occupant);
}

int rsv_placing_see(struct rsv_placing *placing, size_t i, uint32_t sr)
{
	const struct rsv_there *there = &placing->world->there[i];
	struct occupant occupant = {
		.start = there->start, .end = there->end, .existing = (uint32_t)i};

	return hold_nodes(placing, &placing->before, occupant, there->nodes, there->cores, sr);
}

static int by_start(const void *left, const void *right)
{
	const struct occupant *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

/* All that there were are seen. */
static void sort_before(struct rsv_placing *placing)
{
	if (placing->sorted)
		return;
	placing->sorted = true;
	if (placing->before.count)
		qsort(placing->before.list, placing->before.count, sizeof(*placing->before.list),
		      by_start);
	for (size_t i = 0; i < placing->before.count; i++)
		placing->place[placing->before.list[i].existing] = (uint32_t)i;
}

/* It is placed anew. */
static void let_go(struct rsv_placing *placing, uint32_t existing)
{
	placing->before.list[placing->place[existing]].count = 0;
}

/* ---- one step ---- */

static bool overlaps(const struct maui_sr_hold *hold, const struct maui_sr_window *window)
{
	return hold->start < window->end && hold->end > window->from;
}

/* Adds to the holds of the step; returns their number. */
static size_t gather_occupants(struct rsv_placing *placing, struct occupants *occupants,
			       const struct maui_sr_window *window, size_t count)
{
	for (size_t i = occupants->head; i < occupants->count; i++) {
		const struct occupant *one = &occupants->list[i];

		if (one->start >= window->end)
			break;
		if (!one->count || one->end <= window->from) {
			occupants->head += i == occupants->head;
			continue;
		}
		memcpy(&placing->holds[count], &placing->pool[one->first],
		       one->count * sizeof(*placing->holds));
		count += one->count;
	}
	return count;
}

/* In the order of nodes, behind the others; then in their place. */
static void sort_by_node(struct rsv_placing *placing, size_t count)
{
	struct maui_sr_hold *sorted = placing->holds + count;
	uint32_t nodes = placing->world->count, *first = placing->first;

	memset(first, 0, (nodes + 1) * sizeof(*first));
	for (size_t i = 0; i < count; i++)
		first[placing->holds[i].node + 1]++;
	for (uint32_t node = 1; node < nodes; node++)
		first[node] += first[node - 1];
	for (size_t i = 0; i < count; i++)
		sorted[first[placing->holds[i].node]++] = placing->holds[i];
	memcpy(placing->holds, sorted, count * sizeof(*sorted));
}

/* Those that hold nodes during the window, in the order of nodes. Returns their number. */
static size_t gather_holds(struct rsv_placing *placing, const struct maui_sr_window *window)
{
	size_t count = 0;

	for (size_t i = 0; i < placing->world->hold_count; i++) {
		if (placing->others[i].end <= window->from)
			break;
		if (overlaps(&placing->others[i], window))
			placing->holds[count++] = placing->others[i];
	}
	count = gather_occupants(placing, &placing->before, window, count);
	count = gather_occupants(placing, &placing->placed, window, count);
	sort_by_node(placing, count);
	return count;
}

/* For twice as many holds as there can be, to sort them. */
static int make_room(struct rsv_placing *placing)
{
	size_t wanted = 2 * (placing->world->hold_count + placing->pool_count + 1);
	void *grown;

	if (wanted <= placing->holds_room)
		return 0;
	wanted *= 2;
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
		int64_t procs;

		if (!bit_test(there->nodes, i))
			continue;
		procs = rsv_world_procs(world, i, rsv_there_cores(world, there, i));
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
		     struct maui_sr_placement *ret_placement, bitstr_t **ret_nodes,
		     const uint32_t **ret_cores, struct maui_error *error)
{
	const struct rsv_world *world = placing->world;
	struct maui_sr_request request = {
		.sr = &placing->list[step->sr],
		.sr_index = step->sr,
		.from = step->window.from,
		.end = step->window.end,
	};
	struct occupant occupant = {
		.start = step->window.from, .end = step->window.end, .existing = MAUI_SR_NO_INDEX};
	size_t hold_count;
	int rc;

	sort_before(placing);
	*ret_nodes = NULL;
	*ret_cores = NULL;
	*ret_placement = (struct maui_sr_placement){.shares = NULL};
	if (step->existing != MAUI_SR_NO_INDEX) {
		let_go(placing, step->existing);
		request.former = placing->former;
		request.former_count =
			former_shares(placing, request.sr, &world->there[step->existing]);
	}
	if (make_room(placing) || listed_nodes(placing, step->sr, &request.listed))
		return maui_error_set(error, ENOMEM, "out of memory");
	if (request.sr->task_count)
		request.rank =
			rsv_ranks_for(placing->ranks, request.sr, step->window.from <= world->now);
	hold_count = gather_holds(placing, &step->window);
	rc = maui_sr_place(&request, world->nodes, world->count, placing->holds, hold_count,
			   ret_placement, error);
	if (!rc)
		*ret_nodes = nodes_of(placing, ret_placement, ret_cores);
	if (*ret_nodes &&
	    hold_nodes(placing, &placing->placed, occupant, *ret_nodes, placing->cores, step->sr))
		rc = maui_error_set(error, ENOMEM, "out of memory");
	return rc;
}
