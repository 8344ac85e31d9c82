/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/state/jobs.h"
#include "common/state/state_text.h"

static struct maui_bypass_start starts[] = {{.job_id = 8, .time = 1700000100},
					    {.job_id = UINT32_MAX, .time = 1700000101}};
static struct maui_jobstate_job jobs[] = {
	{.job_id = 7, .submitted = 1700000000, .queued_since = 1700000050, .bypass = 3},
	{.job_id = UINT32_MAX, .submitted = 0, .queued_since = 0, .bypass = UINT32_MAX}};
static struct maui_started_qos qos[] = {{.job_id = 9, .started = 1700000060, .qos = 3},
					{.job_id = UINT32_MAX, .started = 1, .qos = UINT32_MAX}};
static const struct maui_jobstate sample = {.counted = 1700000100,
					    .start_count = 2,
					    .starts = starts,
					    .job_count = 2,
					    .jobs = jobs,
					    .qos_count = 2,
					    .qos = qos};

static char *text;
static size_t size;

static void format(const struct maui_jobstate *state)
{
	maui_jobstate_format(state, &text, &size);
}

Test(jobstate, what_was_written_is_read)
{
	struct maui_jobstate state = {0};
	struct maui_error error = {""};

	format(&sample);
	cr_assert_eq(maui_jobstate_parse(text, size, &state, &error), 0, "%s", error.text);
	cr_expect_eq(state.counted, 1700000100);
	cr_assert_eq(state.start_count, 2);
	cr_expect_eq(state.starts[1].job_id, UINT32_MAX);
	cr_expect_eq(state.starts[1].time, 1700000101);
	cr_assert_eq(state.job_count, 2);
	cr_expect_eq(memcmp(state.jobs, jobs, sizeof(jobs)), 0);
	cr_assert_eq(state.qos_count, 2);
	cr_expect_eq(memcmp(state.qos, qos, sizeof(qos)), 0);
	maui_jobstate_clear(&state);
	cr_expect_null(state.jobs);
}

/* Of version 1, which had no QOS. */
Test(jobstate, a_file_of_an_earlier_version_is_read)
{
	static const char earlier[] = "slurm-maui jobs 1\n"
				      "counted 1700000100\n"
				      "start 8 1700000100\n"
				      "job 7 1700000000 1700000050 3\n"
				      "end 4 879c39be3ec37058\n";
	struct maui_jobstate state = {0};
	struct maui_error error = {""};

	cr_assert_eq(maui_jobstate_parse(earlier, strlen(earlier), &state, &error), 0, "%s",
		     error.text);
	cr_assert_eq(state.job_count, 1);
	cr_expect_eq(memcmp(state.jobs, jobs, sizeof(jobs[0])), 0);
	cr_expect_eq(state.start_count, 1);
	cr_expect_eq(state.qos_count, 0);
	maui_jobstate_clear(&state);
}

/* A clock that was set before 1970 damages no file. */
Test(jobstate, what_no_line_can_hold_is_the_nearest_that_it_can)
{
	struct maui_jobstate_job before = {.job_id = 7, .submitted = -9, .queued_since = -50};
	struct maui_jobstate given = {.job_count = 1, .jobs = &before}, state = {0};
	struct maui_error error = {""};

	format(&given);
	cr_assert_eq(maui_jobstate_parse(text, size, &state, &error), 0, "%s", error.text);
	cr_assert_eq(state.job_count, 1);
	cr_expect_eq(state.jobs[0].submitted, 0);
	cr_expect_eq(state.jobs[0].queued_since, 0);
	maui_jobstate_clear(&state);
}

Test(jobstate, numbers_are_written_as_by_printf)
{
	static const int64_t numbers[] = {
		0, 1, 9, 10, 4711, UINT32_MAX, 99999999999999999, INT64_MAX, -1, -10, INT64_MIN};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		char written[MAUI_STATETEXT_NUMBER + 1], expected[32];

		*maui_statetext_put_number(written, numbers[i]) = '\0';
		snprintf(expected, sizeof(expected), " %" PRId64, numbers[i]);
		cr_expect_str_eq(written, expected);
	}
}
