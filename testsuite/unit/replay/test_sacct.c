/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/replay/sacct.h"
#include "testsuite/unit/replay/reader_fixture.h"

#define NEEDED "JobID|Submit|Start|End|AllocCPUS"

static struct maui_replay_trace *read_text(const char *text)
{
	cr_assert(maui_replay_sacct_looks(text, strlen(text)));
	return read_with(maui_replay_sacct_read, text);
}

/* What is read: "number submitted started run estimate procs nodes memory user account". */
static const struct {
	const char *text, *job;
} jobs[] = {
	{NEEDED "\n7|100|105|165|4\n", "7 100 105 60 60 4 0 0 - -"},
	{"AllocCPUS|End|Whatever|Start|Submit|JobID\n4|165|x|105|100|7_3\n",
	 "7 100 105 60 60 4 0 0 - -"},
	{NEEDED "|TimelimitRaw\r\n7|100|105|165|4|2\r\n", "7 100 105 60 120 4 0 0 - -"},
	{NEEDED "|TimelimitRaw\n7|100|105|165|4|UNLIMITED\n", "7 100 105 60 60 4 0 0 - -"},
	{NEEDED "|TimelimitRaw\n7|100|105|165|4|Partition_Limit", "7 100 105 60 60 4 0 0 - -"},
	{NEEDED "|Eligible\n7|100|205|265|4|150\n", "7 150 205 60 60 4 0 0 - -"},
	{NEEDED "|Eligible\n7|100|205|265|4|Unknown\n", "7 100 205 60 60 4 0 0 - -"},
	{NEEDED "|ElapsedRaw\n7|100|205|965|4|60\n", "7 100 205 60 60 4 0 0 - -"},
	{NEEDED "\n7|1970-01-01T00:01:40|1970-01-01T00:01:45|1970-01-02T00:01:45|4\n",
	 "7 100 105 86400 86400 4 0 0 - -"},
	{NEEDED "|User|Account\n7|100|105|165|4|bob|physics\n",
	 "7 100 105 60 60 4 0 0 bob physics"},
	{NEEDED "|ReqTRES\n7|100|105|165|0|billing=8,cpu=8,mem=1.50G,node=2\n",
	 "7 100 105 60 60 8 2 1536 - -"},
	{NEEDED "|ReqMem\n7|100|105|165|4|4000M\n", "7 100 105 60 60 4 0 4000 - -"},
	{NEEDED "|ReqMem\n7|100|105|165|4|2Gc\n", "7 100 105 60 60 4 0 8192 - -"},
	{NEEDED "|ReqMem|ReqTRES\n7|100|105|165|4|2Gn|node=3\n", "7 100 105 60 60 4 3 6144 - -"},
	{NEEDED "|ReqMem\n7|100|105|165|4|2048K\n", "7 100 105 60 60 4 0 2 - -"},
	{NEEDED "|ReqMem\n7|100|105|165|4|?\n", "7 100 105 60 60 4 0 0 - -"},
	{NEEDED "\n7.0|100|105|165|4\n7|100|105|165|4\n7.batch|100|105|165|4\n",
	 "7 100 105 60 60 4 0 0 - -"},
};

static const char *name(const struct maui_replay_trace *trace, enum maui_credential type)
{
	const char *text = maui_intern_name(trace->names[type], trace->jobs[0].credential[type]);

	return text ? text : "-";
}

Test(replay_sacct, a_line_is_a_job)
{
	setenv("TZ", "UTC", 1);
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		struct maui_replay_trace *trace = read_text(jobs[i].text);
		const struct maui_replay_job *job = trace->jobs;
		char text[160];

		cr_assert_eq(trace->count, 1, "%s: %s", jobs[i].text, said);
		snprintf(text, sizeof(text),
			 "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
			 " %u %u %" PRId64 " %s %s",
			 job->number, job->submitted, job->started, job->run, job->estimate,
			 job->procs, job->nodes, job->memory, name(trace, MAUI_USER),
			 name(trace, MAUI_ACCOUNT));
		cr_expect_str_eq(text, jobs[i].job, "%s: %s", jobs[i].text, text);
		cr_expect_str_empty(said);
		maui_replay_trace_free(trace);
	}
}

