/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The places where a job is tried, and its priority in each. */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/jobrec.h"

uint32_t jobrec_places(const job_record_t *job)
{
	uint32_t partitions = job->part_ptr_list ? (uint32_t)list_count(job->part_ptr_list) : 1;

	return partitions * compat_qos_count(job);
}

uint32_t jobrec_sort_places(struct slurm_writer *writer, job_record_t *job)
{
	if (job->part_ptr_list)
		list_sort(job->part_ptr_list, priority_sort_part_tier);
	return jobrec_places(job);
}

#ifdef COMPAT_PRIO_MULT
#define PRIORITIES(job) ((job)->COMPAT_PRIO_MULT->priority_array)
#else
#define PRIORITIES(job) ((job)->priority_array)
#endif

#if COMPAT_FROM(24, 11)
/* Slurm reads one for each place. A QOS that it does not know may come back, and its place with
 * it. */
static uint32_t priorities_wanted(const job_record_t *job)
{
	const char *named = job->qos_list && job->details ? job->details->qos_req : NULL;
	uint32_t partitions = (uint32_t)list_count(job->part_ptr_list), qos = 1;

	for (; named && *named; named++)
		qos += *named == ',';
	return partitions * (qos > compat_qos_count(job) ? qos : compat_qos_count(job));
}

/* In 24.11 a task of an array gets a copy with only one priority for each partition. */
static bool may_have_priorities(const job_record_t *job)
{
	return !COMPAT_IS(24, 11) || !job->array_job_id || compat_qos_count(job) == 1;
}

/* A job may get more QOS. */
static bool is_long_enough(const job_record_t *job)
{
	uint32_t *priorities = compat_priority_array(job);

	return xsize(priorities) >= priorities_wanted(job) * sizeof(*priorities);
}
#else
static uint32_t priorities_wanted(const job_record_t *job)
{
	return (uint32_t)list_count(job->part_ptr_list) + 1;
}

static bool may_have_priorities(const job_record_t *job)
{
	(void)job;
	return true;
}

static bool is_long_enough(const job_record_t *job)
{
	(void)job;
	return true;
}
#endif

bool jobrec_has_priorities(const job_record_t *job)
{
	return job->part_ptr_list && compat_priority_array(job) && is_long_enough(job);
}

uint32_t jobrec_priority_at(const job_record_t *job, uint32_t place)
{
	return jobrec_has_priorities(job) ? compat_priority_array(job)[place] : job->priority;
}

void jobrec_set_priority_at(struct slurm_writer *writer, job_record_t *job, uint32_t place,
			    uint32_t priority)
{
	compat_priority_array(job)[place] = priority;
}

/* None of them is 0, or Slurm would hold the job for good. */
void jobrec_make_priorities(struct slurm_writer *writer, job_record_t *job)
{
	uint32_t wanted, priority = job->priority ? job->priority : 1;

	if (!job->part_ptr_list || jobrec_has_priorities(job))
		return;
#ifdef COMPAT_PRIO_MULT
	if (!job->COMPAT_PRIO_MULT)
		job->COMPAT_PRIO_MULT = xmalloc(sizeof(*job->COMPAT_PRIO_MULT));
	xfree(PRIORITIES(job));
#endif
	if (!may_have_priorities(job))
		return;
	wanted = priorities_wanted(job);
	PRIORITIES(job) = xcalloc(wanted, sizeof(uint32_t));
	for (uint32_t i = 0; i < wanted; i++)
		PRIORITIES(job)[i] = priority;
}

/* Slurm sets as many of the first as there are partitions. */
void jobrec_spread_priority(struct slurm_writer *writer, job_record_t *job)
{
	uint32_t priority, places;

	if (!job->part_ptr_list || compat_qos_count(job) == 1 || !compat_priority_array(job))
		return;
	priority = compat_priority_array(job)[0];
	jobrec_make_priorities(writer, job);
	places = jobrec_has_priorities(job) ? jobrec_places(job) : 0;
	for (uint32_t i = 0; i < places; i++)
		jobrec_set_priority_at(writer, job, i, priority);
}

bool jobrec_change_priority(struct slurm_writer *writer, job_record_t *job, uint32_t place,
			    bool current, uint32_t priority)
{
	bool changed = false;

	if (jobrec_has_priorities(job) && compat_priority_array(job)[place] != priority) {
		jobrec_set_priority_at(writer, job, place, priority);
		changed = true;
	}
	if (current && job->priority != priority) {
		job->priority = priority;
		changed = true;
	}
	return changed;
}
