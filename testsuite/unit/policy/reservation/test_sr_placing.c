/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/reservation/sr_placing.h"

#include "testsuite/unit/policy/reservation/reservation_fixture.h"

#define NODES 4
#define CORES 2u /* of each node, with two processors each */
#define HOUR  INT64_C(3600)
#define NOW   INT64_C(1700000000)
#define MANY  6

static const char *const names[NODES] = {"n0", "n1", "n2", "n3"};

/* Places as in a roll, in hours from NOW. */
static const struct {
	const char *what, *lines;
	const char *
		others; /* "node procs from end kind" separated by '/': kind j job, r reservation */
	const char *there[MANY];  /* "sr from end cores by node", '.' none; 0, 1, ... */
	const char *steps[MANY];  /* "sr from end existing", '-' for none */
	const char *placed[MANY]; /* cores by node, '.' none; "whole" after it: no node in part */
} cases[] = {
	{.what = "one beside the other, where the windows overlap",
	 .lines = "SRCFG[a] TASKCOUNT=2\nSRCFG[b] TASKCOUNT=2",
	 .others = "",
	 .steps = {"0 0 4 -", "1 1 2 -"},
	 .placed = {"22.. whole", "..22 whole"}},
	{.what = "on the same nodes, where one ends when the other begins",
	 .lines = "SRCFG[a] TASKCOUNT=2\nSRCFG[b] TASKCOUNT=2",
	 .others = "",
	 .steps = {"0 0 4 -", "1 4 5 -"},
	 .placed = {"22.. whole", "22.. whole"}},
	{.what = "what jobs and others' reservations hold is not there",
	 .lines = "SRCFG[a] TASKCOUNT=4",
	 .others = "0 4 0 9 j/2 1 3 5 r",
	 .steps = {"0 0 4 -"},
	 .placed = {".2.2 whole"}},
	{.what = "nor is what others hold before it, or after it",
	 .lines = "SRCFG[a] TASKCOUNT=4",
	 .others = "0 4 0 2 j/1 4 6 9 r/2 4 -9 3 r",
	 .steps = {"0 3 6 -"},
	 .placed = {"2222 whole"}},
	{.what = "an instance of another that is still to be placed holds its nodes",
	 .lines = "SRCFG[a] TASKCOUNT=2\nSRCFG[b] TASKCOUNT=2",
	 .others = "",
	 .there = {"1 2 5 22.."},
	 .steps = {"0 0 4 -", "1 2 5 0"},
	 .placed = {"..22 whole", "22.. whole"}},
	{.what = "one that is placed anew lets its nodes go, and keeps them where it can",
	 .lines = "SRCFG[a] TASKCOUNT=1",
	 .others = "",
	 .there = {"0 0 5 ..2."},
	 .steps = {"0 0 5 0"},
	 .placed = {"..2. whole"}},
	{.what = "and not what it held once it is elsewhere",
	 .lines = "SRCFG[a] TASKCOUNT=1 HOSTLIST=n3\nSRCFG[b] TASKCOUNT=4",
	 .others = "",
	 .there = {"0 0 5 ..2."},
	 .steps = {"0 0 5 0", "1 1 4 -"},
	 .placed = {"...2 whole", "222. whole"}},
	{.what = "whatever the order in which others end",
	 .lines = "SRCFG[a] TASKCOUNT=4",
	 .others = "0 4 0 1 j/3 4 0 9 j/1 4 3 6 r",
	 .steps = {"0 0 4 -"},
	 .placed = {"..2. whole"}},
	{.what = "in the order of their beginnings, however they were seen",
	 .lines = "SRCFG[a] TASKCOUNT=4\nSRCFG[b] TASKCOUNT=1",
	 .others = "",
	 .there = {"1 6 8 ...2", "1 4 5 ..2.", "1 0 1 .2.."},
	 .steps = {"0 0 3 -", "0 4 6 -"},
	 .placed = {"2.22 whole", "22.2 whole"}},
	{.what = "parts of nodes are so many cores",
	 .lines = "SRCFG[a] RESOURCES=PROCS:2 TASKCOUNT=3\nSRCFG[b] RESOURCES=PROCS:2 TASKCOUNT=3",
	 .others = "",
	 .steps = {"0 0 4 -", "1 0 4 -"},
	 .placed = {"21..", ".12."}},
	{.what = "a processor takes a core",
	 .lines = "SRCFG[a] RESOURCES=PROCS:1 TASKCOUNT=1\nSRCFG[b] RESOURCES=PROCS:2 TASKCOUNT=2",
	 .others = "",
	 .steps = {"0 0 4 -", "1 0 4 -"},
	 .placed = {"1...", "11.."}},
	{.what = "the memory of a part is held by its tasks",
	 .lines = "SRCFG[a] RESOURCES=PROCS:1,MEM:3000 TASKCOUNT=1\n"
		  "SRCFG[b] RESOURCES=PROCS:1,MEM:2000 TASKCOUNT=1",
	 .others = "",
	 .steps = {"0 0 4 -", "1 0 4 -"},
	 .placed = {"1...", ".1.."}},
	{.what = "by each of them",
	 .lines = "SRCFG[a] RESOURCES=PROCS:1,MEM:1500 TASKCOUNT=2\n"
		  "SRCFG[b] RESOURCES=PROCS:1,MEM:2000 TASKCOUNT=1",
	 .others = "",
	 .steps = {"0 0 4 -", "1 0 4 -"},
	 .placed = {"1...", ".1.."}},
	{.what = "what has a part already keeps that, and gets more",
	 .lines = "SRCFG[a] RESOURCES=PROCS:2 TASKCOUNT=2",
	 .others = "",
	 .there = {"0 0 4 ...1"},
	 .steps = {"0 0 4 0"},
	 .placed = {"1..1"}},
	{.what = "HOSTLIST is looked up once and holds for each of its instances",
	 .lines = "SRCFG[a] HOSTLIST=n[1-2]",
	 .others = "",
	 .steps = {"0 0 4 -", "0 5 6 -"},
	 .placed = {".22. whole", ".22. whole"}},
	{.what = "EXCLUDEHOSTLIST is looked up once and holds for each of its instances",
	 .lines = "SRCFG[a] HOSTLIST=ALL EXCLUDEHOSTLIST=n[0,3]\nSRCFG[b] HOSTLIST=n0",
	 .others = "",
	 .there = {"0 5 6 22.."},
	 .steps = {"0 0 4 -", "0 5 6 0", "1 0 4 -"},
	 .placed = {".22. whole", ".22. whole", "2... whole"}},
	{.what = "nothing where nothing is left",
	 .lines = "SRCFG[a] TASKCOUNT=1 PARTITION=none",
	 .others = "",
	 .steps = {"0 0 4 -"},
	 .placed = {".... whole"}},
};

