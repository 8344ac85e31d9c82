/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slurmctld tells the caller of jobs, nodes, partitions and reservations, as the text of a maui.queue/1. */
#ifndef MAUI_SLURM_QUEUE_H
#define MAUI_SLURM_QUEUE_H

#include <stddef.h>

#include "common/util/error.h"

/* what: QUEUE_... of queue.h. The text is malloc'ed. As slurm_child(). */
int slurm_queue_text(unsigned int what, int timeout, char **ret_text, size_t *ret_size,
		     struct maui_error *error);

#endif
