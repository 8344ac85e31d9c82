/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How good a schedule is, in figures that are customary. */
#ifndef MAUI_REPLAY_MEASURES_H
#define MAUI_REPLAY_MEASURES_H

#include <stdbool.h>

#include "common/replay/figures/grouping.h"
#include "common/replay/schedule/schedule.h"

/* A run time below this counts as this much in a bounded slowdown, seconds. */
#define MAUI_REPLAY_TAU 10

struct maui_replay_spread {
	double mean, median, p95, max;
};

struct maui_replay_measures {
	/* That began, and are compared: waits, slowdowns and flow are theirs. Without those that ran
	 * already. */
	size_t jobs;
	size_t apart;                   /* that began, and are not compared */
	size_t never;                   /* that did not, as nothing ever let them */
	size_t backfilled;              /* began before one that was ahead of them */
	struct maui_replay_spread wait; /* seconds */
	/* max(1, (wait + run) / max(run, TAU)) */
	struct maui_replay_spread slowdown;
	double flow; /* mean of wait + run, seconds */
	/* Of all that began. */
	double utilisation; /* from the first submission to the last end, 0..1 */
	int64_t makespan;   /* that time, seconds */
	double used;        /* processor-seconds */
};

/*
 * started: by job, of a schedule or as recorded; MAUI_REPLAY_UNKNOWN is never. backfilled may be
 * NULL. compared, by job: whether it is; NULL: all are. Schedules are compared by jobs that begin
 * under all of them, or one under which many never begin would seem the best: D-RPL-18.
 */
void maui_replay_measure(const struct maui_replay_trace *trace, const int64_t *started,
			 const bool *backfilled, const bool *compared, uint32_t procs,
			 struct maui_replay_measures *ret_measures);

/* The same of each group: grouping->count elements. Of each, the utilisation is its own from its
 * first submission to its last end. */
void maui_replay_measure_groups(const struct maui_replay_trace *trace, const int64_t *started,
				const bool *backfilled, const bool *compared, uint32_t procs,
				const struct maui_replay_grouping *grouping,
				struct maui_replay_measures *ret_measures);

/* How near a schedule comes to what was recorded. */
struct maui_replay_nearness {
	size_t jobs;               /* with both starts */
	double recorded, replayed; /* mean waits, seconds */
	double difference;         /* mean of the absolute difference of the starts, seconds */
	double median;             /* of the same */
	size_t minute, hour;       /* jobs whose start differs by at most that */
};

void maui_replay_compare(const struct maui_replay_trace *trace,
			 const struct maui_replay_schedule *schedule,
			 struct maui_replay_nearness *ret_nearness);

#endif
