/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a step's CPU time from its jobacct. From Slurm 25.05 on, the destructor
 * of the job's step_list reports each step that ends.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/steprec.h"

#include "plugins/engine/slurm/jobrec.h"

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

	if (!measured || !step->job_ptr || jobrec_has_stepmgr(step->job_ptr))
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

#if COMPAT_FROM(25, 5)
static void (*tell)(const step_record_t *step);

/* Slurm frees a step's record as soon as the step has ended. */
static void end_step(void *record)
{
	const step_record_t *step = record;

	/* What a batch script has used is not told before 25.05, and counts nowhere. */
	if (step->step_id.step_id != SLURM_BATCH_SCRIPT)
		tell(step);
	free_step_record(record);
}

void steprec_watch(struct slurm_writer *writer, job_record_t *job,
		   void (*ended)(const step_record_t *step))
{
	(void)writer;
	if (job->step_list && list_count(job->step_list))
		return;
	tell = ended;
	FREE_NULL_LIST(job->step_list);
	job->step_list = list_create(end_step);
}
#else
void steprec_watch(struct slurm_writer *writer, job_record_t *job,
		   void (*ended)(const step_record_t *step))
{
	(void)writer;
	(void)job;
	(void)ended;
}
#endif
