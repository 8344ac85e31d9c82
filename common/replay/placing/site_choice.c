/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ranks candidate nodes by maui_nodealloc_rank(), takes the lowest ranks that
 * suffice, and divides a job's tasks or parts among them.
 */
#include "common/replay/placing/site_choice.h"

#include <stdlib.h>
#include <string.h>

#include "common/replay/state/site_candidates.h"
#include "common/replay/state/site_nodes_record.h"
#include "common/replay/state/site_room.h"
#include "common/util/memory.h"

/* ---- the lowest ranks ---- */

/* Candidates by rank, those of one rank in the order of the list. Ranks are dense. */
static void sort_by_rank(struct site_nodes *nodes, uint32_t ranks)
{
	uint32_t *place = nodes->place;

	memset(place, 0, (ranks + (size_t)1) * sizeof(*place));
	for (uint32_t i = 0; i < nodes->candidate_count; i++)
		place[nodes->rank[i] + 1]++;
	for (uint32_t i = 1; i <= ranks; i++)
		place[i] += place[i - 1];
	for (uint32_t i = 0; i < nodes->candidate_count; i++)
		nodes->by_rank[place[nodes->rank[i]]++] = i;
}

/* Of those with the fewest tasks the last one is chosen no more, if it has fewer than so many.
 * Returns its tasks; 0: there is none. */
static uint32_t drop_fewest(struct site_nodes *nodes, uint32_t tasks)
{
	uint32_t at = 0, fewest;

	for (uint32_t i = 1; i < nodes->chosen_count; i++)
		if (nodes->chosen[i].cpus <= nodes->chosen[at].cpus)
			at = i;
	fewest = nodes->chosen[at].cpus;
	if (fewest >= tasks)
		return 0;
	nodes->chosen_count--;
	memmove(&nodes->chosen[at], &nodes->chosen[at + 1],
		(nodes->chosen_count - at) * sizeof(*nodes->chosen));
	return fewest;
}

/* As many as it takes. If there may be no more of them, one that has room for more tasks comes for
 * one that has not. Of each chosen one the processors are, for the time being, its tasks. */
static void take_lowest(struct site_nodes *nodes, const struct maui_replay_request *request)
{
	uint64_t tasks = 0;

	nodes->chosen_count = 0;
	for (uint32_t i = 0; tasks < request->tasks || nodes->chosen_count < request->nodes; i++) {
		uint32_t at = nodes->by_rank[i], here = nodes->capacity[at];

		if (request->most && nodes->chosen_count == request->most) {
			uint32_t fewest = drop_fewest(nodes, here);

			if (!fewest)
				continue;
			tasks -= fewest;
		}
		tasks += here;
		nodes->chosen[nodes->chosen_count++] =
			(struct maui_replay_share){.node = nodes->order[at], .cpus = here};
	}
}

/* ---- the tasks ---- */

/* How many have room beyond a level, and the least of that. */
static uint32_t choice_above(const struct site_nodes *nodes, uint32_t level, uint32_t *ret_least)
{
	uint32_t count = 0;

	*ret_least = UINT32_MAX;
	for (uint32_t i = 0; i < nodes->chosen_count; i++) {
		uint32_t can = nodes->chosen[i].cpus;

		count += can > level;
		if (can > level && can - level < *ret_least)
			*ret_least = can - level;
	}
	return count;
}

/* They go round the nodes, as in Slurm, so that each has as many as the others or all it can
 * take. */
static void choice_spread(struct site_nodes *nodes, const struct maui_replay_request *request)
{
	uint32_t left = request->tasks, level = 0, least, sharing;

	while ((sharing = choice_above(nodes, level, &least)) && left >= sharing) {
		uint32_t step = left / sharing < least ? left / sharing : least;

		level += step;
		left -= step * sharing;
	}
	for (uint32_t i = 0; i < nodes->chosen_count; i++) {
		struct maui_replay_share *share = &nodes->chosen[i];

		if (share->cpus <= level)
			continue;
		share->cpus = level + (left != 0);
		left -= left != 0;
	}
}

static void choose_gres(struct site_nodes *nodes, const struct site_room *room,
			const struct maui_replay_request *request, struct maui_replay_share *share)
{
	for (uint32_t i = 0; i < request->want_count; i++)
		share->gres |= maui_replay_most(&request->want[i],
						&room->units[(size_t)share->node * nodes->gres])
			       << 8 * i;
}

/* ---- the parts ---- */

