/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In which QOS jobs that name several have started, D-PRI-20: Slurm 24.11 and later gives a running
 * job the first of them when slurmctld starts (S-PRI-8). jobrec_qos() asks here. A mutex of its own
 * guards it, so that the engine's is not needed.
 */
#ifndef MAUI_ENGINE_QOS_STARTED_H
#define MAUI_ENGINE_QOS_STARTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/queue/started_qos.h"
#include "plugins/compat/base.h"

/* The QOS that a run of a job has started in; recorded, the one of its record, if nothing else is
 * known. */
uint32_t qos_started_of(uint32_t job_id, int64_t started, uint32_t recorded);

/* Note the QOS of a job that starts, or has started. Returns whether it is news for the state file.
 * Job read lock. */
bool qos_started_see(const job_record_t *job);

/* Before and after a walk over all jobs with qos_started_see(). The latter forgets jobs that are
 * gone, and returns whether there were any. */
void qos_started_begin(void);
bool qos_started_end(void);

/* For the state file. The copy is malloc'ed. */
struct maui_started_qos *qos_started_copy(size_t *ret_count);
void qos_started_restore(const struct maui_started_qos *list, size_t count);
void qos_started_clear(void);

#endif
