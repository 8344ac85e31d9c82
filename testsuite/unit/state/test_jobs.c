/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <errno.h>
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

static void expect_refused(const char *what, size_t length, const char *why)
{
	struct maui_jobstate state = {.counted = 42};
	struct maui_error error = {""};

	cr_expect_eq(maui_jobstate_parse(what, length, &state, &error), -EINVAL);
	cr_expect_not_null(strstr(error.text, why), "%s", error.text);
	cr_expect_eq(state.counted, 42);
}

Test(jobstate, the_format_is_the_written_one)
{
	static const char expected[] = "slurm-maui jobs 2\n"
				       "counted 1700000100\n"
				       "start 8 1700000100\n"
				       "start 4294967295 1700000101\n"
				       "qos 9 1700000060 3\n"
				       "qos 4294967295 1 4294967295\n"
				       "job 7 1700000000 1700000050 3\n"
				       "job 4294967295 0 0 4294967295\n"
				       "end 8 7d986f7da34f154a\n";

	format(&sample);
	cr_assert_eq(size, strlen(expected));
	cr_expect_eq(memcmp(text, expected, size), 0, "%.*s", (int)size, text);
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

Test(jobstate, nothing_to_keep_is_a_file_too)
{
	struct maui_jobstate empty = {0}, state = {.counted = 42};

	format(&empty);
	cr_assert_eq(maui_jobstate_parse(text, size, &state, NULL), 0);
	cr_expect_eq(state.counted, 0);
	cr_expect_eq(state.job_count + state.start_count + state.qos_count, 0);
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

Test(jobstate, a_file_cut_short_anywhere_is_refused)
{
	format(&sample);
	for (size_t length = 0; length < size; length++)
		expect_refused(text, length,
			       length < strlen("slurm-maui jobs 2\n") ? "does not begin" : "cut");
}

Test(jobstate, a_changed_or_added_byte_anywhere_is_noticed)
{
	format(&sample);
	text = realloc(text, size + 1);
	for (size_t i = 0; i < size; i++) {
		text[i] ^= 2; /* a version with another bit would be a later one */
		expect_refused(text, size, "it ");
		text[i] ^= 2;
	}
	text[size] = '\n';
	expect_refused(text, size + 1, "cut");
}

Test(jobstate, foreign_files_are_refused)
{
	static const char other[] = "slurm-maui job 2\nend 1 0\n", binary[] = "\0\1\2\xff\n";

	expect_refused("", 0, "does not begin");
	expect_refused(other, strlen(other), "does not begin with \"slurm-maui jobs 2\"");
	expect_refused(binary, sizeof(binary) - 1, "does not begin");
}

/* A file with a valid last line and one line of content. */
static void expect_line(const char *line, bool good)
{
	struct maui_jobstate empty = {0}, state = {0};
	char content[256];
	uint64_t sum = UINT64_C(14695981039346656037);
	struct maui_error error = {""};
	int length = snprintf(content, sizeof(content), "slurm-maui jobs 2\n%s\n", line), rc;

	for (int i = 0; i < length; i++)
		sum = (sum ^ (unsigned char)content[i]) * UINT64_C(1099511628211);
	length += snprintf(content + length, sizeof(content) - (size_t)length, "end 2 %016llx\n",
			   (unsigned long long)sum);
	rc = maui_jobstate_parse(content, (size_t)length, &state, &error);
	cr_expect_eq(rc, good ? 0 : -EINVAL, "\"%s\": %s", line, error.text);
	cr_expect(good || strstr(error.text, "line 2"), "\"%s\": %s", line, error.text);
	cr_expect(good || !memcmp(&state, &empty, sizeof(state)));
	maui_jobstate_clear(&state);
}

Test(jobstate, numbers_have_bounds)
{
	expect_line("job 7 10 10 0", true);
	expect_line("job 7 10 253402300799 0", true);
	expect_line("job 7 10 253402300800 0", false);
	expect_line("job 7 10 99999999999999999999999999999999 0", false);
	expect_line("job 7 10 9 0", true); /* Slurm submits a requeued job a second later */
	expect_line("job 7 10 -9 0", false);
	expect_line("job 0 10 10 0", false);
	expect_line("job 4294967296 10 10 0", false);
	expect_line("job 7 10 10 4294967296", false);
	expect_line("job 7 -10 10 0", false);
	expect_line("job 7 10 10", false);
	expect_line("job 7 10 10 0 ", false);
	expect_line("job 7 10 10 0 1", false);
	expect_line("job  7 10 10 0", false);
	expect_line("jobs 7 10 10 0", false);
	expect_line("start 7 10", true);
	expect_line("start 7 0", false);
	expect_line("qos 7 10 1", true);
	expect_line("qos 0 10 1", false);
	expect_line("qos 7 0 1", false);
	expect_line("qos 7 10 0", false);
	expect_line("qos 7 10 4294967296", false);
	expect_line("qos 7 10", false);
	expect_line("qos 7 10 1 1", false);
	expect_line("counted 0", false);
	expect_line("counted 1", true);
	expect_line("", false);
	expect_line("end 1 0", false);
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
