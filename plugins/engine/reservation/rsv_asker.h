/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job as the access lists of reservations see it. */
#ifndef MAUI_ENGINE_RSV_ASKER_H
#define MAUI_ENGINE_RSV_ASKER_H

#include "common/policy/reservation/rsv_access.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/slurm/jobrec_facts.h"

/* In one of its partitions, with one of its QOS (Slurm's number); its start is not known yet.
 * Partition read lock; the mutex is held. */
ENGINE_LOCKED struct maui_rsv_job rsv_asker(const struct jobrec_facts *facts,
					    const part_record_t *partition, uint32_t qos);

/* In the partition that Slurm is considering, for the time that the job gets there, with its
 * current QOS. Job and partition read lock; the mutex is held, but is released for a moment, and
 * earlier findings may no longer hold. */
ENGINE_LOCKED struct maui_rsv_job rsv_asker_now(const job_record_t *job);

#endif
