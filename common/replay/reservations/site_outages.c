/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Outages in a replay: those that were planned stand from the beginning, others while they last, as
 * if they would never end. */
#include "common/replay/reservations/site_outages.h"

#include "common/replay/state/site_holds.h"
#include "common/replay/state/site_nodes_record.h"

/* Whether anybody knows of it by now, and it is not over. */
static bool outages_stands(const struct site_replay *replay,
			   const struct maui_replay_outage *outage)
{
	return outage->end > replay->now && (outage->planned || outage->begin <= replay->now);
}

void site_outages_hold(struct site_replay *replay)
{
	const struct maui_replay_outages *outages = replay->site->outages;
	struct site_holds *holds = &replay->nodes->holds;

	for (size_t i = 0; outages && i < outages->count; i++) {
		const struct maui_replay_outage *outage = &outages->list[i];

		if (!outages_stands(replay, outage))
			continue;
		site_hold_add(holds, outage->begin,
			      outage->planned ? outage->end : MAUI_REPLAY_FOREVER, NO_INSTANCE);
		for (uint32_t j = 0; j < outage->count; j++)
			site_hold_node(holds, outages->nodes[outage->first + j], WHOLE_NODE);
	}
}

bool site_outages_last(const struct site_replay *replay, const struct maui_replay_outage *outage)
{
	return outage->begin <= replay->now && outage->end > replay->now;
}

void site_outages_look(const struct site_replay *replay, struct maui_sr_node *nodes)
{
	const struct maui_replay_outages *outages = replay->site->outages;

	for (uint32_t i = 0; i < replay->nodes->nodes->count; i++)
		nodes[i].up = true;
	for (size_t i = 0; outages && i < outages->count; i++) {
		const struct maui_replay_outage *outage = &outages->list[i];

		for (uint32_t j = 0; site_outages_last(replay, outage) && j < outage->count; j++)
			nodes[outages->nodes[outage->first + j]].up = false;
	}
}

int64_t site_outages_next(const struct site_replay *replay)
{
	const struct maui_replay_outages *outages = replay->site->outages;
	int64_t next = INT64_MAX;

	for (size_t i = 0; outages && i < outages->count; i++) {
		const struct maui_replay_outage *outage = &outages->list[i];

		if (outage->begin > replay->now && outage->begin < next)
			next = outage->begin;
		if (outage->end > replay->now && outage->end < next)
			next = outage->end;
	}
	return next < MAUI_REPLAY_FOREVER ? next : INT64_MAX;
}
