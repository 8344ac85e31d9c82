/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Choosing nodes: the frame of the algorithm, as the original has it. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/policy/nodealloc_private.h"

/* What has been chosen so far. */
struct choice {
	const struct maui_nodealloc_order *order;
	const struct maui_nodealloc_need *need;
	struct maui_node_allotment *nodes;
	uint32_t *place; /* of a candidate in nodes, from 1 */
	uint32_t node_count;
	uint64_t tasks;
};

static bool is_enough(const struct choice *choice)
{
	return maui_need_is_met(choice->need, choice->tasks, choice->node_count);
}

static void take(struct choice *choice, uint32_t candidate, uint32_t tasks)
{
	struct maui_node_allotment *node;

	if (!choice->place[candidate]) {
		choice->nodes[choice->node_count] = (struct maui_node_allotment){candidate, 0};
		choice->place[candidate] = ++choice->node_count;
	}
	node = &choice->nodes[choice->place[candidate] - 1];
	node->tasks += tasks;
	choice->tasks += tasks;
}

/* How many tasks a host that is listed once (more) takes; 0: it has no room. */
static uint32_t host_tasks(const struct choice *choice, uint32_t candidate)
{
	const struct maui_nodealloc_need *need = choice->need;
	uint32_t place = choice->place[candidate];
	uint32_t used = place ? choice->nodes[place - 1].tasks : 0;
	uint32_t left = choice->order->candidates[candidate].tasks;

	left = left > used ? left - used : 0;
	if (need->tasks_per_node && left >= need->tasks_per_node)
		return need->tasks_per_node;
	return need->tasks_per_node ? 0 : left;
}

/* A HOSTLIST: in its own order, past any policy and affinity. */
static void take_hosts(struct choice *choice)
{
	for (size_t i = 0; i < choice->need->host_count && !is_enough(choice); i++) {
		uint32_t candidate = choice->need->hosts[i];
		uint32_t tasks =
			candidate < choice->order->count ? host_tasks(choice, candidate) : 0;

		if (tasks)
			take(choice, candidate, tasks);
	}
}

/* In the order of the policy; CONTIGUOUS gives its run or nothing. */
static void take_in_order(struct choice *choice, enum maui_nodealloc_policy policy)
{
	const struct maui_nodealloc_order *order = choice->order;
	uint32_t multiple = choice->need->tasks_per_node;

	if (policy == MAUI_CONTIGUOUS && !order->enough)
		return;
	for (uint32_t i = 0; i < order->count && !is_enough(choice); i++) {
		uint32_t candidate = order->entries[i].index;
		uint32_t tasks = maui_usable_tasks(choice->need, &order->candidates[candidate]);

		if (policy == MAUI_MINRESOURCE && multiple)
			tasks -= tasks % multiple;
		if (tasks && !choice->place[candidate])
			take(choice, candidate, tasks);
	}
}

static int refuse(const struct choice *choice, struct maui_error *error)
{
	return maui_error_set(error, EAGAIN,
			      "the nodes that are left give %" PRIu64 " of %u tasks on %u of %u "
			      "nodes: none is allocated",
			      choice->tasks, choice->need->tasks, choice->node_count,
			      choice->need->nodes);
}

static int check_need(const struct maui_nodealloc_need *need, struct maui_error *error)
{
	if (!need || (!need->tasks && !need->nodes))
		return maui_error_set(error, EINVAL, "the job needs neither tasks nor nodes");
	if (need->host_count && !need->hosts)
		return maui_error_set(error, EINVAL, "the list of hosts is missing");
	return 0;
}

int maui_nodealloc_allocate(enum maui_nodealloc_policy policy,
			    const struct maui_nodealloc_need *need,
			    const struct maui_node_candidate *candidates, uint32_t count,
			    struct maui_nodealloc_workspace *workspace,
			    struct maui_node_allotment *ret_nodes, uint32_t *ret_count,
			    struct maui_nodealloc_outcome *ret_outcome, struct maui_error *error)
{
	struct maui_nodealloc_order order = {
		.need = need, .candidates = candidates, .count = count, .workspace = workspace};
	struct choice choice = {.order = &order, .need = need};
	struct maui_nodealloc_outcome outcome;
	int rc = check_need(need, error);

	if (rc)
		return rc;
	if (!ret_nodes || !ret_count) {
		maui_error_set(error, EINVAL, "no place for the nodes to allocate");
		return -EINVAL;
	}
	rc = maui_nodealloc_make_order(policy, &order, &outcome, error);
	if (rc)
		return rc;
	choice.nodes = workspace->chosen;
	choice.place = workspace->chosen_place;
	memset(choice.place, 0, count * sizeof(*choice.place));
	if (need->host_count)
		take_hosts(&choice);
	if (!need->host_count || need->beyond_hosts)
		take_in_order(&choice, outcome.policy);
	if (!is_enough(&choice))
		return refuse(&choice, error);
	memcpy(ret_nodes, choice.nodes, choice.node_count * sizeof(*ret_nodes));
	*ret_count = choice.node_count;
	if (ret_outcome)
		*ret_outcome = outcome;
	return 0;
}
