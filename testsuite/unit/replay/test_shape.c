/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that had so many nodes have as many again, whatever is free on others: D-RPL-19. */
#include "testsuite/unit/replay/nodes_fixture.h"
#include "testsuite/unit/replay/random_fixture.h"

#define FIRST "RMPOLLINTERVAL 1\nNODEALLOCATIONPOLICY FIRSTAVAILABLE\n"
#define GPUS  "2x8+gres/gpu:a100=4"

/* ---- how a job is divided ---- */

/* "2x5+2 1x4+1 m400": so many parts, of processors and units of each GRES; MB of each. */
static const char *parts_text(const struct maui_replay_request *request, char *text, size_t size)
{
	size_t used = 0;

	for (uint32_t i = request->sizes; i; i--) {
		const struct maui_replay_part *part = &request->part[i - 1];
		uint32_t count = part->upto - (i > 1 ? part[-1].upto : 0);

		used += (size_t)snprintf(text + used, size - used, "%ux%u", count, part->cpus);
		for (uint32_t k = 0; k < request->want_count; k++)
			used += (size_t)snprintf(text + used, size - used, "+%" PRIu64,
						 part->units[k]);
		used += (size_t)snprintf(text + used, size - used, " ");
	}
	snprintf(text + used, size - used, "m%" PRId64, request->memory);
	return text;
}

Test(replay_shape, a_job_is_divided_evenly)
{
	static const struct {
		uint32_t procs, nodes;
		int64_t memory;
		uint64_t gres[2];
		const char *parts;
	} tries[] = {
		{4, 1, 100, {4, 0}, "1x4+4 m100"},
		{8, 2, 100, {0, 0}, "2x4 m50"},
		{9, 2, 101, {0, 0}, "1x5 1x4 m51"},
		{9, 2, 0, {6, 0}, "1x5+3 1x4+3 m0"},
		{5, 2, 0, {2, 0}, "1x3+1 1x2+1 m0"},
		{4, 2, 0, {3, 0}, "1x2+2 1x2+1 m0"},
		{10, 4, 0, {4, 7}, "2x3+1+2 1x2+1+2 1x2+1+1 m0"},
		{8, 4, 0, {1, 2}, "1x2+1+1 1x2+0+1 2x2+0+0 m0"},
		{2, 3, 90, {0, 0}, "2x1 m45"}, /* each node has a processor of it */
	};

	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		struct maui_replay_job job = {.procs = tries[i].procs,
					      .had_nodes = tries[i].nodes,
					      .memory = tries[i].memory};
		struct maui_replay_request request = {0};
		char text[256];

		for (int k = 0; k < 2 && tries[i].gres[k]; k++)
			request.want[request.want_count++].count = tries[i].gres[k];
		maui_replay_divide(&request, &job, NULL);
		cr_expect_str_eq(parts_text(&request, text, sizeof(text)), tries[i].parts, "%s",
				 text);
	}
}

Test(replay_shape, a_job_is_divided_as_it_was)
{
	static const struct {
		uint32_t procs, nodes;
		int64_t memory;
		uint64_t gpus;
		const char *split, *parts;
	} tries[] = {
		{20, 3, 300, 0, "2x8+1x4", "2x8 1x4 m100"},
		{20, 4, 0, 0, "1x8+1x6+1x4+1x2", "1x8 1x6 1x4 1x2 m0"},
		/* those with more processors have more GRES */
		{20, 3, 0, 4, "2x8+1x4", "1x8+2 1x8+1 1x4+1 m0"},
		{9, 2, 0, 1, "1x8+1x1", "1x8+1 1x1+0 m0"},
	};

	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		struct maui_replay_job job = {.procs = tries[i].procs,
					      .had_nodes = tries[i].nodes,
					      .memory = tries[i].memory};
		struct maui_replay_request request = {.want_count = tries[i].gpus != 0,
						      .want = {{.count = tries[i].gpus}}};
		char text[256];

		maui_replay_divide(&request, &job, tries[i].split);
		cr_expect_str_eq(parts_text(&request, text, sizeof(text)), tries[i].parts, "%s",
				 text);
	}
}

/* Each node of a random few holds parts up to a size, and some way of giving them out is found or
 * there is none. */
