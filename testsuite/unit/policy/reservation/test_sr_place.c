/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/reservation/sr_place.h"
#include "testsuite/unit/policy/reservation/reservation_fixture.h"

#define NODES 6
#define HOUR  INT64_C(3600)

static const char *const names[NODES] = {"n0", "n1", "n2", "n3", "n4", "n5"};
static const char *const fast[] = {"fast"}, *const all[] = {"p", "fast"}, *const q[] = {"q"};

/* n1, n3 and n4 have GPUs, of one type each. */
static const struct maui_sr_gres a100[] = {{"gpu", 4}, {"gpu:a100", 4}};
static const struct maui_sr_gres h100[] = {{"gpu", 2}, {"gpu:h100", 2}, {"tape", 1}};

/* 4 processors and 4096 MB each, n4 and n5 twice that; n5 is down. */
static const struct maui_sr_node nodes[NODES] = {
	{true, 4, 4096, 100, 0, fast, 1, all, 1, NULL, 0},
	{true, 4, 4096, 100, 0, fast, 1, all, 1, a100, 2},
	{true, 4, 4096, 100, 0, NULL, 0, all, 1, NULL, 0},
	{true, 4, 4096, 100, 0, NULL, 0, q, 1, h100, 3},
	{true, 8, 8192, 100, 0, fast, 1, q, 1, a100, 2},
	{false, 8, 8192, 100, 0, NULL, 0, q, 1, NULL, 0},
};

struct place_case {
	const char *lines;
	const char *holds;  /* "node procs start end kind" separated by '/': kind j job, r other
			       reservation, o the reservation's own */
	const char *former; /* tasks by node, '.' none, a capital letter: in use (A is 1) */
	const char
		*tasks; /* by node, '.' none; then f floating, b beyond, s stacked, = unchanged */
	const char *text;
};

#define QUARTERS "RESOURCES=PROCS:1,MEM:1024 "
#define GPUS     "RESOURCES=PROCS:1,GRES=gpu:2 "

