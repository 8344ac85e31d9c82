/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What diagnose-nodes and check-node need from Slurm's records, copied under its locks, so that
 * answers are built without them. */
#ifndef MAUI_ENGINE_NODE_REPORT_COPY_H
#define MAUI_ENGINE_NODE_REPORT_COPY_H

#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/report/report_records.h"

struct node_copy_gres {
	const char *name; /* gpu: all types; gpu:a100 */
	int64_t configured, used;
};

/* What Slurm has about a node, besides what node ordering uses. */
struct node_copy {
	const char *name, *state, *slurm_state, *reason, *opsys, *arch, *features;
	const char **classes;
	uint32_t class_count, reservations;
	struct node_copy_gres *gres;
	uint32_t gres_count;
};

/* Of one node: */
struct node_copy_job {
	struct report_job job;
	const char *partition, *state;
	uint32_t procs;
	uint64_t memory; /* MB */
	int64_t start, end;
};
struct node_copy_reservation {
	const char *name, *users, *accounts;
	int64_t start, end;
};
struct node_copy_details {
	struct node_copy_job *jobs;
	struct node_copy_reservation *reservations;
	size_t job_count, reservation_count;
	uint64_t free_memory; /* MB; NO_VAL64: unknown */
	int64_t boot, slurmd_start;
};

/* All that outlives Slurm's locks. */
struct node_copies {
	struct maui_arena *arena;
	struct node_explanation explanation;
	struct node_copy *nodes; /* parallel to explanation.nodes */
	uint32_t *reserved;      /* reservations on each, by index */
	uint32_t slots;
};

void node_copies_begin(struct node_copies *copy);
void node_copies_end(struct node_copies *copy);

/* The existing nodes of the bitmap, in the order of Slurm's table. False when there is no policy.
 * Needs report_records_lock(). */
bool node_copies_nodes(struct node_copies *copy, bitstr_t *wanted, bool with_reservations);

/* The jobs and reservations of one of them. Under the same report_records_lock(), not released in
 * between. */
void node_copies_details(struct node_copies *copy, int index, struct node_copy_details *details);

#endif
