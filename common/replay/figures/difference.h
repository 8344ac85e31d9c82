/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which jobs begin earlier or later under one schedule than under another, and whose they are. */
#ifndef MAUI_REPLAY_DIFFERENCE_H
#define MAUI_REPLAY_DIFFERENCE_H

#include "common/replay/figures/grouping.h"
#include "common/replay/schedule/schedule.h"

#define MAUI_REPLAY_MOST 10

struct maui_replay_change {
	size_t job;
	int64_t seconds; /* it begins that much later; less than 0: earlier */
};

struct maui_replay_difference {
	size_t earlier, same, later;    /* jobs that begin under both */
	size_t only_first, only_second; /* that begin under one alone */
	double mean;                    /* of how much later they begin, seconds */
	/* The largest differences first; in the order of submission where they are the same. */
	struct maui_replay_change gains[MAUI_REPLAY_MOST], losses[MAUI_REPLAY_MOST];
	size_t gain_count, loss_count;
};

/* Of the same trace, without jobs that run when the replay begins. */
void maui_replay_differ(const struct maui_replay_trace *trace,
			const struct maui_replay_schedule *first,
			const struct maui_replay_schedule *second,
			struct maui_replay_difference *ret_difference);

/* Of a user, or another group of jobs: those that begin under both schedules. */
struct maui_replay_group_change {
	size_t group, jobs;
	int64_t first, second; /* seconds that they wait in all under each */
};

struct maui_replay_group_changes {
	/* Those whose jobs wait so much less, and more; the largest differences first. */
	struct maui_replay_group_change gains[MAUI_REPLAY_MOST], losses[MAUI_REPLAY_MOST];
	size_t gain_count, loss_count;
};

/* The same by group, and none of a grouping without groups. */
void maui_replay_differ_by(const struct maui_replay_trace *trace,
			   const struct maui_replay_grouping *grouping,
			   const struct maui_replay_schedule *first,
			   const struct maui_replay_schedule *second,
			   struct maui_replay_group_changes *ret_changes);

#endif
