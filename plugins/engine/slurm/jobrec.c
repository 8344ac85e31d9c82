/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and sets fields of Slurm's job_record_t and job_details_t, with
 * COMPAT_FROM where releases of Slurm differ.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/jobrec.h"

#include "plugins/compat/preempt_api.h"
#include "plugins/engine/slurm/qos_started.h"

/* A fact that is one expression: not in the header, whose readers see no records. */
#define JOB_FACT(type, fact, value)                                                                \
	type fact(const job_record_t *job)                                                         \
	{                                                                                          \
		return value;                                                                      \
	}

job_record_t *jobrec_find(uint32_t job_id)
{
	return find_job_record(job_id);
}

job_record_t *jobrec_find_task(uint32_t array_id, uint32_t task)
{
	return find_job_array_rec(array_id, task);
}

struct walk {
	jobrec_visit_t visit;
	void *context;
};

static int visit_one(void *object, void *context)
{
	const struct walk *walk = context;

	return walk->visit(object, walk->context);
}

int jobrec_each(jobrec_visit_t visit, void *context)
{
	struct walk walk = {visit, context};

	return job_list ? list_for_each_ro(job_list, visit_one, &walk) : 0;
}

size_t jobrec_count(void)
{
	return job_list ? (size_t)list_count(job_list) : 0;
}

bool jobrec_there(void)
{
	return job_list && part_list;
}

void jobrec_touch(struct slurm_writer *writer)
{
	last_job_update = time(NULL);
}

/* ---- which job ---- */

JOB_FACT(uint32_t, jobrec_id, job->job_id)
JOB_FACT(uint32_t, jobrec_array_id, job->array_job_id)
JOB_FACT(uint32_t, jobrec_array_task, job->array_task_id)
JOB_FACT(bool, jobrec_is_het_part, job->het_job_id && job->het_job_offset)

struct part_walk {
	void (*visit)(const job_record_t *job, void *context);
	void *context;
};

static int visit_part(void *object, void *context)
{
	const struct part_walk *walk = context;

	walk->visit(object, walk->context);
	return 0;
}

void jobrec_each_het_part(const job_record_t *leader, void (*visit)(const job_record_t *, void *),
			  void *context)
{
	struct part_walk walk = {visit, context};

	if (leader->het_job_list)
		list_for_each_ro(leader->het_job_list, visit_part, &walk);
}

JOB_FACT(bool, jobrec_is_meta, job->array_recs)
JOB_FACT(uint32_t, jobrec_user, job->user_id)
JOB_FACT(uint32_t, jobrec_group, job->group_id)

uint32_t jobrec_qos(const job_record_t *job)
{
#if COMPAT_FROM(24, 11)
	if (job->qos_list && job->qos_ptr)
		return IS_JOB_PENDING(job)
			       ? job->qos_ptr->id
			       : qos_started_of(job->job_id, job->start_time, job->qos_ptr->id);
#endif
	return job->qos_id;
}

#if COMPAT_FROM(24, 11)
struct qos_walk {
	jobrec_visit_qos_t visit;
	void *context;
};

static int visit_qos(void *object, void *context)
{
	const slurmdb_qos_rec_t *qos = object;
	const struct qos_walk *walk = context;

	walk->visit(qos->id, walk->context);
	return 0;
}
#endif

void jobrec_each_qos(const job_record_t *job, jobrec_visit_qos_t visit, void *context)
{
#if COMPAT_FROM(24, 11)
	struct qos_walk walk = {visit, context};

	if (job->qos_list && list_count(job->qos_list)) {
		list_for_each_ro(job->qos_list, visit_qos, &walk);
		return;
	}
#endif
	visit(job->qos_id, context);
}

JOB_FACT(const char *, jobrec_account, job->account)
JOB_FACT(const char *, jobrec_comment, job->comment)
JOB_FACT(const char *, jobrec_reservation, job->resv_name)
JOB_FACT(const char *, jobrec_reservation_inside, job->resv_ptr ? job->resv_ptr->name : NULL)
JOB_FACT(bool, jobrec_reservation_overlaps,
	 job->resv_ptr && (job->resv_ptr->flags & (RESERVE_FLAG_MAINT | RESERVE_FLAG_OVERLAP)))

/* ---- its state ---- */

JOB_FACT(bool, jobrec_is_pending, IS_JOB_PENDING(job))
JOB_FACT(bool, jobrec_is_running, IS_JOB_RUNNING(job))
JOB_FACT(bool, jobrec_is_suspended, IS_JOB_SUSPENDED(job))
JOB_FACT(bool, jobrec_is_active, IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job))
JOB_FACT(bool, jobrec_is_finished, IS_JOB_FINISHED(job))
JOB_FACT(bool, jobrec_is_completing, IS_JOB_COMPLETING(job))
JOB_FACT(bool, jobrec_lost_a_node, IS_JOB_NODE_FAILED(job) || job->state_reason == FAIL_DOWN_NODE)
JOB_FACT(bool, jobrec_is_resizing, IS_JOB_RESIZING(job))
JOB_FACT(bool, jobrec_is_queued, IS_JOB_PENDING(job) && !IS_JOB_REVOKED(job) && job->details)