static const struct place_case cases[] = {
	/* Whole nodes; n5 is down. */
	{"TASKCOUNT=2", "", "", "11.... f", "2 of 2 tasks"},
	{"TASKCOUNT=9", "", "", "11111. f", "5 of 9 tasks; 1 node down"},
	{"TASKCOUNT=2 PARTITION=q", "", "", "...11. f", "2 of 2 tasks"},
	{"TASKCOUNT=4 NODEFEATURES=fast", "", "", "11..1. f",
	 "3 of 4 tasks; 3 nodes without the features"},
	{"TASKCOUNT=2 PARTITION=none", "", "", "...... f",
	 "0 of 2 tasks; 6 nodes not in the partition"},
	/* Tasks of several resources; the last node is trimmed. */
	{QUARTERS "TASKCOUNT=6", "", "", "42.... f", "6 of 6 tasks"},
	{"RESOURCES=PROCS:1,MEM:2048 TASKCOUNT=5", "", "", "221... f", "5 of 5 tasks"},
	{"RESOURCES=PROCS:1,DISK:60 TASKCOUNT=3", "", "", "111... f", "3 of 3 tasks"},
	{"RESOURCES=PROCS:5 TASKCOUNT=1", "", "", "....1. f", "1 of 1 tasks"},
	{"RESOURCES=PROCS:9 TASKCOUNT=1", "", "", "...... f", "0 of 1 tasks; 6 nodes too small"},
	{QUARTERS "TASKCOUNT=6 TPN=3", "", "", "33.... f", "6 of 6 tasks"},
	{QUARTERS "TASKCOUNT=4 TPN=5", "", "", "....4. f", "4 of 4 tasks"},
	{"RESOURCES=PROCS:1,MEM:ALL TASKCOUNT=2", "", "", "11.... f", "2 of 2 tasks"},
	/* HOSTLIST without TASKCOUNT: all of it, whatever is there. */
	{"HOSTLIST=n[0,5]", "0 4 0 9 j", "", "1....1 ", "2 of 2 tasks"},
	{QUARTERS "HOSTLIST=n[0,5]", "0 4 0 9 r", "", "4....8 s", "12 of 12 tasks"},
	{"HOSTLIST=nosuch", "", "", "...... ", "0 of 1 tasks"},
	{"HOSTLIST=n0 PARTITION=q", "", "", "...... ", "0 of 1 tasks; 1 node not in the partition"},
	/* EXCLUDEHOSTLIST: of all of the list, of those that float, and of what lies beyond the list. */
	{"HOSTLIST=ALL EXCLUDEHOSTLIST=n[0,5]", "", "", ".1111. ", "4 of 4 tasks"},
	{"HOSTLIST=n[0-1] EXCLUDEHOSTLIST=^n", "", "", "...... ",
	 "0 of 1 tasks; 2 nodes in the EXCLUDEHOSTLIST"},
	{"TASKCOUNT=3 EXCLUDEHOSTLIST=n[0-1]", "", "", "..111. f", "3 of 3 tasks"},
	{"HOSTLIST=n[2-3] TASKCOUNT=3 EXCLUDEHOSTLIST=n[0,3]", "", "", ".11.1. b", "3 of 3 tasks"},
	{"TASKCOUNT=1 EXCLUDEHOSTLIST=n0", "", "1.....", ".1.... f", "1 of 1 tasks"},
	/* HOSTLIST and TASKCOUNT: fewer, as many, and more than it has. */
	{"HOSTLIST=n[2-4] TASKCOUNT=2", "", "", "..11.. f", "2 of 2 tasks"},
	{"HOSTLIST=n[2-4] TASKCOUNT=2", "2 1 0 9 j", "", "...11. f", "2 of 2 tasks"},
	{"HOSTLIST=n[2-3] TASKCOUNT=2", "2 1 0 9 j", "", "..11.. ", "2 of 2 tasks"},
	{"HOSTLIST=n[2,5] TASKCOUNT=2", "", "", "..1..1 ", "2 of 2 tasks"},
	{"HOSTLIST=n[2-3] TASKCOUNT=4", "2 1 0 9 j", "", "1111.. b", "4 of 4 tasks"},
	{"HOSTLIST=n[2-3] TASKCOUNT=4", "0 1 0 9 r", "", ".1111. b", "4 of 4 tasks"},
	{"HOSTLIST=n[2-4] TASKCOUNT=2 FLAGS=FORCE", "2 1 0 9 r/3 1 0 9 r/4 1 0 9 r", "", "..11.. s",
	 "2 of 2 tasks"},
	{"HOSTLIST=n[2-3] TASKCOUNT=2 FLAGS=SPACEFLEX", "2 1 0 9 r", "", "...1.. f",
	 "1 of 2 tasks; 1 node held by other reservations"},
	/* What others hold: jobs when it begins, reservations during all of it. */
	{QUARTERS "TASKCOUNT=20", "0 3 0 1 j/1 3 -9 0 j/2 3 1 9 j", "", "14447. f",
	 "20 of 20 tasks"},
	{QUARTERS "TASKCOUNT=24", "0 3 0 1 j/1 3 -9 0 j/2 3 1 9 j", "", "14448. f",
	 "21 of 24 tasks; 1 node down; 1 node held by jobs"},
	{QUARTERS "TASKCOUNT=24", "0 3 5 6 r/1 1 2 3 r/1 2 3 4 r/2 1 2 4 r/2 1 3 5 r/3 4 100 200 r",
	 "", "12248. f", "17 of 24 tasks; 1 node down; 3 nodes held by other reservations"},
	/* Reservations that end when it begins, begin when it ends, and an hour before. */
	{QUARTERS "TASKCOUNT=24", "0 4 -9 0 r/1 4 24 30 r/2 4 23 30 r", "", "44.48. f",
	 "20 of 24 tasks; 1 node down; 1 node held by other reservations"},
	{QUARTERS "TASKCOUNT=2", "0 4 0 9 o", "", "2..... f", "2 of 2 tasks"},
	/* Side by side before stacking; SHARED stacks if it has to. */
	{QUARTERS "TASKCOUNT=4 ACCESS=SHARED", "0 2 0 9 r", "", "22.... f", "4 of 4 tasks"},
	{QUARTERS "TASKCOUNT=22 ACCESS=SHARED", "0 2 0 9 r", "", "24448. f", "22 of 22 tasks"},
	{QUARTERS "TASKCOUNT=24 ACCESS=SHARED", "0 2 0 9 r", "", "44448. fs", "24 of 24 tasks"},
	{QUARTERS "TASKCOUNT=24 ACCESS=SHARED", "0 2 0 9 j", "", "24448. f",
	 "22 of 24 tasks; 1 node down; 1 node held by jobs"},
	/* What is placed stays; what it lacks is added. */
	{"TASKCOUNT=2", "", "..11..", "..11.. f=", "2 of 2 tasks"},
	{"TASKCOUNT=3", "", "..11..", "1.11.. f", "3 of 3 tasks"},
	{"TASKCOUNT=1", "", "..11..", "..1... f", "1 of 1 tasks"},
	{"TASKCOUNT=2", "", "1....1", "11.... f", "2 of 2 tasks"},
	{"TASKCOUNT=2", "3 4 0 9 j", "..11..", "..11.. f=", "2 of 2 tasks"},
	{"TASKCOUNT=2 FLAGS=SPACEFLEX", "", "..11..", "11.... f", "2 of 2 tasks"},
	{"TASKCOUNT=2 FLAGS=SPACEFLEX", "", "..1A..", "1..1.. f", "2 of 2 tasks"},
	{"TASKCOUNT=2 NODEFEATURES=fast", "", "..11..", "11.... f", "2 of 2 tasks"},
	{"HOSTLIST=n[0-3] TASKCOUNT=2", "", "..1.1.", "1.1... f", "2 of 2 tasks"},
	{QUARTERS "TASKCOUNT=4", "", "..3...", "1.3... f", "4 of 4 tasks"},
	/* GRES: whole nodes, that nobody is on, with so many tasks. */
	{GPUS "TASKCOUNT=2", "", "", ".2.... f", "2 of 2 tasks"},
	{GPUS "TASKCOUNT=4", "", "", ".2.11. f", "4 of 4 tasks"},
	{GPUS "TASKCOUNT=9", "", "", ".2.12. f", "5 of 9 tasks; 3 nodes too small"},
	{GPUS "TASKCOUNT=4", "1 1 0 9 j/3 1 0 9 r", "", "....2. f",
	 "2 of 4 tasks; 3 nodes too small; 1 node held by jobs; 1 node held by other reservations"},
	{"RESOURCES=PROCS:3,GRES=gpu:a100:1 TASKCOUNT=9", "", "", ".1..2. f",
	 "3 of 9 tasks; 4 nodes too small"},
	{"RESOURCES=PROCS:1,GRES=gpu,GRES=tape TASKCOUNT=9", "", "", "...1.. f",
	 "1 of 9 tasks; 5 nodes too small"},
	{"RESOURCES=PROCS:ALL,GRES=gpu:2 TASKCOUNT=2", "", "", ".1.1.. f", "2 of 2 tasks"},
	{"RESOURCES=PROCS:1,GRES=gpu:v100 TASKCOUNT=1", "", "", "...... f",
	 "0 of 1 tasks; 6 nodes too small"},
	{GPUS "HOSTLIST=n[0,3-4]", "3 4 0 9 j", "", "...12. ", "3 of 3 tasks"},
	/* Of the nodes that it has nobody knows for how many tasks. */
	{GPUS "TASKCOUNT=3", "", ".2.1..", ".2.1.. f=", "3 of 3 tasks"},
	{GPUS "TASKCOUNT=3", "", "...12.", "...12. f=", "3 of 3 tasks"},
	{GPUS "TASKCOUNT=2", "", "...12.", "...11. f=", "2 of 2 tasks"},
	{GPUS "TASKCOUNT=1", "", "...12.", "...1.. f", "1 of 1 tasks"},
};

