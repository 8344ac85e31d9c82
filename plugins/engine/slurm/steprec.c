/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/steprec.h"

/* The step of `ssh` sessions holds nothing of its own. */
static double held_by(const step_record_t *step)
{
	time_t now = time(NULL);

	if (step->step_id.step_id == SLURM_EXTERN_CONT || now <= step->start_time)
		return 0;
	return (double)step->cpu_count *
	       (difftime(now, step->start_time) - (double)step->tot_sus_time);
}

bool steprec_look(const step_record_t *step, struct steprec_usage *ret_usage)
{
	const struct jobacctinfo *measured = step->jobacct;
	double used;

	if (!measured || !step->job_ptr)
		return false;
	used = (double)measured->user_cpu_sec + (double)measured->sys_cpu_sec +
	       ((double)measured->user_cpu_usec + (double)measured->sys_cpu_usec) / 1e6;
	if (!(used > 0))
		return false;
	*ret_usage = (struct steprec_usage){
		.job_id = step->job_ptr->job_id,
		.job_start = step->job_ptr->start_time,
		.used = used,
		.held = held_by(step),
	};
	return true;
}
