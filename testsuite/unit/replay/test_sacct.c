/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/replay/readers/sacct.h"
#include "testsuite/unit/replay/reader_fixture.h"

#define NEEDED "JobID|Submit|Start|End|AllocCPUS"

static struct maui_replay_trace *read_text(const char *text)
{
	cr_assert_eq(maui_replay_sacct_looks(text, strlen(text), NULL), MAUI_REPLAY_SACCT_NAMES);
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
	{"\xef\xbb\xbf" NEEDED "\r\n7|100|105|165|4\r\n", "7 100 105 60 60 4 0 0 - -"},
	{"JobIDRaw|Submit|Start|End|NCPUS\n7|100|105|165|4\n", "7 100 105 60 60 4 0 0 - -"},
	{NEEDED "|NCPUS\n7|100|105|165|4|9\n", "7 100 105 60 60 4 0 0 - -"},
	{NEEDED "|Elapsed|Timelimit\n7|100|105|965|4|00:01:00|02:00:00\n",
	 "7 100 105 60 7200 4 0 0 - -"},
	{NEEDED "|Elapsed|Timelimit\n7|100|105|965|4|10-13:27:06|37-14:00:00\n",
	 "7 100 105 912426 3247200 4 0 0 - -"},
	{NEEDED "|Elapsed|Timelimit\n7|100|105|965|4|01:30.250|UNLIMITED\n",
	 "7 100 105 90 90 4 0 0 - -"},
	{NEEDED "|Elapsed|ElapsedRaw|Timelimit\n7|100|105|965|4|00:01:00|61|Partition_Limit\n",
	 "7 100 105 61 61 4 0 0 - -"},
	/* a job of 1970 is none; one that could begin only after it had begun did not wait so long */
	{NEEDED "|Eligible\n7|0|205|265|4|150\n", "7 150 205 60 60 4 0 0 - -"},
	{NEEDED "|Eligible\n7|100|205|265|4|1000\n", "7 1000 205 60 60 4 0 0 - -"},
	/* it still ran */
	{NEEDED "|Elapsed|Timelimit\n7|100|105|Unknown|4|00:01:00|02:00:00\n",
	 "7 100 105 7200 7200 4 0 0 - -"},
	{NEEDED "|Elapsed|Timelimit\n7|100|105|Unknown|4|00:01:00|UNLIMITED\n",
	 "7 100 105 60 60 4 0 0 - -"},
	/* words with bars and ends of lines in them */
	{NEEDED "|User|Constraints\n7|100|105|165|4|bob|old|new\n", "7 100 105 60 60 4 0 0 bob -"},
	{"JobName|" NEEDED "|User\na|b||c|7|100|105|165|4|bob\n", "7 100 105 60 60 4 0 0 bob -"},
	{NEEDED "|JobName|User\n7|100|105|165|4|first\n\nlast|bob\n",
	 "7 100 105 60 60 4 0 0 bob -"},
	{NEEDED "|JobName|User|Constraints\n7|100|105|165|4|first|bob|a|b\n",
	 "7 100 105 60 60 4 0 0 bob -"},
	/* names that come again, in another order */
	{NEEDED "\n" NEEDED "\nSubmit|JobID|Start|End|AllocCPUS\n100|7|105|165|4\n",
	 "7 100 105 60 60 4 0 0 - -"},
	/* two exports have the same job */
	{NEEDED "\n7|100|105|165|4\n7|100|105|165|4\n", "7 100 105 60 60 4 0 0 - -"},
	{NEEDED "|Elapsed|Timelimit\n7|100|105|Unknown|4|00:00:30|02:00:00\n"
		"7|100|105|165|4|00:01:00|02:00:00\n",
	 "7 100 105 60 7200 4 0 0 - -"},
	{NEEDED "|Elapsed|Timelimit\n7|100|105|165|4|00:01:00|UNLIMITED\n"
		"7|100|105|Unknown|4|00:00:30|UNLIMITED\n",
	 "7 100 105 60 60 4 0 0 - -"},
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
		char text[160], started[24];

