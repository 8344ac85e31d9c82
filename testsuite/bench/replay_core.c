/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a replay costs: a trace that is the same in every run, by EASY, and under a maui.cfg with
 * fairshare and limits on a pool of processors; with nodes, also on nodes of 16, and on these with
 * a reservation on one of ten. CPU time of this thread, and the most memory of the process for each
 * job.
 *
 *   bench-replay-core [JOBS [LOAD [PROCESSORS [nodes]]]]
 *       a line for each of them; jobs ask for LOAD percent (75) of what PROCESSORS (1,024) can do
 *       while they come
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "common/policy/policy.h"
#include "common/replay/site/site.h"
#include "testsuite/bench/core.h"

#define PROCS     1024
#define WORK      36650 /* processor-seconds that a job takes on average */
#define USERS     200
#define MAX_JOBS  10000000
#define MAX_LOAD  1000
#define MAX_PROCS 1000000
#define CPUS      16 /* of a node */

static const char config[] = "RMPOLLINTERVAL 30\nSERVWEIGHT 1\nQUEUETIMEWEIGHT 1\n"
			     "FSPOLICY DEDICATEDPS\nFSINTERVAL 12:00:00\nFSDEPTH 7\nFSDECAY 0.8\n"
			     "FSWEIGHT 100\nFSUSERWEIGHT 1\n"
			     "USERCFG[DEFAULT] FSTARGET=5 MAXJOB=40 MAXPROC=400\n";

static uint64_t state = 20261123;

static uint32_t roll(uint32_t below)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % below;
}

/*
 * 1 to 128 processors; nine of ten run for minutes, one for an hour or more; time limits are
 * multiples of a quarter of an hour. A job comes every 0 to 2 * gap milliseconds.
 */
static struct maui_replay_trace *make_trace(size_t count, uint32_t procs_there, uint64_t gap)
{
	struct maui_replay_trace *trace = maui_replay_trace_new();
	int64_t now = INT64_C(1700000000000);

	for (size_t i = 0; i < count; i++) {
		uint32_t procs = UINT32_C(1) << roll(8);
		struct maui_replay_job job = {.number = (int64_t)i + 1,
					      .started = MAUI_REPLAY_UNKNOWN};
		char name[16];

		snprintf(name, sizeof(name), "user%u", roll(USERS));
		job.credential[MAUI_USER] = maui_intern_add(trace->names[MAUI_USER], name);
		now += roll((uint32_t)(2 * gap));
		job.submitted = now / 1000;
		job.run = 10 + (roll(10) ? roll(1200) : roll(12000));
		job.estimate = (job.run / 900 + 1 + roll(4)) * 900;
		maui_replay_trace_add(trace, &job, procs);
	}
	maui_replay_trace_finish(trace, procs_there);
	return trace;
}

static void bench_easy(const struct maui_replay_trace *trace, uint32_t procs)
{
	struct maui_replay_schedule schedule;
	double begun = bench_time();

	maui_replay_preset_run(trace, procs, MAUI_REPLAY_EASY, false, &schedule);
	printf("easy    %zu jobs %.3f s\n", trace->count, (bench_time() - begun) / 1e9);
	maui_replay_schedule_clear(&schedule);
}

/* requests: on nodes; NULL: on a pool. more: lines of maui.cfg. */
static void bench_policy(const struct maui_replay_trace *trace, uint32_t procs,
			 const struct maui_replay_requests *requests, const char *name,
			 const char *more)
{
	struct maui_replay_site site = {
		.parameters = maui_replay_default_parameters, .procs = procs, .requests = requests};
	struct maui_replay_schedule schedule;
	struct maui_replay_counts counts;
	struct maui_error error;
	char text[1024];
	double begun;

	snprintf(text, sizeof(text), "%s%s", config, more);
	if (maui_policy_of_text("maui.cfg", text, strlen(text), 0, &site.policy, &error))
		bench_fail("%s", error.text);
	begun = bench_time();
	if (maui_replay_site_run(trace, &site, &schedule, &counts, &error))
		bench_fail("%s", error.text);
	printf("%-8s%zu jobs %.3f s  %zu iterations, %zu tried, at most %u waiting\n", name,
	       trace->count, (bench_time() - begun) / 1e9, counts.iterations, counts.tried,
	       counts.most_waiting);
	maui_replay_schedule_clear(&schedule);
	maui_policy_unref(site.policy);
}

/* 2 GB for each processor; a job asks for half of that. */
static void bench_nodes(struct maui_replay_trace *trace, uint32_t procs)
{
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	struct maui_replay_requests *requests;
	struct maui_error error;
	char text[128];

	snprintf(text, sizeof(text), "%ux%u:%u", procs / CPUS, CPUS, CPUS * 2048);
	for (size_t i = 0; i < trace->count; i++)
		trace->jobs[i].memory = INT64_C(1024) * trace->jobs[i].procs;
	if (maui_replay_nodes_read(nodes, text, &error))
		bench_fail("%s", error.text);
	requests = maui_replay_requests_new(trace, nodes);
	bench_policy(trace, procs, requests, "nodes", "");
	snprintf(text, sizeof(text),
		 "SRCFG[r] TASKCOUNT=%u RESOURCES=PROCS:16 PERIOD=DAY STARTTIME=08:00:00 "
		 "ENDTIME=18:00:00 USERLIST=user1,user2\n",
		 procs / CPUS / 10);
	bench_policy(trace, procs, requests, "rsv", text);
	maui_replay_requests_free(requests);
	maui_replay_nodes_free(nodes);
}

int main(int argc, char **argv)
{
	struct maui_replay_trace *trace;
	uint32_t count, load, procs;
	struct rusage usage;

	if (argc > 5 || (argc == 5 && strcmp(argv[4], "nodes") != 0))
		bench_fail("usage: bench-replay-core [JOBS [LOAD [PROCESSORS [nodes]]]]");
	count = argc > 1 ? (uint32_t)bench_number(argv[1], 1, MAX_JOBS) : 100000;
	load = argc > 2 ? (uint32_t)bench_number(argv[2], 1, MAX_LOAD) : 75;
	procs = argc > 3 ? (uint32_t)bench_number(argv[3], 128, MAX_PROCS) : PROCS;
	trace = make_trace(count, procs, UINT64_C(1000) * WORK * 100 / load / procs);
	bench_easy(trace, procs);
	bench_policy(trace, procs, NULL, "policy", "");
	if (argc > 4)
		bench_nodes(trace, procs);
	getrusage(RUSAGE_SELF, &usage);
	printf("memory  %ld bytes a job at most\n", usage.ru_maxrss * 1024 / (long)count);
	maui_replay_trace_free(trace);
	return 0;
}
