/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NODEALLOCATIONPOLICY LOCAL: a node-allocation algorithm of the site's own, chapter 5.2.2.9.
 *
 * This header is all that such an algorithm includes. It is a C function named
 * maui_nodealloc_local, which is given a job and the nodes it can run on, and says in which order
 * to take them. It is called inside slurmctld, with locks held: it must be quick, must not wait for
 * anything, and must not keep any pointer it is given.
 *
 * The numbers of a version never change. A later version may only add members at the ends of
 * the structures; nodes are therefore node_size bytes apart, whatever the header says: use
 * maui_nodealloc_local_node().
 */
#ifndef MAUI_POLICY_NODEALLOC_LOCAL_H
#define MAUI_POLICY_NODEALLOC_LOCAL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MAUI_NODEALLOC_LOCAL_VERSION 1u
#define MAUI_NODEALLOC_LOCAL_SYMBOL  "maui_nodealloc_local"

struct maui_nodealloc_local_node {
	const char *name;         /* may be NULL */
	uint32_t position;        /* in the list of all nodes, from 0 */
	uint32_t tasks;           /* that it can take of the job */
	int32_t affinity;         /* 0 required, 1 positive, 2 neutral, 3 none, 4 negative,
				     5 preemptible; the order within each of them is asked for */
	int32_t preferred;        /* 1: has a feature that the job prefers */
	int64_t available_until;  /* epoch seconds: the next reservation; INT64_MAX none */
	double procs;             /* configured */
	double dedicated_procs;   /* held by jobs */
	double memory;            /* MB configured */
	double disk;              /* MB configured */
	double swap;              /* MB configured */
	double available_memory;  /* MB */
	double available_disk;    /* MB */
	double available_swap;    /* MB */
	double load;              /* one minute */
	double jobs;              /* that run on it */
	double usage;             /* percent of the time that jobs ran on it */
	double speed;             /* NODECFG SPEED, 1.0 by default */
	double procspeed;         /* NODECFG PROCSPEED, MHz; 0 not given */
	double priority;          /* NODECFG PRIORITY */
	double priority_function; /* the value of PRIORITYF */
};

/* Names are NULL if they are not known, or if the job has none. */
struct maui_nodealloc_local_job {
	uint32_t id;
	const char *user, *group, *account, *qos, *class_name;
	int64_t start;    /* epoch seconds; 0 now */
	int64_t walltime; /* seconds asked for; 0 not known */
};

struct maui_nodealloc_local_request {
	uint32_t version; /* MAUI_NODEALLOC_LOCAL_VERSION of the caller */
	uint32_t node_count;
	size_t node_size;                              /* bytes from one node to the next */
	const struct maui_nodealloc_local_node *nodes; /* in the order of the list of all nodes */
	const struct maui_nodealloc_local_job *job;    /* may be NULL */
	uint32_t tasks;                                /* wanted */
	uint32_t nodes_wanted;                         /* at least this many nodes; 0: any number */
	uint32_t tasks_per_node; /* at least this many tasks on each; 0 or 1: any number */
	int32_t immediate;       /* 1: the job is to start now; 0: later */
};

/*
 * Fill ranks[0 .. node_count-1], initially all 0: nodes with the lowest rank are taken first, those
 * with equal ranks in the order of the list. Return 0. Anything else means failure: the ranks are
 * ignored, and Slurm-Maui's default policy is used for this job.
 */
typedef int (*maui_nodealloc_local_function)(const struct maui_nodealloc_local_request *request,
					     uint32_t *ranks);

__attribute__((visibility("default"))) int
maui_nodealloc_local(const struct maui_nodealloc_local_request *request, uint32_t *ranks);

static inline const struct maui_nodealloc_local_node *
maui_nodealloc_local_node(const struct maui_nodealloc_local_request *request, uint32_t index)
{
	return (const struct maui_nodealloc_local_node *)(const void *)((const char *)
										request->nodes +
									request->node_size * index);
}

#ifdef __cplusplus
}
#endif

#endif