		cr_assert_eq(trace->count, 1, "%s: %s", jobs[i].text, said);
		snprintf(started, sizeof(started), "%" PRId64, job->started);
		snprintf(text, sizeof(text),
			 "%" PRId64 " %" PRId64 " %s %" PRId64 " %" PRId64 " %u %u %" PRId64
			 " %s %s",
			 job->number, job->submitted,
			 job->started == MAUI_REPLAY_UNKNOWN ? "?" : started, job->run,
			 job->estimate, job->procs, job->nodes, job->memory, name(trace, MAUI_USER),
			 name(trace, MAUI_ACCOUNT));
		cr_expect_str_eq(text, jobs[i].job, "%s: %s", jobs[i].text, text);
		cr_expect_str_empty(said);
		maui_replay_trace_free(trace);
	}
}

/* How many nodes a job asked for at least, and had. */
Test(replay_sacct, nodes_that_a_job_had_are_known)
{
	static const struct {
		const char *columns, *row;
		uint32_t nodes, had;
		const char *complaint;
	} rows[] = {
		{"", "", 0, 0, ""},
		{"|ReqTRES", "|cpu=4,node=1", 1, 0, ""},
		{"|NNodes", "|3", 0, 3, ""},
		{"|NNodes|ReqTRES", "|3|cpu=4,node=2", 2, 3, ""},
		{"|NNodes", "|2K", 0, 2048, ""},
		{"|AllocTRES", "|cpu=4,node=3", 0, 3, ""},
		{"|AllocTRES|NNodes", "|cpu=4,node=3|2", 0, 2, ""},
		{"|AllocTRES|NNodes", "|cpu=4,node=3|", 0, 3, ""},
		{"|NNodes", "|many", 0, 0, "2:17: this is no number of nodes\n"},
		{"|NNodes", "|3x", 0, 0, "2:17: this is no number of nodes\n"},
		{"|NNodes", "|99999999999", 0, 0, "2:17: this is no number of nodes\n"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct maui_replay_trace *trace;
		char text[256];

		snprintf(text, sizeof(text), NEEDED "%s\n7|100|105|165|4%s\n", rows[i].columns,
			 rows[i].row);
		trace = read_text(text);
		cr_expect_str_eq(said, rows[i].complaint, "%s: %s", rows[i].row, said);
		cr_assert_eq(trace->count, !*rows[i].complaint, "%s", rows[i].row);
		cr_expect(!trace->count || (trace->jobs->nodes == rows[i].nodes &&
					    trace->jobs->had_nodes == rows[i].had),
			  "%s: %u, had %u", rows[i].row, trace->jobs->nodes,
			  trace->jobs->had_nodes);
		maui_replay_trace_free(trace);
	}
}

/* One that was allocated nothing asked for them. */
Test(replay_sacct, nodes_of_a_job_that_had_none_are_not_known)
{
	struct maui_replay_trace *trace =
		read_text(NEEDED "|NNodes|ReqTRES\n7|100|105|165|0|2|cpu=4,node=2\n");

	cr_assert_eq(trace->count, 1);
	cr_expect_eq(trace->jobs->nodes, 2);
	cr_expect_eq(trace->jobs->had_nodes, 0);
	maui_replay_trace_free(trace);
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

/* The name of a GRES may have the character that sacct -P separates with. */
Test(replay_sacct, tabs_between_columns)
{
	static const char text[] = "JobID\tSubmit\tStart\tEnd\tAllocCPUS\tReqTRES\n"
				   "7\t100\t105\t165\t4\tcpu=4,gres/q|z=2,gres/t:a;b=1\n";
	struct maui_replay_trace *trace = read_text(text);

	cr_assert_eq(trace->count, 1, "%s", said);
	cr_expect_str_eq(maui_intern_name(trace->gres, trace->jobs[0].gres), "q|z=2,t:a;b=1");
	maui_replay_trace_free(trace);
	cr_expect_eq(maui_replay_sacct_looks("1\t2\t3\n", 6, NULL), MAUI_REPLAY_SACCT_NO);
	cr_expect_eq(maui_replay_sacct_looks("; a\tb\n", 6, NULL), MAUI_REPLAY_SACCT_NO);
}

static const struct {
	const char *line, *complaint;
} bad[] = {
	{"7|100|105|165", "2:14: fewer columns than the first line has\n"},
	{"7|100|105|165|4|5", "2:17: more columns than the first line has; with --delimiter=$'\\t' "
			      "names may have a '|'\n"},
	{"x|100|105|165|4", "2:1: this is not a job\n"},
	{"x", "2:2: fewer columns than the first line has\n"},
	{"7|100|105\n8|100|105|165", "2:10: fewer columns than the first line has\n"
				     "3:14: fewer columns than the first line has\n"},
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

/* Several runs of a job and tasks of an array are not the same; a component of a heterogeneous job is
 * none. */
Test(replay_sacct, jobs_keep_their_own_ids)
{
	static const char *const ids[] = {"100_1", "100_2", "100", "100#2", "100_2#2"};
	struct maui_replay_trace *trace = read_text(NEEDED "\n"
							   "100_1|100|105|165|4\n"
							   "100_2|100|105|165|4\n"
							   "100_[3-9]|100|105|165|4\n"
							   "100+1|100|105|165|4\n"
							   "100|200|205|265|4\n"
							   "100_2|100|305|365|4\n"
							   "100_2|100|105|165|4\n");
	char text[MAUI_REPLAY_ID_SIZE];

	cr_assert_eq(trace->count, 5);
	for (size_t i = 0; i < 5; i++)
		cr_expect_str_eq(maui_replay_job_id(&trace->jobs[i], text), ids[i]);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_DUPLICATE], 1);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_HETEROGENEOUS], 1);
	maui_replay_trace_free(trace);
}

