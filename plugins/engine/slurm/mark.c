/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets a job's mark with jobrec_set_reason() and reads it from state_reason.
 * job_mark_restore() sets it again after select_nodes() of Slurm 23.11 and
 * later.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/mark.h"

#include "plugins/engine/slurm/jobrec.h"

enum job_mark job_mark(const job_record_t *job)
{
	if (!IS_JOB_PENDING(job))
		return MARK_NONE;
	if (job->state_reason == COMPAT_WAIT_REFUSED)
		return MARK_REFUSED;
	return job->priority && job->state_reason == WAIT_MAX_REQUEUE ? MARK_PARKED : MARK_NONE;
}

void job_mark_set(struct slurm_writer *writer, job_record_t *job, enum job_mark mark,
		  const char *text)
{
	jobrec_set_reason(writer, job, mark == MARK_PARKED ? WAIT_MAX_REQUEUE : COMPAT_WAIT_REFUSED,
			  text);
	jobrec_touch(writer);
}

void job_mark_clear(struct slurm_writer *writer, job_record_t *job)
{
	jobrec_set_reason(writer, job, WAIT_NO_REASON, NULL);
	jobrec_touch(writer);
}

bool job_mark_is_kept(void)
{
	return !COMPAT_FROM(23, 11);
}

void job_mark_restore(struct slurm_writer *writer, job_record_t *job, const char *text)
{
	if (IS_JOB_PENDING(job) && job->state_reason == WAIT_RESOURCES && !job->state_desc)
		job_mark_set(writer, job, MARK_REFUSED, text);
}
