/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/replay/difference.h"

/* Among the largest so far, if it is. sign: 1 for losses, -1 for gains. */
static void keep(struct maui_replay_change most[MAUI_REPLAY_MOST], size_t *count, size_t job,
		 int64_t seconds, int sign)
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

static void add(struct maui_replay_difference *difference, size_t job, int64_t seconds)
{
	difference->mean += (double)seconds;
	if (!seconds) {
		difference->same++;
	} else if (seconds < 0) {
		difference->earlier++;
		keep(difference->gains, &difference->gain_count, job, seconds, -1);
	} else {
		difference->later++;
		keep(difference->losses, &difference->loss_count, job, seconds, 1);
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
			add(&difference, i, second->started[i] - first->started[i]);
		difference.only_first += one && !other;
		difference.only_second += other && !one;
	}
	both = difference.earlier + difference.same + difference.later;
	difference.mean /= both ? (double)both : 1;
	*ret_difference = difference;
}
