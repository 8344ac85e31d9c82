/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes nodes as the original does, by the ranks that the core gives: for tests, as in the engine
 * Slurm's select plugin takes them.
 */
#ifndef MAUI_VECTORS_NODE_TAKING_H
#define MAUI_VECTORS_NODE_TAKING_H

#include "common/policy/nodes/nodealloc.h"

#define NODE_TAKING_MOST 64 /* candidates */

struct node_taken {
	uint32_t candidate; /* its index */
	uint32_t tasks;
};

/*
 * Rank after rank, and in list order within a rank, until there are enough tasks and nodes. Each
 * node, even the last, gives all the tasks that it can take: whoever distributes the tasks fills
 * the nodes in this order. MINRESOURCE gives multiples of tasks_per_node; CONTIGUOUS gives its run
 * or nothing. Returns the number of nodes; 0: they are not enough.
 */
uint32_t node_take(enum maui_nodealloc_policy policy, const struct maui_nodealloc_need *need,
		   const struct maui_node_candidate *candidates, uint32_t count,
		   struct maui_nodealloc_workspace *workspace,
		   struct node_taken ret_nodes[NODE_TAKING_MOST]);

#endif