static bool can_be_given(const struct maui_replay_request *request, const uint32_t *capacity,
			 uint32_t nodes, uint32_t number)
{
	uint32_t size = 0;

	if (number == request->nodes)
		return true;
	while (request->part[size].upto <= number)
		size++;
	/* Parts by size, the smallest first: any node that is left may have it. */
	for (uint32_t i = 0; i < 6; i++)
		if (nodes >> i & 1 && capacity[i] > size &&
		    can_be_given(request, capacity, nodes & ~(UINT32_C(1) << i), number + 1))
			return true;
	return false;
}

Test(replay_shape, nodes_are_enough_if_all_parts_have_one)
{
	uint64_t seed = 1;
	uint32_t enough = 0;

	for (int i = 0; i < 3000; i++) {
		struct maui_replay_request request = {.want_count = 2};
		struct maui_replay_job job = {.procs = 6 + replay_roll(&seed, 9),
					      .had_nodes = 1 + replay_roll(&seed, 5)};
		uint32_t capacity[6], have[MAUI_REPLAY_SIZES + 1];
		struct maui_replay_tally tally;
		bool can;

		request.want[0].count = 1 + replay_roll(&seed, 9);
		request.want[1].count = 1 + replay_roll(&seed, 9);
		maui_replay_divide(&request, &job, NULL);
		maui_replay_tally_open(&tally, &request, 1, have);
		for (uint32_t k = 0; k < 6; k++) {
			capacity[k] = replay_roll(&seed, request.sizes + 1);
			maui_replay_tally_add(&tally, capacity[k]);
		}
		can = can_be_given(&request, capacity, 63, 0);
		enough += can;
		cr_assert_eq(maui_replay_tally_enough(&tally), can, "try %d", i);
		maui_replay_tally_drop(&tally, capacity[5]);
		cr_assert_eq(maui_replay_tally_enough(&tally),
			     can_be_given(&request, capacity, 31, 0), "try %d without the last", i);
	}
	cr_expect(enough > 300 && enough < 2700, "%u of 3000", enough);
}

/* Whether some of the nodes, from the least to the most number of them, have all tasks. */
static bool can_be_spread(const struct maui_replay_request *request, const uint32_t *capacity)
{
	for (uint32_t nodes = 1; nodes < 64; nodes++) {
		uint32_t count = (uint32_t)__builtin_popcount(nodes), tasks = 0;
		bool all = true;

		for (uint32_t i = 0; i < 6; i++)
			if (nodes >> i & 1) {
				all &= capacity[i] != 0;
				tasks += capacity[i];
			}
		if (all && count >= request->nodes && count <= request->most &&
		    tasks >= request->tasks)
			return true;
	}
	return false;
}

Test(replay_shape, no_more_nodes_than_there_may_be_are_enough)
{
	uint64_t seed = 1;
	uint32_t enough = 0;

	for (int i = 0; i < 3000; i++) {
		struct maui_replay_request request = {.nodes = replay_roll(&seed, 3)};
		struct maui_replay_job job = {.procs = 1 + replay_roll(&seed, 30)};
		uint32_t have[9], capacity;
		struct maui_replay_tally tally;
		uint32_t capacities[6];
		bool can;

		request.most = 3 + replay_roll(&seed, 3);
		maui_replay_divide(&request, &job, NULL);
		maui_replay_tally_open(&tally, &request, 8, have);
		for (uint32_t k = 0; k < 6; k++) {
			capacity = replay_roll(&seed, 9);
			capacities[k] = capacity < request.tasks ? capacity : request.tasks;
			maui_replay_tally_add(&tally, capacities[k]);
		}
		can = can_be_spread(&request, capacities);
		enough += can;
		cr_assert_eq(maui_replay_tally_enough(&tally), can, "try %d", i);
	}
	cr_expect(enough > 300 && enough < 2700, "%u of 3000", enough);
}

/* ---- where it is placed ---- */

