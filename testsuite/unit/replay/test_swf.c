/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/replay/readers/swf.h"
#include "testsuite/unit/replay/reader_fixture.h"

static int read_swf(struct maui_replay_trace *trace, const char *text, size_t size,
		    const struct maui_replay_complaints *said_to)
{
	maui_replay_swf_read(trace, text, size, said_to);
	return 0;
}

static struct maui_replay_trace *read_text(const char *text)
{
	return read_with(read_swf, text);
}

/* What is read of one line: "number submitted started run estimate procs memory user group class". */
static const struct {
	const char *line, *job;
} jobs[] = {
	{"1 100 5 60 4 -1 -1 4 120 -1 1 12 3 -1 2 -1 -1 -1", "1 100 105 60 120 4 0 12 3 2"},
	{"1 100 -1 60 4 -1 -1 8 120 2048 1 12 3 -1 -1 -1 -1 -1", "1 100 ? 60 120 8 16 12 3 -"},
	{"1 0 0 60 4 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1", "1 0 0 60 60 4 0 - - -"},
	{"1 0 0 60.75 4 3.5 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1", "1 0 0 60 60 4 0 - - -"},
	{"\t1  0\t0 90 4 -1 -1 -1 60 -1 0 -1 -1 -1 -1 -1 -1 -1 \r", "1 0 0 60 60 4 0 - - -"},
	{"1 0 0 +60 4 -1 -1 0 60 -1 5 -1 -1 -1 -1 -1 -1 -1", "1 0 0 60 60 4 0 - - -"},
};

static const char *name(const struct maui_replay_trace *trace, enum maui_credential type)
{
	const char *text = maui_intern_name(trace->names[type], trace->jobs[0].credential[type]);

	return text ? text : "-";
}

Test(replay_swf, a_line_is_a_job)
{
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		struct maui_replay_trace *trace = read_text(jobs[i].line);
		const struct maui_replay_job *job = trace->jobs;
		char text[128], started[24] = "?";

		cr_assert_eq(trace->count, 1, "%s: %s", jobs[i].line, said);
		if (job->started != MAUI_REPLAY_UNKNOWN)
			snprintf(started, sizeof(started), "%" PRId64, job->started);
		snprintf(text, sizeof(text),
			 "%" PRId64 " %" PRId64 " %s %" PRId64 " %" PRId64 " %u %" PRId64
			 " %s %s %s",
			 job->number, job->submitted, started, job->run, job->estimate, job->procs,
			 job->memory, name(trace, MAUI_USER), name(trace, MAUI_GROUP),
			 name(trace, MAUI_CLASS));
		cr_expect_str_eq(text, jobs[i].job, "%s: %s", jobs[i].line, text);
		maui_replay_trace_free(trace);
	}
}

static const struct {
	const char *line, *complaint;
} bad[] = {
	{"1 2 3", "1:6: 3 fields where the format has 18\n"},
	{"1 2 x 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18",
	 "1:5: field 3 is not a number of the format\n"},
	{"1 2 - 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18",
	 "1:5: field 3 is not a number of the format\n"},
	{"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18x",
	 "1:43: field 18 is not a number of the format\n"},
	{"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19", "1:46: more than 18 fields\n"},
	{"1 2 3 99999999999999999999 5 6 7 8 9 10 11 12 13 14 15 16 17 18",
	 "1:7: field 4 is not a number of the format\n"},
	{"\n; comment\n\n 7", "4:3: 1 fields where the format has 18\n"},
};

Test(replay_swf, a_bad_line_costs_itself)
{
	static const char good[] = "\n1 0 0 60 4 -1 -1 4 60 -1 1 1 1 -1 -1 -1 -1 -1";

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct maui_replay_trace *trace;
		char text[256];

		snprintf(text, sizeof(text), "%s%s", bad[i].line, good);
		trace = read_text(text);
		cr_expect_str_eq(said, bad[i].complaint, "%s: %s", bad[i].line, said);
		cr_expect_eq(trace->count, 1, "%s", bad[i].line);
		cr_expect_eq(trace->bad_lines, 1, "%s", bad[i].line);
		maui_replay_trace_free(trace);
	}
}

#define JOB(run, procs, status)                                                                    \
	"1 10 0 " run " " procs " -1 -1 " procs " 60 -1 " status " 1 1 1 1 1 1 1\n"

Test(replay_swf, what_is_left_out_is_counted)
{
	struct maui_replay_trace *trace = read_text(
		JOB("-1", "4", "5") JOB("0", "4", "1") JOB("5", "0", "1") JOB("5", "4", "2")
			JOB("5", "4", "3") JOB("5", "200", "1") JOB("5", "4", "1")
				JOB("70", "4", "1") "1 -1 0 5 4 -1 -1 4 60 -1 1 1 1 1 1 1 1 1\n");

	maui_replay_trace_finish(trace, 100);
	cr_expect_eq(trace->count, 2);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_NO_RUN], 2);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_NO_PROCS], 1);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_PARTIAL], 2);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_TOO_LARGE], 1);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_OVERRUN], 1);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_NO_SUBMISSION], 1);
	cr_expect_str_empty(said);
	maui_replay_trace_free(trace);
}

Test(replay_swf, the_comments_tell_of_the_machine)
{
	static const struct {
		const char *text;
		uint32_t procs;
		int64_t epoch;
	} heads[] = {
		{"; MaxProcs: 100\n; UnixStartTime: 843480031\n", 100, 843480031},
		{"; MaxNodes: 25\n;MaxProcs:  100", 100, 0},
		{";MaxProcs: 100\n; MaxNodes: 25\n", 100, 0},
		{"; MaxNodes: 25 (4 processors each)", 25, 0},
		{"; MaxProcs: many\n; Note: MaxProcs: 7", 0, 0},
		{"; MaxProcs: 0\n; MaxProcs\n;", 0, 0},
	};

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		struct maui_replay_trace *trace = read_text(heads[i].text);

		cr_expect_eq(trace->procs, heads[i].procs, "%s: %u", heads[i].text, trace->procs);
		cr_expect_eq(trace->epoch, heads[i].epoch, "%s", heads[i].text);
		cr_expect_str_empty(said);
		maui_replay_trace_free(trace);
	}
}

Test(replay_swf, jobs_are_put_in_order)
{
	struct maui_replay_trace *trace = read_text("1 20 0 5 4 -1 -1 4 60 -1 1 1 1 1 1 1 1 1\n"
						    "2 10 0 5 4 -1 -1 4 60 -1 1 1 1 1 1 1 1 1\n"
						    "3 20 0 5 4 -1 -1 4 60 -1 1 1 1 1 1 1 1 1\n");

	maui_replay_trace_finish(trace, 100);
	cr_expect_eq(trace->jobs[0].number, 2);
	cr_expect_eq(trace->jobs[1].number, 1);
	cr_expect_eq(trace->jobs[2].number, 3);
	maui_replay_trace_free(trace);
}
