/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Traces that are random, and the same in each run. */
#ifndef MAUI_UNIT_RANDOM_FIXTURE_H
#define MAUI_UNIT_RANDOM_FIXTURE_H

#include "testsuite/unit/replay/replay_fixture.h"

#define RANDOM_JOBS 400

static inline uint32_t replay_roll(uint64_t *state, uint32_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33) % below;
}

/* Few shapes and users, in bursts, and more than the machine can run; time limits are multiples of
 * a unit. */
static inline struct maui_replay_trace *replay_random_trace(uint64_t seed, uint32_t procs,
							    int64_t unit)
{
	static const char *const users[] = {"a", "b", "c", "d"}, *const classes[] = {"c", "d"};
	struct maui_replay_trace *trace = maui_replay_trace_new();
	int64_t now = 1000;

	for (int64_t i = 1; i <= RANDOM_JOBS; i++) {
		struct maui_replay_job job = {.number = i, .started = MAUI_REPLAY_UNKNOWN};

		now += replay_roll(&seed, 3) ? 0 : replay_roll(&seed, 150);
		job.submitted = now;
		job.estimate = unit * (1 + replay_roll(&seed, 6));
		job.run = 1 + replay_roll(&seed, (uint32_t)job.estimate);
		job.credential[MAUI_USER] =
			replay_name(trace, MAUI_USER, users[replay_roll(&seed, 4)]);
		job.credential[MAUI_CLASS] =
			replay_name(trace, MAUI_CLASS, classes[replay_roll(&seed, 2)]);
		maui_replay_trace_add(trace, &job, 1 << replay_roll(&seed, 5));
	}
	maui_replay_trace_finish(trace, procs);
	return trace;
}

#endif
