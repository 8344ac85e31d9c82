/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A few nodes, and what a policy makes of them. */
#ifndef MAUI_UNIT_POLICY_NODEALLOC_FIXTURE_H
#define MAUI_UNIT_POLICY_NODEALLOC_FIXTURE_H

#include <criterion/criterion.h>
#include <stdio.h>

#include "testsuite/vectors/node_taking.h"

#define ROOM 16

/* Nodes n0, n1, ... that differ in what a test sets. */
struct fixture {
	struct maui_node_settings settings[ROOM];
	struct maui_node_candidate nodes[ROOM];
	struct maui_nodealloc_need need;
	struct maui_nodealloc_workspace *workspace;
	struct maui_nodealloc_outcome outcome;
	uint32_t count;
};

static inline struct fixture nodes(uint32_t count)
{
	struct fixture fixture = {.count = count,
				  .need = {.tasks = 1, .immediate = true},
				  .workspace = maui_nodealloc_workspace_new(count, true)};

	cr_assert_not_null(fixture.workspace);
	for (uint32_t i = 0; i < count; i++) {
		fixture.settings[i] = maui_node_no_settings;
		fixture.nodes[i] =
			(struct maui_node_candidate){.affinity = MAUI_AFFINITY_NONE,
						     .position = i,
						     .tasks = 4,
						     .available_until = MAUI_NODE_FOREVER,
						     .procs = 8,
						     .memory = 1000};
	}
	return fixture;
}

static inline void set_speeds(struct fixture *fixture, const double *speeds)
{
	for (uint32_t i = 0; i < fixture->count; i++) {
		fixture->settings[i].speed = speeds[i];
		fixture->nodes[i].settings = &fixture->settings[i];
	}
}

static inline void expect_ranks(struct fixture *fixture, enum maui_nodealloc_policy policy,
				const char *expect)
{
	uint32_t ranks[ROOM];
	char text[ROOM * 4] = "";
	struct maui_error error = {""};
	size_t used = 0;

	cr_assert_eq(maui_nodealloc_rank(policy, &fixture->need, fixture->nodes, fixture->count,
					 fixture->workspace, ranks, &fixture->outcome, &error),
		     0, "%s", error.text);
	for (uint32_t i = 0; i < fixture->count; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%u", i ? " " : "",
					 ranks[i]);
	cr_expect_str_eq(text, expect, "%s: %s instead of %s", maui_nodealloc_policy_name(policy),
			 text, expect);
}

/* The nodes taken by these ranks; "" if they are not enough. */
static inline void expect_nodes(struct fixture *fixture, enum maui_nodealloc_policy policy,
				const char *expect)
{
	struct node_taken taken[NODE_TAKING_MOST];
	uint32_t count = node_take(policy, &fixture->need, fixture->nodes, fixture->count,
				   fixture->workspace, taken);
	char text[ROOM * 8] = "";
	size_t used = 0;

	for (uint32_t i = 0; i < count; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%u:%u", i ? " " : "",
					 taken[i].candidate, taken[i].tasks);
	cr_expect_str_eq(text, expect, "%s: '%s' instead of '%s'",
			 maui_nodealloc_policy_name(policy), text, expect);
}

#define TEST_NODES(NAME, COUNT)                                                                    \
	static void NAME##_body(struct fixture *f);                                                \
	Test(nodealloc, NAME)                                                                      \
	{                                                                                          \
		struct fixture fixture = nodes(COUNT);                                             \
		NAME##_body(&fixture);                                                             \
		maui_nodealloc_workspace_free(fixture.workspace);                                  \
	}                                                                                          \
	static void NAME##_body(struct fixture *f)

#endif