/* Whether a node of this capacity can have a part beside those of the chosen nodes. */
static bool has_part_for(const struct maui_replay_request *request, const uint32_t *chosen,
			 uint32_t capacity)
{
	uint32_t count = 1;

	for (uint32_t size = 1; size <= request->sizes; size++) {
		count += chosen[size];
		if (size >= capacity && count > request->part[size - 1].upto)
			return false;
	}
	return true;
}

/* The larger parts are for those of the lowest ranks that can have them. */
static void give_parts(struct site_nodes *nodes, const struct maui_replay_request *request)
{
	for (uint32_t size = request->sizes; size; size--) {
		const struct maui_replay_part *part = &request->part[size - 1];
		uint32_t left = part->upto - (size > 1 ? part[-1].upto : 0);

		for (uint32_t i = 0; left && i < nodes->chosen_count; i++) {
			struct maui_replay_share *share = &nodes->chosen[i];

			if (share->cpus || share->part < size)
				continue;
			share->cpus = part->cpus;
			share->part = size;
			left--;
		}
	}
}

/* The lowest ranks that can have all of them. Of each chosen one the part is, for the time being,
 * its capacity. */
static void take_parts(struct site_nodes *nodes, const struct maui_replay_request *request)
{
	uint32_t chosen[MAUI_REPLAY_SIZES + 1] = {0};

	nodes->chosen_count = 0;
	for (uint32_t i = 0; nodes->chosen_count < request->nodes; i++) {
		uint32_t at = nodes->by_rank[i], capacity = nodes->capacity[at];

		if (!has_part_for(request, chosen, capacity))
			continue;
		chosen[capacity]++;
		nodes->chosen[nodes->chosen_count++] =
			(struct maui_replay_share){.node = nodes->order[at], .part = capacity};
	}
	give_parts(nodes, request);
}

/* ---- all of it ---- */

/* For policies a node with room for a part is one with room for a task. */
static struct maui_nodealloc_need need_of(struct site_nodes *nodes,
					  const struct maui_replay_request *request, bool immediate)
{
	struct maui_nodealloc_need need = {
		.tasks = request->tasks, .nodes = request->nodes, .immediate = immediate};

	if (!request->sizes)
		return need;
	need.tasks = request->nodes;
	for (uint32_t i = 0; i < nodes->candidate_count; i++)
		nodes->candidates[i].tasks = 1;
	return need;
}

static void take_tasks(struct site_nodes *nodes, const struct maui_replay_request *request)
{
	take_lowest(nodes, request);
	choice_spread(nodes, request);
	for (uint32_t i = 0; i < nodes->chosen_count; i++)
		nodes->chosen[i].cpus *= request->cpus;
}

static void site_choice_rank(struct site_nodes *nodes, const struct maui_replay_request *request,
			     bool immediate)
{
	struct maui_nodealloc_need need = need_of(nodes, request, immediate);
	struct maui_nodealloc_outcome outcome = {0};

	/* The policy exists and there is room for all nodes, so nothing can go wrong. */
	maui_nodealloc_rank(nodes->policy[request->set], &need, nodes->candidates,
			    nodes->candidate_count, nodes->workspace, nodes->rank, &outcome, NULL);
	sort_by_rank(nodes, outcome.ranks);
}

static void site_choice_list(struct site_nodes *nodes, bool reverse)
{
	uint32_t count = nodes->candidate_count;

	for (uint32_t i = 0; i < count; i++)
		nodes->by_rank[i] = reverse ? count - 1 - i : i;
}

void site_choice_make(struct site_replay *replay, uint32_t job, bool immediate)
{
	struct site_nodes *nodes = replay->nodes;
	const struct maui_replay_request *request = maui_replay_request_of(nodes->requests, job);
	enum maui_nodealloc_list list = site_candidates_list(nodes, request);

	if (list == MAUI_LIST_NONE)
		site_choice_rank(nodes, request, immediate);
	else
		site_choice_list(nodes, list == MAUI_LIST_REVERSE);
	if (request->sizes)
		take_parts(nodes, request);
	else
		take_tasks(nodes, request);
	for (uint32_t i = 0; i < nodes->chosen_count; i++)
		choose_gres(nodes, immediate ? &nodes->room : nodes->found, request,
			    &nodes->chosen[i]);
}

/* ---- a job that runs already ---- */

