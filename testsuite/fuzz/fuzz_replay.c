/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A replay under any maui.cfg: it ends, no processor is used twice, nobody begins before he has
 * come, whoever never begins was held, and looking at alike jobs together makes no difference.
 *
 * The bytes are a maui.cfg and, after a 0xff, a byte for SchedulerParameters and six for each job.
 */
#include <string.h>

#include "common/policy/policy.h"
#include "common/replay/site.h"
#include "testsuite/fuzz/require.h"

#define PROCS    32
#define MAX_JOBS 60
#define JOB_SIZE 6
#define TURN     1800 /* a long one: to wait for a window takes years */

static uint32_t credential(struct maui_replay_trace *trace, enum maui_credential type,
			   unsigned int bits)
{
	static const char *const names[MAUI_CREDENTIALS][4] = {
		[MAUI_USER] = {NULL, "a", "b", "c"},
		[MAUI_GROUP] = {NULL, "g", "h", "i"},
		[MAUI_ACCOUNT] = {NULL, "x", "y", "z"},
		[MAUI_QOS] = {NULL, "high", "low", "q"},
		[MAUI_CLASS] = {NULL, "batch", "long", "p"},
	};
	const char *name = names[type][bits & 3];

	return name ? maui_intern_add(trace->names[type], name) : 0;
}

static struct maui_replay_trace *make_trace(const uint8_t *bytes, size_t size)
{
	struct maui_replay_trace *trace = maui_replay_trace_new();
	int64_t now = 1000000;

	REQUIRE(trace);
	for (; size >= JOB_SIZE && trace->count < MAX_JOBS; bytes += JOB_SIZE, size -= JOB_SIZE) {
		struct maui_replay_job job = {.number = (int64_t)trace->count + 1,
					      .started = MAUI_REPLAY_UNKNOWN};

		now += (int64_t)bytes[0] * bytes[0];
		job.submitted = now;
		job.estimate = 1 + (int64_t)bytes[1] * bytes[1];
		job.run = 1 + job.estimate * bytes[2] / 256;
		job.memory = bytes[3] >> 6;
		job.nodes = bytes[3] >> 5 & 1;
		for (int type = 0; type < MAUI_CREDENTIALS; type++)
			job.credential[type] =
				credential(trace, (enum maui_credential)type,
					   (unsigned int)(bytes[4] | bytes[5] << 8) >> 2 * type);
		REQUIRE(!maui_replay_trace_add(trace, &job, 1 + (bytes[3] & 31)));
	}
	REQUIRE(!maui_replay_trace_finish(trace, PROCS));
	return trace;
}

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
	trace = make_trace(end + 2, (size_t)(data + size - end - 2));
	try_both_ways(trace, &site);
	maui_replay_trace_free(trace);
	maui_policy_unref(site.policy);
	return 0;
}
