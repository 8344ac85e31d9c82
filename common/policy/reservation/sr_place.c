/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the tasks that fit on each node, keeps former shares, then takes free,
 * stacked and fixed nodes in the order of their ranks.
 */
#include "common/policy/reservation/sr_place.h"

#include <stdlib.h>
#include <string.h>

#include "common/policy/reservation/sr_place_private.h"
#include "common/util/keysort.h"
#include "common/util/memory.h"

/* How many tasks a node can give, under increasing freedom. */
struct capacity {
	uint32_t configured; /* whatever else is there */
	uint32_t stacked;    /* minus what jobs hold */
	uint32_t free;       /* minus what reservations hold, too */
	uint32_t taken;
	enum maui_sr_why why; /* why it cannot be used at all; MAUI_SR_GIVES: it can */
};

struct placer {
	const struct maui_sr_request *request;
	const struct maui_sr *sr;
	const struct maui_sr_node *nodes;
	uint32_t count;
	const struct maui_sr_hold *holds;
	size_t hold_count;
	struct capacity *capacity;
	uint32_t *order;
	uint32_t wanted; /* tasks still missing */
	struct maui_sr_mode mode;
	struct maui_sr_placement *placement;
};

/* ---- how much a node has ------------------------------------------------------------------- */

/* Amounts, as in a task. */
static struct maui_sr_task sr_place_configured(const struct maui_sr_node *node)
{
	return (struct maui_sr_task){.procs = node->procs,
				     .memory = node->memory,
				     .disk = node->disk,
				     .swap = node->swap};
}

static void take_hold(struct maui_sr_task *rest, const struct maui_sr_hold *hold)
{
	rest->procs -= hold->procs;
	rest->memory -= hold->memory;
	rest->disk -= hold->disk;
	rest->swap -= hold->swap;
}

static uint64_t sr_place_times(int64_t have, int64_t all, int64_t one, uint64_t limit)
{
	uint64_t fit;

	if (!one)
		return limit;
	if (one < 0) /* all of it: if nobody has any */
		return have >= all && all > 0 && limit ? 1 : 0;
	fit = have > 0 ? (uint64_t)(have / one) : 0;
	return fit < limit ? fit : limit;
}

static int64_t gres_of(const struct maui_sr_node *node, const char *name)
{
	for (size_t i = 0; i < node->gres_count; i++)
		if (!strcmp(node->gres[i].name, name))
			return node->gres[i].count;
	return 0;
}

/* How many tasks fit into what is left of a node; a multiple of TPN. Slurm does not know swap. */
static uint32_t tasks_in(const struct maui_sr *sr, const struct maui_sr_node *node,
			 const struct maui_sr_task *rest)
{
	const struct maui_sr_task *task = &sr->task;
	uint32_t per_node = sr->tasks_per_node ? sr->tasks_per_node : 1;
	uint64_t fit = UINT32_MAX;

	if (!task->procs)
		return 0;
	fit = sr_place_times(rest->procs, node->procs, task->procs, fit);
	fit = sr_place_times(rest->memory, node->memory, task->memory, fit);
	fit = sr_place_times(rest->disk, node->disk, task->disk, fit);
	if (maui_sr_takes_nodes(sr) && rest->procs < node->procs)
		return 0;
	for (size_t i = 0; i < task->gres_count && fit; i++) {
		int64_t have = gres_of(node, task->gres[i].name);

		fit = sr_place_times(have, have, task->gres[i].count, fit);
	}
	return (uint32_t)(fit - fit % per_node);
}

/*
 * Whether a hold counts at an instant of the window. Of jobs only those running when it begins
 * count, as they will end.
 */
static bool sr_place_counts(const struct placer *placer, const struct maui_sr_hold *hold,
			    int64_t when, bool reservations)
{
	if (hold->job)
		return hold->start <= placer->request->from && hold->end > placer->request->from;
	return reservations && hold->sr != placer->request->sr_index && hold->start <= when &&
	       hold->end > when;
}

/* The tasks that fit at an instant beside what is held then. */
static uint32_t tasks_at(const struct placer *placer, uint32_t node, size_t first, size_t last,
			 int64_t when, bool reservations)
{
	struct maui_sr_task rest = sr_place_configured(&placer->nodes[node]);

	for (size_t i = first; i < last; i++)
		if (sr_place_counts(placer, &placer->holds[i], when, reservations))
			take_hold(&rest, &placer->holds[i]);
	return tasks_in(placer->sr, &placer->nodes[node], &rest);
}

