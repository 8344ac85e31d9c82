/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/policy/nodes/nodealloc_fixture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

TEST_NODES(firstavailable_is_the_order_of_the_list, 4)
{
	expect_ranks(f, MAUI_FIRSTAVAILABLE, "0 1 2 3");
	cr_expect_eq(f->outcome.ranks, 4);
	f->need.tasks = 9;
	expect_nodes(f, MAUI_FIRSTAVAILABLE, "0:4 1:4 2:4");
}

TEST_NODES(affinity_comes_before_every_policy, 6)
{
	static const enum maui_affinity marks[] = {
		MAUI_AFFINITY_PREEMPTIBLE, MAUI_AFFINITY_NEGATIVE, MAUI_AFFINITY_NONE,
		MAUI_AFFINITY_NEUTRAL,     MAUI_AFFINITY_POSITIVE, MAUI_AFFINITY_REQUIRED};
	double speeds[] = {6, 5, 4, 3, 2, 1};

	for (int i = 0; i < 6; i++) {
		f->nodes[i].affinity = marks[i];
		f->nodes[i].load = i;
		f->nodes[i].memory = 100 << i;
	}
	set_speeds(f, speeds);
	f->need.tasks = 100;
	for (enum maui_nodealloc_policy policy = 0; policy < MAUI_NODEALLOC_POLICIES; policy++)
		expect_ranks(f, policy, "5 4 3 2 1 0");
}

TEST_NODES(lastavailable_is_the_best_fit_in_time_and_then_the_list_from_its_end, 5)
{
	f->nodes[1].available_until = 2000;
	f->nodes[3].available_until = 1000;
	f->nodes[4].available_until = 2000;
	expect_ranks(f, MAUI_LASTAVAILABLE, "4 2 3 0 1");
	f->nodes[3].available_until = -5;
	expect_ranks(f, MAUI_LASTAVAILABLE, "4 2 3 0 1");
	for (int i = 0; i < 5; i++)
		f->nodes[i].available_until = MAUI_NODE_FOREVER;
	expect_ranks(f, MAUI_LASTAVAILABLE, "4 3 2 1 0");
}

TEST_NODES(cpuload_takes_tiers_of_a_tenth_from_the_end_of_the_list, 5)
{
	f->nodes[0].load = 0.05; /* within the tier of node 2 */
	f->nodes[1].load = 3;
	f->nodes[3].dedicated_procs = 3;
	f->nodes[4].load = 7.5;
	expect_ranks(f, MAUI_CPULOAD, "1 3 0 2 4");
	/* D-NODE-4: tier after tier, and a node without idle processors last. */
	f->need.tasks = 20;
	expect_nodes(f, MAUI_CPULOAD, "2:4 0:4 3:4 1:4 4:4");
	f->nodes[4].load = 20;
	expect_nodes(f, MAUI_CPULOAD, "2:4 0:4 3:4 1:4 4:4");
}

TEST_NODES(cpuload_of_jobs_that_start_later_is_minresource, 3)
{
	f->nodes[0].load = 1;
	f->nodes[2].load = 2;
	f->nodes[1].memory = 64;
	f->need.immediate = false;
	expect_ranks(f, MAUI_CPULOAD, "2 0 1");
	cr_expect_eq(f->outcome.policy, MAUI_MINRESOURCE);
	f->need.immediate = true;
	expect_ranks(f, MAUI_CPULOAD, "1 0 2");
	cr_expect_eq(f->outcome.policy, MAUI_CPULOAD);
}

TEST_NODES(minresource_goes_by_memory_class_then_processors_then_disk_then_the_list_reversed, 8)
{
	static const double memory[] = {65, 128, 64, 100, 64, 64, 20000, 9000};
	static const double procs[] = {8, 8, 8, 4, 8, 2, 1, 9};

	for (int i = 0; i < 8; i++) {
		f->nodes[i].memory = memory[i];
		f->nodes[i].procs = procs[i];
	}
	expect_ranks(f, MAUI_MINRESOURCE, "5 4 2 3 1 0 7 6");
	f->nodes[4].disk = 10;
	f->nodes[1].disk = 10;
	expect_ranks(f, MAUI_MINRESOURCE, "4 5 1 3 2 0 7 6");
}

