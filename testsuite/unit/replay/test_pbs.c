/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/replay/readers/pbs.h"
#include "testsuite/unit/replay/reader_fixture.h"

#define STAMP "11/28/2026 09:00:00;"

static int read_pbs(struct maui_replay_trace *trace, const char *text, size_t size,
		    const struct maui_replay_complaints *said_to)
{
	cr_assert(maui_replay_pbs_looks(text, size));
	maui_replay_pbs_read(trace, text, size, said_to);
	return 0;
}

#define TIMES "ctime=90 qtime=100 etime=110 start=120 end=180 "

/* "id submitted started run estimate procs nodes memory gres user group account qos class" */
static const struct {
	const char *text, *job;
} jobs[] = {
	/* Torque */
	{STAMP "E;17.srv;user=bob group=staff account=phys jobname=a=b queue=batch " TIMES
	       "owner=bob@login exec_host=n1/1+n1/0+n2/1+n2/0 Resource_List.nodect=2 "
	       "Resource_List.nodes=2:ppn=2:gpus=1 Resource_List.walltime=24:00:00 session=5 "
	       "Exit_status=0 resources_used.mem=4kb resources_used.walltime=00:01:00\n",
	 "17 110 120 60 86400 4 2 0 gpu=2 bob staff phys - batch"},
	/* Torque 5, a task of an array, a QOS; the others of its records are no jobs */
	{STAMP "Q;17[4].srv;queue=batch\r\n" STAMP "S;17[4].srv;user=bob start=120\n" STAMP
	       "E;17[4].srv;user=bob queue=b " TIMES
	       "exec_host=n1/0-3,6+n2/0-1 Resource_List.mem=4gb Resource_List.qos=high "
	       "Resource_List.walltime=1:00\r\n",
	 "17[4] 110 120 60 60 7 2 4096 - bob - - high b"},
	/* an older task, one processor on a node without a number of it */
	{STAMP "E;17-4.srv;user=bob " TIMES "exec_host=n1 Resource_List.mem=131072w\n",
	 "17[4] 110 120 60 60 1 1 1 - bob - - - -"},
	/* PBS Professional: quotes, chunks, virtual nodes */
	{STAMP "E;17.srv;user=bob account=\"my project\" " TIMES
	       "exec_host=a/0*8+b/0*8+c/1*4 exec_vnode=(a:ncpus=8)+(b:ncpus=8) "
	       "Resource_List.select=2:ncpus=8:ngpus=2:mem=4gb+1:ncpus=4 Resource_List.mem=8000mb "
	       "Resource_List.walltime=00:10:00 run_count=1",
	 "17 110 120 60 600 20 3 8000 gpu=4 bob - my project - -"},
	/* without an end, or without hosts */
	{STAMP "E;17.srv;user=bob qtime=100 start=120 resources_used.walltime=00:00:50 "
	       "Resource_List.ncpus=3\n",
	 "17 100 120 50 50 3 0 0 - bob - - - -"},
	/* a number of GPUs that is none */
	{STAMP "E;17.srv;user=bob " TIMES
	       "exec_host=n1/0 Resource_List.select=16777215:ngpus=1099511627775+2:ngpus=1\n",
	 "17 110 120 60 60 1 1 0 gpu=2 bob - - - -"},
	/* Twice: two logs that overlap. */
	{STAMP "E;17.srv;user=bob " TIMES "exec_host=n1/0\n" STAMP "E;17.srv;user=bob " TIMES
	       "exec_host=n1/0\n",
	 "17 110 120 60 60 1 1 0 - bob - - - -"},
};

