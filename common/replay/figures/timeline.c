/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds each job's wait and run to the steps that they overlap, each in
 * proportion to the overlap.
 */
#include "common/replay/figures/timeline.h"

#include <string.h>

struct steps {
	int64_t from, step;
	size_t count;
	struct maui_replay_moment *moments;
};

static int64_t timeline_clamp(const struct steps *steps, int64_t time)
{
	int64_t length = steps->step * (int64_t)steps->count;

	time -= steps->from;
	return time < 0 ? 0 : time > length ? length : time;
}

/* What a job has or wants from one time to another. */
static void timeline_add(const struct steps *steps, int64_t begin, int64_t end,
			 const struct maui_replay_moment *amount)
{
	int64_t to = timeline_clamp(steps, end);

	for (int64_t at = timeline_clamp(steps, begin); at < to;) {
		struct maui_replay_moment *moment = &steps->moments[at / steps->step];
		int64_t next = (at / steps->step + 1) * steps->step;
		double part = (double)((next < to ? next : to) - at) / (double)steps->step;

		moment->used += amount->used * part;
		moment->waiting += amount->waiting * part;
		moment->wanted += amount->wanted * part;
		at = next;
	}
}

void maui_replay_timeline(const struct maui_replay_trace *trace, const int64_t *started,
			  int64_t from, int64_t step, size_t count,
			  struct maui_replay_moment *ret_moments)
{
	struct steps steps = {from, step, count, ret_moments};

	memset(ret_moments, 0, count * sizeof(*ret_moments));
	for (size_t i = 0; i < trace->count; i++) {
		const struct maui_replay_job *job = &trace->jobs[i];
		bool began = started[i] != MAUI_REPLAY_UNKNOWN;
		struct maui_replay_moment waits = {.waiting = 1, .wanted = job->procs};
		struct maui_replay_moment runs = {.used = job->procs};

		if (!job->running)
			timeline_add(&steps, job->submitted, began ? started[i] : INT64_MAX,
				     &waits);
		if (began)
			timeline_add(&steps, started[i], started[i] + job->run, &runs);
	}
}
