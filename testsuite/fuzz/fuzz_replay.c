/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A replay under any maui.cfg: it ends, no processor is used twice, nobody begins before he has
 * come, whoever never begins was held, and looking at alike jobs together makes no difference.
 *
 * The bytes are a maui.cfg and, after a 0xff, a byte for SchedulerParameters and six for each job.
 */
#include <string.h>

#include "common/policy/policy.h"
#include "common/replay/site/site.h"
#include "testsuite/fuzz/replay_jobs.h"

#define TURN 1800 /* a long one: to wait for a window takes years */

static uint32_t in_use(const struct maui_replay_trace *trace,
		       const struct maui_replay_schedule *schedule, int64_t time)
{
	uint32_t procs = 0;

	for (size_t i = 0; i < trace->count; i++)
		if (schedule->started[i] != MAUI_REPLAY_UNKNOWN && schedule->started[i] <= time &&
		    time < schedule->started[i] + trace->jobs[i].run)
			procs += trace->jobs[i].procs;
	return procs;
}

static void check(const struct maui_replay_trace *trace, const struct maui_replay_site *site,
		  const struct maui_replay_schedule *schedule,
		  const struct maui_replay_counts *counts)
{
	size_t never = 0;

	REQUIRE(schedule->count == trace->count);
	for (size_t i = 0; i < trace->count; i++) {
		if (schedule->started[i] == MAUI_REPLAY_UNKNOWN) {
			never++;
			continue;
		}
		REQUIRE(schedule->started[i] >= trace->jobs[i].submitted);
		REQUIRE(in_use(trace, schedule, schedule->started[i]) <= PROCS);
	}
	REQUIRE(!never || counts->held || maui_priority_negatives_enabled(site->policy->priority));
	REQUIRE(counts->held <= trace->count);
	REQUIRE(counts->most_waiting <= trace->count);
}

static int run(const struct maui_replay_trace *trace, struct maui_replay_site *site, bool apart,
	       struct maui_replay_schedule *ret_schedule)
{
	struct maui_replay_counts counts;
	struct maui_error error = {""};
	int rc;

	site->apart = apart;
	rc = maui_replay_site_run(trace, site, ret_schedule, &counts, &error);
	REQUIRE(!rc == !*error.text);
	if (!rc)
		check(trace, site, ret_schedule, &counts);
	return rc;
}

static void try_both_ways(const struct maui_replay_trace *trace, struct maui_replay_site *site)
{
	size_t size = trace->count * sizeof(int64_t);
	struct maui_replay_schedule together, apart;
	int rc = run(trace, site, false, &together);

	REQUIRE(rc == run(trace, site, true, &apart));
	REQUIRE(rc || !memcmp(together.started, apart.started, size));
	maui_replay_schedule_clear(&together);
	maui_replay_schedule_clear(&apart);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size ? memchr(data, 0xff, size) : NULL;
	struct maui_replay_site site = {.parameters = maui_replay_default_parameters,
					.procs = PROCS};
	struct maui_replay_trace *trace;
	struct maui_error error;

	if (!end || end + 1 == data + size)
		return 0;
	if (maui_policy_of_text("maui.cfg", (const char *)data, (size_t)(end - data), 0,
				&site.policy, &error))
		return 0;
	site.parameters.interval = TURN;
	site.parameters.queue_depth = end[1] & 15;
	site.parameters.max_job_test = 1 + (end[1] >> 4);
	trace = make_trace(end + 2, (size_t)(data + size - end - 2), PROCS);
	try_both_ways(trace, &site);
	maui_replay_trace_free(trace);
	maui_policy_unref(site.policy);
	return 0;
}