Test(replay_pbs, a_record_of_an_end_is_a_job)
{
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		struct maui_replay_trace *trace = read_with(read_pbs, jobs[i].text);
		const struct maui_replay_job *job = trace->jobs;
		char text[200], id[MAUI_REPLAY_ID_SIZE];

		cr_assert_eq(trace->count, 1, "%s: %s", jobs[i].text, said);
		snprintf(text, sizeof(text),
			 "%s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %u %u %" PRId64
			 " %s %s %s %s %s %s",
			 maui_replay_job_id(job, id), job->submitted, job->started, job->run,
			 job->estimate, job->procs, job->nodes, job->memory,
			 name_in(trace->gres, job->gres),
			 name_in(trace->names[MAUI_USER], job->credential[MAUI_USER]),
			 name_in(trace->names[MAUI_GROUP], job->credential[MAUI_GROUP]),
			 name_in(trace->names[MAUI_ACCOUNT], job->credential[MAUI_ACCOUNT]),
			 name_in(trace->names[MAUI_QOS], job->credential[MAUI_QOS]),
			 name_in(trace->names[MAUI_CLASS], job->credential[MAUI_CLASS]));
		cr_expect_str_eq(text, jobs[i].job, "%s: %s", jobs[i].text, text);
		cr_expect_eq(job->had_nodes, job->nodes, "%s", jobs[i].text);
		cr_expect_str_empty(said);
		maui_replay_trace_free(trace);
	}
}

/* "procs nodes split": what it had on each node, whatever the order of its chunks. */
static const struct {
	const char *hosts, *split;
} splits[] = {
	{"n1/0-7+n2/0-7+n3/0-3", "20 3 2x8+1x4"},
	{"n1/3+n1/2+n1/1+n1/0+n2/0", "5 2 1x4+1x1"},
	/* one more on some is what an even split has */
	{"n1/1+n1/0+n2/0", "3 2 -"},
	{"n1/0*4+n2/0*4", "8 2 -"},
	/* chunks of one node that others stand between are of one node */
	{"a/0*4+b/0*4+a/1*4", "12 2 1x8+1x4"},
	{"a/0+b/0+a/1+b/1", "4 2 -"},
	{"a/0*2+b/0*4+c/0*6+d/0*8", "20 4 1x8+1x6+1x4+1x2"},
	{"a/0*2+b/0*4+c/0*6+d/0*8+e/0*9", "29 5 -"},
	{"a/x+b/0*2", "2 1 -"},
};

Test(replay_pbs, what_a_job_had_on_each_node_is_known)
{
	for (size_t i = 0; i < sizeof(splits) / sizeof(splits[0]); i++) {
		struct maui_replay_trace *trace;
		char text[400], found[100];

		snprintf(text, sizeof(text), STAMP "E;1.srv;user=bob " TIMES "exec_host=%s\n",
			 splits[i].hosts);
		trace = read_with(read_pbs, text);
		cr_assert_eq(trace->count, 1, "%s", splits[i].hosts);
		snprintf(found, sizeof(found), "%u %u %s", trace->jobs->procs,
			 trace->jobs->had_nodes, name_in(trace->splits, trace->jobs->split));
		cr_expect_str_eq(found, splits[i].split, "%s: %s", splits[i].hosts, found);
		cr_expect_eq(trace->lacking[MAUI_REPLAY_UNEVEN],
			     trace->jobs->had_nodes > MAUI_REPLAY_SPLITS, "%s", splits[i].hosts);
		maui_replay_trace_free(trace);
	}
}

static const struct {
	const char *line, *complaint;
} bad[] = {
	{"17 is no record", "2:1: this is no record of PBS\n"},
	{STAMP "E", "2:21: a letter and ; are needed\n"},
	{STAMP "E;17.srv", "2:23: a job and ; are needed\n"},
	{STAMP "E;srv;user=bob", "2:23: this is not a job\n"},
	{STAMP "E;17.srv;start=soon",
	 "2:36: epoch seconds or a length of time as 24:00:00 is needed\n"},
};

Test(replay_pbs, a_bad_line_costs_itself)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct maui_replay_trace *trace;
		char text[400];

		snprintf(text, sizeof(text),
			 STAMP "E;1.srv;" TIMES "exec_host=n1/0\n%s\n" STAMP "E;2.srv;" TIMES
			       "exec_host=n1/0\n",
			 bad[i].line);
		trace = read_with(read_pbs, text);
		cr_expect_str_eq(said, bad[i].complaint, "%s: %s", bad[i].line, said);
		cr_expect_eq(trace->count, 2, "%s", bad[i].line);
		maui_replay_trace_free(trace);
	}
}