TEST_NODES(minresource_gives_multiples_of_the_tasks_per_node, 3)
{
	f->nodes[2].tasks = 5;
	f->need.tasks = 6;
	f->need.tasks_per_node = 2;
	expect_nodes(f, MAUI_MINRESOURCE, "2:4 1:4");
	expect_nodes(f, MAUI_LASTAVAILABLE, "2:5 1:4");
	f->need.tasks_per_node = 5;
	f->need.tasks = 5;
	expect_nodes(f, MAUI_FIRSTAVAILABLE, "2:5");
}

TEST_NODES(fastest_goes_by_speed_and_by_processor_speed_where_that_is_the_same, 4)
{
	static const double speeds[] = {1, 2.5, 1, 2.5}, same[] = {1.5, 1.5, 1.5, 1.5};

	set_speeds(f, speeds);
	expect_ranks(f, MAUI_FASTEST, "1 0 1 0");
	f->settings[0].procspeed = 3000;
	expect_ranks(f, MAUI_FASTEST, "1 0 1 0");
	set_speeds(f, same);
	f->settings[2].procspeed = 1000;
	expect_ranks(f, MAUI_FASTEST, "0 2 1 2");
	f->settings[0].procspeed = f->settings[2].procspeed = 0;
	expect_ranks(f, MAUI_FASTEST, "0 0 0 0");
}

TEST_NODES(maxbalance_prefers_identical_speeds_and_of_those_the_fastest, 6)
{
	static const double speeds[] = {1, 2, 1, 3, 2, 1};

	set_speeds(f, speeds);
	f->need.tasks = 4; /* one node is perfectly balanced: the fastest */
	expect_nodes(f, MAUI_MAXBALANCE, "3:4");
	f->need.tasks = 8;
	expect_nodes(f, MAUI_MAXBALANCE, "1:4 4:4");
	expect_ranks(f, MAUI_MAXBALANCE, "1 0 1 1 0 1");
	f->need.tasks = 12;
	expect_nodes(f, MAUI_MAXBALANCE, "0:4 2:4 5:4");
	/* Now no three are the same: the least span, at its fast end. */
	f->nodes[5].tasks = 0;
	expect_nodes(f, MAUI_MAXBALANCE, "3:4 1:4 4:4");
	f->need.tasks = 4;
	f->need.nodes = 4;
	expect_nodes(f, MAUI_MAXBALANCE, "1:4 4:4 0:4 2:4");
	f->need.nodes = 6;
	expect_nodes(f, MAUI_MAXBALANCE, "");
}

TEST_NODES(maxbalance_is_met_affinity_by_affinity, 5)
{
	static const double speeds[] = {1, 3, 2, 3, 2};

	set_speeds(f, speeds);
	f->nodes[0].affinity = MAUI_AFFINITY_POSITIVE;
	f->need.tasks = 12; /* 4 of them on node 0: two of the same speed are missing */
	expect_nodes(f, MAUI_MAXBALANCE, "0:4 1:4 3:4");
	f->nodes[1].tasks = 3;
	expect_nodes(f, MAUI_MAXBALANCE, "0:4 2:4 4:4");
}

TEST_NODES(contiguous_takes_the_first_run_that_is_enough, 6)
{
	static const uint32_t positions[] = {0, 1, 3, 4, 5, 7};

	for (int i = 0; i < 6; i++)
		f->nodes[i].position = positions[i];
	f->need.tasks = 8;
	expect_nodes(f, MAUI_CONTIGUOUS, "0:4 1:4");
	expect_ranks(f, MAUI_CONTIGUOUS, "0 0 1 1 1 1");
	f->need.tasks = 9;
	expect_nodes(f, MAUI_CONTIGUOUS, "2:4 3:4 4:4");
	f->need.tasks = 4;
	f->need.nodes = 3;
	expect_nodes(f, MAUI_CONTIGUOUS, "2:4 3:4 4:4");
	f->need.nodes = 4;
	expect_nodes(f, MAUI_CONTIGUOUS, "");
	expect_ranks(f, MAUI_CONTIGUOUS, "0 0 0 0 0 0");
	/* A node that cannot take enough is a gap. */
	f->need.nodes = 0;
	f->need.tasks = 8;
	f->need.tasks_per_node = 4;
	f->nodes[1].tasks = 3;
	expect_nodes(f, MAUI_CONTIGUOUS, "2:4 3:4");
}

