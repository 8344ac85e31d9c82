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

bool rsv_pass_given(const job_record_t *job); /* by us */
bool rsv_pass_has(const job_record_t *job);   /* by anyone */
void rsv_pass_give(job_record_t *job);
void rsv_pass_take(job_record_t *job);
void rsv_pass_forget(job_record_t *job); /* and what came with it; even for a running job */

/*
 * Ours is put away when the job starts, since while it runs it would serve only others: a job in a
 * reservation of Slurm's own that has a MaxStartDelay may preempt whoever has a pass on its nodes.
 * It still counts as given. When the run ends it is taken out again, for the next one.
 */
void rsv_pass_put_away(job_record_t *job);
void rsv_pass_take_out(job_record_t *job);

#endif
