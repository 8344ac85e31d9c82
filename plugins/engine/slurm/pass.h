/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pass: KILL_JOB_RESV in a job's warn_flags, which users can set, too (--signal=R:): it is what
 * Slurm asks of a job that gets into a reservation of ours. What we ask for is in rsv_admission.h.
 * Job write lock, to ask the read lock.
 */
#ifndef MAUI_ENGINE_PASS_H
#define MAUI_ENGINE_PASS_H

#include <stdbool.h>

#include "plugins/compat/base.h"

bool rsv_pass_given(const job_record_t *job); /* by us */
bool rsv_pass_has(const job_record_t *job);   /* by whomever */
void rsv_pass_give(job_record_t *job);
void rsv_pass_take(job_record_t *job);
void rsv_pass_forget(job_record_t *job); /* and what came with it; also of a job that runs */

/*
 * Ours is put away when the job starts, for while it runs it would serve others alone: a job in a
 * reservation of Slurm's own that has a MaxStartDelay may preempt whoever has a pass on its nodes.
 * It still counts as given. When the run ends it is taken out again, for the next one.
 */
void rsv_pass_put_away(job_record_t *job);
void rsv_pass_take_out(job_record_t *job);

#endif
