/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>

#include "plugins/select/order.h"

#define MOST_CLASSES 512

struct order_case {
	const char *name;
	struct order_class each; /* all classes are alike, except for the first */
	struct order_class first;
	struct order_demand demand;
	uint32_t count;
	uint32_t candidates; /* 0: the classes' nodes */
	struct order_plan expected;
	bool is_counted; /* no node may lack anything */
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
		.name = "a job of many nodes gets the first of them in any order",
		.count = 512,
		.each = {1, 8},
		.first = {1, 8},
		.candidates = 10000,
		.demand = {300, 300},
		.expected = {.few = 368, .lead = 300, .exact = 368},
	},
	{
		.name = "the least number of nodes",
		.count = 512,
		.each = {1, 8},
		.first = {1, 8},
		.candidates = 10000,
		.demand = {ORDER_EXACT_NODES, ORDER_EXACT_NODES},
		.expected = {.few = 324, .lead = ORDER_EXACT_NODES, .exact = 324},
	},
	{
		.name = "a job of which all is counted needs fewer",
		.count = 512,
		.each = {1, 8},
		.first = {1, 8},
		.candidates = 10000,
		.demand = {300, 2400},
		.is_counted = true,
		.expected = {.few = 304, .lead = 300, .exact = 304},
	},
	{
		.name = "the first classes are whole, too",
		.count = 512,
		.each = {10, 80},
		.first = {0, 0},
		.candidates = 10000,
		.demand = {300, 300},
		.expected = {.few = 38, .lead = 31, .exact = 38},
	},
	{
		.name = "a job of fewer gets none in any order",
		.count = 512,
		.each = {1, 8},
		.first = {1, 8},
		.candidates = 10000,
		.demand = {ORDER_EXACT_NODES - 1, 1},
		.expected = {.few = 322, .exact = 322},
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
		got = order_plan(classes, c->count, candidates, c->demand, !c->is_counted);
		cr_expect_eq(got.few, c->expected.few, "%s: the first %u classes", c->name,
			     got.few);
		cr_expect_eq(got.lead, c->expected.lead, "%s: %u classes in any order", c->name,
			     got.lead);
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

Test(order, gives_the_first_ranks_one_weight)
{
	struct order_plan plan = {.lead = 3, .exact = 5};

	cr_assert_eq(order_shared_rank(&plan, 0), 0);
	cr_assert_eq(order_shared_rank(&plan, 2), 0);
	cr_assert_eq(order_shared_rank(&plan, 3), 3);
	cr_assert_eq(order_shared_rank(&plan, 5), 5);
	cr_assert_eq(order_shared_rank(&plan, 6), 5);
}

#define MOST_NODES 6

struct outcome_case {
	const char *name;
	const char *outcomes; /* of each node: t taken, l left, - of no matter */
	uint32_t ranks[MOST_NODES];
	bool first, first_but_the_last;
};

static const struct outcome_case outcomes[] = {
	{"none", "llll", {0, 1, 2, 3}, true, true},
	{"the first ones", "ttll", {0, 1, 2, 3}, true, true},
	{"by rank, not by place", "lltt", {2, 3, 1, 0}, true, true},
	{"one in between is left", "tltl", {0, 1, 2, 3}, false, true},
	{"one in between is of no matter", "t-tl", {0, 1, 2, 3}, true, true},
	{"one before the last but one is left", "tltt", {0, 1, 2, 3}, false, false},
	{"the first is left", "lttt", {0, 1, 2, 3}, false, false},
	{"only the last is taken", "lllt", {0, 1, 2, 3}, false, true},
	{"one of the last's rank is left", "ttl", {0, 1, 1}, true, true},
	{"one of the last two's rank is left", "tltt", {0, 1, 1, 1}, true, true},
	{"two of the last rank, and one before is left", "tltt", {0, 1, 2, 2}, false, false},
};

Test(order, sees_whether_the_first_were_taken)
{
	for (size_t i = 0; i < sizeof(outcomes) / sizeof(outcomes[0]); i++) {
		const struct outcome_case *c = &outcomes[i];
		uint8_t got[MOST_NODES];
		uint32_t count = 0;

		for (; c->outcomes[count]; count++)
			got[count] = c->outcomes[count] == 't'   ? ORDER_TAKEN
				     : c->outcomes[count] == 'l' ? ORDER_LEFT
								 : ORDER_NO_MATTER;
		cr_expect_eq(order_took_first(c->ranks, got, count, false), c->first, "%s",
			     c->name);
		cr_expect_eq(order_took_first(c->ranks, got, count, true), c->first_but_the_last,
			     "%s, the last may be any", c->name);
	}
}