/* A constraint and GRES of 2,000 characters are read to their ends. */
Test(replay_sacct, long_texts_are_whole)
{
	struct maui_replay_trace *trace;
	const char *gres, *constraint;
	char long_name[2001], text[8192];

	memset(long_name, 'f', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	snprintf(text, sizeof(text),
		 NEEDED
		 "|Constraints|ReqTRES\n7|100|105|165|4|%s&last|cpu=4,gres/%s=1,gres/gpu=2\n",
		 long_name, long_name);
	trace = read_text(text);
	cr_assert_eq(trace->count, 1);
	constraint = maui_intern_name(trace->constraints, trace->jobs[0].constraint);
	gres = maui_intern_name(trace->gres, trace->jobs[0].gres);
	cr_assert(strlen(constraint) > strlen(long_name) && strlen(gres) > strlen(long_name));
	cr_expect_str_eq(constraint + strlen(long_name), "&last");
	cr_expect_str_eq(gres + strlen(long_name), "=1,gpu=2");
	maui_replay_trace_free(trace);
}

static const struct {
	const char *line, *complaint;
} bad[] = {
	{"7|100|105|165", "2:14: fewer columns than the first line has\n"},
	{"7|100|105|165|4|5", "2:17: more columns than the first line has\n"},
	{"x|100|105|165|4", "2:1: this is not a job\n"},
	{"7|100|105|165|many", "2:15: this is not a number\n"},
	{"7|soon|105|165|4", "2:3: a time is 2026-11-22T05:10:00, epoch seconds or Unknown\n"},
	{"7|2026-02-30T00:00:00|105|165|4",
	 "2:3: a time is 2026-11-22T05:10:00, epoch seconds or Unknown\n"},
	{"7|2026-02-03T24:00:00|105|165|4",
	 "2:3: a time is 2026-11-22T05:10:00, epoch seconds or Unknown\n"},
	{"7|99999999999999999999|105|165|4",
	 "2:3: a time is 2026-11-22T05:10:00, epoch seconds or Unknown\n"},
};

Test(replay_sacct, a_bad_line_costs_itself)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct maui_replay_trace *trace;
		char text[256];

		snprintf(text, sizeof(text), NEEDED "\n%s\n8|100|105|165|4\n", bad[i].line);
		trace = read_text(text);
		cr_expect_str_eq(said, bad[i].complaint, "%s: %s", bad[i].line, said);
		cr_expect_eq(trace->count, 1, "%s", bad[i].line);
		maui_replay_trace_free(trace);
	}
}

Test(replay_sacct, columns_that_are_needed_are_missed)
{
	struct maui_replay_trace *trace = maui_replay_trace_new();
	static const char text[] = "JobID|Submit|End|AllocCPUS\n7|1|2|3\n";

	said[0] = '\0';
	cr_expect_eq(maui_replay_sacct_read(trace, text, strlen(text), &complaints), -EINVAL);
	cr_expect_str_eq(said, "1:27: there is no column Start\n");
	maui_replay_trace_free(trace);
}

Test(replay_sacct, what_is_left_out_is_counted)
{
	struct maui_replay_trace *trace = read_text(NEEDED "\n"
							   "1|100|Unknown|Unknown|0\n"
							   "2|100|None|200|0\n"
							   "3|Unknown|105|165|4\n"
							   "4.batch|100|105|165|4\n"
							   "5|100|105|165|0\n"
							   "6|100|105|165|4\n");

	cr_expect_eq(trace->count, 1);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_NO_RUN], 2);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_NO_SUBMISSION], 1);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_STEP], 1);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_NO_PROCS], 1);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_NO_USER], 1);
	maui_replay_trace_free(trace);
}
