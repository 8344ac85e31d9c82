/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts classes from the best rank on until they cover the job's demand.
 * Checks afterwards that cons_tres took the best ranks.
 */
#include "plugins/select/order.h"

/* Nodes to try beyond the demand, also for a job of one node: one busy node
 * must not spoil the try. */
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

/* The number of classes, best first, that together have no more nodes. */
static uint32_t classes_within(const struct order_class *classes, uint32_t count, uint32_t nodes)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < count; i++) {
		sum += classes[i].nodes;
		if (sum > nodes)
			return i;
	}
	return count;
}

struct order_plan order_plan(const struct order_class *classes, uint32_t count, uint32_t candidates,
			     struct order_demand demand, bool may_lack)
{
	struct order_demand few = may_lack ? order_with_spare(demand) : demand;
	struct order_demand exact = {.nodes = ORDER_EXACT_NODES};
	struct order_plan plan;
	uint32_t nodes = 0;

	few.nodes += SPARE_NODES;
	plan.few = classes_holding(classes, count, few, &nodes);
	if (nodes > candidates / 2)
		plan.few = 0;
	if (exact.nodes < few.nodes)
		exact.nodes = few.nodes;
	plan.exact = classes_holding(classes, count, exact, &nodes);
	if (!plan.exact)
		plan.exact = count;
	plan.lead = 0;
	if (demand.nodes >= ORDER_EXACT_NODES)
		plan.lead = classes_within(classes, plan.exact, demand.nodes);
	return plan;
}

bool order_took_first(const uint32_t *ranks, const uint8_t *outcomes, uint32_t count,
		      bool last_is_free)
{
	uint32_t last = 0, before = 0; /* the last ranks that were taken, plus 1 */
	uint32_t end;

	for (uint32_t i = 0; i < count; i++) {
		if (outcomes[i] != ORDER_TAKEN)
			continue;
		if (ranks[i] >= last) {
			before = last;
			last = ranks[i] + 1;
		} else if (ranks[i] >= before) {
			before = ranks[i] + 1;
		}
	}
	end = last_is_free ? before : last;
	for (uint32_t i = 0; i < count; i++)
		if (outcomes[i] == ORDER_LEFT && ranks[i] + 1 < end)
			return false;
	return true;
}
