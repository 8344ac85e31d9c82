/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of node allocation. */
#ifndef MAUI_POLICY_NODEALLOC_PRIVATE_H
#define MAUI_POLICY_NODEALLOC_PRIVATE_H

#include "common/util/bounds.h"
#include "common/policy/nodes/nodealloc.h"
#include "common/util/keysort.h"

struct maui_nodealloc_workspace {
	uint32_t room;
	struct maui_keysort_entry *entries, *scratch;
	struct maui_nodealloc_local_node *local; /* NULL: no room for LOCAL */
	uint32_t *local_ranks;
};

/* An order being built. */
struct maui_nodealloc_order {
	const struct maui_nodealloc_need *need;
	const struct maui_node_candidate *candidates;
	uint32_t count;
	struct maui_nodealloc_workspace *workspace;
	struct maui_keysort_entry *entries; /* the workspace's; sorted in the end */
	bool shared; /* entries with equal levels and keys are equal: the list decides */
	bool enough; /* CONTIGUOUS: there is a run; its nodes are those of the least key */
};

static inline const struct maui_node_settings *
maui_settings_of(const struct maui_node_candidate *node)
{
	return node->settings ? node->settings : &maui_node_no_settings;
}

/* NODECFG's amount if given, else the node's own. */
static inline double maui_configured(int64_t given, double own)
{
	return given == MAUI_NODE_NOT_GIVEN ? maui_amount(own) : maui_amount((double)given);
}

/* The tasks that a node gives; 0: it can take fewer than the minimum per node. */
static inline uint32_t maui_usable_tasks(const struct maui_nodealloc_need *need,
					 const struct maui_node_candidate *node)
{
	uint32_t limit = need->tasks_per_node_limit;
	uint32_t wanted = need->tasks ? need->tasks : UINT32_MAX; /* only nodes are wanted */
	uint32_t tasks = node->tasks < wanted ? node->tasks : wanted;

	if (limit && tasks > limit)
		tasks = limit;
	return node->tasks >= need->tasks_per_node ? tasks : 0;
}

/* Whether this many are enough. */
static inline bool maui_need_is_met(const struct maui_nodealloc_need *need, uint64_t tasks,
				    uint64_t nodes)
{
	return tasks >= need->tasks && nodes >= need->nodes;
}

/* The order of the list, or of its reverse, with the affinity as level and all keys 0. */
void maui_order_list(struct maui_nodealloc_order *order, bool reverse);
/* Sort by level and key. */
void maui_order_sort(struct maui_nodealloc_order *order);
/* The speed that counts among these candidates. */
double maui_order_speed(const struct maui_nodealloc_order *order,
			const struct maui_node_candidate *node, bool by_speed);
bool maui_order_by_speed(const struct maui_nodealloc_order *order);

/* One policy each. */
void maui_order_first(struct maui_nodealloc_order *order);
void maui_order_last(struct maui_nodealloc_order *order);
void maui_order_priority(struct maui_nodealloc_order *order);
void maui_order_cpuload(struct maui_nodealloc_order *order);
void maui_order_minresource(struct maui_nodealloc_order *order);
void maui_order_contiguous(struct maui_nodealloc_order *order);
void maui_order_maxbalance(struct maui_nodealloc_order *order);
void maui_order_fastest(struct maui_nodealloc_order *order);
/* 0, or what the function returned; -ENOSYS if there is none, or the workspace has no room for it. */
int maui_order_local(struct maui_nodealloc_order *order);

/* Order by a policy; sets the outcome. 0 or a negative errno. */
int maui_nodealloc_make_order(enum maui_nodealloc_policy policy, struct maui_nodealloc_order *order,
			      struct maui_nodealloc_outcome *outcome, struct maui_error *error);

#endif
