/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What diagnose-nodes and check-node need of Slurm's records, copied under its locks, so that
 * answers are made without them. */
#ifndef MAUI_ENGINE_NODE_REPORT_COPY_H
#define MAUI_ENGINE_NODE_REPORT_COPY_H

#include "plugins/engine/report/node_report_private.h"

/* What Slurm says of a node, beside what the order looks at. */
struct node_copy {
	const char *name, *state, *slurm_state, *reason, *opsys, *arch, *features;
	const char **classes;
	uint32_t class_count, reservations;
};

/* Of one node: */
struct node_copy_job {
	struct node_report_job job;
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
	uint64_t free_memory; /* MB; NO_VAL64: not known */
	int64_t boot, slurmd_start;
};

/* All that outlives Slurm's locks. */
struct node_copies {
	struct maui_arena *arena;
	struct node_explanation explanation;
	struct node_copy *nodes; /* as explanation.nodes are */
	uint32_t *reserved;      /* by index: how many reservations */
	uint32_t slots;
	bool short_of_memory;
};

/* False when memory is short; else node_copies_end() frees it. */
bool node_copies_begin(struct node_copies *copy);
void node_copies_end(struct node_copies *copy);

/* The nodes of the bitmap that there are, in the order of Slurm's table. False when memory is
 * short, or there is no policy. node_report_lock(). */
bool node_copies_nodes(struct node_copies *copy, bitstr_t *wanted, bool with_reservations);

/* The jobs and reservations of one of them. False when memory is short. The same lock, without a
 * break. */
bool node_copies_details(struct node_copies *copy, int index, struct node_copy_details *details);

#endif
