/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How to pass an order of nodes to cons_tres, which only knows weights and is slow with many of
 * them: it makes a set of each run of neighbouring nodes with the same weight, and scans all sets
 * for each that it takes. So it gets the best few nodes first; and when it gets all, only the first
 * classes have weights of their own.
 *
 * A class is all nodes of one rank. Nothing here knows Slurm.
 */
#ifndef MAUI_SELECT_ORDER_H
#define MAUI_SELECT_ORDER_H

#include <stdint.h>

/* What the usable nodes of a class can give. */
struct order_class {
	uint32_t nodes;
	uint64_t cpus;
};

/* What a job asks for. */
struct order_demand {
	uint32_t nodes;
	uint64_t cpus;
};

/*
 * few: the classes below this rank are worth trying alone; 0 if nothing is gained by that. exact:
 * the classes below this rank have weights of their own, all others share one.
 */
struct order_plan {
	uint32_t few;
	uint32_t exact;
};

/*
 * Both include classes as a whole. Those of `few` hold the demand and a quarter more, as a node may
 * lack what is not counted here (memory, GRES), and are no more than half of all candidates:
 * otherwise the second try costs more than the first saves. ORDER_EXACT_NODES bounds the cost of
 * trying all nodes: with k of them in order there are at most 2 k + 1 sets, and a failing choice
 * has scanned them k times. Nodes that cannot be used now do not count, so that the order is not
 * spent on them.
 */
#define ORDER_EXACT_NODES 256
struct order_plan order_plan(const struct order_class *classes, uint32_t count, uint32_t candidates,
			     struct order_demand demand);

/* The class whose weight a node gets. */
static inline uint32_t order_shared_rank(const struct order_plan *plan, uint32_t rank)
{
	return rank < plan->exact ? rank : plan->exact;
}

#endif
