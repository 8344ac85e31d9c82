/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How to pass an order of nodes to cons_tres, which only takes weights and is slow with many of
 * them: it makes a set of each run of neighbouring nodes with the same weight, and scans all sets
 * for each that it takes. So it gets the best few nodes first; and when it gets all, only the first
 * classes have weights of their own.
 *
 * A class is all nodes of one rank. Nothing here uses Slurm.
 */
#ifndef MAUI_SELECT_ORDER_H
#define MAUI_SELECT_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#define ORDER_EXACT_NODES 256

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

/* A node may lack what is not counted, such as GRES: a quarter more, of nodes up to a number that
 * keeps jobs of many nodes cheap. */
static inline struct order_demand order_with_spare(struct order_demand demand)
{
	uint32_t quarter = demand.nodes / 4;

	return (struct order_demand){.nodes = demand.nodes + (quarter < ORDER_EXACT_NODES / 4
								      ? quarter
								      : ORDER_EXACT_NODES / 4),
				     .cpus = demand.cpus + demand.cpus / 4};
}

/*
 * few: the classes below this rank are worth trying alone; 0 if nothing is gained by that. Those
 * below lead share the first weight, those from there to exact have weights of their own, and all
 * others share the last.
 */
struct order_plan {
	uint32_t few;
	uint32_t lead;
	uint32_t exact;
};

/*
 * All include classes as a whole. Those of `few` hold the demand and four nodes
 * more; if a node may lack what is not counted (may_lack), also a quarter more
 * of nodes and CPUs. They are no more than half of all candidates: otherwise
 * the second try costs more than the first saves. ORDER_EXACT_NODES bounds the
 * cost of trying all nodes: with k of them in order there are at most 2 k + 1
 * sets, and a failing choice has scanned them k times. Nodes that cannot be
 * used now do not count, so that the order is not spent on them.
 *
 * A job of ORDER_EXACT_NODES and more takes all nodes of the first classes that
 * together have no more than it asks for, whatever their order: these are `lead`.
 * Not so for one whose tasks may be spread unevenly, or that asks for nodes by
 * name: the caller sets it to 0.
 */
struct order_plan order_plan(const struct order_class *classes, uint32_t count, uint32_t candidates,
			     struct order_demand demand, bool may_lack);

/* The class whose weight a node gets. */
static inline uint32_t order_shared_rank(const struct order_plan *plan, uint32_t rank)
{
	if (rank < plan->lead)
		return 0;
	return rank < plan->exact ? rank : plan->exact;
}

/* What has become of a node that was shown. */
enum order_outcome {
	ORDER_NO_MATTER, /* it could not be taken, or had to be */
	ORDER_LEFT,
	ORDER_TAKEN,
};

/*
 * Whether those that were taken are the first of the order, which does not look at nodes of one
 * rank. last_is_free: the last one that was taken may be any.
 */
bool order_took_first(const uint32_t *ranks, const uint8_t *outcomes, uint32_t count,
		      bool last_is_free);

#endif
