/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares start times of two schedules job by job. Keeps the largest gains and
 * losses of jobs, and of groups by their total wait.
 */
#include "common/replay/figures/difference.h"

#include <stdlib.h>

#include "common/util/memory.h"

/* Among the largest so far, if it is. sign: 1 for losses, -1 for gains. */
static void difference_keep(struct maui_replay_change most[MAUI_REPLAY_MOST], size_t *count,
			    size_t job, int64_t seconds, int sign)
{
	size_t at = *count < MAUI_REPLAY_MOST ? (*count)++ : MAUI_REPLAY_MOST;

	while (at && sign * most[at - 1].seconds < sign * seconds) {
		if (at < MAUI_REPLAY_MOST)
			most[at] = most[at - 1];
		at--;
	}
	if (at < MAUI_REPLAY_MOST)
		most[at] = (struct maui_replay_change){job, seconds};
}

static void difference_add(struct maui_replay_difference *difference, size_t job, int64_t seconds)
{
	difference->mean += (double)seconds;
	if (!seconds) {
		difference->same++;
	} else if (seconds < 0) {
		difference->earlier++;
		difference_keep(difference->gains, &difference->gain_count, job, seconds, -1);
	} else {
		difference->later++;
		difference_keep(difference->losses, &difference->loss_count, job, seconds, 1);
	}
}

void maui_replay_differ(const struct maui_replay_trace *trace,
			const struct maui_replay_schedule *first,
			const struct maui_replay_schedule *second,
			struct maui_replay_difference *ret_difference)
{
	struct maui_replay_difference difference = {0};
	size_t both;

	for (size_t i = 0; i < first->count; i++) {
		bool one = first->started[i] != MAUI_REPLAY_UNKNOWN;
		bool other = second->started[i] != MAUI_REPLAY_UNKNOWN;

		if (trace->jobs[i].running)
			continue;
		if (one && other)
			difference_add(&difference, i, second->started[i] - first->started[i]);
		difference.only_first += one && !other;
		difference.only_second += other && !one;
	}
	both = difference.earlier + difference.same + difference.later;
	difference.mean /= both ? (double)both : 1;
	*ret_difference = difference;
}

/* ---- by group ---- */

static int64_t difference_later(const struct maui_replay_group_change *change)
{
	return change->second - change->first;
}

static int by_difference(const void *one, const void *other)
{
	const struct maui_replay_group_change *a = one, *b = other;

	if (difference_later(a) != difference_later(b))
		return difference_later(a) < difference_later(b) ? -1 : 1;
	return (a->group > b->group) - (a->group < b->group);
}

static void add_waits(const struct maui_replay_trace *trace,
		      const struct maui_replay_grouping *grouping,
		      const struct maui_replay_schedule *first,
		      const struct maui_replay_schedule *second,
		      struct maui_replay_group_change *changes)
{
	for (size_t i = 0; i < first->count; i++) {
		const struct maui_replay_job *job = &trace->jobs[i];
		struct maui_replay_group_change *change = &changes[grouping->of[i]];

		if (job->running || first->started[i] == MAUI_REPLAY_UNKNOWN ||
		    second->started[i] == MAUI_REPLAY_UNKNOWN)
			continue;
		change->jobs++;
		change->first += first->started[i] - job->submitted;
		change->second += second->started[i] - job->submitted;
	}
}

void maui_replay_differ_by(const struct maui_replay_trace *trace,
			   const struct maui_replay_grouping *grouping,
			   const struct maui_replay_schedule *first,
			   const struct maui_replay_schedule *second,
			   struct maui_replay_group_changes *ret_changes)
{
	struct maui_replay_group_change *changes =
		maui_calloc(grouping->count + 1, sizeof(*changes));
	size_t count = grouping->count;

	*ret_changes = (struct maui_replay_group_changes){0};
	for (size_t i = 0; i < count; i++)
		changes[i].group = i;
	if (count)
		add_waits(trace, grouping, first, second, changes);
	qsort(changes, count, sizeof(*changes), by_difference);
	for (size_t i = 0; i < count && i < MAUI_REPLAY_MOST && difference_later(&changes[i]) < 0;
	     i++)
		ret_changes->gains[ret_changes->gain_count++] = changes[i];
	for (size_t i = 1;
	     i <= count && i <= MAUI_REPLAY_MOST && difference_later(&changes[count - i]) > 0; i++)
		ret_changes->losses[ret_changes->loss_count++] = changes[count - i];
	free(changes);
}
