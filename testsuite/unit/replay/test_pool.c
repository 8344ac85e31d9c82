/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pool of processors has the schedule of as many nodes of one processor, if each end is a step of
 * a plan: D-RPL-6. */
#include "testsuite/unit/replay/nodes_fixture.h"
#include "testsuite/unit/replay/random_fixture.h"

#define WAITS "RMPOLLINTERVAL 30\nSERVWEIGHT 1\nQUEUETIMEWEIGHT 10\n"

static const struct {
	const char *name, *nodes, *config, *parameters;
	uint32_t procs;
	int64_t unit; /* of time limits */
	uint64_t seeds;
} cases[] = {
	{"time limits that are multiples of bf_resolution", "32x1", WAITS, "", 32, 60, 80},
	{"others", "32x1", WAITS, "", 32, 47, 5},
	{"of a few seconds", "32x1", WAITS, "", 32, 7, 5},
	{"longer than bf_interval by far", "32x1", WAITS, "", 32, 1201, 5},
	{"more than one word of processors", "70x1", WAITS, "", 70, 331, 5},
	{"a coarse bf_resolution", "32x1", WAITS, "bf_resolution=600", 32, 247, 5},
	{"a fine one", "32x1", WAITS, "bf_resolution=1", 32, 247, 5},
	{"many that end when others begin", "32x1", WAITS, "bf_resolution=1", 32, 30, 5},
	{"a short bf_window", "32x1", WAITS, "bf_window=5", 32, 111, 5},
	{"a short table", "32x1", WAITS, "bf_max_job_test=9,default_queue_depth=5", 32, 111, 5},
	{"plans for some", "32x1", WAITS "CREDWEIGHT 1\nUSERWEIGHT 1\nUSERCFG[a] PRIORITY=400\n",
	 "bf_min_prio_reserve=300", 32, 111, 5},
	{"the first nodes first", "32x1", WAITS "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n", "", 32,
	 111, 5},
	{"limits and expansion factors", "32x1",
	 WAITS "XFACTORWEIGHT 100\nUSERCFG[DEFAULT] MAXJOB=3 MAXPROC=20\n", "", 32, 111, 5},
	{"fairshare", "32x1",
	 WAITS "FSPOLICY DEDICATEDPS\nFSINTERVAL 1:00:00\nFSDEPTH 4\nFSDECAY 0.7\nFSWEIGHT 1\n"
	       "FSUSERWEIGHT 50\nUSERCFG[DEFAULT] FSTARGET=20\n",
	 "", 32, 111, 5},
};

/* requests: NULL: a pool. */
static void run(const struct maui_replay_trace *trace, struct maui_replay_site *site,
		const struct maui_replay_requests *requests,
		struct maui_replay_schedule *ret_schedule)
{
	struct maui_replay_counts counts;
	struct maui_error error = {""};

	site->requests = requests;
	cr_assert_eq(maui_replay_site_run(trace, site, ret_schedule, &counts, &error), 0, "%s",
		     error.text);
}

static void compare(const char *name, uint64_t seed, struct maui_replay_trace *trace,
		    struct maui_replay_site *site, const struct maui_replay_nodes *nodes)
{
	struct maui_replay_requests *requests = maui_replay_requests_new(trace, nodes);
	struct maui_replay_schedule on_pool, on_nodes;

	run(trace, site, NULL, &on_pool);
	run(trace, site, requests, &on_nodes);
	for (size_t i = 0; i < trace->count; i++)
		cr_assert(on_pool.started[i] == on_nodes.started[i] &&
				  on_pool.backfilled[i] == on_nodes.backfilled[i],
			  "%s, seed %" PRIu64 ", job %zu: %" PRId64 ", on nodes %" PRId64, name,
			  seed, i + 1, on_pool.started[i], on_nodes.started[i]);
	maui_replay_schedule_clear(&on_pool);
	maui_replay_schedule_clear(&on_nodes);
	maui_replay_requests_free(requests);
}

Test(replay_pool, is_nodes_of_one_processor)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_replay_nodes *nodes = replay_nodes(cases[i].nodes);
		struct maui_replay_site site = replay_site(cases[i].name, cases[i].config,
							   cases[i].parameters, cases[i].procs);

		site.parameters.first_window = 0;
		for (uint64_t seed = 1; seed <= cases[i].seeds; seed++) {
			struct maui_replay_trace *trace =
				replay_random_trace(seed, cases[i].procs, cases[i].unit);

			compare(cases[i].name, seed, trace, &site, nodes);
			maui_replay_trace_free(trace);
		}
		maui_policy_unref(site.policy);
		maui_replay_nodes_free(nodes);
	}
}