/* The fewest at any instant of the window: what is held grows only where a hold begins. */
static uint32_t tasks_during(const struct placer *placer, uint32_t node, size_t first, size_t last)
{
	const struct maui_sr_request *request = placer->request;
	uint32_t least = tasks_at(placer, node, first, last, request->from, true);

	for (size_t i = first; i < last && least; i++) {
		int64_t start = placer->holds[i].start;
		uint32_t tasks;

		if (placer->holds[i].job || start <= request->from || start >= request->end)
			continue;
		tasks = tasks_at(placer, node, first, last, start, true);
		least = tasks < least ? tasks : least;
	}
	return least;
}

/* ---- which nodes may be used --------------------------------------------------------------- */

static bool in_list(const char *const *list, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i], name))
			return true;
	return false;
}

/* All of them, or any if one is enough. */
static bool has_features(const struct maui_sr *sr, const struct maui_sr_node *node)
{
	for (size_t i = 0; i < sr->feature_count; i++)
		if (in_list(node->features, node->feature_count, sr->features[i]) ==
		    sr->any_feature)
			return sr->any_feature;
	return !sr->any_feature || !sr->feature_count;
}

static enum maui_sr_why sr_place_exclude(const struct maui_sr *sr, const struct maui_sr_node *node)
{
	if (sr->partition && !in_list(node->partitions, node->partition_count, sr->partition))
		return MAUI_SR_PARTITION;
	return has_features(sr, node) ? MAUI_SR_GIVES : MAUI_SR_FEATURES;
}

bool maui_sr_suits(const struct maui_sr *sr, const struct maui_sr_node *node)
{
	return sr_place_exclude(sr, node) == MAUI_SR_GIVES;
}

enum maui_sr_why maui_sr_node_gives(const struct maui_sr *sr, const struct maui_sr_node *node,
				    uint32_t *ret_tasks)
{
	struct maui_sr_task all = sr_place_configured(node);
	enum maui_sr_why why = sr_place_exclude(sr, node);

	*ret_tasks = why == MAUI_SR_GIVES ? tasks_in(sr, node, &all) : 0;
	return why == MAUI_SR_GIVES && !*ret_tasks ? MAUI_SR_SMALL : why;
}

enum maui_sr_why maui_sr_request_gives(const struct maui_sr_request *request,
				       const struct maui_sr_node *nodes, uint32_t node,
				       uint32_t *ret_tasks)
{
	*ret_tasks = 0;
	if (request->excluded && request->excluded[node])
		return MAUI_SR_EXCLUDED;
	return maui_sr_node_gives(request->sr, &nodes[node], ret_tasks);
}

static bool is_listed(const struct placer *placer, uint32_t node)
{
	return maui_sr_is_listed(placer->request, node);
}

static void sr_place_survey(struct placer *placer)
{
	size_t first = 0, last;

	for (uint32_t i = 0; i < placer->count; i++, first = last) {
		struct capacity *capacity = &placer->capacity[i];

		while (first < placer->hold_count && placer->holds[first].node < i)
			first++;
		for (last = first; last < placer->hold_count && placer->holds[last].node == i;)
			last++;
		capacity->why = maui_sr_request_gives(placer->request, placer->nodes, i,
						      &capacity->configured);
		if (capacity->why != MAUI_SR_GIVES)
			continue;
		capacity->stacked = tasks_at(placer, i, first, last, placer->request->from, false);
		capacity->free = tasks_during(placer, i, first, last);
	}
}

/* The configured tasks of all listed nodes. */
static uint64_t listed_tasks(const struct placer *placer)
{
	uint64_t tasks = 0;

	for (uint32_t i = 0; i < placer->count; i++)
		if (is_listed(placer, i))
			tasks += placer->capacity[i].configured;
	return tasks;
}

struct maui_sr_mode maui_sr_mode_of(const struct maui_sr *sr, uint64_t listed_tasks)
{
	struct maui_sr_mode mode = {.fixed = sr->flags & MAUI_SR_FORCE};

	if (!sr->task_count) {
		mode.fixed |= listed_tasks != UINT64_MAX;
		return mode;
	}
	mode.beyond = listed_tasks < sr->task_count;
	mode.fixed |= listed_tasks <= sr->task_count && !(sr->flags & MAUI_SR_SPACEFLEX);
	return mode;
}

