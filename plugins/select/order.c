/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/select/order.h"

#include <stdbool.h>

/*
 * Too few nodes to try, as an absolute number: one busy node must not spoil the try for a one-node
 * job.
 */
#define SPARE_NODES 4

/* The number of classes, best first, that together have that much; 0 if even all do not. */
static uint32_t classes_holding(const struct order_class *classes, uint32_t count,
				struct order_demand demand, uint32_t *ret_nodes)
{
	struct order_demand sum = {0};

	for (uint32_t i = 0; i < count; i++) {
		sum.nodes += classes[i].nodes;
		sum.cpus += classes[i].cpus;
		if (sum.nodes < demand.nodes || sum.cpus < demand.cpus)
			continue;
		*ret_nodes = sum.nodes;
		return i + 1;
	}
	return 0;
}

struct order_plan order_plan(const struct order_class *classes, uint32_t count, uint32_t candidates,
			     struct order_demand demand)
{
	struct order_demand few = {.nodes = demand.nodes + demand.nodes / 4 + SPARE_NODES,
				   .cpus = demand.cpus + demand.cpus / 4};
	struct order_demand exact = {.nodes = ORDER_EXACT_NODES};
	struct order_plan plan;
	uint32_t nodes = 0;

	plan.few = classes_holding(classes, count, few, &nodes);
	if (nodes > candidates / 2)
		plan.few = 0;
	if (exact.nodes < few.nodes)
		exact.nodes = few.nodes;
	plan.exact = classes_holding(classes, count, exact, &nodes);
	if (!plan.exact)
		plan.exact = count;
	return plan;
}
