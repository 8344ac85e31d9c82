/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Node allocation: which of the nodes that a job can run on are given to it. Chapter 5.2 of the
 * manual; D-NODE-2 to D-NODE-7.
 *
 * The caller has the nodes: it makes an array of those that are feasible, in the order of its
 * list of nodes. maui_nodealloc_rank() says in which order to take them; Slurm's own plugin does
 * so, by node weights.
 *
 * Reservation affinity comes before any policy: the policy orders nodes of equal affinity.
 *
 *   FIRSTAVAILABLE  the order of the list
 *   LASTAVAILABLE   nodes whose next reservation comes soonest; then the list from its end
 *   PRIORITY        the greatest PRIORITYF; then the list. Dynamic components are 0 for later
 *   CPULOAD         the most idle processors, procs - max(dedicated, load): nodes within 0.1 of
 *                   the most idle one are as good, from the end of the list; then the next such
 *                   tier. For jobs that start later MINRESOURCE is used
 *   MINRESOURCE     by class of memory (up to 64 MB, up to twice that, ...), then processors, then
 *                   disk, all as configured, least first; then the list from its end
 *   CONTIGUOUS      the first run of neighbours that is large enough
 *   MAXBALANCE      the nodes with the least difference of speed that are enough; the fastest of
 *                   equally good ones; fastest first, then the list
 *   FASTEST         fastest first; then the list
 *   LOCAL           as the site's own function says, nodealloc_local.h
 *
 * Speed is NODECFG SPEED if that differs among the candidates, else PROCSPEED.
 */
#ifndef MAUI_POLICY_NODEALLOC_H
#define MAUI_POLICY_NODEALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/policy/nodes/node_settings.h"
#include "common/policy/nodes/nodealloc_local.h"
#include "common/util/error.h"

enum maui_nodealloc_policy {
	MAUI_FIRSTAVAILABLE,
	MAUI_LASTAVAILABLE, /* the default */
	MAUI_PRIORITY,
	MAUI_CPULOAD,
	MAUI_MINRESOURCE,
	MAUI_CONTIGUOUS,
	MAUI_MAXBALANCE,
	MAUI_FASTEST,
	MAUI_LOCAL,
	MAUI_NODEALLOC_POLICIES
};

/* "FIRSTAVAILABLE"; and back, in any case: MAUI_NODEALLOC_POLICIES for none. */
const char *maui_nodealloc_policy_name(enum maui_nodealloc_policy policy);
enum maui_nodealloc_policy maui_nodealloc_policy_find(const char *name);

/* NODEALLOCATIONPOLICY of a partition, or the global one. config may be NULL. */
enum maui_nodealloc_policy maui_nodealloc_policy_of(const struct maui_config *config,
						    const char *partition);

/* How a policy orders nodes of one affinity that no reservation is waiting for. */
enum maui_nodealloc_list {
	MAUI_LIST_NONE, /* not by the list alone */
	MAUI_LIST_FORWARD,
	MAUI_LIST_REVERSE
};
enum maui_nodealloc_list maui_nodealloc_list_of(enum maui_nodealloc_policy policy);

/* Of the job to a node: the marks of the reservation there. In the order of the passes. */
enum maui_affinity {
	MAUI_AFFINITY_REQUIRED,
	MAUI_AFFINITY_POSITIVE,
	MAUI_AFFINITY_NEUTRAL,
	MAUI_AFFINITY_NONE, /* no reservation there */
	MAUI_AFFINITY_NEGATIVE,
	MAUI_AFFINITY_PREEMPTIBLE,
	MAUI_AFFINITIES
};

#define MAUI_NODE_FOREVER INT64_MAX

/* What a node has of each GRES that formulas name, and jobs were given of it. By its number. */
struct maui_node_gres_amounts {
	uint64_t configured[MAUI_GRES_NAMES], used[MAUI_GRES_NAMES];
};

/* A node that the job can run on. Nonsensical numbers count as 0. */
struct maui_node_candidate {
	const struct maui_node_settings *settings; /* NULL: it has none */
	const char *name;                          /* only for LOCAL; may be NULL */
	enum maui_affinity affinity;
	uint32_t position;       /* in the list of all nodes: neighbours for CONTIGUOUS */
	uint32_t tasks;          /* that it can take of the job */
	bool preferred;          /* has a feature that the job prefers */
	int64_t available_until; /* epoch seconds: start of the next reservation that does not
				    admit the job; MAUI_NODE_FOREVER */
	double procs, memory, disk, swap; /* configured; MB. NODECFG's CFGMEM, ... win */
	double system_procs;              /* of the configured ones, not for jobs */
	double dedicated_procs, dedicated_memory;
	double available_memory, available_disk, available_swap; /* MB */
	double load;
	double jobs;
	double usage;                              /* percent */
	const struct maui_node_gres_amounts *gres; /* NULL: it has none */
};

static inline double maui_node_available_procs(const struct maui_node_candidate *node)
{
	return node->procs - node->system_procs - node->dedicated_procs;
}

/* What the job needs. */
struct maui_nodealloc_need {
	uint32_t tasks;
	uint32_t nodes;                /* at least; 0 any number */
	uint32_t tasks_per_node;       /* at least, on each node; 0 or 1 any number */
	uint32_t tasks_per_node_limit; /* at most; 0: no limit but tasks */
	bool immediate;                /* starts now, not later */
	/* LOCAL: the site's function, NULL if there is none; and the job, which may be NULL. */
	maui_nodealloc_local_function local;
	const struct maui_nodealloc_local_job *local_job;
};

/* What was done, apart from the result. */
struct maui_nodealloc_outcome {
	enum maui_nodealloc_policy policy; /* the one used: CPULOAD and LOCAL may be replaced */
	bool local_failed;                 /* LOCAL was asked for but failed */
	int local_status;                  /* what the site's function returned; 0: there is none */
	uint32_t ranks;                    /* how many different ones there are */
};

/* Memory for the computation, reused by one thread at a time. */
struct maui_nodealloc_workspace;

/* For this many candidates; with_local: also for LOCAL. */
struct maui_nodealloc_workspace *maui_nodealloc_workspace_new(uint32_t candidates, bool with_local);
struct maui_nodealloc_workspace *
maui_nodealloc_workspace_free(struct maui_nodealloc_workspace *workspace);

/*
 * Fill ret_rank[0 .. count-1]: nodes with the lowest rank are to be taken first. Ranks are dense
 * from 0. Equal ranks mean that the order of the list decides; policies with another order among
 * equals give different ranks. candidates are in the order of the list. Allocates nothing. -EINVAL,
 * or -ENOSPC if the workspace is too small. ret_outcome may be NULL.
 */
int maui_nodealloc_rank(enum maui_nodealloc_policy policy, const struct maui_nodealloc_need *need,
			const struct maui_node_candidate *candidates, uint32_t count,
			struct maui_nodealloc_workspace *workspace, uint32_t *ret_rank,
			struct maui_nodealloc_outcome *ret_outcome, struct maui_error *error);

/* A term of a node's PRIORITYF. */
struct maui_node_term {
	enum maui_node_component component;
	double coefficient, factor, product;
};
struct maui_node_terms {
	struct maui_node_term terms[MAUI_NODE_TERMS];
	uint32_t count;
	double constant;
	double value; /* the sum */
};

/* The value of a node's PRIORITYF; immediate: with the dynamic components. */
double maui_node_value(const struct maui_node_candidate *node, bool immediate);
/* The same with all its terms: the components in the formula. */
void maui_node_explain(const struct maui_node_candidate *node, bool immediate,
		       struct maui_node_terms *ret_terms);

#endif