/* The last node first. */
static const uint32_t *last_first(void *context, const struct maui_sr *sr, bool immediate)
{
	static const uint32_t order[NODES] = {3, 2, 1, 0};

	(void)sr;
	*(int *)context += immediate ? 1 : 10;
	return order;
}

struct moment {
	struct maui_sr_node nodes[NODES];
	bool passed[NODES];
	uint32_t cores[NODES];
	struct maui_sr_hold holds[MANY];
	struct maui_sr_world world;
};

static void read_others(struct moment *moment, const char *text)
{
	char copy[256], *rest, *one;

	snprintf(copy, sizeof(copy), "%s", text);
	for (one = strtok_r(copy, "/", &rest); one; one = strtok_r(NULL, "/", &rest)) {
		long long node, procs, from, end;
		char kind;

		cr_assert_eq(
			sscanf(one, "%lld %lld %lld %lld %c", &node, &procs, &from, &end, &kind),
			5);
		moment->holds[moment->world.hold_count++] =
			(struct maui_sr_hold){.node = (uint32_t)node,
					      .job = kind == 'j',
					      .sr = MAUI_SR_NO_INDEX,
					      .start = NOW + from * HOUR,
					      .end = NOW + end * HOUR,
					      .procs = procs};
	}
}

static void open_moment(struct moment *moment, const char *others, size_t existing)
{
	*moment = (struct moment){.world = {.now = NOW,
					    .count = NODES,
					    .nodes = moment->nodes,
					    .names = names,
					    .passed = moment->passed,
					    .cores = moment->cores,
					    .holds = moment->holds,
					    .existing_count = existing}};
	for (int i = 0; i < NODES; i++) {
		moment->nodes[i] =
			(struct maui_sr_node){.up = true, .procs = 4, .memory = 4096, .disk = 100};
		moment->cores[i] = CORES;
	}
	read_others(moment, others);
}

