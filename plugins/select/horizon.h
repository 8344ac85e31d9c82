/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which nodes matter to a planned start. cons_tres takes the running jobs away, those that end
 * first, and after each group of them looks at all candidates, several times. A node that has not
 * enough for the job when it can start is of no use until then, and need not be looked at
 * (S-SEL-15).
 *
 * Nothing here uses Slurm. Times are epoch seconds, memory is in MB, nodes are by their index.
 */
#ifndef MAUI_SELECT_HORIZON_H
#define MAUI_SELECT_HORIZON_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/select/order.h"

/* What a running job holds of a node. */
struct horizon_hold {
	uint32_t node;
	uint32_t cpus;
	uint64_t memory;
};

struct horizon_job {
	int64_t end;
	uint32_t first, count; /* its holds */
};

/* The running jobs, by their end. */
struct horizon_running {
	const struct horizon_job *jobs;
	uint32_t count;
	const struct horizon_hold *holds;
	uint32_t window_step; /* bf_window_linear; 0: windows double */
	/* A part of a heterogeneous job ends at another time than its first one, by which cons_tres
	 * judges whether it is gone when a plan may begin. */
	bool parts_differ;
};

struct horizon_node {
	uint64_t memory; /* free */
	uint32_t cpus;   /* idle */
	uint32_t least;  /* with so many idle CPUs it is of use; 0: it is no candidate */
	bool of_use;     /* by the time that horizon_look() has found */
	bool kept;       /* matters until then */
};

struct horizon_demand {
	struct order_demand sum;
	uint64_t memory; /* of each node */
};

/* What a plan is made for. */
struct horizon_span {
	int64_t now;
	int64_t from;  /* who has ended by then is gone; 0: nobody is */
	int64_t until; /* who ends later stays; 0: nobody does */
};

struct horizon_found {
	int64_t end;
	bool is_last; /* there is no end after it in this span */
};

/*
 * Looks for the end of the first group of jobs after which the demand is met, as far as CPUs, nodes
 * and memory say. kept are then the candidates that are of use by that time, and, of each job that
 * has ended by then, at least one candidate: cons_tres groups only jobs that hold one. cpus and
 * memory are then those of that time.
 *
 * Until that end cons_tres makes the same groups of the kept ones and finds the same nodes of use
 * among them as of all candidates; so if it plans a start by then on the kept ones, it would plan
 * that start on all of them. What is here judged too early costs a second try, no more. If the
 * demand is not met within the span, that end is the last one: what cons_tres then says of the kept
 * ones, yes or no, it would say of all. False if the demand is met now, or never.
 */
bool horizon_look(const struct horizon_running *running, const struct horizon_demand *demand,
		  const struct horizon_span *span, struct horizon_node *nodes, uint32_t count,
		  struct horizon_found *ret_found);

/* Whether it remains a candidate. `testsuite/bench/select choices` puts a function in its place
 * that shows all nodes. */
bool horizon_shows(const struct horizon_node *node);

#endif
