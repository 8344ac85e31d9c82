/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slurmctld tells the caller about jobs, nodes, partitions and reservations, as the text of a
 * maui.queue/1. */
#ifndef MAUI_SLURM_QUEUE_H
#define MAUI_SLURM_QUEUE_H

#include <stddef.h>

#include "common/util/error.h"

#define QUEUE_SCHEMA "maui.queue/1"

/* What was asked for. */
enum {
	QUEUE_JOBS = 1,
	QUEUE_NODES = 2,
	QUEUE_PARTITIONS = 4,
	QUEUE_RESERVATIONS = 8,
	QUEUE_ALL = 15,
	QUEUE_BRIEF = 16, /* only what a list of jobs needs: names, states, times, procs, nodes */
};

/* what: QUEUE_.... The text is malloc'ed. As slurm_child(). */
int slurm_queue_text(unsigned int what, int timeout, char **ret_text, size_t *ret_size,
		     struct maui_error *error);

#endif
