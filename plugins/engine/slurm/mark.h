/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a job's record in Slurm says that the job may not start. */
#ifndef MAUI_ENGINE_MARK_H
#define MAUI_ENGINE_MARK_H

#include "plugins/compat/base.h"
#include "plugins/engine/runtime/slurm_writer.h"

/*
 * A refused job keeps its priority, and says why in its state_desc; its reason is one of two that
 * Slurm gives to no other job:
 *   refused   COMPAT_WAIT_REFUSED, which no supported machine has: the schedulers look at it again
 *             in their next pass;
 *   parked    WAIT_MAX_REQUEUE with a priority, as Slurm gives that reason only with priority 0:
 *             the schedulers pass it over without counting it. An iteration, or the event that
 *             frees it, takes it back.
 * Whatever else happens to the job replaces the reason, and with it the mark. Slurm saves it with
 * the job. Job write lock to set, read lock to ask.
 */
enum job_mark { MARK_NONE, MARK_REFUSED, MARK_PARKED };
enum job_mark job_mark(const job_record_t *job);
void job_mark_set(struct slurm_writer *writer, job_record_t *job, enum job_mark mark,
		  const char *text);
void job_mark_clear(struct slurm_writer *writer, job_record_t *job);

/*
 * Whether select_nodes() leaves the mark of a refused job as it is. From 23.11 on it does not,
 * whichever scheduler it works for: the reason becomes WAIT_RESOURCES, without a text. restore sets
 * the mark again where this, and nothing else, has happened to it. Job write lock.
 */
bool job_mark_is_kept(void);
void job_mark_restore(struct slurm_writer *writer, job_record_t *job, const char *text);

#endif
