/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether what is free on nodes is enough for a job that begins now, and who has it. */
#include "common/replay/placing/site_nodes.h"

#include <stdlib.h>
#include <string.h>

#include "common/replay/placing/site_choice.h"
#include "common/replay/placing/site_ends.h"
#include "common/replay/plan/site_gaps.h"
#include "common/replay/plan/site_known.h"
#include "common/replay/reservations/site_barred.h"
#include "common/replay/reservations/site_reserved.h"
#include "common/replay/state/site_candidates.h"
#include "common/replay/state/site_holds.h"
#include "common/replay/state/site_nodes_record.h"
#include "common/replay/state/site_room.h"
#include "common/util/grow.h"
#include "common/util/memory.h"

/* ---- whether it is enough ---- */

bool site_nodes_may_fit(const struct site_replay *replay, uint32_t job)
{
	const struct site_nodes *nodes = replay->nodes;
	const struct maui_replay_request *request = maui_replay_request_of(nodes->requests, job);

	return nodes->set_free[request->set] >= replay->trace->jobs[job].procs;
}

bool site_nodes_gather(struct site_replay *replay, uint32_t job, const uint64_t *without,
		       int64_t planned_until, bool offer)
{
	struct site_nodes *nodes = replay->nodes;
	const struct maui_replay_request *request = maui_replay_request_of(nodes->requests, job);
	const uint64_t *members = nodes->requests->sets[request->set].members;
	struct maui_replay_tally tally;

	maui_replay_tally_open(&tally, request, nodes->requests->most_cpus, nodes->have);
	nodes->candidate_count = 0;
	for (size_t word = 0; word < nodes->words; word++) {
		uint64_t left = members[word] & nodes->open[word] & ~(without ? without[word] : 0);

		for (; left; left &= left - 1) {
			uint32_t node = (uint32_t)(word * MAUI_REPLAY_WORD) +
					(uint32_t)__builtin_ctzll(left);
			uint32_t here = nodes->planned[node] < planned_until
						? 0
						: site_room_capacity(nodes, &nodes->room, request,
								     node, nodes->held[node]);

			if (!here)
				continue;
			maui_replay_tally_add(&tally, here);
			if (offer)
				site_candidates_offer_to(nodes, request, node, here);
			else if (maui_replay_tally_enough(&tally))
				return true;
		}
	}
	return maui_replay_tally_enough(&tally);
}

bool site_nodes_fit(struct site_replay *replay, uint32_t job)
{
	struct site_nodes *nodes = replay->nodes;

	if (!site_nodes_may_fit(replay, job))
		return false;
	site_barred_ask(replay, job, replay->now);
	site_barred_mark_now(replay, job);
	if (!site_nodes_gather(replay, job, nodes->any_closed ? nodes->closed : NULL, INT64_MIN,
			       true))
		return false;
	site_choice_make(replay, job, true);
	return true;
}

/* ---- a job begins and ends ---- */

static void nodes_count(struct site_nodes *nodes, const struct maui_replay_share *share, bool takes)
{
	const struct maui_replay_requests *requests = nodes->requests;
	uint64_t cpus = share->cpus;

	nodes->jobs[share->node] += takes ? 1 : UINT32_MAX;
	for (uint32_t i = 0; i < requests->set_count; i++)
		if (maui_replay_has(requests->sets[i].members, share->node))
			nodes->set_free[i] += takes ? -cpus : cpus;
	if (nodes->room.cpus[share->node])
		maui_replay_put(nodes->open, share->node);
	else
		maui_replay_drop(nodes->open, share->node);
}