Test(replay_sacct, what_is_guessed_is_counted)
{
	struct maui_replay_trace *trace = read_text(NEEDED "|ElapsedRaw|Timelimit\n"
							   "1|100|105|Unknown|4|60|02:00:00\n"
							   "2|100|105|Unknown|4|60|02:00:00\n"
							   "2|100|105|165|4|60|02:00:00\n"
							   "3|100|Unknown|Unknown|0|0|02:00:00\n"
							   "4|100|105|Unknown|4|90|00:01:00\n"
							   "4|100|105|205|4|100|00:01:00\n"
							   "5|100|105|165|4||INVALID\n");

	cr_expect_eq(trace->lacking[MAUI_REPLAY_STILL_RUNS], 1);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_NO_RUN], 1);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_OVERRUN], 1, "job 4, once");
	cr_expect_eq(trace->lacking[MAUI_REPLAY_NO_ESTIMATE], 1, "job 5");
	cr_expect_eq(trace->bad_lines, 0);
	maui_replay_trace_free(trace);
}

/* A name of a job that has bars and no end, and the memory that a flag leaked into. */
static const char shredder[] =
	"100_1|101|c|p|normal|phys|staff|50|bob|1000|1000|1000|1010|1070|00:01:00|0:0|COMPLETED|2|"
	"8|8|2147486448Mn|cpu=8,mem=22400M,node=2|cpu=8,node=2|1-00:00:00|n[1-2]|a|b\n"
	"102|102|c|p|normal|phys|staff|50|bob|1000|1000|1000|1010|1070|00:01:00|0:0|COMPLETED|1|"
	"8|8|1000M|cpu=8,node=1|cpu=8,node=1|UNLIMITED|n1|x\n";

