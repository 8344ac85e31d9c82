/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects the holds on nodes during each step's window, sorts them by node,
 * and calls maui_sr_place() unless the instance stays as it is.
 */
#include "common/policy/reservation/sr_placing.h"

#include <stdlib.h>
#include <string.h>

#include "common/policy/reservation/sr_place_private.h"
#include "common/policy/reservation/sr_stay.h"
#include "common/util/grow.h"
#include "common/util/memory.h"

/* One of our reservations, and what it holds: count holds from first on, in the pool. */
struct occupant {
	int64_t start, end;
	size_t first, count;
	uint32_t existing; /* its number; MAUI_SR_NO_INDEX: it has been placed in this roll */
};

/* Steps come in the order of their beginnings: what has ended by then no longer matters. */
struct occupants {
	struct occupant *list;
	size_t count, room;
	size_t head; /* those before it have ended, or were placed again */
};

struct maui_sr_placing {
	const struct maui_sr_world *world;
	const struct maui_sr *list;
	size_t list_size;
	struct maui_node_names *names;
	struct maui_sr_ranker ranker;
	/* By standing reservation: the nodes of its HOSTLIST and EXCLUDEHOSTLIST; NULL: not
	 * computed. */
	bool **listed, **excluded;
	struct maui_sr_reach *reach; /* by standing reservation, once it is known */
	struct maui_sr_hold
		*others;         /* of jobs, and of others' reservations: the last to end first */
	struct occupants before; /* by start, once sorted */
	struct occupants placed;
	uint32_t *place; /* by index of the existing: its index in before */
	bool sorted;
	struct maui_sr_hold *pool;
	size_t pool_count, pool_room;
	/* For the current step: */
	struct maui_sr_hold *holds;
	size_t holds_room;
	uint32_t *first; /* by node: its first hold */
	struct maui_sr_share *former;
	uint32_t *cores; /* by node: what it is to get */
};

static void free_marks(bool **marks, size_t count)
{
	for (size_t i = 0; marks && i < count; i++)
		free(marks[i]);
	free(marks);
}

