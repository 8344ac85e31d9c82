/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>

#include "plugins/select/order.h"

#define MOST_CLASSES 512

struct order_case {
	const char *name;
	uint32_t count;
	struct order_class each; /* all classes are alike, except for the first */
	struct order_class first;
	uint32_t candidates; /* 0: the classes' nodes */
	struct order_demand demand;
	struct order_plan expected;
};

static const struct order_case cases[] = {
	{
		.name = "one node: one, and four to spare",
		.count = 100,
		.each = {1, 8},
		.first = {1, 8},
		.demand = {1, 8},
		.expected = {.few = 5, .exact = 100},
	},
	{
		.name = "a quarter more nodes than asked for, and four",
		.count = 100,
		.each = {1, 8},
		.first = {1, 8},
		.demand = {16, 16},
		.expected = {.few = 24, .exact = 100},
	},
	{
		.name = "a quarter more CPUs than asked for",
		.count = 100,
		.each = {1, 8},
		.first = {1, 8},
		.demand = {1, 160},
		.expected = {.few = 25, .exact = 100},
	},
	{
		.name = "a class is whole",
		.count = 20,
		.each = {10, 80},
		.first = {3, 24},
		.demand = {1, 8},
		.expected = {.few = 2, .exact = 20},
	},
	{
		.name = "classes whose nodes are all busy are passed over",
		.count = 100,
		.each = {1, 8},
		.first = {0, 0},
		.candidates = 100,
		.demand = {1, 8},
		.expected = {.few = 6, .exact = 100},
	},
	{
		.name = "half of all nodes is a few no more",
		.count = 10,
		.each = {1, 8},
		.first = {1, 8},
		.demand = {2, 2},
		.expected = {.few = 0, .exact = 10},
	},
	{
		.name = "one class of all nodes is all nodes",
		.count = 1,
		.each = {1, 8},
		.first = {100, 800},
		.demand = {1, 8},
		.expected = {.few = 0, .exact = 1},
	},
	{
		.name = "what is not there is not tried",
		.count = 100,
		.each = {1, 8},
		.first = {1, 8},
		.demand = {1, 10000},
		.expected = {.few = 0, .exact = 100},
	},
	{
		.name = "behind the first nodes all weigh the same",
		.count = 512,
		.each = {1, 8},
		.first = {1, 8},
		.demand = {1, 8},
		.expected = {.few = 5, .exact = ORDER_EXACT_NODES},
	},
	{
		.name = "a job of many nodes has them all in order",
		.count = 512,
		.each = {1, 8},
		.first = {1, 8},
		.candidates = 10000,
		.demand = {300, 300},
		.expected = {.few = 379, .exact = 379},
	},
	{
		.name = "no class",
		.demand = {1, 1},
		.expected = {.few = 0, .exact = 0},
	},
};

Test(order, is_planned_as_the_table_says)
{
	static struct order_class classes[MOST_CLASSES];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct order_case *c = &cases[i];
		uint32_t candidates = c->candidates;
		struct order_plan got;

		for (uint32_t rank = 0; rank < c->count; rank++) {
			classes[rank] = rank ? c->each : c->first;
			candidates += c->candidates ? 0 : classes[rank].nodes;
		}
		got = order_plan(classes, c->count, candidates, c->demand);
		cr_expect_eq(got.few, c->expected.few, "%s: the first %u classes", c->name,
			     got.few);
		cr_expect_eq(got.exact, c->expected.exact, "%s: %u classes in order", c->name,
			     got.exact);
	}
}

Test(order, keeps_ranks_before_the_shared_one_apart)
{
	struct order_plan plan = {.exact = 3};

	cr_assert_eq(order_shared_rank(&plan, 0), 0);
	cr_assert_eq(order_shared_rank(&plan, 2), 2);
	cr_assert_eq(order_shared_rank(&plan, 3), 3);
	cr_assert_eq(order_shared_rank(&plan, 4000), 3);
}
