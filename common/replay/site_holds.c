/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes that are kept from jobs: by reservations and outages, which stand, and by backfill's
 * plan. */
#include <stdlib.h>
#include <string.h>

#include "common/replay/site_reserved.h"
#include "common/replay/site_rsv.h"
#include "common/util/grow.h"

void site_hold_add(struct site_holds *holds, int64_t begin, int64_t end, uint32_t instance)
{
	holds->holds =
		maui_grow(holds->holds, holds->count + 1, &holds->room, sizeof(*holds->holds));
	holds->holds[holds->count++] = (struct site_hold){
		.begin = begin, .end = end, .first = holds->node_count, .instance = instance};
}

void site_hold_node(struct site_holds *holds, uint32_t node, uint32_t cpus)
{
	holds->nodes = maui_grow(holds->nodes, holds->node_count + 1, &holds->node_room,
				 sizeof(*holds->nodes));
	holds->cpus = maui_grow(holds->cpus, holds->node_count + 1, &holds->cpu_room,
				sizeof(*holds->cpus));
	holds->inside = maui_grow(holds->inside, holds->node_count + 1, &holds->inside_room,
				  sizeof(*holds->inside));
	holds->nodes[holds->node_count] = node;
	holds->inside[holds->node_count] = 0;
	holds->cpus[holds->node_count++] = cpus;
	holds->holds[holds->count - 1].count++;
}

/* ---- in the order of time ---- */

static size_t place_of(const struct site_holds *holds, const uint32_t *order, size_t count,
		       int64_t time, bool by_end)
{
	size_t low = 0;

	while (low < count) {
		size_t middle = low + (count - low) / 2;
		const struct site_hold *hold = &holds->holds[order[middle]];

		if ((by_end ? hold->end : hold->begin) <= time)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

static void insert(const struct site_holds *holds, uint32_t **order, size_t *room, size_t count,
		   uint32_t hold, bool by_end)
{
	int64_t time = by_end ? holds->holds[hold].end : holds->holds[hold].begin;
	size_t at;

	*order = maui_grow(*order, count + 1, room, sizeof(**order));
	at = place_of(holds, *order, count, time, by_end);
	memmove(&(*order)[at + 1], &(*order)[at], (count - at) * sizeof(**order));
	(*order)[at] = hold;
}

static void enter(const struct site_holds *holds, struct site_line *line, uint32_t hold)
{
	insert(holds, &line->begins, &line->begin_room, line->count, hold, false);
	insert(holds, &line->ends, &line->end_room, line->count, hold, true);
	line->count++;
}

void site_holds_stand(struct site_holds *holds)
{
	holds->bars =
		maui_grow(holds->bars, holds->count + 1, &holds->bars_room, sizeof(*holds->bars));
	holds->stand.count = 0;
	for (uint32_t i = 0; i < holds->count; i++)
		enter(holds, &holds->stand, i);
}

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

void site_holds_ask(struct site_replay *replay, uint32_t job, int64_t start)
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

void site_holds_mark_now(struct site_replay *replay, uint32_t job)
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

void site_holds_count(struct site_replay *replay, uint32_t job, int64_t began, bool begins)
{
	struct site_nodes *nodes = replay->nodes;
	const struct site_holds *holds = &nodes->holds;

	if (!nodes->parts)
		return;
	site_holds_ask(replay, job, began);
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

void site_holds_renew(struct site_replay *replay)
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

		site_holds_count(replay, job, replay->schedule->started[job], true);
	}
	site_reserved_renew(replay);
}

void site_holds_clear(struct site_holds *holds)
{
	free(holds->holds);
	free(holds->nodes);
	free(holds->cpus);
	free(holds->inside);
	free(holds->bars);
	free(holds->stand.begins);
	free(holds->stand.ends);
}
