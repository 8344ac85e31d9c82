/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The number that Slurm shows for Maui's priority, and REJECTNEGPRIOJOBS. The calls of
 * priority/maui are in engine.h. */
#ifndef MAUI_ENGINE_PRIORITIES_H
#define MAUI_ENGINE_PRIORITIES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/policy/priority/priority.h"
#include "common/queue/jobs.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/slurm_writer.h"
#include "plugins/engine/slurm/jobrec_facts.h"

/* maui_stored_priority() with the lowest priority that slurm.conf leaves room for. */
uint32_t slurm_priority(int64_t priority, int64_t base, int64_t nice, int64_t site_factor);

/* The same for a tracked job in one of its places, as the schedulers should see
 * it: a job over a soft limit goes behind others. The mutex is held. */
ENGINE_LOCKED uint32_t tracked_priority(const struct jobrec_facts *facts,
					const struct maui_tracked_part *part);

/* REJECTNEGPRIOJOBS: whether the hold on this job is ours, and how to set and release it. Job write
 * lock. */
bool rejection_is_ours(const job_record_t *job, const struct maui_tracked_job *tracked);
void rejection_hold(struct slurm_writer *writer, job_record_t *job, double sum);
void rejection_release(struct slurm_writer *writer, job_record_t *job);

/* A hold that is not ours may have replaced ours, with our text still there: take that away. Returns
 * whether it was. Job write lock. */
bool rejection_give_up(struct slurm_writer *writer, job_record_t *job);

#endif
