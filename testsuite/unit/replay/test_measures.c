/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/replay/replay_fixture.h"

#include "common/replay/figures/measures.h"

/* Waits of 0, 10, 30 and 0 seconds; slowdowns of 1, 2, 4 and 1. */
static const char jobs[] = "0 4x100/100 a; 0 4x10/10 b; 0 2x1/1 a; 100 10x100/100 b";
static const int64_t started[] = {0, 10, 39, 100};

Test(replay_measures, figures_are_as_defined)
{
	struct maui_replay_trace *trace = replay_trace(jobs, 10);
	const bool backfilled[] = {false, true, false, false};
	struct maui_replay_measures m;

	maui_replay_measure(trace, started, backfilled, NULL, 10, &m);
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

/* A job that is not compared waits nowhere, and uses what it uses. */
Test(replay_measures, waits_are_of_the_jobs_that_are_compared)
{
	struct maui_replay_trace *trace = replay_trace(jobs, 10);
	const bool backfilled[] = {false, true, true, false};
	const bool compared[] = {true, true, false, true};
	int64_t some[] = {0, 10, 39, MAUI_REPLAY_UNKNOWN};
	struct maui_replay_measures m;

	maui_replay_measure(trace, some, backfilled, compared, 10, &m);
	cr_expect_eq(m.jobs, 2);
	cr_expect_eq(m.apart, 1);
	cr_expect_eq(m.never, 1);
	cr_expect_eq(m.backfilled, 1);
	cr_expect_float_eq(m.wait.mean, 5, 1e-9);
	cr_expect_float_eq(m.wait.max, 10, 1e-9);
	cr_expect_float_eq(m.slowdown.mean, (1 + 2) / 2.0, 1e-9);
	cr_expect_float_eq(m.flow, (100 + 20) / 2.0, 1e-9);
	cr_expect_eq(m.makespan, 100);
	cr_expect_float_eq(m.utilisation, (400 + 40 + 2) / 1000.0, 1e-9);
	maui_replay_trace_free(trace);
}

Test(replay_measures, groups_are_measured_each_by_itself)
{
	struct maui_replay_trace *trace = replay_trace(jobs, 10);
	int64_t some[] = {0, 10, 39, MAUI_REPLAY_UNKNOWN};
	struct maui_replay_grouping users;
	struct maui_replay_measures m[2];

	maui_replay_grouping_by(trace, MAUI_REPLAY_BY_USER, &users);
	cr_assert_eq(users.count, 2);
	cr_expect_str_eq(users.names[0], "b", "1040 processor-seconds are more than 402");
	maui_replay_measure_groups(trace, some, NULL, NULL, 10, &users, m);
	cr_expect_eq(m[0].jobs, 1);
	cr_expect_eq(m[0].never, 1);
	cr_expect_float_eq(m[0].wait.mean, 10, 1e-9);
	cr_expect_eq(m[1].jobs, 2);
	cr_expect_float_eq(m[1].wait.mean, 19.5, 1e-9);
	cr_expect_float_eq(m[1].wait.max, 39, 1e-9);
	cr_expect_float_eq(m[1].used, 402, 1e-9);
	maui_replay_grouping_clear(&users);
	maui_replay_trace_free(trace);
}

static const struct {
	enum maui_replay_by by;
	const char *trace, *groups;
} groupings[] = {
	{MAUI_REPLAY_BY_SIZE, "0 1x1/1 a; 0 2x1/1 a; 0 3x1/1 a; 0 4x1/1 a; 0 10x1/1 a",
	 "1 1; 2-3 2; 4-7 1; 8-15 1"},
	{MAUI_REPLAY_BY_LENGTH,
	 "0 1x59/60 a; 0 1x60/60 a; 0 1x599/600 a; 0 1x86399/86400 a; 0 1x86400/86400 a",
	 "< 1 min 1; 1-10 min 2; 12-24 h 1; >= 24 h 1"},
	{MAUI_REPLAY_BY_ACCOUNT, "0 1x1/1 a x; 0 1x2/2 a; 0 1x1/1 b y", "(none) 1; x 1; y 1"},
	{MAUI_REPLAY_BY_QOS, "0 1x1/1 a; 0 1x1/1 a", ""},
	{MAUI_REPLAY_BY_CLASS, "0 1x1/1 a - - batch", "batch 1"},
};

Test(replay_measures, groups_are_in_order_and_empty_ones_are_left_out)
{
	for (size_t i = 0; i < sizeof(groupings) / sizeof(groupings[0]); i++) {
		struct maui_replay_trace *trace = replay_trace(groupings[i].trace, 10);
		struct maui_replay_grouping found;
		size_t sizes[8] = {0}, used = 0;
		char text[256] = "";

		maui_replay_grouping_by(trace, groupings[i].by, &found);
		for (size_t j = 0; found.count && j < trace->count; j++)
			sizes[found.of[j]]++;
		for (size_t j = 0; j < found.count; j++)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s %zu",
						 j ? "; " : "", found.names[j], sizes[j]);
		cr_expect_str_eq(text, groupings[i].groups, "%zu: %s", i, text);
		maui_replay_grouping_clear(&found);
		maui_replay_trace_free(trace);
	}
}

Test(replay_measures, nobody_at_all_is_no_division_by_zero)
{
	struct maui_replay_trace *trace = maui_replay_trace_new();
	struct maui_replay_measures m;

	maui_replay_measure(trace, NULL, NULL, NULL, 10, &m);
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
	maui_replay_compare(trace, &schedule, &near);
	cr_expect_eq(near.jobs, 2);
	cr_expect_float_eq(near.recorded, 50, 1e-9);
	cr_expect_float_eq(near.replayed, 2530, 1e-9);
	cr_expect_float_eq(near.difference, 2480, 1e-9);
	cr_expect_eq(near.minute, 1);
	cr_expect_eq(near.hour, 1);
	maui_replay_trace_free(trace);
}