static void choose_mode(struct placer *placer)
{
	uint64_t tasks = placer->request->listed ? listed_tasks(placer) : UINT64_MAX;

	placer->mode = maui_sr_mode_of(placer->sr, tasks);
	placer->wanted = placer->sr->task_count;
	placer->placement->floating = !placer->mode.fixed;
}

static void set_order(struct placer *placer)
{
	struct maui_keysort_entry *entries =
		maui_calloc((size_t)placer->count + 1, 2 * sizeof(*entries));

	for (uint32_t i = 0; i < placer->count; i++)
		entries[i] = (struct maui_keysort_entry){
			placer->request->rank ? placer->request->rank[i] : 0, i, 0};
	maui_keysort(entries, entries + placer->count, placer->count);
	for (uint32_t i = 0; i < placer->count; i++)
		placer->order[i] = entries[i].index;
	free(entries);
}

/* ---- taking -------------------------------------------------------------------------------- */

static void sr_place_take(struct placer *placer, uint32_t node, uint32_t up_to)
{
	struct capacity *capacity = &placer->capacity[node];
	uint32_t more = up_to > capacity->taken ? up_to - capacity->taken : 0;

	more = more < placer->wanted ? more : placer->wanted;
	capacity->taken += more;
	placer->wanted -= more;
}

/* Former shares stay, as far as their nodes may still be used. */
static void take_former(struct placer *placer)
{
	const struct maui_sr_request *request = placer->request;
	bool moves = placer->sr->flags & MAUI_SR_SPACEFLEX;

	for (int listed = 1; listed >= (placer->mode.beyond ? 0 : 1); listed--)
		for (size_t i = 0; i < request->former_count; i++) {
			const struct maui_sr_share *share = &request->former[i];
			const struct capacity *capacity;

			if (share->node >= placer->count ||
			    is_listed(placer, share->node) != (bool)listed)
				continue;
			capacity = &placer->capacity[share->node];
			if (capacity->why != MAUI_SR_GIVES || (moves && !share->in_use) ||
			    (!placer->nodes[share->node].up && !placer->mode.fixed))
				continue;
			sr_place_take(placer, share->node,
				      share->tasks < capacity->configured ? share->tasks
									  : capacity->configured);
		}
}

/* One pass over the nodes in order, either the listed ones or the others. */
enum freedom { FREE, STACKED, FIXED };

static void take_pass(struct placer *placer, bool listed, enum freedom freedom)
{
	for (uint32_t i = 0; i < placer->count && placer->wanted; i++) {
		uint32_t node = placer->order[i];
		const struct capacity *capacity = &placer->capacity[node];
		uint32_t before = capacity->taken;

		if (capacity->why != MAUI_SR_GIVES || is_listed(placer, node) != listed ||
		    (!placer->nodes[node].up && (freedom != FIXED || !placer->request->listed)))
			continue;
		sr_place_take(placer, node,
			      freedom == FREE      ? capacity->free
			      : freedom == STACKED ? capacity->stacked
						   : capacity->configured);
		if (freedom != FREE && capacity->taken > before &&
		    capacity->taken > capacity->free && capacity->free < capacity->stacked)
			placer->placement->stacked = true;
	}
}

static void take_tasks(struct placer *placer)
{
	bool shared = !placer->sr->dedicated;

	take_former(placer);
	take_pass(placer, true, FREE);
	if (shared || placer->mode.fixed)
		take_pass(placer, true, STACKED);
	if (placer->mode.fixed)
		take_pass(placer, true, FIXED);
	if (!placer->mode.beyond || !placer->wanted)
		return;
	take_pass(placer, false, FREE);
	if (shared)
		take_pass(placer, false, STACKED);
}

/* Beyond what is asked for: as many as possible, up to a limit. What is missing does not change. */
static void take_more(struct placer *placer)
{
	uint32_t missing = placer->wanted;

	if (missing || placer->sr->task_limit <= placer->sr->task_count)
		return;
	placer->wanted = placer->sr->task_limit - placer->sr->task_count;
	take_tasks(placer);
	placer->wanted = missing;
}

static void take_counted(struct placer *placer)
{
	take_tasks(placer);
	take_more(placer);
}

/* All tasks of each listed node, up to the limit. */
static void sr_place_take_all(struct placer *placer)
{
	uint32_t left = placer->sr->task_limit ? placer->sr->task_limit : UINT32_MAX;

	for (uint32_t i = 0; i < placer->count; i++) {
		struct capacity *capacity = &placer->capacity[i];

		if (!is_listed(placer, i) || capacity->why != MAUI_SR_GIVES)
			continue;
		capacity->taken = capacity->configured < left ? capacity->configured : left;
		left -= placer->sr->task_limit ? capacity->taken : 0;
		if (capacity->taken && capacity->free < capacity->stacked)
			placer->placement->stacked = true;
	}
}