bool jobrec_still_waits(const job_record_t *job, time_t submitted)
{
	return IS_JOB_PENDING(job) && job->details && job->details->submit_time == submitted;
}

JOB_FACT(time_t, jobrec_submitted, job->details ? job->details->submit_time : 0)
JOB_FACT(time_t, jobrec_start, job->start_time)
JOB_FACT(time_t, jobrec_end, job->end_time)
JOB_FACT(time_t, jobrec_run_before, job->pre_sus_time)
JOB_FACT(bool, jobrec_was_suspended, job->suspend_time)

/* ---- what it asks for ---- */

JOB_FACT(bool, jobrec_has_details, job->details)
JOB_FACT(uint32_t, jobrec_tasks, job->details ? job->details->num_tasks : 0)
JOB_FACT(uint32_t, jobrec_min_cpus, job->details ? job->details->min_cpus : 0)
JOB_FACT(uint32_t, jobrec_min_nodes, job->details ? job->details->min_nodes : 0)
JOB_FACT(uint16_t, jobrec_cpus_per_task, job->details ? job->details->cpus_per_task : 0)
JOB_FACT(uint16_t, jobrec_tasks_per_node, job->details ? job->details->ntasks_per_node : 0)
JOB_FACT(uint64_t, jobrec_min_memory, job->details ? job->details->pn_min_memory : 0)
JOB_FACT(uint32_t, jobrec_min_disk, job->details ? job->details->pn_min_tmp_disk : 0)
JOB_FACT(uint32_t, jobrec_time_limit, job->time_limit)
JOB_FACT(bool, jobrec_wants_whole_nodes,
	 job->details ? compat_wants_whole_nodes(job->details) : false)

bool jobrec_has_stepmgr(const job_record_t *job)
{
#if COMPAT_FROM(24, 11)
	return job->bit_flags & STEPMGR_ENABLED;
#else
	(void)job;
	return false;
#endif
}

JOB_FACT(const char *, jobrec_constraint,
	 job->details && job->details->feature_list ? job->details->features : NULL)
JOB_FACT(const char *, jobrec_prefer, job->details ? job->details->prefer : NULL)
JOB_FACT(bitstr_t *, jobrec_required_nodes, job->details ? job->details->req_node_bitmap : NULL)
JOB_FACT(bitstr_t *, jobrec_excluded_nodes, job->details ? job->details->exc_node_bitmap : NULL)

/* ---- where ---- */

JOB_FACT(part_record_t *, jobrec_partition, job->part_ptr)
JOB_FACT(const char *, jobrec_class, job->part_ptr ? job->part_ptr->name : NULL)
JOB_FACT(const char *, jobrec_partition_names, job->partition)
JOB_FACT(bool, jobrec_has_partition_list, job->part_ptr_list)
JOB_FACT(bitstr_t *, jobrec_nodes, job->node_bitmap)
JOB_FACT(uint32_t, jobrec_cpus, job->total_cpus)
JOB_FACT(bool, jobrec_has_got, job->job_resrcs)

/* ---- its priority ---- */

JOB_FACT(uint32_t, jobrec_priority, job->priority)

void jobrec_set_priority(struct slurm_writer *writer, job_record_t *job, uint32_t priority)
{
	job->priority = priority;
}

JOB_FACT(bool, jobrec_priority_is_by_hand, job->direct_set_prio)
JOB_FACT(bool, jobrec_is_marked_lowered, (job->bit_flags & COMPAT_OUR_LOWERED) != 0)

void jobrec_mark_lowered(struct slurm_writer *writer, job_record_t *job, bool lowered)
{
	if (lowered)
		job->bit_flags |= COMPAT_OUR_LOWERED;
	else
		job->bit_flags &= ~COMPAT_OUR_LOWERED;
}

bool jobrec_is_dropped_at_zero(const job_record_t *job)
{
#if COMPAT_FROM(24, 11)
	return job->part_ptr_list || job->qos_list;
#else
	(void)job;
	return false;
#endif
}

void jobrec_forget_fairshare(struct slurm_writer *writer, job_record_t *job)
{
	if (job->prio_factors) /* which Slurm recomputes if it is 0 */
		job->prio_factors->priority_fs = 0;
}

/* ---- its schedulers ---- */

JOB_FACT(bool, jobrec_was_looked_at, job->last_sched_eval)
JOB_FACT(bool, jobrec_backfill_looks, (job->bit_flags & BACKFILL_SCHED) != 0)
JOB_FACT(uint16_t, jobrec_warn_time, job->warn_time)
JOB_FACT(time_t, jobrec_preempts_since, job->details ? job->details->preempt_start_time : 0)

uint32_t jobrec_grace(job_record_t *job)
{
	return compat_grace_time(job);
}

/* ---- why it waits ---- */

JOB_FACT(enum job_state_reason, jobrec_reason, job->state_reason)

const char *jobrec_reason_name(enum job_state_reason reason)
{
	return compat_reason(reason);
}

JOB_FACT(const char *, jobrec_reason_text, job->state_desc)

void jobrec_set_reason(struct slurm_writer *writer, job_record_t *job, enum job_state_reason reason,
		       const char *text)
{
	char *copy = text ? xstrdup(text) : NULL;

	job->state_reason = reason;
	xfree(job->state_desc);
	job->state_desc = copy;
}