static size_t read_holds(const char *text, struct maui_sr_hold *holds)
{
	char copy[256], *rest, *one;
	size_t count = 0;

	snprintf(copy, sizeof(copy), "%s", text);
	for (one = strtok_r(copy, "/", &rest); one; one = strtok_r(NULL, "/", &rest)) {
		long long node, procs, start, end;
		char kind;

		cr_assert_eq(
			sscanf(one, "%lld %lld %lld %lld %c", &node, &procs, &start, &end, &kind),
			5);
		holds[count++] = (struct maui_sr_hold){.node = (uint32_t)node,
						       .job = kind == 'j',
						       .sr = kind == 'o' ? 0 : UINT32_MAX,
						       .start = start * HOUR,
						       .end = end * HOUR,
						       .procs = procs};
	}
	return count;
}

static size_t read_former(const char *text, struct maui_sr_share *former)
{
	size_t count = 0;

	for (uint32_t node = 0; text[node]; node++)
		if (text[node] != '.')
			former[count++] = (struct maui_sr_share){
				.node = node,
				.tasks = (uint32_t)(text[node] >= 'A' ? text[node] - 'A' + 1
								      : text[node] - '0'),
				.in_use = text[node] >= 'A'};
	return count;
}

static void print(const struct maui_sr_placement *placement, bool former, char *text)
{
	char *at = text + NODES;

	memset(text, '.', NODES);
	for (size_t i = 0; i < placement->count; i++)
		text[placement->shares[i].node] = (char)('0' + placement->shares[i].tasks);
	*at++ = ' ';
	if (placement->floating)
		*at++ = 'f';
	if (placement->beyond)
		*at++ = 'b';
	if (placement->stacked)
		*at++ = 's';
	if (former && !placement->changed)
		*at++ = '=';
	*at = '\0';
}