TEST_NODES(contiguous_goes_by_slots_where_nodes_have_them, 4)
{
	static const int64_t slots[] = {5, 1, 2, 7}, frames[] = {1, 1, 1, 2};

	for (int i = 0; i < 4; i++) {
		f->settings[i].slot = slots[i];
		f->settings[i].frame = frames[i];
		f->nodes[i].settings = &f->settings[i];
	}
	f->need.tasks = 8;
	expect_nodes(f, MAUI_CONTIGUOUS, "1:4 2:4");
	f->settings[2].size = 3; /* slots 2, 3 and 4: node 0 is its neighbour */
	f->need.tasks = 12;
	expect_nodes(f, MAUI_CONTIGUOUS, "0:4 1:4 2:4");
	f->settings[0].size = 2; /* slots 5 and 6; node 3 is in another frame */
	f->need.tasks = 16;
	expect_nodes(f, MAUI_CONTIGUOUS, "");
}

TEST_NODES(contiguous_adds_affinities_until_there_is_a_run, 5)
{
	f->nodes[0].affinity = MAUI_AFFINITY_NEGATIVE;
	f->nodes[3].affinity = MAUI_AFFINITY_POSITIVE;
	f->need.tasks = 4;
	expect_nodes(f, MAUI_CONTIGUOUS, "3:4");
	f->need.tasks = 8;
	expect_nodes(f, MAUI_CONTIGUOUS, "1:4 2:4");
	f->need.tasks = 16;
	expect_nodes(f, MAUI_CONTIGUOUS, "1:4 2:4 3:4 4:4");
	f->need.tasks = 20;
	expect_nodes(f, MAUI_CONTIGUOUS, "0:4 1:4 2:4 3:4 4:4");
}

static int most_jobs_last(const struct maui_nodealloc_local_request *request, uint32_t *ranks)
{
	if (request->version != MAUI_NODEALLOC_LOCAL_VERSION || request->tasks != 1 ||
	    !request->immediate || !request->job || request->job->id != 42)
		return 99;
	for (uint32_t i = 0; i < request->node_count; i++)
		ranks[i] = (uint32_t)maui_nodealloc_local_node(request, i)->jobs;
	return 0;
}

static int fail_with_ranks(const struct maui_nodealloc_local_request *request, uint32_t *ranks)
{
	ranks[0] = 7;
	return 3;
}

TEST_NODES(local_asks_the_sites_function, 4)
{
	static const struct maui_nodealloc_local_job job = {.id = 42, .user = "bob"};

	f->nodes[0].jobs = 4000000;
	f->nodes[3].jobs = 1;
	f->need.local = most_jobs_last;
	f->need.local_job = &job;
	expect_ranks(f, MAUI_LOCAL, "2 0 0 1");
	cr_expect_eq(f->outcome.policy, MAUI_LOCAL);
	cr_expect_not(f->outcome.local_failed);
	expect_nodes(f, MAUI_LOCAL, "1:1");
}

static int say_nothing(const struct maui_nodealloc_local_request *request, uint32_t *ranks)
{
	return 0;
}

/* The workspace is the same for the next job: its ranks are not the last one's. */
TEST_NODES(local_that_says_nothing_of_a_node_takes_it_first, 3)
{
	static const struct maui_nodealloc_local_job job = {.id = 42, .user = "bob"};

	f->nodes[0].jobs = 2;
	f->need.local = most_jobs_last;
	f->need.local_job = &job;
	expect_ranks(f, MAUI_LOCAL, "1 0 0");
	f->need.local = say_nothing;
	expect_ranks(f, MAUI_LOCAL, "0 0 0");
}