static const struct replay_example cases[] = {
	{"one node is one node: GPUs", GPUS, FIRST, "x=n1;y=n2",
	 "0 2x100/100:N1:ggpu=2 a - - x; 0 2x100/100:N1:ggpu=2 a - - y; 1 4x9/9:N1:ggpu=4 a",
	 "1 0 n1:2; 2 0 n2:2; 3 100 n1:4"},
	{"one node is one node: processors", "2x16", FIRST, "",
	 "0 12x100/100:N1 a; 1 12x50/50:N1 a; 2 8x9/9:N1 a", "1 0 n1:12; 2 1 n2:12; 3 51 n2:8"},
	{"one node is one node: memory", "2x4:1000", FIRST, "",
	 "0 1x100/100:N1:m600 a; 1 1x50/50:N1:m600 a; 2 2x9/9:N1:m800 a",
	 "1 0 n1:1; 2 1 n2:1; 3 51 n2:2"},
	{"without a number of nodes it goes where there is room", "2x16", FIRST, "",
	 "0 12x100/100 a; 1 12x50/50 a; 2 8x9/9:n1 a", "1 0 n1:12; 2 1 n1:4 n2:8; 3 2 n2:8"},
	{"three nodes are three, though one would do", "4x8", FIRST, "", "0 6x9/9:N3 a",
	 "1 0 n1:2 n2:2 n3:2"},
	{"what cannot be divided is more on the first", "4x8", FIRST, "", "0 8x9/9:N3 a",
	 "1 0 n1:3 n2:3 n3:2"},
	{"or on those that have room", "4x8", FIRST, "", "0 6x100/100:N1 a; 1 5x9/9:N2 a",
	 "1 0 n1:6; 2 1 n1:2 n2:3"},
	{"a node with too little is passed over", "4x8", FIRST, "",
	 "0 7x100/100:N1 a; 1 4x9/9:N2 a", "1 0 n1:7; 2 1 n2:2 n3:2"},
	{"a second small node is of no use to a job of one small part", "4x8", FIRST, "",
	 "0 6x100/100:N1 a; 1 6x100/100:N1 a; 2 5x9/9:N2 a", "1 0 n1:6; 2 1 n2:6; 3 2 n1:2 n3:3"},
	{"GPUs are divided apart from processors", GPUS, FIRST, "",
	 "0 5x9/9:N2:ggpu=2 a; 1 8x9/9:N2:ggpu=6 a", "1 0 n1:3 n2:2; 2 1 n1:4 n2:4"},
	{"and a node that has too few has the smaller part", GPUS, FIRST, "",
	 "0 1x100/100:N1:ggpu=3 a; 1 4x50/50:N2:ggpu=3 a; 2 2x9/9:N1:ggpu=3 a",
	 "1 0 n1:1; 2 1 n1:2 n2:2; 3 51 n2:2"},
	{"an uneven split is kept", "4x8", FIRST, "", "0 8x9/9:N2:s1x6+1x2 a", "1 0 n1:6 n2:2"},
	{"its parts go where there is room for each", "4x8", FIRST, "",
	 "0 5x100/100:N1 a; 1 8x9/9:N2:s1x6+1x2 a", "1 0 n1:5; 2 1 n1:2 n2:6"},
	{"and it waits until there is", "2x8", FIRST, "",
	 "0 5x100/100:N1 a; 0 5x50/50:N1 a; 1 8x9/9:N2:s1x6+1x2 a; 2 3x9/9:N1 a",
	 "1 0 n1:5; 2 0 n2:5; 3 50 n1:2 n2:6; 4 59 n1:3"},
	{"jobs that differ in it alone are two kinds", "2x8", FIRST, "",
	 "0 8x9/9:N2:s1x6+1x2 a; 0 8x9/9:N2 a", "1 0 n1:6 n2:2; 2 9 n1:4 n2:4"},
	{"LASTAVAILABLE the reverse", "4x8", "RMPOLLINTERVAL 1\n", "", "0 5x9/9:N2 a",
	 "1 0 n3:2 n4:3"},
	{"CONTIGUOUS neighbours that have room for a part each", "5x8",
	 "RMPOLLINTERVAL 1\nNODEALLOCATIONPOLICY CONTIGUOUS\n", "x=n2;y=n1,n2,n3,n4,n5",
	 "0 8x100/100:N1 a - - x; 1 6x9/9:N3 a - - y", "1 0 n2:8; 2 1 n3:2 n4:2 n5:2"},

	/* ---- partitions' MinNodes and MaxNodes ---- */
	{"on no more nodes than MaxNodes", "4x4", FIRST, "x=n1,n2,n3,n4/0-2;y=n1,n2,n3,n4",
	 "0 3x100/100:N1 a - - y; 0 3x50/50:N1 a - - y; 0 3x90/90:N1 a - - y; 0 2x80/80:N1 a - - "
	 "y; 1 "
	 "4x9/9 a - - x",
	 "1 0 n1:3; 2 0 n2:3; 3 0 n3:3; 4 0 n4:2; 5 50 n1:1 n2:3"},
	{"the first ones that will do", "4x4", FIRST, "x=n1,n2,n3,n4/0-2;y=n1,n2,n3,n4",
	 "0 3x100/100:N1 a - - y; 1 5x9/9 a - - x", "1 0 n1:3; 2 1 n1:1 n2:4"},
	{"or later ones with more room", "4x4", FIRST, "x=n1,n2,n3,n4/0-2;y=n1,n2,n3,n4",
	 "0 3x100/100:N1 a - - y; 1 8x9/9 a - - x", "1 0 n1:3; 2 1 n2:4 n3:4"},
	{"no partition, no limit", "4x4", FIRST, "x=n1,n2,n3,n4/0-2", "0 16x9/9 a - - z",
	 "1 0 n1:4 n2:4 n3:4 n4:4"},
	{"at least MinNodes", "4x4", FIRST, "x=n1,n2,n3,n4/3-0", "0 4x9/9:n1 a - - x",
	 "1 0 n1:2 n2:1 n3:1"},
	{"from MinNodes to MaxNodes", "4x4", FIRST, "x=n1,n2,n3,n4/2-2",
	 "0 4x9/9 a - - x; 0 5x9/9:n1 a - - x", "1 0 n1:2 n2:2; 2 0 n1:2 n3:3"},
	{"backfill plans for MaxNodes, too", "3x4", FIRST, "x=n1,n2,n3/0-1;y=n1,n2,n3",
	 "0 3x600/600:N1 a - - y; 1 3x1200/1200:N1 a - - y; 2 2x1300/1300:N1 a - - y; 3 3x60/60 a "
	 "- - "
	 "x; 4 1x500/500:N1 a - - y; 5 1x700/700:N1 a - - y",
	 "1 0 n1:3; 2 1 n2:3; 3 2 n3:2; 4 600 n1:3; 5 30 b n1:1; 6 30 b n2:1"},

	/* ---- plans agree with starts ---- */
	{"the plan is for when one node has room", "2x4", FIRST, "",
	 "0 3x600/600:N1 a; 1 3x1200/1200:N1 a; 2 2x60/60:N1 a; 3 1x500/500:N1 a",
	 "1 0 n1:3; 2 1 n2:3; 3 600 n1:2; 4 30 b n1:1"},
	{"of which it leaves the other one", "2x4", FIRST, "",
	 "0 3x600/600:N1 a; 1 3x1200/1200:N1 a; 2 2x60/60:N1 a; 3 1x900/900:N1 a",
	 "1 0 n1:3; 2 1 n2:3; 3 600 n1:2; 4 30 b n2:1"},
	{"the plan waits for the last of as many nodes", "3x4", FIRST, "",
	 "0 4x600/600:N1 a; 1 4x1200/1200:N1 a; 2 6x60/60:N3 a; 3 4x500/500:N1 a; 4 4x1300/1300:N1 "
	 "a",
	 "1 0 n1:4; 2 1 n2:4; 3 1201 n1:2 n2:2 n3:2; 4 30 b n3:4; 5 1261 n1:4"},
	{"a larger part waits for a node with room for it", "2x4", FIRST, "",
	 "0 3x600/600:N1 a; 1 2x1200/1200:N1 a; 2 5x60/60:N2 a; 3 1x500/500:N1 a",
	 "1 0 n1:3; 2 1 n2:2; 3 600 n1:3 n2:2; 4 30 b n1:1"},
};