Test(replay_sacct, a_shredders_rows_need_no_names)
{
	struct maui_replay_trace *trace = maui_replay_trace_new();
	struct maui_replay_sacct_form form = {.shredder = true};
	const struct maui_replay_job *job;

	setenv("TZ", "UTC", 1);
	said[0] = '\0';
	cr_assert_eq(maui_replay_sacct_looks(shredder, strlen(shredder), NULL),
		     MAUI_REPLAY_SACCT_SHREDDER);
	cr_assert_eq(
		maui_replay_sacct_read_form(trace, shredder, strlen(shredder), &form, &complaints),
		0);
	cr_expect_str_empty(said);
	cr_assert_eq(trace->count, 2);
	job = trace->jobs;
	cr_expect_eq(job->number, 100);
	cr_expect_eq(job->part, 1);
	cr_expect_eq(job->procs, 8);
	cr_expect_eq(job->memory, 22400);
	cr_expect_eq(job->estimate, 86400);
	cr_expect(trace->jobs[1].no_limit);
	maui_replay_trace_free(trace);
}

Test(replay_sacct, any_text_may_be_between_columns)
{
	static const char *const delimiters[] = {";", ", ", "\t", "||"};

	for (size_t i = 0; i < sizeof(delimiters) / sizeof(delimiters[0]); i++) {
		const char *d = delimiters[i];
		struct maui_replay_sacct_form form = {.delimiter = d};
		struct maui_replay_trace *trace = maui_replay_trace_new();
		char text[256];

		snprintf(text, sizeof(text),
			 "JobID%sSubmit%sStart%sEnd%sAllocCPUS%sUser\n7%s100%s105%s165%s4%sb|b\n",
			 d, d, d, d, d, d, d, d, d, d);
		said[0] = '\0';
		cr_assert_eq(
			maui_replay_sacct_read_form(trace, text, strlen(text), &form, &complaints),
			0, "%s", said);
		cr_assert_eq(trace->count, 1, "'%s': %s", d, said);
		cr_expect_str_eq(maui_intern_name(trace->names[MAUI_USER],
						  trace->jobs[0].credential[MAUI_USER]),
				 "b|b");
		maui_replay_trace_free(trace);
	}
}

Test(replay_sacct, a_text_is_known_by_its_first_line)
{
	static const char names[] = "JobID  Submit  Start\n-----  ------  -----\n";

	cr_expect_eq(maui_replay_sacct_looks(names, strlen(names), NULL), MAUI_REPLAY_SACCT_BLANKS);
	cr_expect_eq(maui_replay_sacct_looks("1 2 3\n4|5", 9, NULL), MAUI_REPLAY_SACCT_NO);
	cr_expect_eq(maui_replay_sacct_looks("", 0, NULL), MAUI_REPLAY_SACCT_NO);
	cr_expect_eq(maui_replay_sacct_looks("JobID;x\n", 8, ";"), MAUI_REPLAY_SACCT_NAMES);
}

/* What it waited is not known; what it used is. */
Test(replay_sacct, a_start_before_its_time_is_forgotten_in_the_end)
{
	struct maui_replay_trace *trace = read_text(NEEDED "|Eligible\n7|100|205|265|4|1000\n");

	maui_replay_trace_finish(trace, 4);
	cr_expect_eq(trace->jobs[0].started, MAUI_REPLAY_UNKNOWN);
	cr_expect_eq(trace->jobs[0].recorded, 60);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_NO_START], 1);
	maui_replay_trace_free(trace);
}

/* Its limit is no usage. */
Test(replay_sacct, who_still_ran_has_used_what_he_had)
{
	struct maui_replay_trace *trace =
		read_text(NEEDED "|ElapsedRaw|TimelimitRaw\n7|100|105|Unknown|4|60|120\n");

	cr_expect_eq(trace->jobs[0].recorded, 60);
	cr_expect_eq(trace->jobs[0].run, 7200);
	maui_replay_trace_free(trace);
}

Test(replay_sacct, the_peak_is_what_ran_at_once)
{
	struct maui_replay_trace *trace = read_text(NEEDED "\n"
							   "1|100|100|200|4\n"
							   "2|100|150|250|8\n"
							   "3|100|200|300|16\n"
							   "4|100|Unknown|300|99\n");

	cr_expect_eq(maui_replay_trace_peak(trace), 24);
	maui_replay_trace_free(trace);
}