struct maui_sr_placing *maui_sr_placing_free(struct maui_sr_placing *placing)
{
	if (!placing)
		return NULL;
	free_marks(placing->listed, placing->list_size);
	free_marks(placing->excluded, placing->list_size);
	free(placing->reach);
	maui_node_names_free(placing->names);
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

static void sort_others(struct maui_sr_placing *placing)
{
	size_t count = placing->world->hold_count;

	if (!count)
		return;
	memcpy(placing->others, placing->world->holds, count * sizeof(*placing->others));
	qsort(placing->others, count, sizeof(*placing->others), last_end_first);
}

struct maui_sr_placing *maui_sr_placing_new(const struct maui_sr_world *world,
					    const struct maui_sr *list, size_t list_size,
					    const struct maui_sr_ranker *ranker)
{
	struct maui_sr_placing *placing = maui_calloc(1, sizeof(*placing));

	placing->world = world;
	placing->list = list;
	placing->list_size = list_size;
	placing->names = maui_node_names_new(world->names, world->count);
	placing->ranker = *ranker;
	placing->listed = maui_calloc(list_size + 1, sizeof(*placing->listed));
	placing->excluded = maui_calloc(list_size + 1, sizeof(*placing->excluded));
	placing->reach = maui_calloc(list_size + 1, sizeof(*placing->reach));
	placing->first = maui_calloc(world->count + 2, sizeof(*placing->first));
	placing->former = maui_calloc(world->count + 1, sizeof(*placing->former));
	placing->cores = maui_calloc(world->count + 1, sizeof(*placing->cores));
	placing->place = maui_calloc(world->existing_count + 1, sizeof(*placing->place));
	placing->others = maui_calloc(world->hold_count + 1, sizeof(*placing->others));
	sort_others(placing);
	return placing;
}

/* ---- what our reservations hold ---- */

static void add_hold(struct maui_sr_placing *placing, const struct maui_sr_hold *hold)
{
	placing->pool = maui_grow(placing->pool, placing->pool_count + 1, &placing->pool_room,
				  sizeof(*placing->pool));
	placing->pool[placing->pool_count++] = *hold;
}

static void add_occupant(struct occupants *occupants, const struct occupant *occupant)
{
	occupants->list = maui_grow(occupants->list, occupants->count + 1, &occupants->room,
				    sizeof(*occupants->list));
	occupants->list[occupants->count++] = *occupant;
}

/* The number of tasks in so many processors of a node. */
static uint32_t tasks_of(const struct maui_sr *sr, int64_t procs)
{
	return sr->task.procs > 0 && procs > sr->task.procs ? (uint32_t)(procs / sr->task.procs)
							    : 1;
}

int64_t maui_sr_core_procs(const struct maui_sr_node *node, uint32_t all, uint32_t cores)
{
	return all && cores < all ? node->procs * cores / all : node->procs;
}

uint32_t maui_sr_proc_cores(const struct maui_sr_node *node, uint32_t all, int64_t procs)
{
	return procs >= node->procs || node->procs <= 0
		       ? all
		       : (uint32_t)((procs * all + node->procs - 1) / node->procs);
}

struct maui_sr_hold maui_sr_core_hold(const struct maui_sr_node *node, uint32_t all,
				      const struct maui_sr_part *part)
{
	struct maui_sr_hold hold = {
		.node = part->node,
		.sr = MAUI_SR_NO_INDEX,
		.procs = node->procs,
		.memory = node->memory,
		.disk = node->disk,
	};

	if (part->cores >= all)
		return hold;
	hold.procs = maui_sr_core_procs(node, all, part->cores);
	hold.memory = hold.disk = 0;
	return hold;
}

/*
 * A part of a node also holds its tasks' memory and disk, at least against other standing
 * reservations.
 */
static struct maui_sr_hold hold_of(const struct maui_sr_placing *placing,
				   const struct maui_sr_part *part, uint32_t sr)
{
	const struct maui_sr_world *world = placing->world;
	struct maui_sr_hold hold =
		maui_sr_core_hold(&world->nodes[part->node], world->cores[part->node], part);

	hold.sr = sr;
	if (sr < placing->list_size && part->cores < world->cores[part->node]) {
		const struct maui_sr_task *task = &placing->list[sr].task;
		int64_t tasks = tasks_of(&placing->list[sr], hold.procs);

		hold.memory = task->memory > 0 ? tasks * task->memory : 0;
		hold.disk = task->disk > 0 ? tasks * task->disk : 0;
	}
	return hold;
}

static void hold_part(struct maui_sr_placing *placing, const struct occupant *occupant,
		      const struct maui_sr_part *part, uint32_t sr)
{
	struct maui_sr_hold hold = hold_of(placing, part, sr);

	hold.start = occupant->start;
	hold.end = occupant->end;
	add_hold(placing, &hold);
}

void maui_sr_placing_see(struct maui_sr_placing *placing, uint32_t existing,
			 const struct maui_sr_there *there, uint32_t sr)
{
	struct occupant occupant = {.start = there->start,
				    .end = there->end,
				    .first = placing->pool_count,
				    .count = there->count,
				    .existing = existing};

	for (size_t i = 0; i < there->count; i++)
		hold_part(placing, &occupant, &there->parts[i], sr);
	add_occupant(&placing->before, &occupant);
}

static int by_start(const void *left, const void *right)
{
	const struct occupant *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

/* All existing ones have been seen. */
static void sort_before(struct maui_sr_placing *placing)
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

/* It is placed again. */
static void let_go(struct maui_sr_placing *placing, uint32_t existing)
{
	placing->before.list[placing->place[existing]].count = 0;
}

/* ---- one step ---- */

static bool sr_placing_overlaps(const struct maui_sr_hold *hold,
				const struct maui_sr_window *window)
{
	return hold->start < window->end && hold->end > window->from;
}

/* Adds to the holds of the step; returns their number. */
static size_t gather_occupants(struct maui_sr_placing *placing, struct occupants *occupants,
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

/* Sort by node: first behind the others, then copy back. */
static void sort_by_node(struct maui_sr_placing *placing, size_t count)
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

/* The holds on nodes during the window, in the order of nodes. Returns their number. */
static size_t gather_holds(struct maui_sr_placing *placing, const struct maui_sr_window *window)
{
	size_t count = 0;

	for (size_t i = 0; i < placing->world->hold_count; i++) {
		if (placing->others[i].end <= window->from)
			break;
		if (sr_placing_overlaps(&placing->others[i], window))
			placing->holds[count++] = placing->others[i];
	}
	count = gather_occupants(placing, &placing->before, window, count);
	count = gather_occupants(placing, &placing->placed, window, count);
	sort_by_node(placing, count);
	return count;
}

/* For twice the largest number of holds, to sort them. */
static void make_room(struct maui_sr_placing *placing)
{
	size_t wanted = 2 * (placing->world->hold_count + placing->pool_count + 1);

	if (wanted <= placing->holds_room)
		return;
	wanted *= 2;
	placing->holds = maui_realloc(placing->holds, wanted, sizeof(*placing->holds));
	placing->holds_room = wanted;
}

/* The nodes of one of its lists, computed once into *marks; NULL if there is no list. */
static const bool *marked_nodes(const struct maui_sr_placing *placing,
				const struct maui_sr_hosts *hosts, bool **marks)
{
	if (!hosts)
		return NULL;
	if (!*marks) {
		*marks = maui_calloc(placing->world->count + 1, sizeof(**marks));
		maui_sr_hosts_match(hosts, placing->names, *marks, NULL);
	}
	return *marks;
}

/* The tasks of a part that the reservation has: of a node that is reserved whole all that fit. */
static uint32_t former_tasks(const struct maui_sr *sr, const struct maui_sr_node *node,
			     int64_t procs)
{
	uint32_t tasks;

	if (!maui_sr_takes_nodes(sr))
		return tasks_of(sr, procs);
	return maui_sr_node_gives(sr, node, &tasks) == MAUI_SR_GIVES ? tasks : 0;
}

/* What the instance has, in tasks. */
static size_t former_shares(struct maui_sr_placing *placing, const struct maui_sr *sr,
			    const struct maui_sr_there *there)
{
	const struct maui_sr_world *world = placing->world;

	for (size_t i = 0; i < there->count; i++) {
		const struct maui_sr_part *part = &there->parts[i];
		int64_t procs = maui_sr_core_procs(&world->nodes[part->node],
						   world->cores[part->node], part->cores);

		placing->former[i] = (struct maui_sr_share){
			.node = part->node,
			.tasks = former_tasks(sr, &world->nodes[part->node], procs),
			.procs = procs,
			.in_use = world->passed[part->node] && there->start <= world->now,
		};
	}
	return there->count;
}

/* What was placed, as cores of nodes. NULL: only whole nodes. */
static const uint32_t *cores_of(struct maui_sr_placing *placing,
				const struct maui_sr_placement *placement)
{
	const struct maui_sr_world *world = placing->world;
	const uint32_t *parts = NULL;

	memset(placing->cores, 0, world->count * sizeof(*placing->cores));
	for (size_t i = 0; i < placement->count; i++) {
		uint32_t node = placement->shares[i].node;

		placing->cores[node] = maui_sr_proc_cores(&world->nodes[node], world->cores[node],
							  placement->shares[i].procs);
		if (placing->cores[node] < world->cores[node])
			parts = placing->cores;
	}
	return parts;
}

/* From now on it holds what it got. */
static void hold_placed(struct maui_sr_placing *placing, const struct maui_sr_step *step,
			const struct maui_sr_placement *placement)
{
	struct occupant occupant = {.start = step->window.from,
				    .end = step->window.end,
				    .first = placing->pool_count,
				    .count = placement->count,
				    .existing = MAUI_SR_NO_INDEX};

	for (size_t i = 0; i < placement->count; i++) {
		uint32_t node = placement->shares[i].node;
		struct maui_sr_part part = {node, placing->cores[node]};

		hold_part(placing, &occupant, &part, step->sr);
	}
	add_occupant(&placing->placed, &occupant);
}

/* Whether it stays as it is; if not, all nodes must be looked at. */
static bool sr_placing_stay(struct maui_sr_placing *placing, const struct maui_sr_request *request,
			    struct maui_sr_placement *ret_placement)
{
	const struct maui_sr_world *world = placing->world;
	struct maui_sr_reach *reach = &placing->reach[request->sr_index];

	if (!reach->known)
		maui_sr_reach(request, world->nodes, world->count, reach);
	return maui_sr_stay(request, world->nodes, world->count, reach, ret_placement);
}

/* By a look at all nodes. */
static void sr_placing_search(struct maui_sr_placing *placing, const struct maui_sr_step *step,
			      struct maui_sr_request *request,
			      struct maui_sr_placement *ret_placement)
{
	const struct maui_sr_world *world = placing->world;
	size_t hold_count;

	make_room(placing);
	if (request->sr->task_count && placing->ranker.rank)
		request->rank = placing->ranker.rank(placing->ranker.context, request->sr,
						     step->window.from <= world->now);
	hold_count = gather_holds(placing, &step->window);
	maui_sr_place(request, world->nodes, world->count, placing->holds, hold_count,
		      ret_placement);
}

void maui_sr_placing_step(struct maui_sr_placing *placing, const struct maui_sr_step *step,
			  const struct maui_sr_there *there,
			  struct maui_sr_placement *ret_placement, const uint32_t **ret_cores)
{
	struct maui_sr_request request = {
		.sr = &placing->list[step->sr],
		.sr_index = step->sr,
		.from = step->window.from,
		.end = step->window.end,
	};

	sort_before(placing);
	*ret_cores = NULL;
	*ret_placement = (struct maui_sr_placement){.shares = NULL};
	if (step->existing != MAUI_SR_NO_INDEX) {
		let_go(placing, step->existing);
		request.former = placing->former;
		request.former_count = former_shares(placing, request.sr, there);
	}
	request.listed = marked_nodes(placing, request.sr->hosts, &placing->listed[step->sr]);
	request.excluded =
		marked_nodes(placing, request.sr->excluded, &placing->excluded[step->sr]);
	if (!sr_placing_stay(placing, &request, ret_placement))
		sr_placing_search(placing, step, &request, ret_placement);
	if (!ret_placement->count)
		return;
	*ret_cores = cores_of(placing, ret_placement);
	hold_placed(placing, step, ret_placement);
}