static void expect_procs(const struct maui_sr_placement *placement, const struct maui_sr_task *task)
{
	int64_t each = task->gres_count ? -1 : task->procs;

	for (size_t i = 0; i < placement->count; i++) {
		const struct maui_sr_share *share = &placement->shares[i];

		cr_expect_eq(share->procs,
			     each < 0 ? nodes[share->node].procs : each * share->tasks);
	}
}

/* By the reservation's attributes in maui.cfg, and texts as in the table. */
static void place(const char *attributes, const char *holds_text, const char *former_text,
		  struct maui_sr_placement *ret_placement)
{
	struct reservations reservations;
	struct maui_node_names *table = maui_node_names_new(names, NODES);
	struct maui_sr_hold holds[16];
	struct maui_sr_share former[NODES];
	struct maui_sr_request request = {.end = 24 * HOUR, .former = former};
	size_t hold_count = read_holds(holds_text, holds);
	char lines[256];
	bool listed[NODES], excluded[NODES];

	snprintf(lines, sizeof(lines), "SRCFG[x] %s\n", attributes);
	reservations_open(&reservations, lines);
	request.sr = maui_sr_find(reservations.settings, "x");
	request.former_count = read_former(former_text, former);
	if (request.sr->hosts) {
		maui_sr_hosts_match(request.sr->hosts, table, listed, NULL);
		request.listed = listed;
	}
	if (request.sr->excluded) {
		maui_sr_hosts_match(request.sr->excluded, table, excluded, NULL);
		request.excluded = excluded;
	}
	maui_sr_place(&request, nodes, NODES, holds, hold_count, ret_placement);
	expect_procs(ret_placement, &request.sr->task);
	reservations_close(&reservations);
	maui_node_names_free(table);
}

Test(sr_place, cases)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct place_case *one = &cases[i];
		struct maui_sr_placement placement;
		char text[32], why[MAUI_SR_PLACE_TEXT];

		place(one->lines, one->holds, one->former, &placement);
		print(&placement, *one->former, text);
		cr_expect_str_eq(text, one->tasks, "%s (%s): %s", one->lines, one->holds, text);
		cr_expect_str_eq(maui_sr_placement_text(&placement, why), one->text, "%s (%s): %s",
				 one->lines, one->holds, why);
		maui_sr_placement_clear(&placement);
	}
}

Test(sr_place, what_jobs_hold_of_what_it_lacks)
{
	static const struct {
		const char *lines, *holds, *busy; /* tasks by node */
	} tries[] = {
		{"HOSTLIST=n[2-4] TASKCOUNT=2", "2 1 0 9 j", "..1..."},
		{"HOSTLIST=n[1-2] TASKCOUNT=1", "1 1 0 9 j/2 4 0 9 j", ".11..."},
		{QUARTERS "HOSTLIST=n1 TASKCOUNT=2", "1 3 0 9 j", ".3...."},
		{QUARTERS "HOSTLIST=n1 TASKCOUNT=1", "1 3 0 9 j", ".3...."},
		{QUARTERS "HOSTLIST=n1 TASKCOUNT=1", "1 3 5 9 j",
		 "......"}, /* not at its beginning */
		{QUARTERS "HOSTLIST=n1 TASKCOUNT=1", "1 3 0 9 r", "......"},
		{QUARTERS "HOSTLIST=n[0,5] TASKCOUNT=9", "5 8 0 9 j", "......"}, /* n5 is down */
		{"HOSTLIST=n[2-3]", "2 1 0 9 j", "......"}, /* it gets them in any case */
	};

	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		struct maui_sr_placement placement;
		char text[NODES + 1] = "......";

		place(tries[i].lines, tries[i].holds, "", &placement);
		for (size_t k = 0; k < placement.busy_count; k++)
			text[placement.busy[k].node] = (char)('0' + placement.busy[k].tasks);
		cr_expect_str_eq(text, tries[i].busy, "%s (%s): %s", tries[i].lines, tries[i].holds,
				 text);
		cr_expect_eq(placement.busy_count, placement.why[MAUI_SR_BUSY]);
		maui_sr_placement_clear(&placement);
	}
}

