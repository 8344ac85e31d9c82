/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/replay/replay_fixture.h"

#include "common/replay/measures.h"

/* Waits of 0, 10, 30 and 0 seconds; slowdowns of 1, 2, 4 and 1. */
static const char jobs[] = "0 4x100/100 a; 0 4x10/10 b; 0 2x1/1 a; 100 10x100/100 b";
static const int64_t started[] = {0, 10, 39, 100};

static bool is_of_b(const void *context, const struct maui_replay_job *job)
{
	return job->credential[MAUI_USER] == *(const uint32_t *)context;
}

Test(replay_measures, figures_are_as_defined)
{
	struct maui_replay_trace *trace = replay_trace(jobs, 10);
	const bool backfilled[] = {false, true, false, false};
	struct maui_replay_measures m;

	cr_assert_eq(maui_replay_measure(trace, started, backfilled, 10, NULL, NULL, &m), 0);
	cr_expect_eq(m.jobs, 4);
	cr_expect_eq(m.backfilled, 1);
	cr_expect_float_eq(m.wait.mean, 12.25, 1e-9);
	cr_expect_float_eq(m.wait.median, 0, 1e-9);
	cr_expect_float_eq(m.wait.p95, 39, 1e-9);
	cr_expect_float_eq(m.slowdown.mean, (1 + 2 + 4 + 1) / 4.0, 1e-9);
	cr_expect_float_eq(m.slowdown.max, 4, 1e-9);
	cr_expect_float_eq(m.flow, (100 + 20 + 40 + 100) / 4.0, 1e-9);
	cr_expect_eq(m.makespan, 200);
	cr_expect_float_eq(m.utilisation, (400 + 40 + 2 + 1000) / 2000.0, 1e-9);
	maui_replay_trace_free(trace);
}

Test(replay_measures, some_jobs_can_be_counted)
{
	struct maui_replay_trace *trace = replay_trace(jobs, 10);
	uint32_t b = maui_intern_find(trace->names[MAUI_USER], "b");
	int64_t some[] = {0, 10, 39, MAUI_REPLAY_UNKNOWN};
	struct maui_replay_measures m;

	cr_assert_eq(maui_replay_measure(trace, some, NULL, 10, is_of_b, &b, &m), 0);
	cr_expect_eq(m.jobs, 1);
	cr_expect_eq(m.never, 1);
	cr_expect_float_eq(m.wait.mean, 10, 1e-9);
	maui_replay_trace_free(trace);
}

Test(replay_measures, nobody_at_all_is_no_division_by_zero)
{
	struct maui_replay_trace *trace = maui_replay_trace_new();
	struct maui_replay_measures m;

	cr_assert_eq(maui_replay_measure(trace, NULL, NULL, 10, NULL, NULL, &m), 0);
	cr_expect_eq(m.jobs, 0);
	cr_expect_eq(m.utilisation, 0);
	maui_replay_trace_free(trace);
}

Test(replay_measures, nearness_counts_those_with_both_starts)
{
	struct maui_replay_trace *trace = replay_trace(jobs, 10);
	int64_t replayed[] = {60, 0, 5000, MAUI_REPLAY_UNKNOWN};
	bool backfilled[4] = {false};
	struct maui_replay_schedule schedule = {
		.count = 4, .started = replayed, .backfilled = backfilled};
	struct maui_replay_nearness near;

	trace->jobs[0].started = 0;
	trace->jobs[2].started = 100;
	trace->jobs[3].started = 100;
	cr_assert_eq(maui_replay_compare(trace, &schedule, &near), 0);
	cr_expect_eq(near.jobs, 2);
	cr_expect_float_eq(near.recorded, 50, 1e-9);
	cr_expect_float_eq(near.replayed, 2530, 1e-9);
	cr_expect_float_eq(near.difference, 2480, 1e-9);
	cr_expect_eq(near.minute, 1);
	cr_expect_eq(near.hour, 1);
	maui_replay_trace_free(trace);
}
