/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What ordering nodes costs: maui_nodealloc_rank() by each policy, a PRIORITYF of five terms, all
 * affinities mixed. CPU time of this thread.
 *
 *   bench-nodealloc-core [NODES [REPEATS]]
 *       a JSON object a line for each policy: the least and the median time, in nanoseconds a node
 *
 * Without NODES: 100, 1000 and 10000. The nodes are the same in every run.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/nodes/nodealloc.h"
#include "testsuite/bench/core.h"

#define MAX_NODES   10000000
#define MAX_REPEATS 100000
#define FORMULA     "PRIORITY + 2*APROCS + .01*AMEM - 10*JOBCOUNT - LOAD"

struct bench {
	uint32_t count;
	struct maui_node_settings settings[8];
	struct maui_node_candidate *nodes;
	uint32_t *ranks;
	struct maui_nodealloc_workspace *workspace;
	double *times;
};

static void bench_open(struct bench *bench, uint32_t count, size_t repeats)
{
	uint64_t random = UINT64_C(88172645463325252);

	*bench = (struct bench){.count = count,
				.nodes = calloc(count, sizeof(*bench->nodes)),
				.ranks = calloc(count, sizeof(*bench->ranks)),
				.workspace = maui_nodealloc_workspace_new(count, true),
				.times = calloc(repeats, sizeof(*bench->times))};
	if (!bench->nodes || !bench->ranks || !bench->workspace || !bench->times)
		bench_fail("out of memory");
	for (int i = 0; i < 8; i++) {
		bench->settings[i] = maui_node_no_settings;
		bench->settings[i].priority = 100 * i;
		bench->settings[i].speed = 1 + i % 4;
		if (maui_node_formula_parse(FORMULA, NULL, &bench->settings[i].formula, NULL, NULL))
			bench_fail("the formula is refused");
	}
	for (uint32_t i = 0; i < count; i++)
		bench->nodes[i] = (struct maui_node_candidate){
			.settings = &bench->settings[bench_below(&random, 8)],
			.affinity = bench_below(&random, MAUI_AFFINITIES),
			.position = i,
			.tasks = 1 + bench_below(&random, 64),
			.available_until = bench_below(&random, 2)
						   ? MAUI_NODE_FOREVER
						   : 1700000000 + bench_below(&random, 86400),
			.procs = 64,
			.memory = 1024 << bench_below(&random, 8),
			.disk = bench_below(&random, 1000000),
			.dedicated_procs = bench_below(&random, 64),
			.available_memory = bench_below(&random, 262144),
			.load = bench_below(&random, 6400) / 100.0,
			.jobs = bench_below(&random, 16),
		};
}

static void bench_close(struct bench *bench)
{
	free(bench->nodes);
	free(bench->ranks);
	free(bench->times);
	maui_nodealloc_workspace_free(bench->workspace);
}

static int by_time(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static int keep_list(const struct maui_nodealloc_local_request *request, uint32_t *ranks)
{
	(void)request;
	(void)ranks;
	return 0;
}

static void measure(struct bench *bench, enum maui_nodealloc_policy policy, size_t repeats)
{
	struct maui_nodealloc_need need = {.tasks = bench->count,
					   .nodes = bench->count / 8 + 1,
					   .immediate = true,
					   .local = keep_list};
	struct maui_nodealloc_outcome outcome;

	for (size_t i = 0; i < repeats; i++) {
		double start = bench_time();

		if (maui_nodealloc_rank(policy, &need, bench->nodes, bench->count, bench->workspace,
					bench->ranks, &outcome, NULL))
			bench_fail("nodes are not ordered");
		bench->times[i] = (bench_time() - start) / bench->count;
	}
	qsort(bench->times, repeats, sizeof(*bench->times), by_time);
	printf("{\"policy\": \"%s\", \"nodes\": %" PRIu32 ", \"ranks\": %" PRIu32
	       ", \"least_ns\": %.1f, \"median_ns\": %.1f, \"median_ms\": %.4f}\n",
	       maui_nodealloc_policy_name(policy), bench->count, outcome.ranks, bench->times[0],
	       bench->times[repeats / 2], bench->times[repeats / 2] * bench->count * 1e-6);
}

static void run(uint32_t count, size_t repeats)
{
	struct bench bench;

	bench_open(&bench, count, repeats);
	for (enum maui_nodealloc_policy policy = 0; policy < MAUI_NODEALLOC_POLICIES; policy++)
		measure(&bench, policy, repeats);
	bench_close(&bench);
}

int main(int argc, char **argv)
{
	unsigned long nodes = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	unsigned long repeats = argc > 2 ? strtoul(argv[2], NULL, 10) : 101;

	if (argc > 3 || (argc > 1 && !nodes) || nodes > MAX_NODES || !repeats ||
	    repeats > MAX_REPEATS)
		bench_fail("usage: bench-nodealloc-core [NODES [REPEATS]]");
	if (nodes) {
		run((uint32_t)nodes, repeats);
		return 0;
	}
	run(100, repeats);
	run(1000, repeats);
	run(10000, repeats);
	return 0;
}