void site_nodes_take(struct site_replay *replay, uint32_t job)
{
	struct maui_replay_schedule *schedule = replay->schedule;
	struct site_nodes *nodes = replay->nodes;

	schedule->shares =
		maui_grow(schedule->shares, schedule->shares_used + nodes->chosen_count + 1,
			  &schedule->shares_room, sizeof(*schedule->shares));
	site_reserved_settle(replay, nodes->chosen, nodes->chosen_count);
	schedule->first_share[job] = schedule->shares_used;
	schedule->share_count[job] = nodes->chosen_count;
	for (uint32_t i = 0; i < nodes->chosen_count; i++) {
		const struct maui_replay_share *share = &nodes->chosen[i];

		schedule->shares[schedule->shares_used++] = *share;
		site_room_take(nodes, &nodes->room, maui_replay_request_of(nodes->requests, job),
			       share);
		nodes_count(nodes, share, true);
	}
	site_known_began(nodes->known);
	site_ends_forget(nodes->ends);
	site_barred_count(replay, job, replay->now, true);
	site_reserved_enter(replay, job);
}

void site_nodes_give(struct site_replay *replay, uint32_t job)
{
	const struct maui_replay_schedule *schedule = replay->schedule;
	struct site_nodes *nodes = replay->nodes;

	site_reserved_settle(replay, &schedule->shares[schedule->first_share[job]],
			     schedule->share_count[job]);
	site_reserved_leave(replay, job);
	site_ends_forget(nodes->ends);
	site_barred_count(replay, job, schedule->started[job], false);
	for (uint32_t i = 0; i < schedule->share_count[job]; i++) {
		const struct maui_replay_share *share =
			&schedule->shares[schedule->first_share[job] + i];

		site_room_give(nodes, &nodes->room, maui_replay_request_of(nodes->requests, job),
			       share);
		nodes_count(nodes, share, false);
	}
}

/* ---- a pass of the main scheduler ---- */

void site_nodes_begin_pass(struct site_nodes *nodes)
{
	if (nodes->any_closed)
		memset(nodes->closed, 0, nodes->words * sizeof(*nodes->closed));
	nodes->any_closed = false;
}

bool site_nodes_close(struct site_nodes *nodes, uint32_t job)
{
	const struct maui_replay_request *request = maui_replay_request_of(nodes->requests, job);
	uint32_t partition = nodes->requests->sets[request->set].partition;
	bool all = true;

	nodes->any_closed = true;
	for (size_t i = 0; i < nodes->words; i++) {
		nodes->closed[i] |= partition == UINT32_MAX
					    ? UINT64_MAX
					    : nodes->nodes->partitions[partition].members[i];
		all &= !(nodes->open[i] & ~nodes->closed[i]);
	}
	return all;
}

/* ---- all of it ---- */

static void nodes_allocate(struct site_nodes *nodes)
{
	size_t count = nodes->nodes->count + (size_t)1;

	nodes->cpus = maui_calloc(count, sizeof(*nodes->cpus));
	nodes->open = maui_calloc(nodes->words + 1, sizeof(*nodes->open));
	nodes->closed = maui_calloc(nodes->words + 1, sizeof(*nodes->closed));
	nodes->all = maui_calloc(nodes->words + 1, sizeof(*nodes->all));
	nodes->wanted = maui_calloc(nodes->words + 1, sizeof(*nodes->wanted));
	nodes->usable = maui_calloc(nodes->words + 1, sizeof(*nodes->usable));
	nodes->set_free =
		maui_calloc(nodes->requests->set_count + (size_t)1, sizeof(*nodes->set_free));
	nodes->jobs = maui_calloc(count, sizeof(*nodes->jobs));
	nodes->planned = maui_calloc(count, sizeof(*nodes->planned));
	nodes->held = maui_calloc(count, sizeof(*nodes->held));
	nodes->until = maui_calloc(count, sizeof(*nodes->until));
	nodes->affinity = maui_calloc(count, sizeof(*nodes->affinity));
	nodes->could = maui_calloc(count, sizeof(*nodes->could));
	nodes->known = site_known_new(nodes->requests->count);
	nodes->ends = site_ends_new();
	nodes->have = maui_calloc(maui_replay_tally_room(nodes->requests), sizeof(*nodes->have));
	site_room_open(nodes, &nodes->room);
	site_room_open(nodes, &nodes->sweep);
}

