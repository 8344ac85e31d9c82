/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares each job's rank, priority and standing on both sides. Lists moved
 * jobs by distance, and those newly blocked or freed.
 */
#include "common/queue/whatif_changes.h"

#include <stdlib.h>

#include "common/util/memory.h"

/* ---- the standing of a job ---- */

const struct maui_waiting *maui_whatif_waiting(const struct maui_whatif_side *side, uint32_t job)
{
	return &side->judgement.jobs[job];
}

const struct maui_snapshot_row *maui_whatif_row(const struct maui_whatif_side *side, uint32_t job)
{
	return &side->snapshot->rows[maui_whatif_waiting(side, job)->best];
}

bool maui_whatif_rejected(const struct maui_whatif_side *side, uint32_t job)
{
	return side->snapshot->rows[maui_whatif_waiting(side, job)->first].state ==
	       MAUI_ROW_REJECTED;
}

/* By the policy; holds, dependencies and the like are the same on both sides. */
static bool is_blocked(const struct maui_whatif_side *side, uint32_t job)
{
	return maui_whatif_rejected(side, job) ||
	       maui_whatif_waiting(side, job)->standing != MAUI_STANDING_FREE;
}

static bool same_reason(const struct maui_whatif *whatif, uint32_t job)
{
	const struct maui_waiting *today = maui_whatif_waiting(&whatif->today, job);
	const struct maui_waiting *then = maui_whatif_waiting(&whatif->then, job);

	return maui_whatif_rejected(&whatif->today, job) ==
		       maui_whatif_rejected(&whatif->then, job) &&
	       today->standing == then->standing &&
	       maui_refusal_same(today->refusal, then->refusal);
}

/* ---- finding ---- */

static int64_t whatif_changes_distance(int64_t a, int64_t b)
{
	return a > b ? a - b : b - a;
}

static void whatif_changes_add(struct maui_whatif_list *list,
			       const struct maui_whatif_change *change)
{
	list->jobs[list->count++] = *change;
}

static void whatif_changes_see(const struct maui_whatif *whatif, uint32_t job,
			       struct maui_whatif_changes *changes)
{
	struct maui_whatif_change change = {
		.job = job,
		.ranks = (uint32_t)whatif_changes_distance(whatif->today.rank[job],
							   whatif->then.rank[job]),
		.priority = whatif_changes_distance(maui_whatif_row(&whatif->today, job)->priority,
						    maui_whatif_row(&whatif->then, job)->priority)};
	bool today = is_blocked(&whatif->today, job), then = is_blocked(&whatif->then, job);

	changes->priorities += change.priority != 0;
	changes->blocked_today += today;
	changes->blocked_then += then;
	if (change.ranks)
		whatif_changes_add(&changes->movers, &change);
	if (then && !today)
		whatif_changes_add(&changes->blocked, &change);
	if (today && !then)
		whatif_changes_add(&changes->freed, &change);
	if (today && then && !same_reason(whatif, job))
		whatif_changes_add(&changes->otherwise, &change);
}

/* Those that move most first, then by change of priority, then in order. */
static int by_ranks(const void *a, const void *b)
{
	const struct maui_whatif_change *x = a, *y = b;

	if (x->ranks != y->ranks)
		return x->ranks < y->ranks ? 1 : -1;
	if (x->priority != y->priority)
		return x->priority < y->priority ? 1 : -1;
	return (x->job > y->job) - (x->job < y->job);
}

void maui_whatif_changes_find(const struct maui_whatif *whatif,
			      struct maui_whatif_changes *ret_changes)
{
	size_t count = whatif->today.judgement.count;
	struct maui_whatif_list *lists[] = {&ret_changes->movers, &ret_changes->blocked,
					    &ret_changes->freed, &ret_changes->otherwise};

	*ret_changes = (struct maui_whatif_changes){.priorities = 0};
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		lists[i]->jobs = maui_calloc(count + 1, sizeof(*lists[i]->jobs));
	for (uint32_t job = 0; job < count; job++)
		whatif_changes_see(whatif, job, ret_changes);
	qsort(ret_changes->movers.jobs, ret_changes->movers.count,
	      sizeof(*ret_changes->movers.jobs), by_ranks);
}

void maui_whatif_changes_clear(struct maui_whatif_changes *changes)
{
	free(changes->movers.jobs);
	free(changes->blocked.jobs);
	free(changes->freed.jobs);
	free(changes->otherwise.jobs);
	*changes = (struct maui_whatif_changes){.priorities = 0};
}