/* "sr from end cores": returns the standing reservation. */
static uint32_t read_there(const char *text, struct maui_sr_part parts[NODES],
			   struct maui_sr_there *ret_there)
{
	unsigned int sr;
	long long from, end;
	char cores[NODES + 1];

	cr_assert_eq(sscanf(text, "%u %lld %lld %4s", &sr, &from, &end, cores), 4, "%s", text);
	*ret_there = (struct maui_sr_there){
		.start = NOW + from * HOUR, .end = NOW + end * HOUR, .parts = parts};
	for (uint32_t i = 0; i < NODES; i++)
		if (cores[i] != '.')
			parts[ret_there->count++] =
				(struct maui_sr_part){i, (uint32_t)(cores[i] - '0')};
	return sr;
}

static struct maui_sr_step read_step(const char *text)
{
	struct maui_sr_step step = {.existing = MAUI_SR_NO_INDEX};
	char existing[8];
	long long from, end;

	cr_assert_eq(sscanf(text, "%u %lld %lld %7s", &step.sr, &from, &end, existing), 4, "%s",
		     text);
	step.window.from = NOW + from * HOUR;
	step.window.end = NOW + end * HOUR;
	if (*existing != '-')
		step.existing = (uint32_t)atoi(existing);
	return step;
}

/* Cores of nodes, as the caller would give them to Slurm. */
static const char *told(const struct maui_sr_placement *placement, const uint32_t *cores,
			char text[32])
{
	snprintf(text, 32, "....%s", cores ? "" : " whole");
	for (size_t i = 0; i < placement->count; i++) {
		uint32_t node = placement->shares[i].node;

		text[node] = (char)('0' + (cores ? cores[node] : CORES));
	}
	return text;
}

Test(sr_placing, each_instance_goes_where_those_before_it_leave_room)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct reservations reservations;
		struct maui_sr_part parts[MANY][NODES];
		struct maui_sr_there there[MANY];
		struct maui_sr_placing *placing;
		const struct maui_sr *list;
		struct moment moment;
		size_t existing = 0, list_size;

		reservations_open(&reservations, cases[i].lines);
		list_size = maui_sr_list(reservations.settings, &list);
		while (existing < MANY && cases[i].there[existing])
			existing++;
		open_moment(&moment, cases[i].others, existing);
		placing = maui_sr_placing_new(&moment.world, list, list_size,
					      &(struct maui_sr_ranker){NULL, NULL});
		cr_assert_not_null(placing);
		for (uint32_t k = 0; k < existing; k++)
			maui_sr_placing_see(placing, k, &there[k],
					    read_there(cases[i].there[k], parts[k], &there[k]));
		for (size_t k = 0; k < MANY && cases[i].steps[k]; k++) {
			struct maui_sr_step step = read_step(cases[i].steps[k]);
			struct maui_sr_placement placement;
			const uint32_t *cores = moment.cores; /* to be replaced */
			char text[32];

			maui_sr_placing_step(
				placing, &step,
				step.existing == MAUI_SR_NO_INDEX ? NULL : &there[step.existing],
				&placement, &cores);
			cr_expect_str_eq(told(&placement, cores, text), cases[i].placed[k],
					 "%s, step %zu: %s", cases[i].what, k, text);
			maui_sr_placement_clear(&placement);
		}
		maui_sr_placing_free(placing);
		reservations_close(&reservations);
	}
}