static uint32_t resume_on(struct site_nodes *nodes, const struct maui_replay_request *request,
			  uint32_t node, uint32_t cpus)
{
	uint32_t has = (cpus + request->cpus - 1) / request->cpus;
	uint32_t can = site_room_capacity(nodes, &nodes->room, request, node, 0);
	struct maui_replay_share share = {.node = node,
					  .cpus = (has < can ? has : can) * request->cpus};

	for (uint32_t i = 0; i < nodes->chosen_count; i++)
		if (nodes->chosen[i].node == node)
			return 0; /* once is enough */
	if (!share.cpus)
		return 0;
	choose_gres(nodes, &nodes->room, request, &share);
	nodes->chosen[nodes->chosen_count++] = share;
	return share.cpus;
}

uint32_t site_choice_resume(struct site_replay *replay, uint32_t job)
{
	const struct maui_replay_trace *trace = replay->trace;
	const struct maui_replay_job *record = &trace->jobs[job];
	struct site_nodes *nodes = replay->nodes;
	uint32_t procs = 0;

	nodes->chosen_count = 0;
	for (uint32_t i = 0; i < record->place_count; i++) {
		const struct maui_replay_place *place = &trace->places[record->first_place + i];
		uint32_t node = maui_replay_nodes_find(nodes->nodes,
						       maui_intern_name(trace->nodes, place->node));

		if (node != UINT32_MAX && nodes->chosen_count < nodes->nodes->count)
			procs += resume_on(nodes, maui_replay_request_of(nodes->requests, job),
					   node, place->cpus);
	}
	return procs;
}

/* ---- what maui.cfg says ---- */

/* Of each GRES that formulas name, which of the machine's are meant. */
static void open_formula_gres(struct site_nodes *nodes, const struct maui_policy *policy)
{
	const struct maui_node_gres *named = maui_node_policy_gres(policy->nodes);

	if (!named || !named->count)
		return;
	nodes->candidate_gres = maui_calloc(nodes->nodes->count, sizeof(*nodes->candidate_gres));
	for (unsigned int i = 0; i < named->count; i++)
		nodes->formula_gres[i] = maui_replay_gres_mask(nodes->nodes, named->name[i]);
}

static enum maui_nodealloc_policy policy_of(const struct site_replay *replay,
					    const struct maui_replay_set *set)
{
	return maui_nodealloc_policy_of(
		replay->site->policy->config,
		maui_intern_name(replay->trace->names[MAUI_CLASS], set->class));
}

void site_choice_open(struct site_replay *replay)
{
	const struct maui_policy *policy = replay->site->policy;
	struct site_nodes *nodes = replay->nodes;
	size_t count = nodes->nodes->count + (size_t)1, sets = nodes->requests->set_count;

	nodes->settings = maui_calloc(count, sizeof(*nodes->settings));
	nodes->policy = maui_calloc(sets + 1, sizeof(*nodes->policy));
	nodes->list = maui_calloc(sets + 1, sizeof(*nodes->list));
	nodes->candidates = maui_calloc(count, sizeof(*nodes->candidates));
	nodes->workspace = maui_nodealloc_workspace_new(nodes->nodes->count, false);
	nodes->rank = maui_calloc(count, sizeof(*nodes->rank));
	nodes->order = maui_calloc(count, sizeof(*nodes->order));
	nodes->capacity = maui_calloc(count, sizeof(*nodes->capacity));
	nodes->place = maui_calloc(count, sizeof(*nodes->place));
	nodes->by_rank = maui_calloc(count, sizeof(*nodes->by_rank));
	nodes->chosen = maui_calloc(count, sizeof(*nodes->chosen));
	open_formula_gres(nodes, policy);
	for (uint32_t i = 0; i < nodes->nodes->count; i++)
		nodes->settings[i] = maui_node_settings(policy->nodes, nodes->nodes->nodes[i].name);
	for (size_t i = 0; i < sets; i++) {
		nodes->policy[i] = policy_of(replay, &nodes->requests->sets[i]);
		nodes->list[i] = maui_nodealloc_list_of(nodes->policy[i]);
	}
}

void site_choice_clear(struct site_nodes *nodes)
{
	free(nodes->settings);
	free(nodes->policy);
	free(nodes->list);
	free(nodes->candidates);
	free(nodes->candidate_gres);
	maui_nodealloc_workspace_free(nodes->workspace);
	free(nodes->rank);
	free(nodes->order);
	free(nodes->capacity);
	free(nodes->place);
	free(nodes->by_rank);
	free(nodes->chosen);
}