Test(replay_shape, jobs_are_placed_on_as_many_nodes_as_they_had)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		replay_check_example(&cases[i], NULL);
}

/* ---- whatever comes ---- */

/* Random jobs have the nodes that they need at least, and up to three more. */
static struct maui_replay_trace *shaped_trace(uint64_t seed, uint32_t nodes, uint32_t cpus)
{
	struct maui_replay_trace *trace = replay_random_trace(seed, nodes * cpus, 60);

	for (size_t i = 0; i < trace->count; i++) {
		struct maui_replay_job *job = &trace->jobs[i];
		uint32_t least = (job->procs + cpus - 1) / cpus;
		uint32_t had = least + replay_roll(&seed, 4);

		had = had < nodes ? had : nodes;
		job->had_nodes = had < job->procs ? had : job->procs;
	}
	return trace;
}

static void check_shape(const struct maui_replay_trace *trace,
			const struct maui_replay_schedule *schedule, size_t job)
{
	const struct maui_replay_share *share = &schedule->shares[schedule->first_share[job]];
	uint32_t had = trace->jobs[job].had_nodes, least = trace->jobs[job].procs / had, sum = 0;

	cr_assert_eq(schedule->share_count[job], had, "job %zu", job);
	for (uint32_t i = 0; i < had; i++) {
		cr_assert(share[i].cpus == least || share[i].cpus == least + 1, "job %zu", job);
		sum += share[i].cpus;
	}
	cr_assert_eq(sum, trace->jobs[job].procs, "job %zu", job);
}

