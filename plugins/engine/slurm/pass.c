/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets and clears KILL_JOB_RESV and COMPAT_OUR_PASS in a job's warn_flags.
 * Replaces warn_time 0, which bypasses reservations before Slurm 23.11.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/pass.h"

bool rsv_pass_given(const job_record_t *job)
{
	return job->warn_flags & COMPAT_OUR_PASS;
}

bool rsv_pass_has(const job_record_t *job)
{
	return job->warn_flags & KILL_JOB_RESV;
}

/* Before 23.11 Slurm lets a job with warn_time 0 into any reservation. */
static void close_loophole(job_record_t *job)
{
	if (!job->warn_time)
		job->warn_time = 1;
}

void rsv_pass_give(struct slurm_writer *writer, job_record_t *job)
{
	if (!rsv_pass_has(job))
		job->warn_flags |= KILL_JOB_RESV | COMPAT_OUR_PASS;
	close_loophole(job);
}

void rsv_pass_take(struct slurm_writer *writer, job_record_t *job)
{
	if (rsv_pass_given(job))
		job->warn_flags &= ~(KILL_JOB_RESV | COMPAT_OUR_PASS);
	if (rsv_pass_has(job))
		close_loophole(job);
}

/* Only we leave a warn_time without a signal to send. */
void rsv_pass_forget(struct slurm_writer *writer, job_record_t *job)
{
	job->warn_flags &= rsv_pass_given(job) ? ~(KILL_JOB_RESV | COMPAT_OUR_PASS) : UINT16_MAX;
	if (job->warn_time == 1 && !job->warn_signal && !job->warn_flags)
		job->warn_time = 0;
}

void rsv_pass_put_away(struct slurm_writer *writer, job_record_t *job)
{
	if (rsv_pass_given(job))
		job->warn_flags &= ~KILL_JOB_RESV;
}

void rsv_pass_take_out(struct slurm_writer *writer, job_record_t *job)
{
	if (rsv_pass_given(job))
		job->warn_flags |= KILL_JOB_RESV;
}
