/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shaken arrivals: the same jobs, each submitted a little earlier or later. A figure that hangs on
 * a coincidence of the trace changes from one shaking to the next; an effect stays. Tsafrir,
 * Ouaknine and Feitelson, MASCOTS'07; D-RPL-11.
 */
#ifndef MAUI_REPLAY_JITTER_H
#define MAUI_REPLAY_JITTER_H

#include "common/replay/trace/trace.h"

/*
 * Each submission is moved by a whole number of seconds from -span to span, all of them as likely,
 * by a generator that knows nothing but the seed, the number of the run and the job: the same on
 * every machine, whichever process does the run. None is moved before 0. The copy shares the names
 * of the trace, which must live as long. Must be cleared.
 */
void maui_replay_shake(const struct maui_replay_trace *trace, uint64_t seed, uint32_t run,
		       int64_t span, struct maui_replay_trace *ret_shaken);
void maui_replay_shaken_clear(struct maui_replay_trace *shaken);

/* Of one figure over some runs. */
struct maui_replay_interval {
	double mean;
	double low, high; /* 95 % of the runs are within: by nearest rank, all of fewer than 40 */
};

/* Sorts the values. count is at least 1. */
struct maui_replay_interval maui_replay_interval_of(double *values, size_t count);

#endif
