/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/pass.h"

#include "plugins/engine/runtime/runtime.h"

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

void rsv_pass_give(job_record_t *job)
{
	if (shadow_refuses("to give a job its pass"))
		return;
	if (!rsv_pass_has(job))
		job->warn_flags |= KILL_JOB_RESV | COMPAT_OUR_PASS;
	close_loophole(job);
}

void rsv_pass_take(job_record_t *job)
{
	if (shadow_refuses("to take a job's pass away"))
		return;
	if (rsv_pass_given(job))
		job->warn_flags &= ~(KILL_JOB_RESV | COMPAT_OUR_PASS);
	if (rsv_pass_has(job))
		close_loophole(job);
}

/* Only we leave a warn_time without a signal to send. */
void rsv_pass_forget(job_record_t *job)
{
	job->warn_flags &= rsv_pass_given(job) ? ~(KILL_JOB_RESV | COMPAT_OUR_PASS) : UINT16_MAX;
	if (job->warn_time == 1 && !job->warn_signal && !job->warn_flags)
		job->warn_time = 0;
}

void rsv_pass_put_away(job_record_t *job)
{
	if (rsv_pass_given(job))
		job->warn_flags &= ~KILL_JOB_RESV;
}

void rsv_pass_take_out(job_record_t *job)
{
	if (rsv_pass_given(job))
		job->warn_flags |= KILL_JOB_RESV;
}