static void nodes_fill(struct site_nodes *nodes)
{
	const struct maui_replay_requests *requests = nodes->requests;

	for (uint32_t i = 0; i < nodes->nodes->count; i++) {
		const struct maui_replay_node *record = &nodes->nodes->nodes[i];

		nodes->room.cpus[i] = nodes->cpus[i] = record->cpus;
		nodes->room.memory[i] = record->memory ? record->memory : INT64_MAX;
		for (uint32_t j = 0; j < record->gres_count; j++)
			nodes->room.units[(size_t)i * nodes->gres + record->gres[j].gres - 1] =
				record->gres[j].count;
		maui_replay_put(nodes->open, i);
		maui_replay_put(nodes->all, i);
		nodes->until[i] = MAUI_NODE_FOREVER;
		nodes->affinity[i] = MAUI_AFFINITY_NONE;
		for (uint32_t set = 0; set < requests->set_count; set++)
			if (maui_replay_has(requests->sets[set].members, i))
				nodes->set_free[set] += record->cpus;
	}
}

static uint64_t units_of_all(const struct maui_replay_nodes *nodes, uint64_t mask)
{
	uint64_t units = 0;

	for (uint32_t i = 0; i < nodes->count; i++)
		for (uint32_t j = 0; j < nodes->nodes[i].gres_count; j++)
			if (mask >> (nodes->nodes[i].gres[j].gres - 1) & 1)
				units = maui_gres_plus(units, nodes->nodes[i].gres[j].count);
	return units;
}

static void nodes_measure(const struct site_replay *replay, struct site_nodes *nodes)
{
	struct maui_pe_names names;

	maui_pe_names(replay->site->policy->config, &names);
	nodes->whole.procs = (double)nodes->nodes->cpus;
	for (uint32_t i = 0; i < nodes->nodes->count; i++)
		nodes->whole.memory += (double)nodes->nodes->nodes[i].memory;
	for (unsigned int i = 0; i < names.gres.count; i++)
		maui_gres_set(
			&nodes->whole_gres, names.number[i],
			units_of_all(nodes->nodes,
				     maui_replay_gres_mask(nodes->nodes, names.gres.name[i])));
	nodes->whole.gres = &nodes->whole_gres;
}

void site_nodes_open(struct site_replay *replay)
{
	const struct maui_replay_requests *requests = replay->site->requests;
	struct maui_replay_schedule *schedule = replay->schedule;
	size_t jobs = replay->trace->count + 1;
	struct site_nodes *nodes;

	if (!requests)
		return;
	nodes = replay->nodes = maui_calloc(1, sizeof(*nodes));
	schedule->first_share = maui_calloc(jobs, sizeof(*schedule->first_share));
	schedule->share_count = maui_calloc(jobs, sizeof(*schedule->share_count));
	nodes->requests = requests;
	nodes->nodes = requests->nodes;
	nodes->words = maui_replay_words(nodes->nodes->count);
	nodes->gres = maui_intern_count(nodes->nodes->gres);
	nodes_allocate(nodes);
	nodes->shortest = maui_replay_shortest(replay->trace);
	site_choice_open(replay);
	nodes_fill(nodes);
	nodes_measure(replay, nodes);
}

void site_nodes_clear(struct site_replay *replay)
{
	struct site_nodes *nodes = replay->nodes;

	if (!nodes)
		return;
	site_choice_clear(nodes);
	site_holds_clear(&nodes->holds);
	site_room_clear(&nodes->room);
	site_room_clear(&nodes->sweep);
	free(nodes->cpus);
	free(nodes->open);
	free(nodes->closed);
	free(nodes->all);
	free(nodes->wanted);
	free(nodes->usable);
	site_gaps_clear(&nodes->gaps);
	free(nodes->set_free);
	free(nodes->jobs);
	free(nodes->planned);
	free(nodes->held);
	free(nodes->until);
	free(nodes->affinity);
	free(nodes->could);
	site_known_free(nodes->known);
	site_ends_free(nodes->ends);
	free(nodes->have);
	free(nodes);
}
