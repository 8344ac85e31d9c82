/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 22.05's main scheduler closes a job's partition behind every job that it cannot start, but for
 * one whose priority is below bf_min_prio_reserve: the priority of a job that is refused is lowered
 * to that for as long as that scheduler looks at it. The next job that is looked at gives the real
 * one back, or, after the last, a thread of its own, which waits for nothing but the job write
 * lock.
 *
 * With bf_min_prio_reserve=2 or more it is lowered to 1, and no other job has less than 2. With 1
 * it can only be 0, which is Slurm's own sign of a hold: such a job has a bit that Slurm saves with
 * it, so that it is known whatever becomes of its reason and text, in this process or in the next.
 */
#ifndef MAUI_ENGINE_LOWERED_H
#define MAUI_ENGINE_LOWERED_H

#include <stdbool.h>

#include "plugins/compat/base.h"
#include "plugins/engine/runtime/module.h"

/* The least priority that jobs may have. Any thread. */
uint32_t lowered_floor(void);

/* The job is refused. Job write lock, mutex. */
void lowered_set(job_record_t *job);

/* Gives the job whose priority is lowered its own back, unless it is this one. 0: whichever it is.
 * Job write lock, mutex. */
void lowered_reset(uint32_t but);

/* The job begins: there is nothing to give back. The mutex is held. */
void lowered_forget(uint32_t job_id);

/* Whether the job's priority is 0 by us, and not held by anybody. Job read lock. */
bool lowered_is_hold(const job_record_t *job);

/* Makes a job that is so one that waits for its priority, as tasks that have been split off
 * meanwhile; and one whose priority is set anew one whose priority is its own. Job write lock. */
void lowered_lift(job_record_t *job);

/* 0, or SLURM_ERROR. The mutex is held. */
int lowered_start_thread(void);

extern const struct module lowered_module;

#endif
