/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the facts of a job from job_record_t and job_details_t, and prefetches
 * the members that are read.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/jobrec_facts.h"

#include <math.h>
#include <stddef.h>

#include "common/policy/priority/system_priority.h"
#include "common/util/time/duration.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/mark.h"

static bool jobrec_facts_depends(const job_details_t *details)
{
	return details->depend_list && list_count(details->depend_list);
}

/* Slurm looks after dependencies and deadlines only of jobs that it considers: jobs that have one
 * are refused when they would start, but never parked. */
static bool jobrec_facts_parkable(const job_record_t *job, const struct jobrec_facts *facts)
{
	return !facts->depends && (!job->deadline || job->deadline == NO_VAL) && !job->fed_details;
}

static void jobrec_facts_read_details(const job_details_t *details, struct jobrec_facts *facts)
{
	facts->has_details = true;
	facts->submitted = details->submit_time;
	facts->begins = details->begin_time;
	facts->nice = (int32_t)((int64_t)details->nice - NICE_OFFSET);
	facts->cpus = details->min_cpus;
	facts->nodes = details->min_nodes;
	facts->tasks = details->num_tasks;
	facts->node_memory = details->pn_min_memory;
	facts->node_disk = details->pn_min_tmp_disk;
	facts->depends = jobrec_facts_depends(details);
}

/* A site factor that is an absolute system priority (setspri) adds nothing: it is one of the
 * terms. */
static void jobrec_facts_read_site_factor(const job_record_t *job, struct jobrec_facts *facts)
{
	int32_t factor = (int32_t)((int64_t)job->site_factor - NICE_OFFSET);

	facts->system_priority = maui_system_priority_absolute(factor);
	facts->site_factor = facts->system_priority ? 0 : factor;
}

void jobrec_facts_read(const job_record_t *job, struct jobrec_facts *ret_facts)
{
	struct jobrec_facts facts = {
		.job = job,
		.partition = job->part_ptr,
		.comment = job->comment,
		.job_id = job->job_id,
		.array_id = job->array_job_id,
		.array_task = job->array_task_id,
		.het_id = job->het_job_id,
		.user = job->user_id,
		.group = job->group_id,
		.association = job->assoc_id,
		.qos = jobrec_qos(job),
		.priority = job->priority,
		.time_limit = job->time_limit,
		.reason = (uint16_t)job->state_reason,
		.mark = (uint8_t)job_mark(job),
		.by_hand = job->direct_set_prio,
		.expedited = compat_is_expedited(job),
	};

	if (job->details)
		jobrec_facts_read_details(job->details, &facts);
	facts.parkable = jobrec_facts_parkable(job, &facts);
	jobrec_facts_read_site_factor(job, &facts);
	*ret_facts = facts;
}

/* ---- how long ---- */

static double jobrec_facts_seconds(uint32_t minutes)
{
	return minutes == NO_VAL || minutes == INFINITE ? MAUI_INFINITY : minutes * 60.0;
}

double jobrec_facts_walltime(const struct jobrec_facts *facts, const part_record_t *partition)
{
	uint32_t minutes = facts->time_limit;

	if (minutes == NO_VAL && partition)
		minutes = partition->default_time;
	if (minutes == NO_VAL && partition)
		minutes = partition->max_time;
	return jobrec_facts_seconds(minutes);
}

uint32_t jobrec_facts_walltime_asked(const struct jobrec_facts *facts)
{
	if (facts->time_limit == NO_VAL)
		return 0;
	return (uint32_t)fmin(jobrec_facts_seconds(facts->time_limit), MAUI_INFINITY);
}

/* Backfill tries it with its --time-min. */
static bool jobrec_facts_tried_with_least(const job_record_t *job)
{
	return COMPAT_FROM(25, 5) && job->time_min && job->time_limit == job->time_min &&
	       (job->bit_flags & (BACKFILL_TEST | BACKFILL_SCHED));
}

/* Without a limit of its own backfill gives a job its partition's. Parts of heterogeneous jobs get the
 * default from it, too. */
static bool jobrec_facts_gets_all(const struct jobrec_facts *facts, bool least, uint32_t asked)
{
	if (least)
		return !asked;
	return facts->time_limit == NO_VAL && (facts->job->bit_flags & BACKFILL_SCHED) &&
	       !facts->het_id;
}

double jobrec_facts_walltime_at_start(const struct jobrec_facts *facts, uint32_t asked)
{
	bool least = jobrec_facts_tried_with_least(facts->job);

	if (!jobrec_facts_gets_all(facts, least, asked))
		return fmax(jobrec_facts_walltime(facts, facts->partition), least ? asked : 0);
	return facts->partition ? jobrec_facts_seconds(facts->partition->max_time) : MAUI_INFINITY;
}

/* ---- prefetching ---- */

/* The cache line of a member, wherever the record is now. */
#define PREFETCH(record, type, member)                                                             \
	__builtin_prefetch((const char *)(record) + offsetof(type, member))

void jobrec_facts_prefetch_state(const void *record)
{
	PREFETCH(record, job_record_t, job_id);
	PREFETCH(record, job_record_t, job_state);
}

/* Neighbours may be on one line or on two: that depends on where the record begins, and on the
 * release. */
void jobrec_facts_prefetch(const void *record)
{
	PREFETCH(record, job_record_t, array_job_id);
	PREFETCH(record, job_record_t, array_recs);
	PREFETCH(record, job_record_t, assoc_id);
	PREFETCH(record, job_record_t, bit_flags);
	PREFETCH(record, job_record_t, comment);
	PREFETCH(record, job_record_t, deadline);
	PREFETCH(record, job_record_t, details);
	PREFETCH(record, job_record_t, direct_set_prio);
	PREFETCH(record, job_record_t, fed_details);
	PREFETCH(record, job_record_t, group_id);
	PREFETCH(record, job_record_t, het_job_id);
	PREFETCH(record, job_record_t, job_id);
	PREFETCH(record, job_record_t, job_state);
	PREFETCH(record, job_record_t, part_ptr);
	PREFETCH(record, job_record_t, part_ptr_list);
	PREFETCH(record, job_record_t, priority);
	PREFETCH(record, job_record_t, qos_id);
	PREFETCH(record, job_record_t, site_factor);
	PREFETCH(record, job_record_t, state_reason);
	PREFETCH(record, job_record_t, time_limit);
	PREFETCH(record, job_record_t, user_id);
	PREFETCH(record, job_record_t, warn_flags);
}

void jobrec_facts_prefetch_details(const job_record_t *job)
{
	PREFETCH(job->details, job_details_t, begin_time);
	PREFETCH(job->details, job_details_t, depend_list);
	PREFETCH(job->details, job_details_t, min_cpus);
	PREFETCH(job->details, job_details_t, pn_min_tmp_disk);
	PREFETCH(job->details, job_details_t, submit_time);
}
