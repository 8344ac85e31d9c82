/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PRIORITY: the value of a node. */
#include "testsuite/unit/policy/nodes/nodealloc_fixture.h"

#include <math.h>

static void set_formula(struct fixture *fixture, uint32_t node, const char *text)
{
	static struct maui_node_gres gres;

	cr_assert_eq(
		maui_node_formula_parse(text, &gres, &fixture->settings[node].formula, NULL, NULL),
		0);
	fixture->nodes[node].settings = &fixture->settings[node];
}

TEST_NODES(example_1_favors_fast_nodes_with_memory_and_few_jobs, 4)
{
	static const double speeds[] = {1, 2, 1, 2};

	set_speeds(f, speeds);
	for (uint32_t i = 0; i < 4; i++) {
		set_formula(f, i, "SPEED+ .01 * AMEM - 10 * JOBCOUNT");
		f->nodes[i].available_memory = 500;
	}
	f->nodes[3].jobs = 1;
	f->nodes[2].available_memory = 700; /* 1 + 7; node 1: 2 + 5; node 0: 1 + 5 */
	expect_ranks(f, MAUI_PRIORITY, "2 1 0 3");
}

TEST_NODES(example_2_favors_batch_nodes_then_idle_desktops, 4)
{
	for (uint32_t i = 0; i < 2; i++)
		set_formula(f, i, "-LOAD - 5*USAGE");
	for (uint32_t i = 2; i < 4; i++) {
		set_formula(f, i, "PRIORITY + APROCS");
		f->settings[i].priority = 1000;
	}
	f->nodes[0].load = 2;
	f->nodes[1].usage = 1; /* percent: -5 */
	f->nodes[2].dedicated_procs = 3;
	expect_ranks(f, MAUI_PRIORITY, "2 3 1 0");
	/* A ratio instead of the percentage would have put node 1 first. */
	cr_expect_eq(maui_node_value(&f->nodes[1], true), -5);
}

TEST_NODES(example_3_packs_onto_loaded_nodes_and_equal_ones_keep_the_list, 5)
{
	for (uint32_t i = 0; i < 5; i++)
		set_formula(f, i, "JOBCOUNT");
	f->nodes[1].jobs = 2;
	f->nodes[3].jobs = 2;
	f->nodes[4].jobs = 1;
	expect_ranks(f, MAUI_PRIORITY, "2 0 2 0 1");
	f->need.tasks = 9;
	expect_nodes(f, MAUI_PRIORITY, "1:4 3:4 4:4");
	/* Nobody knows what runs there later. */
	f->need.immediate = false;
	expect_ranks(f, MAUI_PRIORITY, "0 0 0 0 0");
}

TEST_NODES(dynamic_components_count_for_immediate_starts_alone, 1)
{
	static const double now[MAUI_NODE_COMPONENTS] = {11, 22, 5, 33, 44, 55, 8,   66,
							 2,  3,  1, 77, 1,  9,  12.5};

	f->nodes[0] = (struct maui_node_candidate){.settings = &f->settings[0],
						   .affinity = MAUI_AFFINITY_REQUIRED,
						   .preferred = true,
						   .procs = 8,
						   .memory = 55,
						   .disk = 44,
						   .swap = 66,
						   .dedicated_procs = 3,
						   .available_memory = 22,
						   .available_disk = 11,
						   .available_swap = 33,
						   .load = 3,
						   .jobs = 2,
						   .usage = 12.5};
	f->settings[0].priority = 77;
	f->settings[0].speed = 9;
	for (unsigned int c = 0; c < MAUI_NODE_COMPONENTS; c++) {
		set_formula(f, 0, maui_node_component_name(c));
		cr_expect_eq(maui_node_value(f->nodes, true), now[c], "%s",
			     maui_node_component_name(c));
		cr_expect_eq(maui_node_value(f->nodes, false),
			     maui_node_component_dynamic(c) ? 0 : now[c], "%s",
			     maui_node_component_name(c));
	}
	/* PROCSPEED, and the amounts in NODECFG, take precedence. */
	f->settings[0].procspeed = 2400;
	f->settings[0].memory = 1;
	f->settings[0].disk = 0;
	set_formula(f, 0, "SPEED + CMEM + CDISK");
	cr_expect_eq(maui_node_value(f->nodes, true), 2401);
}

TEST_NODES(jobs_without_gpus_stay_off_nodes_that_have_them, 4)
{
	struct maui_node_gres_amounts amounts[3] = {
		{{4, 4}, {3, 3}}, {{4}, {1}}, {{2, 2}, {3, 3}} /* gpu, gpu:a100 */
	};

	for (uint32_t i = 0; i < 4; i++)
		set_formula(f, i, "-100*CGRES[gpu] + AGRES[gpu:a100]");
	for (uint32_t i = 0; i < 3; i++)
		f->nodes[i].gres = &amounts[i];
	cr_expect_eq(maui_node_value(&f->nodes[0], true), -399);
	cr_expect_eq(maui_node_value(&f->nodes[0], false), -400);
	cr_expect_eq(maui_node_value(&f->nodes[1], true), -400);
	cr_expect_eq(maui_node_value(&f->nodes[2], true), -200, "not less than none is left");
	cr_expect_eq(maui_node_value(&f->nodes[3], true), 0);
	expect_ranks(f, MAUI_PRIORITY, "2 3 1 0");
	f->need.immediate = false;
	expect_ranks(f, MAUI_PRIORITY, "2 2 1 0");
}

TEST_NODES(an_explanation_has_every_term_and_their_sum, 1)
{
	struct maui_node_terms terms;

	set_formula(f, 0, "2*CPROCS - LOAD + 10 - .5*PREF");
	f->nodes[0].load = 1.5;
	f->nodes[0].preferred = true;
	maui_node_explain(f->nodes, true, &terms);
	cr_assert_eq(terms.count, 3);
	cr_expect_eq(terms.constant, 10);
	cr_expect_eq(terms.terms[0].component, MAUI_NODE_CPROCS);
	cr_expect_eq(terms.terms[0].coefficient, 2);
	cr_expect_eq(terms.terms[0].factor, 8);
	cr_expect_eq(terms.terms[0].product, 16);
	cr_expect_eq(terms.terms[1].product, -1.5);
	cr_expect_eq(terms.terms[2].product, -.5);
	cr_expect_eq(terms.value, 24);
	maui_node_explain(f->nodes, false, &terms);
	cr_expect_eq(terms.value, 25.5);
}

TEST_NODES(numbers_that_make_no_sense_are_0_and_none_is_infinite, 3)
{
	set_formula(f, 0, "-1e15*LOAD + 1e15*CMEM + 1e15*JOBCOUNT + 1e15*ADISK");
	f->nodes[0].load = NAN;
	f->nodes[0].memory = INFINITY;
	f->nodes[0].jobs = -3;
	f->nodes[0].available_disk = 1e300;
	cr_expect(isfinite(maui_node_value(&f->nodes[0], true)));
	f->nodes[1].load = INFINITY;
	f->nodes[2].procs = NAN;
	for (enum maui_nodealloc_policy policy = 0; policy < MAUI_NODEALLOC_POLICIES; policy++) {
		uint32_t ranks[ROOM];

		cr_expect_eq(maui_nodealloc_rank(policy, &f->need, f->nodes, 3, f->workspace, ranks,
						 NULL, NULL),
			     0);
		for (int i = 0; i < 3; i++)
			cr_expect_lt(ranks[i], 3);
	}
}