Test(sr_placing, an_order_of_nodes_holds_where_there_is_a_number_of_tasks)
{
	struct reservations reservations;
	struct maui_sr_placing *placing;
	const struct maui_sr *list;
	struct moment moment;
	size_t list_size;
	int asked = 0;
	static const char *const steps[] = {"0 0 1 -", "0 2 3 -", "1 4 5 -"};
	static const char *const placed[] = {"...2 whole", "...2 whole", ".22. whole"};

	reservations_open(&reservations, "SRCFG[a] TASKCOUNT=1\nSRCFG[b] HOSTLIST=n[1-2]");
	list_size = maui_sr_list(reservations.settings, &list);
	open_moment(&moment, "", 0);
	placing = maui_sr_placing_new(&moment.world, list, list_size,
				      &(struct maui_sr_ranker){last_first, &asked});
	for (size_t k = 0; k < 3; k++) {
		struct maui_sr_step step = read_step(steps[k]);
		struct maui_sr_placement placement;
		const uint32_t *cores;
		char text[32];

		maui_sr_placing_step(placing, &step, NULL, &placement, &cores);
		cr_expect_str_eq(told(&placement, cores, text), placed[k], "%zu: %s", k, text);
		maui_sr_placement_clear(&placement);
	}
	cr_expect_eq(asked, 11); /* for now, and for later */
	maui_sr_placing_free(placing);
	reservations_close(&reservations);
}

/* SPACEFLEX gives up what is not in use: one of its jobs runs on n2. */
Test(sr_placing, only_what_has_begun_is_in_use)
{
	static const struct {
		const char *there, *placed;
	} begun[] = {{"0 -1 5 .22.", "2.2. whole"},
		     {"0 1 5 .22.", "22.. whole"},
		     {"0 -1 5 ..22", "2.2. whole"}};

	for (size_t i = 0; i < 3; i++) {
		struct reservations reservations;
		struct maui_sr_part parts[NODES];
		struct maui_sr_there there;
		struct maui_sr_placing *placing;
		struct maui_sr_placement placement;
		struct maui_sr_step step = read_step("0 1 5 0");
		const struct maui_sr *list;
		const uint32_t *cores;
		struct moment moment;
		char text[32];
		uint32_t sr;

		reservations_open(&reservations, "SRCFG[a] TASKCOUNT=2 FLAGS=SPACEFLEX");
		cr_assert_eq(maui_sr_list(reservations.settings, &list), 1);
		open_moment(&moment, "", 1);
		moment.passed[2] = true;
		placing = maui_sr_placing_new(&moment.world, list, 1,
					      &(struct maui_sr_ranker){NULL, NULL});
		sr = read_there(begun[i].there, parts, &there);
		maui_sr_placing_see(placing, 0, &there, sr);
		maui_sr_placing_step(placing, &step, &there, &placement, &cores);
		cr_expect_str_eq(told(&placement, cores, text), begun[i].placed, "%zu: %s", i,
				 text);
		maui_sr_placement_clear(&placement);
		maui_sr_placing_free(placing);
		reservations_close(&reservations);
	}
}

/* ---- cores and processors ---- */

Test(sr_placing, cores_and_processors_of_a_node)
{
	static const struct {
		int64_t node_procs, procs;
		uint32_t all, cores;
		int64_t of_cores;
		uint32_t of_procs;
	} sums[] = {
		{8, 8, 4, 4, 8, 4}, {8, 3, 4, 1, 2, 2}, {8, 1, 4, 0, 0, 1}, {8, 99, 4, 9, 8, 4},
		{6, 4, 4, 1, 1, 3}, {0, 0, 0, 0, 0, 0}, {4, 2, 0, 1, 4, 0},
	};

	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++) {
		struct maui_sr_node node = {.procs = sums[i].node_procs};

		cr_expect_eq(maui_sr_core_procs(&node, sums[i].all, sums[i].cores),
			     sums[i].of_cores, "%zu", i);
		cr_expect_eq(maui_sr_proc_cores(&node, sums[i].all, sums[i].procs),
			     sums[i].of_procs, "%zu", i);
	}
}

Test(sr_placing, a_part_of_a_node_holds_neither_memory_nor_disk)
{
	struct maui_sr_node node = {.procs = 8, .memory = 4096, .disk = 100};
	struct maui_sr_hold part = maui_sr_core_hold(&node, 4, &(struct maui_sr_part){2, 1});
	struct maui_sr_hold all = maui_sr_core_hold(&node, 4, &(struct maui_sr_part){2, 4});

	cr_expect_eq(part.node, 2);
	cr_expect_eq(part.sr, MAUI_SR_NO_INDEX);
	cr_expect_eq(part.procs, 2);
	cr_expect_eq(part.memory, 0);
	cr_expect_eq(part.disk, 0);
	cr_expect_eq(all.procs, 8);
	cr_expect_eq(all.memory, 4096);
	cr_expect_eq(all.disk, 100);
}
