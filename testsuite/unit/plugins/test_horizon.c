/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <string.h>

#include "plugins/select/horizon.h"

#define NODES 8
#define CPUS  16
#define JOBS  10
#define NOW   1000

/* A job on neighbouring nodes. */
struct job {
	int64_t end;
	uint32_t first, nodes; /* 0 nodes: there are no more jobs */
	uint32_t cpus;         /* 0: all of a node's */
	uint64_t memory;
};

struct horizon_case {
	const char *name;
	struct job jobs[JOBS]; /* by end */
	struct order_demand sum;
	uint64_t memory;
	uint32_t least; /* 0: all of a node's CPUs */
	uint32_t window_step;
	int64_t from, until;
	const char *missing; /* X: not a candidate; shorter than the nodes: all others are */
	const char *kept;    /* O: of use, +: kept all the same; NULL: nothing is found */
	int64_t end;
	bool is_last;
	bool parts_differ;
};

static const struct horizon_case cases[] = {
	{
		.name = "what is idle now is no matter of later",
		.jobs = {{2000, 1, 7}},
		.sum = {1, CPUS},
		.kept = NULL,
	},
	{
		.name = "the nodes of those that end first",
		.jobs = {{3000, 0, 2}, {6000, 2, 2}, {9000, 4, 4}},
		.sum = {3, 48},
		.kept = "OOOO....",
		.end = 6000,
	},
	{
		.name = "never",
		.jobs = {{3000, 0, 8}},
		.sum = {9, CPUS},
		.kept = NULL,
	},
	{
		.name = "jobs that end within a window are one group",
		.jobs = {{3000, 0, 2}, {3060, 2, 2}, {3061, 4, 4}},
		.sum = {1, CPUS},
		.kept = "OOOO....",
		.end = 3060,
	},
	{
		.name = "the second window is twice as long",
		.jobs = {{3000, 0, 1}, {3061, 1, 1}, {3090, 2, 1}, {3091, 3, 5}},
		.sum = {2, CPUS},
		.kept = "OOO.....",
		.end = 3090,
	},
	{
		.name = "as long as it takes to reach the next job",
		.jobs = {{3000, 0, 1}, {4000, 1, 1}, {4950, 2, 1}, {4951, 3, 5}},
		.sum = {2, CPUS},
		.kept = "OOO.....",
		.end = 4950,
	},
	{
		.name = "or grows by bf_window_linear",
		.jobs = {{3000, 0, 1}, {4000, 1, 1}, {4030, 2, 1}, {4950, 3, 5}},
		.sum = {2, CPUS},
		.window_step = 100,
		.kept = "OOO.....",
		.end = 4030,
	},
	{
		.name = "a job that holds no candidate ends no group",
		.jobs = {{3000, 0, 1}, {3010, 7, 1}, {9000, 1, 1}, {20000, 2, 5}},
		.sum = {1, CPUS},
		.missing = "       X",
		.kept = "OO......",
		.end = 9000,
	},
	{
		.name = "of a job that leaves nothing of use one node is kept",
		.jobs = {{3000, 0, 2, 8}, {3005, 2, 1}, {9000, 0, 2, 8}, {9000, 3, 5}},
		.sum = {1, CPUS},
		.kept = "+.O.....",
		.end = 3005,
	},
	{
		.name = "a part of a node is of use if it is enough",
		.jobs = {{3000, 0, 8, 4}, {9000, 0, 8, 12}},
		.sum = {8, 32},
		.least = 4,
		.kept = "OOOOOOOO",
		.end = 3000,
	},
	{
		.name = "CPUs count as nodes do",
		.jobs = {{3000, 0, 1, 4}, {6000, 1, 1}, {9000, 0, 1, 12}, {9000, 2, 6}},
		.sum = {1, 5},
		.least = 4,
		.kept = "OO......",
		.end = 6000,
	},
	{
		.name = "memory is needed, too",
		.jobs = {{3000, 0, 2, 0, 100}, {6000, 2, 2, 0, 600}, {9000, 4, 4, 0, 1000}},
		.sum = {1, CPUS},
		.memory = 500,
		.kept = "+.OO....",
		.end = 6000,
	},
	{
		.name = "all that end in the same second have ended",
		.jobs = {{3000, 0, 1}, {3010, 7, 1}, {9000, 1, 1}, {9000, 2, 1}, {9001, 3, 4}},
		.sum = {2, CPUS},
		.missing = "       X",
		.kept = "OOO.....",
		.end = 9000,
	},
	{
		.name = "who has ended when the plan may begin is gone",
		.jobs = {{3000, 0, 2}, {6000, 2, 2}, {9000, 4, 4}},
		.sum = {3, 48},
		.from = 6000,
		.kept = "OOOO....",
		.end = 6000,
	},
	{
		.name = "and begins no window",
		.jobs = {{3000, 0, 1}, {3050, 1, 1}, {3060, 2, 1}, {9000, 3, 5}},
		.sum = {2, CPUS},
		.from = 3000,
		.kept = "OOO.....",
		.end = 3060,
	},
	{
		.name = "who should have ended by now may be gone",
		.jobs = {{900, 0, 2}, {6000, 2, 2}, {9000, 4, 4}},
		.sum = {3, 48},
		.from = NOW,
		.kept = "OOOO....",
		.end = 6000,
	},
	{
		.name = "but may be there as well",
		.jobs = {{900, 0, 2}, {6000, 2, 6}},
		.sum = {1, CPUS},
		.from = NOW,
		.kept = NULL,
	},
	{
		.name = "what is idle now matters to what begins later",
		.jobs = {{3000, 0, 4}, {9000, 4, 2}},
		.sum = {1, CPUS},
		.from = 2000,
		.kept = "......OO",
		.end = 2000,
	},
	{
		.name = "who ends after the span stays",
		.jobs = {{3000, 0, 2}, {6000, 2, 2}, {9000, 4, 4}},
		.sum = {5, 5 * CPUS},
		.until = 8999,
		.kept = "OOOO....",
		.end = 8999,
		.is_last = true,
	},
	{
		.name = "even in the window of one that ends within",
		.jobs = {{3000, 0, 2}, {3010, 2, 2}, {9000, 4, 4}},
		.sum = {2, 2 * CPUS},
		.until = 3009,
		.kept = "OO......",
		.end = 3000,
	},
	{
		.name = "a span in which nothing of use is left",
		.jobs = {{3000, 0, 2, 8}, {6000, 0, 8, 8}},
		.sum = {1, CPUS},
		.from = 2000,
		.until = 5000,
		.kept = "+.......",
		.end = 5000,
		.is_last = true,
	},
	{
		.name = "with parts that end apart nobody knows who is gone",
		.jobs = {{3000, 0, 2}, {6000, 2, 2}, {9000, 4, 4}},
		.sum = {3, 48},
		.from = 2000,
		.parts_differ = true,
		.kept = NULL,
	},
	{
		.name = "but that is of no matter to what may begin now",
		.jobs = {{3000, 0, 2}, {6000, 2, 2}, {9000, 4, 4}},
		.sum = {3, 48},
		.parts_differ = true,
		.kept = "OOOO....",
		.end = 6000,
	},
};

