/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which jobs begin earlier or later under one schedule than under another. */
#ifndef MAUI_REPLAY_DIFFERENCE_H
#define MAUI_REPLAY_DIFFERENCE_H

#include "common/replay/schedule.h"

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

#endif