TEST_NODES(local_that_is_missing_or_fails_is_told_and_the_default_serves, 3)
{
	expect_ranks(f, MAUI_LOCAL, "2 1 0");
	cr_expect(f->outcome.local_failed);
	cr_expect_eq(f->outcome.local_status, 0);
	cr_expect_eq(f->outcome.policy, MAUI_LASTAVAILABLE);
	f->need.local = fail_with_ranks;
	expect_ranks(f, MAUI_LOCAL, "2 1 0");
	cr_expect(f->outcome.local_failed);
	cr_expect_eq(f->outcome.local_status, 3);
	maui_nodealloc_workspace_free(f->workspace);
	f->workspace = maui_nodealloc_workspace_new(f->count, false);
	expect_ranks(f, MAUI_LOCAL, "2 1 0");
	cr_expect(f->outcome.local_failed);
}

TEST_NODES(tasks_and_nodes_are_both_to_be_met, 4)
{
	f->need.tasks = 2;
	f->need.nodes = 3;
	expect_nodes(f, MAUI_FIRSTAVAILABLE, "0:2 1:2 2:2");
	f->need.nodes = 5;
	expect_nodes(f, MAUI_FIRSTAVAILABLE, "");
	f->need.nodes = 2;
	f->need.tasks = 6;
	f->need.tasks_per_node_limit = 3;
	expect_nodes(f, MAUI_FIRSTAVAILABLE, "0:3 1:3");
	f->need.tasks = 13;
	expect_nodes(f, MAUI_FIRSTAVAILABLE, "");
	f->need = (struct maui_nodealloc_need){.nodes = 1};
	expect_nodes(f, MAUI_FIRSTAVAILABLE, "0:4");
}

TEST_NODES(wrong_arguments_are_refused_and_nothing_is_touched, 3)
{
	struct maui_error error = {""};
	uint32_t ranks[ROOM] = {77};

#define RANK(POLICY, NEED, NODES, COUNT, WORKSPACE, RANKS)                                         \
	maui_nodealloc_rank(POLICY, NEED, NODES, COUNT, WORKSPACE, RANKS, NULL, &error)
	cr_expect_eq(RANK(MAUI_NODEALLOC_POLICIES, &f->need, f->nodes, 3, f->workspace, ranks),
		     -EINVAL);
	cr_expect_eq(RANK(MAUI_FASTEST, NULL, f->nodes, 3, f->workspace, ranks), -EINVAL);
	cr_expect_eq(RANK(MAUI_FASTEST, &f->need, NULL, 3, f->workspace, ranks), -EINVAL);
	cr_expect_eq(RANK(MAUI_FASTEST, &f->need, f->nodes, 3, NULL, ranks), -EINVAL);
	cr_expect_eq(RANK(MAUI_FASTEST, &f->need, f->nodes, 3, f->workspace, NULL), -EINVAL);
	cr_expect_eq(RANK(MAUI_FASTEST, &f->need, f->nodes, 4, f->workspace, ranks), -ENOSPC);
	cr_expect(strstr(error.text, "4 nodes to order, but there is room for 3"), "%s",
		  error.text);
	for (int i = 0; i < 3; i++) {
		f->nodes[i].affinity = MAUI_AFFINITIES;
		cr_expect_eq(RANK(MAUI_FASTEST, &f->need, f->nodes, 3, f->workspace, ranks),
			     -EINVAL);
		cr_expect_eq(ranks[0], 77);
		f->nodes[i].affinity = MAUI_AFFINITY_NONE;
	}
	cr_expect_eq(RANK(MAUI_FASTEST, &f->need, NULL, 0, f->workspace, ranks), 0);
}

Test(nodealloc, names_of_policies_are_found_in_any_case)
{
	for (enum maui_nodealloc_policy policy = 0; policy < MAUI_NODEALLOC_POLICIES; policy++)
		cr_expect_eq(maui_nodealloc_policy_find(maui_nodealloc_policy_name(policy)),
			     policy);
	cr_expect_eq(maui_nodealloc_policy_find("maxBalance"), MAUI_MAXBALANCE);
	cr_expect_eq(maui_nodealloc_policy_find("MINLOCAL"), MAUI_NODEALLOC_POLICIES);
	cr_expect_eq(maui_nodealloc_policy_find(NULL), MAUI_NODEALLOC_POLICIES);
	cr_expect_str_eq(maui_nodealloc_policy_name(MAUI_NODEALLOC_POLICIES), "");
}

