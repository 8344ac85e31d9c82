/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a machine did over time under a schedule, in steps of equal length. */
#ifndef MAUI_REPLAY_TIMELINE_H
#define MAUI_REPLAY_TIMELINE_H

#include "common/replay/schedule/schedule.h"

/* Means over a step. */
struct maui_replay_moment {
	double used;    /* processors in use */
	double waiting; /* jobs */
	double wanted;  /* processors that these ask for */
};

/*
 * count steps of so many seconds, the first of which begins at `from`. A job that never begins
 * waits to the end. started: by job; MAUI_REPLAY_UNKNOWN.
 */
void maui_replay_timeline(const struct maui_replay_trace *trace, const int64_t *started,
			  int64_t from, int64_t step, size_t count,
			  struct maui_replay_moment *ret_moments);

#endif
