/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The whole engine on the unit tests' mock slurmctld: CPU time of its thread, and the memory that
 * it takes. Prints one JSON object; see contribs/doc/benchmarks.md.
 *
 *   iteration JOBS REPEATS    without limits, and with limits that block nine jobs in ten
 *   roll NODES REPEATS        nine instances for each node, nothing to do
 *   memory JOBS               bytes of each pending job, by the allocator's count
 */
#include "testsuite/unit/engine/drive.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/queue/jobs.h"
#include "common/queue/snapshot.h"
#include "testsuite/bench/core.h"

#define MOST_REPEATS 1000

/* ---- an iteration ---- */

#define ONE_NODE                                                                                   \
	"NodeName=n1 CPUs=64 RealMemory=64000\n"                                                   \
	"PartitionName=batch Nodes=ALL Default=YES State=UP\n"

/* Nine have a limit, the tenth has none. */
static const char *const users[] = {"daemon", "bin",  "sys",  "games", "man",
				    "lp",     "mail", "news", "uucp",  "proxy"};
#define USERS 10

#define WEIGHTS "QUEUETIMEWEIGHT 10\nCREDWEIGHT 1\nUSERWEIGHT 1\n"

static const char *limits_of(bool limited)
{
	static char text[1024];
	int at = snprintf(text, sizeof(text), WEIGHTS);

	for (size_t i = 0; limited && i < USERS - 1; i++)
		at += snprintf(text + at, sizeof(text) - (size_t)at,
			       "USERCFG[%s] MAXJOB=1 PRIORITY=1000\n", users[i]);
	return text;
}

/* One running job of each, and so many pending ones, in turn. */
static void submit_all(size_t jobs)
{
	for (size_t i = 0; i < USERS; i++)
		if (!controller_try(SUBMIT(.user = users[i]), true))
			bench_fail("a job of %s does not start", users[i]);
	for (size_t i = 0; i < jobs; i++)
		SUBMIT(.user = users[i % USERS], .ago = (int64_t)(jobs - i),
		       .memory = 100 + (uint32_t)(i % 7));
}

/* So many turns, each a minute later; the first, which finds all anew, is not counted. */
static void measure_turns(const char *kind, size_t repeats)
{
	double times[MOST_REPEATS];

	drive_pass(MINUTE);
	for (size_t i = 0; i < repeats; i++) {
		double begin = bench_time();

		drive_pass(MINUTE);
		times[i] = (bench_time() - begin) / 1e6;
	}
	bench_print(kind, times, repeats, 1);
}

/* All but one in USERS. */
static void require_blocked(size_t jobs)
{
	struct json_object *blocked =
		drive_at(drive_ask("diagnose-blocked", "{'counts':true}"), "/counts/limit");

	if ((size_t)json_object_get_int64(blocked) != jobs - jobs / USERS)
		bench_fail("%s blocked", json_object_get_string(blocked));
}

static void iteration(size_t jobs, size_t repeats)
{
	drive_begin(ONE_NODE, limits_of(false));
	submit_all(jobs);
	printf("{\"jobs\": %zu", jobs);
	measure_turns("without_limits_ms", repeats);
	drive_reconfigure(limits_of(true));
	drive_turn(); /* parks them */
	measure_turns("with_limits_ms", repeats);
	printf("}\n");
	require_blocked(jobs);
}

/* ---- a roll ---- */

#define DEPTH      30
#define EVERY_NODE 9 /* instances; 9,000 are the most that there may be */

static char *standing(size_t count, size_t nodes)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fprintf(out, "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n");
	for (size_t i = 0; i < count; i++)
		fprintf(out, "SRCFG[roll%zu] HOSTLIST=n%zu PERIOD=DAY DEPTH=%d USERLIST=daemon\n",
			i, 1 + i % nodes, DEPTH);
	fclose(out);
	return text;
}

/* A drained or resumed node is a reason to roll; an iteration without one is taken off. */
static double one_roll(const char *node, bool drain)
{
	double begin = bench_time(), quiet;

	drive_turn();
	quiet = bench_time() - begin;
	controller_lock_all();
	controller_state(node, drain ? NODE_STATE_IDLE | NODE_STATE_DRAIN : NODE_STATE_IDLE);
	controller_unlock_all();
	begin = bench_time();
	drive_turn();
	return (bench_time() - begin - quiet) / 1e6;
}

static void roll(size_t nodes, size_t repeats)
{
	size_t instances = EVERY_NODE * nodes < 9000 ? EVERY_NODE * nodes : 9000;
	char machine[256], node[32], *maui_cfg = standing(instances / DEPTH, nodes - 1);
	double times[MOST_REPEATS];

	snprintf(machine, sizeof(machine),
		 "NodeName=n[1-%zu] CPUs=4 RealMemory=4000\n"
		 "PartitionName=batch Nodes=ALL Default=YES State=UP\n",
		 nodes);
	snprintf(node, sizeof(node), "n%zu", nodes); /* which no reservation has */
	drive_begin(machine, maui_cfg);
	if (controller_reservation_count() != instances / DEPTH * DEPTH)
		bench_fail("%u instances, and not %zu", controller_reservation_count(), instances);
	drive_pass(2);
	controller_counts = (struct controller_counts){0};
	for (size_t i = 0; i < repeats; i++)
		times[i] = one_roll(node, i % 2 == 0);
	if (controller_counts.created || controller_counts.updated || controller_counts.deleted)
		bench_fail("a roll had something to do");
	printf("{\"nodes\": %zu, \"instances\": %zu", nodes, instances);
	bench_print("roll_ms", times, repeats, 1);
	printf("}\n");
	free(maui_cfg);
}

/* ---- memory ---- */

static size_t allocated(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

/* What iterations take, beside Slurm's records, which are there before the engine begins. */
static void memory(size_t jobs)
{
	size_t before;

	drive_machine(ONE_NODE, "", limits_of(true));
	for (size_t i = 0; i < jobs; i++)
		JOB(.user = users[i % USERS], .ago = (int64_t)(jobs - i));
	before = allocated();
	drive_start();
	drive_pass(MINUTE);
	printf("{\"jobs\": %zu, \"bytes\": %.1f, \"job\": %zu, \"result\": %zu, \"row\": %zu, "
	       "\"tracked\": %zu, \"tracked_part\": %zu}\n",
	       jobs, (double)(allocated() - before) / (double)jobs,
	       sizeof(struct maui_priority_job), sizeof(struct maui_priority_result),
	       sizeof(struct maui_snapshot_row), sizeof(struct maui_tracked_job),
	       sizeof(struct maui_tracked_part));
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	size_t size = argc > 2 ? bench_number(argv[2], 30, 1000000) : 0;
	size_t repeats = argc > 3 ? bench_number(argv[3], 1, MOST_REPEATS) : 10;

	drive_init();
	if (!strcmp(what, "iteration"))
		iteration(size, repeats);
	else if (!strcmp(what, "roll"))
		roll(size, repeats);
	else if (!strcmp(what, "memory"))
		memory(size);
	else
		bench_fail("iteration JOBS [REPEATS] | roll NODES [REPEATS] | memory JOBS");
	drive_fini();
	return 0;
}
