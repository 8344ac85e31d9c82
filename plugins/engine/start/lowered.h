/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What has to be undone of a refusal, once the scheduler has looked at the job.
 *
 * Slurm's main scheduler closes a partition behind every job that it cannot
 * start, except a job whose priority is below bf_min_prio_reserve. So the
 * priority of a refused job is lowered below it while that scheduler looks at
 * the job. The real one is restored when the next job is looked at, or, after
 * the last, by a dedicated thread that waits for nothing but the job write
 * lock.
 *
 * With bf_min_prio_reserve=2 or more it is lowered to 1, and no other job has
 * less than 2. Otherwise it can only be 0, which is also Slurm's sign of a
 * hold: such a job gets a bit that Slurm saves with it, so that it is
 * recognized whatever happens to its reason and text, even after a restart.
 *
 * And where select_nodes() overwrites the mark of a refused job, the mark is
 * restored, too.
 */
#ifndef MAUI_ENGINE_LOWERED_H
#define MAUI_ENGINE_LOWERED_H

#include <stdbool.h>

#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"
#include "plugins/engine/runtime/slurm_writer.h"

/* The lowest priority that a job may have. Any thread. */
uint32_t lowered_floor(void);

/* The job was refused a start, and is marked. main: by the main scheduler. Job write lock,
 * mutex. */
ENGINE_LOCKED void lowered_set(struct slurm_writer *writer, job_record_t *job, bool main);

/* Restores the mark and the priority of the job refused last, unless it is this job; 0: whichever
 * it is. Job write lock, mutex. */
ENGINE_LOCKED void lowered_reset(struct slurm_writer *writer, uint32_t but);

/* The job has begun: there is nothing to restore. The mutex is held. */
ENGINE_LOCKED void lowered_forget(uint32_t job_id);

/* Whether we set the job's priority to 0, and nobody holds it. Job read lock. */
bool lowered_is_hold(const job_record_t *job);

/* Takes the bit from a job, such as a task that was split off meanwhile or one that gets a new
 * priority; where lowered_is_hold(), it gets the floor as priority. Job write lock. */
void lowered_lift(struct slurm_writer *writer, job_record_t *job);

/* 0, or SLURM_ERROR. The mutex is held. */
ENGINE_LOCKED int lowered_start_thread(void);

extern const struct module lowered_module;

#endif
