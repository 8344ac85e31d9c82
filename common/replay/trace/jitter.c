/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Moves submissions by a splitmix64 hash of seed, run and job, and computes
 * mean and range of a figure over the runs.
 */
#include "common/replay/trace/jitter.h"

#include <stdlib.h>

#include "common/util/memory.h"

/* splitmix64: Steele, Lea and Flood, OOPSLA'14. */
static uint64_t jitter_mixed(uint64_t value)
{
	value += UINT64_C(0x9e3779b97f4a7c15);
	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

static int by_submission(const void *a, const void *b)
{
	const struct maui_replay_job *x = a, *y = b;

	if (x->submitted != y->submitted)
		return x->submitted < y->submitted ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

void maui_replay_shake(const struct maui_replay_trace *trace, uint64_t seed, uint32_t run,
		       int64_t span, struct maui_replay_trace *ret_shaken)
{
	uint64_t key = jitter_mixed(jitter_mixed(seed) ^ run), width = 2 * (uint64_t)span + 1;

	*ret_shaken = *trace;
	ret_shaken->jobs = maui_calloc(trace->count + 1, sizeof(*ret_shaken->jobs));
	for (size_t i = 0; i < trace->count; i++) {
		struct maui_replay_job *job = &ret_shaken->jobs[i];

		*job = trace->jobs[i];
		job->submitted += (int64_t)(jitter_mixed(key ^ jitter_mixed(i)) % width) - span;
		if (job->submitted < 0)
			job->submitted = 0;
	}
	qsort(ret_shaken->jobs, trace->count, sizeof(*ret_shaken->jobs), by_submission);
}

void maui_replay_shaken_clear(struct maui_replay_trace *shaken)
{
	free(shaken->jobs);
	*shaken = (struct maui_replay_trace){0};
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

struct maui_replay_interval maui_replay_interval_of(double *values, size_t count)
{
	size_t outside = count / 40; /* on either side */
	double sum = 0;

	qsort(values, count, sizeof(*values), by_value);
	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return (struct maui_replay_interval){.mean = sum / (double)count,
					     .low = values[outside],
					     .high = values[count - 1 - outside]};
}
