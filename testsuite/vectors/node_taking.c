/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/vectors/node_taking.h"

#include "common/policy/nodes/nodealloc_private.h"

/* Whether CONTIGUOUS has found enough neighbours: ranks alone do not show it. */
static bool has_run(const struct maui_nodealloc_need *need,
		    const struct maui_node_candidate *candidates, uint32_t count,
		    struct maui_nodealloc_workspace *workspace)
{
	struct maui_nodealloc_order order = {
		.need = need, .candidates = candidates, .count = count, .workspace = workspace};
	struct maui_nodealloc_outcome outcome;

	return !maui_nodealloc_make_order(MAUI_CONTIGUOUS, &order, &outcome, NULL) && order.enough;
}

static uint32_t tasks_of(enum maui_nodealloc_policy policy, const struct maui_nodealloc_need *need,
			 const struct maui_node_candidate *node)
{
	uint32_t tasks = maui_usable_tasks(need, node);

	if (policy == MAUI_MINRESOURCE && need->tasks_per_node)
		tasks -= tasks % need->tasks_per_node;
	return tasks;
}

uint32_t node_take(enum maui_nodealloc_policy policy, const struct maui_nodealloc_need *need,
		   const struct maui_node_candidate *candidates, uint32_t count,
		   struct maui_nodealloc_workspace *workspace,
		   struct node_taken ret_nodes[NODE_TAKING_MOST])
{
	struct maui_nodealloc_outcome outcome;
	uint32_t ranks[NODE_TAKING_MOST], taken = 0;
	uint64_t sum = 0;

	if (count > NODE_TAKING_MOST ||
	    maui_nodealloc_rank(policy, need, candidates, count, workspace, ranks, &outcome, NULL))
		return 0;
	if (outcome.policy == MAUI_CONTIGUOUS && !has_run(need, candidates, count, workspace))
		return 0;
	for (uint32_t rank = 0; rank < outcome.ranks; rank++)
		for (uint32_t i = 0; i < count && !maui_need_is_met(need, sum, taken); i++) {
			uint32_t tasks = tasks_of(outcome.policy, need, &candidates[i]);

			if (ranks[i] != rank || !tasks)
				continue;
			ret_nodes[taken++] = (struct node_taken){i, tasks};
			sum += tasks;
		}
	return maui_need_is_met(need, sum, taken) ? taken : 0;
}
