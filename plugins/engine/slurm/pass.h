/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pass: KILL_JOB_RESV in a job's warn_flags, which users can set, too (--signal=R:): Slurm
 * requires it of a job that gets into a reservation of ours. What we require is in rsv_admission.h.
 * Job write lock; to ask, the read lock.
 */
#ifndef MAUI_ENGINE_PASS_H
#define MAUI_ENGINE_PASS_H

#include <stdbool.h>

#include "plugins/compat/base.h"
#include "plugins/engine/runtime/slurm_writer.h"

bool rsv_pass_given(const job_record_t *job); /* by us */
bool rsv_pass_has(const job_record_t *job);   /* by anyone */
void rsv_pass_give(struct slurm_writer *writer, job_record_t *job);
void rsv_pass_take(struct slurm_writer *writer, job_record_t *job);
void rsv_pass_forget(struct slurm_writer *writer,
		     job_record_t *job); /* and what came with it; even for a running job */

/*
 * Ours is put away when the job starts, since while it runs it would serve only
 * others: a job in a reservation of Slurm's own that has a MaxStartDelay may
 * preempt jobs with a pass on its nodes. It still counts as given. When the run
 * ends it is taken out again, for the next one.
 */
void rsv_pass_put_away(struct slurm_writer *writer, job_record_t *job);
void rsv_pass_take_out(struct slurm_writer *writer, job_record_t *job);

#endif