Test(nodealloc, every_policy_is_a_word_of_the_key_and_every_word_a_policy)
{
	const char *const *words = maui_key_info(MAUI_KEY_NODEALLOCATIONPOLICY)->keywords;
	size_t count = 0;

	for (; words[count]; count++)
		cr_expect_lt(maui_nodealloc_policy_find(words[count]), MAUI_NODEALLOC_POLICIES,
			     "%s", words[count]);
	cr_expect_eq(count, MAUI_NODEALLOC_POLICIES);
}

Test(nodealloc, the_policy_of_a_partition_is_its_own_or_the_global_one)
{
	static const char text[] =
		"NODEALLOCATIONPOLICY fastest\nNODEALLOCATIONPOLICY[b] CPULOAD\n";
	struct maui_config *config = NULL;

	cr_assert_eq(maui_config_parse("maui.cfg", text, strlen(text), NULL, &config, NULL), 0);
	cr_expect_eq(maui_nodealloc_policy_of(config, NULL), MAUI_FASTEST);
	cr_expect_eq(maui_nodealloc_policy_of(config, "a"), MAUI_FASTEST);
	cr_expect_eq(maui_nodealloc_policy_of(config, "b"), MAUI_CPULOAD);
	maui_config_unref(config);
	cr_assert_eq(maui_config_parse("maui.cfg", "", 0, NULL, &config, NULL), 0);
	cr_expect_eq(maui_nodealloc_policy_of(config, NULL), MAUI_LASTAVAILABLE);
	cr_expect_eq(maui_nodealloc_policy_of(NULL, NULL), MAUI_LASTAVAILABLE);
	maui_config_unref(config);
}

Test(nodealloc, ranks_of_many_nodes_are_dense_and_follow_the_values)
{
	enum { MANY = 20000 };
	struct maui_nodealloc_workspace *workspace = maui_nodealloc_workspace_new(MANY, false);
	struct maui_node_candidate *many = calloc(MANY, sizeof(*many));
	struct maui_nodealloc_need need = {.tasks = 1, .immediate = true};
	struct maui_node_settings settings = maui_node_no_settings;
	uint32_t *ranks = calloc(MANY, sizeof(*ranks));
	struct maui_nodealloc_outcome outcome;

	cr_assert(workspace && many && ranks);
	cr_assert_eq(maui_node_formula_parse("LOAD", NULL, &settings.formula, NULL, NULL), 0);
	for (uint32_t i = 0; i < MANY; i++)
		many[i] = (struct maui_node_candidate){
			.settings = &settings, .tasks = 1, .load = i * UINT32_C(7919) % 5000};
	cr_assert_eq(maui_nodealloc_rank(MAUI_PRIORITY, &need, many, MANY, workspace, ranks,
					 &outcome, NULL),
		     0);
	cr_expect_eq(outcome.ranks, 5000);
	for (uint32_t i = 0; i < MANY; i++)
		cr_assert_eq(ranks[i], 4999 - (uint32_t)many[i].load);
	maui_nodealloc_workspace_free(workspace);
	free(many);
	free(ranks);
}

TEST_NODES(some_policies_go_by_the_list_alone_while_nothing_is_kept, 4)
{
	double speeds[] = {6, 9, 4, 3};

	set_speeds(f, speeds);
	for (int i = 0; i < 4; i++) {
		f->nodes[i].load = 3 - i;
		f->nodes[i].memory = 100 << (i & 1);
		f->nodes[i].available_until = MAUI_NODE_FOREVER;
	}
	for (enum maui_nodealloc_policy policy = 0; policy < MAUI_NODEALLOC_POLICIES; policy++) {
		enum maui_nodealloc_list list = maui_nodealloc_list_of(policy);

		if (list != MAUI_LIST_NONE)
			expect_ranks(f, policy, list == MAUI_LIST_FORWARD ? "0 1 2 3" : "3 2 1 0");
	}
	cr_expect_eq(maui_nodealloc_list_of(MAUI_FIRSTAVAILABLE), MAUI_LIST_FORWARD);
	cr_expect_eq(maui_nodealloc_list_of(MAUI_LASTAVAILABLE), MAUI_LIST_REVERSE);
	cr_expect_eq(maui_nodealloc_list_of(MAUI_MINRESOURCE), MAUI_LIST_NONE);
}
