/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks reservations which holds bar a job, and puts what they and outages keep into the holds. */
#include "common/replay/reservations/site_barred.h"

#include <string.h>

#include "common/replay/reservations/site_outages.h"
#include "common/replay/reservations/site_reserved.h"
#include "common/replay/reservations/site_rsv.h"
#include "common/replay/state/site_holds.h"
#include "common/replay/state/site_nodes_record.h"

/* ---- for one job ---- */

static void site_holds_mark(struct site_nodes *nodes, const struct site_hold *hold)
{
	for (size_t i = hold->first; i < hold->first + hold->count; i++)
		site_hold_mark(nodes, i, true);
}

static void find_inside(struct site_nodes *nodes, const struct site_hold *hold,
			enum maui_affinity affinity)
{
	for (size_t i = hold->first; i < hold->first + hold->count; i++)
		nodes->affinity[nodes->holds.nodes[i]] = (uint8_t)affinity;
}

static void find_next(struct site_nodes *nodes, const struct site_hold *hold)
{
	for (size_t i = hold->first; i < hold->first + hold->count; i++)
		if (hold->begin < nodes->until[nodes->holds.nodes[i]])
			nodes->until[nodes->holds.nodes[i]] = hold->begin;
}

static void find_nothing(struct site_nodes *nodes)
{
	for (uint32_t i = 0; i < nodes->nodes->count; i++) {
		nodes->affinity[i] = MAUI_AFFINITY_NONE;
		nodes->until[i] = MAUI_NODE_FOREVER;
	}
}

void site_barred_ask(struct site_replay *replay, uint32_t job, int64_t start)
{
	struct site_nodes *nodes = replay->nodes;
	struct site_holds *holds = &nodes->holds;
	int64_t end = start + replay->trace->jobs[job].estimate;

	if (holds->count)
		find_nothing(nodes);
	for (size_t i = 0; i < holds->count; i++) {
		const struct site_hold *hold = &holds->holds[i];
		enum maui_affinity affinity = MAUI_AFFINITY_NONE;

		holds->bars[i] = hold->instance == NO_INSTANCE ||
				 !site_rsv_admits(replay, hold->instance, job, start, &affinity);
		if (holds->bars[i] && hold->begin > start)
			find_next(nodes, hold);
		else if (!holds->bars[i] && hold->begin < end && hold->end > start)
			find_inside(nodes, hold, affinity);
	}
}

void site_barred_mark_now(struct site_replay *replay, uint32_t job)
{
	struct site_nodes *nodes = replay->nodes;
	const struct site_holds *holds = &nodes->holds;
	int64_t until = replay->now + replay->trace->jobs[job].estimate;

	if (!holds->count)
		return;
	memset(nodes->held, 0, nodes->nodes->count * sizeof(*nodes->held));
	for (size_t i = 0; i < holds->count; i++)
		if (holds->bars[i] && holds->holds[i].begin < until &&
		    holds->holds[i].end > replay->now)
			site_holds_mark(nodes, &holds->holds[i]);
}

/* ---- jobs inside ---- */

static uint32_t cpus_on(const struct site_replay *replay, uint32_t job, uint32_t node)
{
	const struct maui_replay_schedule *schedule = replay->schedule;
	const struct maui_replay_share *share = &schedule->shares[schedule->first_share[job]];

	for (uint32_t i = 0; i < schedule->share_count[job]; i++)
		if (share[i].node == node)
			return share[i].cpus;
	return 0;
}

void site_barred_count(struct site_replay *replay, uint32_t job, int64_t began, bool begins)
{
	struct site_nodes *nodes = replay->nodes;
	const struct site_holds *holds = &nodes->holds;

	if (!nodes->parts)
		return;
	site_barred_ask(replay, job, began);
	for (size_t i = 0; i < holds->count; i++) {
		const struct site_hold *hold = &holds->holds[i];

		for (size_t at = hold->first; !holds->bars[i] && at < hold->first + hold->count;
		     at++)
			if (holds->cpus[at] != WHOLE_NODE) {
				uint32_t cpus = cpus_on(replay, job, holds->nodes[at]);

				holds->inside[at] += begins ? cpus : -cpus;
			}
	}
}

static bool has_parts(const struct site_holds *holds)
{
	for (size_t i = 0; i < holds->node_count; i++)
		if (holds->cpus[i] != WHOLE_NODE)
			return true;
	return false;
}

void site_barred_renew(struct site_replay *replay)
{
	struct site_nodes *nodes = replay->nodes;
	struct site_holds *holds = &nodes->holds;

	holds->count = holds->node_count = 0;
	nodes->next_outage = site_outages_next(replay);
	site_rsv_hold(replay);
	site_outages_hold(replay);
	site_holds_stand(holds);
	find_nothing(nodes);
	memset(nodes->held, 0, nodes->nodes->count * sizeof(*nodes->held));
	nodes->parts = has_parts(holds);
	for (size_t i = 0; i < replay->machine.count; i++) {
		uint32_t job = replay->machine.runs[i].job;

		site_barred_count(replay, job, replay->schedule->started[job], true);
	}
	site_reserved_renew(replay);
}

/* ---- a roll ---- */

void site_barred_roll(struct site_replay *replay)
{
	site_reserved_roll(replay);
	site_rsv_roll(replay);
	site_barred_renew(replay);
}