/* ---- the outcome --------------------------------------------------------------------------- */

static enum maui_sr_why why_not(const struct placer *placer, uint32_t node)
{
	const struct capacity *capacity = &placer->capacity[node];

	if (!capacity->taken && !is_listed(placer, node) && !placer->mode.beyond)
		return MAUI_SR_UNLISTED;
	if (capacity->why != MAUI_SR_GIVES || capacity->taken == capacity->configured)
		return capacity->why;
	if (!placer->nodes[node].up && !placer->mode.fixed)
		return MAUI_SR_DOWN;
	if (capacity->taken >= capacity->stacked && capacity->stacked < capacity->configured)
		return MAUI_SR_BUSY;
	if (capacity->taken >= capacity->free && capacity->free < capacity->stacked)
		return MAUI_SR_RESERVED;
	return MAUI_SR_GIVES;
}

struct maui_sr_share maui_sr_share_of(const struct maui_sr *sr, const struct maui_sr_node *nodes,
				      uint32_t node, uint32_t tasks)
{
	int64_t each = sr->task.procs;

	return (struct maui_sr_share){
		.node = node,
		.tasks = tasks,
		.procs = each < 0 || maui_sr_takes_nodes(sr) ? nodes[node].procs : tasks * each,
	};
}

static void sr_place_fill(struct placer *placer)
{
	struct maui_sr_placement *placement = placer->placement;

	placement->shares = maui_calloc((size_t)placer->count + 1, 2 * sizeof(*placement->shares));
	placement->busy = placement->shares + placer->count + 1;
	for (uint32_t i = 0; i < placer->count; i++) {
		const struct capacity *capacity = &placer->capacity[i];
		enum maui_sr_why why = why_not(placer, i);

		placement->why[why]++;
		if (why == MAUI_SR_BUSY)
			placement->busy[placement->busy_count++] =
				maui_sr_share_of(placer->sr, placer->nodes, i,
						 capacity->configured - capacity->taken);
		if (!capacity->taken)
			continue;
		placement->shares[placement->count++] =
			maui_sr_share_of(placer->sr, placer->nodes, i, capacity->taken);
		placement->tasks += capacity->taken;
		placement->beyond |= !is_listed(placer, i);
	}
	placement->missing = placer->sr->task_count ? placer->wanted : placement->tasks == 0;
}

/* Former shares may be in any order. Of nodes that are reserved whole it is not known how many tasks
 * they were reserved for. */
static bool same_shares(const struct placer *placer)
{
	const struct maui_sr_request *request = placer->request;
	size_t used = 0;

	for (size_t i = 0; i < request->former_count; i++) {
		const struct maui_sr_share *share = &request->former[i];

		if (share->node >= placer->count)
			return false;
		if (maui_sr_takes_nodes(placer->sr)
			    ? !placer->capacity[share->node].taken != !share->tasks
			    : placer->capacity[share->node].taken != share->tasks)
			return false;
		used += share->tasks != 0;
	}
	return used == placer->placement->count;
}

void maui_sr_place(const struct maui_sr_request *request, const struct maui_sr_node *nodes,
		   uint32_t node_count, const struct maui_sr_hold *holds, size_t hold_count,
		   struct maui_sr_placement *ret_placement)
{
	struct maui_sr_placement placement = {.shares = NULL};
	struct placer placer = {.request = request,
				.sr = request->sr,
				.nodes = nodes,
				.count = node_count,
				.holds = holds,
				.hold_count = hold_count,
				.placement = &placement};

	placer.capacity = maui_calloc((size_t)node_count + 1, sizeof(*placer.capacity));
	placer.order = maui_calloc((size_t)node_count + 1, sizeof(*placer.order));
	set_order(&placer);
	sr_place_survey(&placer);
	choose_mode(&placer);
	if (request->sr->task_count)
		take_counted(&placer);
	else
		sr_place_take_all(&placer);
	sr_place_fill(&placer);
	placement.changed = !same_shares(&placer);
	free(placer.capacity);
	free(placer.order);
	*ret_placement = placement;
}

void maui_sr_placement_clear(struct maui_sr_placement *placement)
{
	free(placement->shares);
	*placement = (struct maui_sr_placement){.shares = NULL};
}