/* When a job begins, those that run on each of its nodes have no more than the node. */
static void check_room(const struct maui_replay_trace *trace,
		       const struct maui_replay_schedule *schedule, uint32_t cpus, int64_t now)
{
	uint32_t used[64] = {0};

	for (size_t i = 0; i < trace->count; i++) {
		const struct maui_replay_share *share = &schedule->shares[schedule->first_share[i]];

		if (schedule->started[i] > now || schedule->started[i] + trace->jobs[i].run <= now)
			continue;
		for (uint32_t k = 0; k < schedule->share_count[i]; k++)
			used[share[k].node] += share[k].cpus;
	}
	for (uint32_t i = 0; i < 64; i++)
		cr_assert_leq(used[i], cpus, "node %u at %" PRId64, i, now);
}

/* One of no known number of nodes has as many as its partition lets it. */
static void check_limits(const struct maui_replay_trace *trace,
			 const struct maui_replay_nodes *nodes,
			 const struct maui_replay_schedule *schedule, size_t job)
{
	uint32_t class = trace->jobs[job].credential[MAUI_CLASS];
	const struct maui_replay_partition *partition = maui_replay_nodes_find_partition(
		nodes, maui_intern_name(trace->names[MAUI_CLASS], class));
	uint32_t procs = trace->jobs[job].procs;
	uint32_t least = partition->min_nodes < procs ? partition->min_nodes : procs;

	cr_assert_leq(schedule->share_count[job], partition->max_nodes, "job %zu", job);
	cr_assert_geq(schedule->share_count[job], least, "job %zu", job);
}

static void run_random(const char *partitions, uint64_t seed, bool shaped)
{
	struct maui_replay_nodes *nodes = replay_nodes("7x6");
	struct maui_replay_trace *trace =
		shaped ? shaped_trace(seed, 7, 6) : replay_random_trace(seed, 42, 60);
	struct maui_replay_requests *requests;
	struct maui_replay_site site = replay_site("shape", FIRST, "", 42);
	struct maui_replay_schedule schedule;
	struct maui_replay_counts counts;
	struct maui_error error = {""};

	replay_add_partitions(nodes, partitions);
	site.requests = requests = maui_replay_requests_new(trace, nodes);
	cr_assert_eq(trace->lacking[MAUI_REPLAY_NO_NODES], 0);
	cr_assert_eq(maui_replay_site_run(trace, &site, &schedule, &counts, &error), 0, "%s",
		     error.text);
	for (size_t i = 0; i < trace->count; i++) {
		cr_assert_neq(schedule.started[i], MAUI_REPLAY_UNKNOWN, "job %zu", i);
		if (shaped)
			check_shape(trace, &schedule, i);
		else
			check_limits(trace, nodes, &schedule, i);
		check_room(trace, &schedule, 6, schedule.started[i]);
	}
	maui_replay_schedule_clear(&schedule);
	maui_policy_unref(site.policy);
	maui_replay_requests_free(requests);
	maui_replay_trace_free(trace);
	maui_replay_nodes_free(nodes);
}

Test(replay_shape, random_jobs_keep_it)
{
	for (uint64_t seed = 1; seed <= 6; seed++)
		run_random("", seed, true);
}

Test(replay_shape, random_jobs_have_what_their_partition_lets_them)
{
	for (uint64_t seed = 1; seed <= 6; seed++)
		run_random("c=n1,n2,n3,n4/2-3;d=n2,n3,n4,n5,n6,n7/1-4", seed, false);
}