Test(sr_place, order)
{
	static const uint32_t ranks[NODES] = {3, 2, 1, 1, 0, 0};
	const struct maui_sr sr = {
		.name = "x", .task_count = 3, .task = {.procs = MAUI_SR_ALL}, .dedicated = true};
	const struct maui_sr_request request = {.sr = &sr, .rank = ranks, .end = HOUR};
	struct maui_sr_placement placement;
	char text[32];

	maui_sr_place(&request, nodes, NODES, NULL, 0, &placement);
	print(&placement, false, text);
	cr_expect_str_eq(text, "..111. f");
	maui_sr_placement_clear(&placement);
	/* No nodes at all. */
	maui_sr_place(&request, NULL, 0, NULL, 0, &placement);
	cr_expect(!placement.count && placement.missing == 3);
	maui_sr_placement_clear(&placement);
	cr_expect_str_eq(maui_sr_why_text(MAUI_SR_WHYS), "");
}

/* What setres has and SRCFG lacks: a limit of tasks, and features of which one is enough. */
Test(sr_place, once)
{
	static const char *const features[] = {"slow", "fast"};
	static const struct {
		uint32_t count, limit;
		bool listed, any;
		const char *tasks;
	} tries[] = {
		{2, 4, false, false, "1111.. f"},  {2, 9, false, false, "11111. f"},
		{9, 12, false, false, "11111. f"}, {2, 2, false, false, "11.... f"},
		{0, 2, true, false, "11.... "},    {0, 9, true, false, "111111 "},
		{3, 0, false, true, "11..1. f"},   {0, 0, true, true, "11..1. "},
	};
	static const bool listed[NODES] = {true, true, true, true, true, true};

	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		const struct maui_sr sr = {.name = "x.0",
					   .period = MAUI_SR_ONCE,
					   .task_count = tries[i].count,
					   .task_limit = tries[i].limit,
					   .features = features,
					   .feature_count = tries[i].any ? 2 : 0,
					   .any_feature = tries[i].any,
					   .task = {.procs = MAUI_SR_ALL},
					   .dedicated = true};
		const struct maui_sr_request request = {
			.sr = &sr, .listed = tries[i].listed ? listed : NULL, .end = HOUR};
		struct maui_sr_placement placement;
		char text[32];

		maui_sr_place(&request, nodes, NODES, NULL, 0, &placement);
		print(&placement, false, text);
		cr_expect_str_eq(text, tries[i].tasks, "%zu: %s", i, text);
		cr_expect_eq(placement.missing, tries[i].count == 9 ? 4 : 0, "%zu", i);
		maui_sr_placement_clear(&placement);
	}
}

/* Whatever is held: what has been placed stays there, and is never more than a node has. */
Test(sr_place, stable)
{
	uint64_t random = 88172645463325252u;

	for (size_t round = 0; round < 2000; round++) {
		struct maui_sr_hold holds[NODES];
		struct maui_sr_placement first, second;
		struct maui_sr sr = {.name = "x", .dedicated = round % 2};
		struct maui_sr_request request = {.sr = &sr, .end = 24 * HOUR};

		for (uint32_t i = 0; i < NODES; i++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			holds[i] =
				(struct maui_sr_hold){.node = i,
						      .job = random >> 8 & 1,
						      .sr = UINT32_MAX,
						      .start = (int64_t)(random >> 16 & 7) * HOUR,
						      .end = (int64_t)(random >> 20 & 15) * HOUR,
						      .procs = (int64_t)(random >> 32 & 7)};
		}
		sr.task_count = (uint32_t)(random >> 40 & 31) + 1;
		sr.task_limit = random >> 55 & 1 ? sr.task_count + (uint32_t)(random >> 56 & 7) : 0;
		sr.task = (struct maui_sr_task){.procs = (int64_t)(random >> 45 & 3) + 1};
		sr.tasks_per_node = (uint32_t)(random >> 50 & 1) * 2;
		maui_sr_place(&request, nodes, NODES, holds, NODES, &first);
		cr_assert(first.tasks + first.missing == sr.task_count ||
			  (!first.missing && first.tasks > sr.task_count &&
			   first.tasks <= sr.task_limit));
		for (size_t i = 0; i < first.count; i++)
			cr_assert_leq(first.shares[i].procs, nodes[first.shares[i].node].procs);
		request.former = first.shares;
		request.former_count = first.count;
		maui_sr_place(&request, nodes, NODES, holds, NODES, &second);
		cr_assert_not(second.changed);
		maui_sr_placement_clear(&first);
		maui_sr_placement_clear(&second);
	}
}