struct world {
	struct horizon_job jobs[JOBS];
	struct horizon_hold holds[JOBS * NODES];
	struct horizon_running running;
	struct horizon_node nodes[NODES];
};

static bool is_missing(const struct horizon_case *c, uint32_t node)
{
	return c->missing && node < strlen(c->missing) && c->missing[node] == 'X';
}

static void add_job(struct world *world, const struct job *job, uint32_t *holds)
{
	world->jobs[world->running.count++] = (struct horizon_job){job->end, *holds, job->nodes};
	for (uint32_t i = job->first; i < job->first + job->nodes; i++) {
		uint32_t cpus = job->cpus ? job->cpus : CPUS;

		world->holds[(*holds)++] = (struct horizon_hold){i, cpus, job->memory};
		world->nodes[i].cpus -= cpus;
	}
}

static void make(const struct horizon_case *c, struct world *world)
{
	uint32_t holds = 0;

	memset(world, 0, sizeof(*world));
	for (uint32_t i = 0; i < NODES; i++)
		world->nodes[i] = (struct horizon_node){.cpus = CPUS,
							.least = is_missing(c, i) ? 0
								 : c->least       ? c->least
										  : CPUS};
	for (uint32_t i = 0; i < JOBS && c->jobs[i].nodes; i++)
		add_job(world, &c->jobs[i], &holds);
	world->running.jobs = world->jobs;
	world->running.holds = world->holds;
	world->running.window_step = c->window_step;
	world->running.parts_differ = c->parts_differ;
}

static void expect_kept(const struct horizon_case *c, const struct world *world)
{
	char kept[NODES + 1] = "";

	for (uint32_t i = 0; i < NODES; i++) {
		const struct horizon_node *node = &world->nodes[i];

		kept[i] = node->of_use ? 'O' : horizon_shows(node) ? '+' : '.';
	}
	cr_expect_str_eq(kept, c->kept, "%s: %s", c->name, kept);
}

Test(horizon, is_found_as_the_table_says)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct horizon_case *c = &cases[i];
		struct horizon_demand demand = {c->sum, c->memory};
		struct horizon_span span = {NOW, c->from, c->until};
		struct horizon_found found;
		struct world world;
		bool any;

		make(c, &world);
		any = horizon_look(&world.running, &demand, &span, world.nodes, NODES, &found);
		cr_expect_eq(any, c->kept != NULL, "%s: %d", c->name, any);
		if (!any || !c->kept)
			continue;
		cr_expect_eq(found.end, c->end, "%s: %ld", c->name, (long)found.end);
		cr_expect_eq(found.is_last, c->is_last, "%s", c->name);
		expect_kept(c, &world);
	}
}
