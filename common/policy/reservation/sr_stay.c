/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks each former share of an instance, and whether the shares cover all its
 * tasks. If so, the caller skips maui_sr_place().
 */
#include "common/policy/reservation/sr_stay.h"

#include "common/policy/reservation/sr_place_private.h"
#include "common/util/memory.h"

/* Of the nodes of HOSTLIST, or of the others. */
static void look_at(const struct maui_sr_request *request, const struct maui_sr_node *nodes,
		    uint32_t count, bool listed, struct maui_sr_reach *reach)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t tasks;

		if (maui_sr_is_listed(request, i) != listed ||
		    maui_sr_request_gives(request, nodes, i, &tasks) != MAUI_SR_GIVES)
			continue;
		reach->listed_tasks += listed ? tasks : 0;
		reach->giving += listed;
		reach->down[listed] += !nodes[i].up;
	}
}

void maui_sr_reach(const struct maui_sr_request *request, const struct maui_sr_node *nodes,
		   uint32_t count, struct maui_sr_reach *ret_reach)
{
	struct maui_sr_reach reach = {.known = true};

	look_at(request, nodes, count, true, &reach);
	if (!request->listed)
		reach.listed_tasks = UINT64_MAX;
	if (maui_sr_mode_of(request->sr, reach.listed_tasks).beyond)
		look_at(request, nodes, count, false, &reach);
	*ret_reach = reach;
}

/* Whether this share stays where it is, in full. */
static bool sr_share_stays(const struct maui_sr_request *request, const struct maui_sr_node *nodes,
			   struct maui_sr_mode mode, const struct maui_sr_share *share)
{
	const struct maui_sr *sr = request->sr;
	uint32_t tasks;

	if (!share->tasks ||
	    maui_sr_request_gives(request, nodes, share->node, &tasks) != MAUI_SR_GIVES ||
	    (!maui_sr_is_listed(request, share->node) && !mode.beyond))
		return false;
	if (!sr->task_count)
		return share->tasks == tasks;
	return share->tasks <= tasks && (!(sr->flags & MAUI_SR_SPACEFLEX) || share->in_use) &&
	       (nodes[share->node].up || mode.fixed);
}

/* Whether they are all that it gets: then no node is asked for more. */
static bool are_enough(const struct maui_sr_request *request, const struct maui_sr_reach *reach,
		       uint64_t tasks)
{
	const struct maui_sr *sr = request->sr;
	uint32_t most = sr->task_limit > sr->task_count ? sr->task_limit : sr->task_count;

	if (sr->task_count)
		return tasks == most;
	return !sr->task_limit && request->former_count == reach->giving;
}

bool maui_sr_stay(const struct maui_sr_request *request, const struct maui_sr_node *nodes,
		  uint32_t count, const struct maui_sr_reach *reach,
		  struct maui_sr_placement *ret_placement)
{
	const struct maui_sr *sr = request->sr;
	struct maui_sr_mode mode = maui_sr_mode_of(sr, reach->listed_tasks);
	struct maui_sr_placement placement = {.floating = !mode.fixed};
	uint64_t tasks = 0;

	if (!request->former_count)
		return false;
	for (size_t i = 0; i < request->former_count; i++) {
		const struct maui_sr_share *share = &request->former[i];

		if (share->node >= count || (i && share->node <= share[-1].node) ||
		    !sr_share_stays(request, nodes, mode, share))
			return false;
		tasks += share->tasks;
	}
	if (!are_enough(request, reach, tasks))
		return false;
	placement.shares = maui_calloc(request->former_count, sizeof(*placement.shares));
	for (size_t i = 0; i < request->former_count; i++) {
		const struct maui_sr_share *share = &request->former[i];

		placement.shares[placement.count++] =
			maui_sr_share_of(sr, nodes, share->node, share->tasks);
		placement.beyond |= !maui_sr_is_listed(request, share->node);
	}
	placement.tasks = (uint32_t)tasks;
	if (sr->task_count && !mode.fixed)
		placement.why[MAUI_SR_DOWN] =
			reach->down[true] + (mode.beyond ? reach->down[false] : 0);
	*ret_placement = placement;
	return true;
}
