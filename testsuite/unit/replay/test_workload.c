/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/replay/readers/workload.h"
#include "testsuite/unit/replay/reader_fixture.h"

#define VERSION "VERSION 230\n"

static int read_workload(struct maui_replay_trace *trace, const char *text, size_t size,
			 const struct maui_replay_complaints *said_to)
{
	cr_assert(maui_replay_workload_looks(text, size));
	maui_replay_workload_read(trace, text, size, said_to);
	return 0;
}

/* The fields that are not read. */
#define NODE "[NONE] [NONE] [NONE] >= 0 >= 0 "
#define REST " 0 0 0 0"

/* "id submitted started run estimate procs nodes had memory constraint user group account qos class" */
static const struct {
	const char *line, *job;
	size_t count; /* of jobs in two traces with this line */
} jobs[] = {
	{"17 0 4 bob staff 600 Completed [batch:1] 100 119 120 180 " NODE
	 "[NONE] 100 4 0 low [NONE] B cmd [NONE] 0 0.0 [NONE] 1 128" REST " [NONE] base [NONE]",
	 "17 100 120 60 600 4 0 0 512 - bob staff B low batch", 1},
	/* Nodes, features, what each task takes, the QOS that it got, when it could run. */
	{"17.server 2 0 bob staff 600 Completed [batch:1][long:1] 100 119 120.7 180 " NODE
	 "[fast][big] 110 4 2 low:hi [RESTARTABLE] phys cmd [NONE] 0 0.0 base 3 -1" REST
	 " n1:n1:n2:n2 base [NONE]",
	 "17 110 120 60 600 12 2 2 0 fast&big bob staff phys hi batch", 1},
	/* LoadLeveler's job; nothing of what may be missing. */
	{"fr1n04.963.0 1 3 bob [NONE] -1 Removed [NONE:1] 100 119 120 180 " NODE
	 "[NONE] 130 0 0 DEFAULT:DEFAULT [NONE] [NONE] cmd [NONE] 0 0.0 [NONE] 0 0" REST " [NONE]",
	 "963 100 120 60 60 3 1 0 0 - bob - - - -", 1},
	/* Of the simulator; as few fields as there may be, and DOS's ends of lines. */
	{"job017\t0 1 bob staff 600 Completed [DEFAULT:1] 100 119 120 180 " NODE
	 "[NONE] 100 1 0 [DEFAULT] [NONE] B cmd [NONE] 0 0.0 [NONE] 1 0\r",
	 "17 100 120 60 600 1 0 0 0 - bob staff B - -", 1},
	/* Without a number the line is all that tells it apart. */
	{"night 0 1 bob staff 600 Completed [batch:1] 100 119 120 180 " NODE
	 "[NONE] 100 1 0 hi [NONE] B cmd [NONE] 0 0.0 [NONE] 1 0",
	 "2 100 120 60 600 1 0 0 0 - bob staff B hi batch", 2},
};

static void describe(const struct maui_replay_trace *trace, char *text, size_t size)
{
	const struct maui_replay_job *job = trace->jobs;
	char id[MAUI_REPLAY_ID_SIZE];

	snprintf(text, size,
		 "%s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %u %u %u %" PRId64
		 " %s %s %s %s %s %s",
		 maui_replay_job_id(job, id), job->submitted, job->started, job->run, job->estimate,
		 job->procs, job->nodes, job->had_nodes, job->memory,
		 name_in(trace->constraints, job->constraint),
		 name_in(trace->names[MAUI_USER], job->credential[MAUI_USER]),
		 name_in(trace->names[MAUI_GROUP], job->credential[MAUI_GROUP]),
		 name_in(trace->names[MAUI_ACCOUNT], job->credential[MAUI_ACCOUNT]),
		 name_in(trace->names[MAUI_QOS], job->credential[MAUI_QOS]),
		 name_in(trace->names[MAUI_CLASS], job->credential[MAUI_CLASS]));
}

Test(replay_workload, a_line_is_a_job)
{
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		struct maui_replay_trace *trace;
		char text[1024], found[300];

		snprintf(text, sizeof(text), VERSION "%s\n# two days of it\n" VERSION "%s\n",
			 jobs[i].line, jobs[i].line);
		trace = read_with(read_workload, text);
		cr_assert_eq(trace->count, jobs[i].count, "%s: %s", jobs[i].line, said);
		describe(trace, found, sizeof(found));
		cr_expect_str_eq(found, jobs[i].job, "%s: %s", jobs[i].line, found);
		cr_expect_str_empty(said);
		maui_replay_trace_free(trace);
	}
}

#define GOOD                                                                                       \
	" 0 1 bob staff 600 Completed [batch:1] 100 119 120 180 " NODE                             \
	"[NONE] 100 1 0 hi [NONE] B cmd [NONE] 0 0.0 [NONE] 1 0\n"

static const struct {
	const char *line, *complaint;
} bad[] = {
	{"17 0 1 bob\n", "3:11: 4 fields where a job of a workload trace has 33 or more\n"},
	{"17 0 one bob staff 600 Completed [batch:1] 100 119 120 180 " NODE
	 "[NONE] 100 1 0 hi [NONE] B cmd [NONE] 0 0.0 [NONE] 1 0\n",
	 "3:6: field 3 is not a number of the format\n"},
	{"17 0 1 bob staff 600 Completed [batch:1] 100 119 99999999999999 180 " NODE
	 "[NONE] 100 1 0 hi [NONE] B cmd [NONE] 0 0.0 [NONE] 1 0\n",
	 "3:50: field 11 is not a number of the format\n"},
};

Test(replay_workload, a_bad_line_costs_itself)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct maui_replay_trace *trace;
		char text[1024];

		snprintf(text, sizeof(text), VERSION "1" GOOD "%s2" GOOD, bad[i].line);
		trace = read_with(read_workload, text);
		cr_expect_str_eq(said, bad[i].complaint, "%s: %s", bad[i].line, said);
		cr_expect_eq(trace->count, 2, "%s", bad[i].line);
		cr_expect_eq(trace->bad_lines, 1);
		maui_replay_trace_free(trace);
	}
}

/* It never ran, nobody knows since when it waits, or it asks for nothing. */
Test(replay_workload, what_lacks_the_least_is_left_out)
{
	struct maui_replay_trace *trace = read_with(
		read_workload, VERSION "1 0 1 bob staff 600 Removed [batch:1] 100 0 0 180 " NODE
				       "[NONE] 100 1 0 hi [NONE] B cmd [NONE] 0 0.0 [NONE] 1 0\n"
				       "2 0 1 bob staff 600 Removed [batch:1] 0 0 120 180 " NODE
				       "[NONE] 0 1 0 hi [NONE] B cmd [NONE] 0 0.0 [NONE] 1 0\n"
				       "3 0 0 bob staff 600 Removed [batch:1] 100 0 120 180 " NODE
				       "[NONE] 0 0 0 hi [NONE] B cmd [NONE] 0 0.0 [NONE] 1 0\n");

	cr_expect_eq(trace->count, 0);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_NO_RUN], 1);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_NO_SUBMISSION], 1);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_NO_PROCS], 1);
	cr_expect_str_empty(said);
	maui_replay_trace_free(trace);
}
