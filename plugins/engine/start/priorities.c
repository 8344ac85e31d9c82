/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One job's current priority, at submission and on changes, and the terms behind it for sprio. */
#include "plugins/compat/base.h"

#include "plugins/engine/start/priorities.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "common/policy/priority/stored_priority.h"
#include "plugins/engine/api/engine.h"
#include "plugins/engine/limits/limits.h"
#include "plugins/engine/nodes/node_state.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/queue/known_jobs.h"
#include "plugins/engine/reservation/rsv_admission.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/access.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/qos_records.h"
#include "plugins/engine/slurm/records.h"
#include "plugins/engine/slurm/usage/share_factors.h"
#include "plugins/engine/start/lowered.h"

#define REJECTION_PREFIX "negative priority "

uint32_t slurm_priority(int64_t priority, int64_t base, int64_t nice, int64_t site_factor)
{
	return maui_stored_priority(priority, base, nice, site_factor, lowered_floor());
}

uint32_t tracked_priority(const struct jobrec_facts *facts, const struct maui_tracked_part *part)
{
	uint32_t priority = slurm_priority(part->priority, in_force.policy->base, facts->nice,
					   facts->site_factor);

	return part->demoted && part->demoted < priority ? part->demoted : priority;
}

/*
 * Slurm's own holds leave traces: hold sets direct_set_prio, and a job submitted with --hold has a
 * user's hold. Ours is recognized by its text, which Slurm saves with the job, or from our own
 * record once `scontrol release` has wiped the text.
 */
static bool has_our_text(const job_record_t *job)
{
	const char *text = jobrec_reason_text(job);

	return text && !strncmp(text, REJECTION_PREFIX, strlen(REJECTION_PREFIX));
}

bool rejection_is_ours(const job_record_t *job, const struct maui_tracked_job *tracked)
{
	if (jobrec_priority(job) != 0 || jobrec_priority_is_by_hand(job))
		return false;
	if (jobrec_reason(job) == WAIT_HELD_USER)
		return false;
	if (has_our_text(job))
		return true;
	return tracked && tracked->rejected && !jobrec_reason_text(job);
}

void rejection_hold(struct slurm_writer *writer, job_record_t *job, double sum)
{
	char *text;

	text = xstrdup_printf(REJECTION_PREFIX "%.0f (REJECTNEGPRIOJOBS)", sum);
	jobrec_set_priority(writer, job, 0);
	jobrec_set_reason(writer, job, WAIT_HELD, text);
	xfree(text);
}

void rejection_release(struct slurm_writer *writer, job_record_t *job)
{
	jobrec_set_reason(writer, job, WAIT_NO_REASON, NULL);
}

bool rejection_give_up(struct slurm_writer *writer, job_record_t *job)
{
	if (!has_our_text(job))
		return false;
	jobrec_set_reason(writer, job, jobrec_reason(job), NULL);
	return true;
}

/* What evaluate_place() finds in the places of one job. */
struct job_rows {
	struct jobrec_facts facts;
	struct maui_tracked_job *tracked;
	double sum;    /* of the first */
	bool rejected; /* each of them is */
};

/* The mutex is held. */
ENGINE_LOCKED static void evaluate(const struct maui_priority_job *row, int64_t now,
				   struct maui_priority_result *ret_result)
{
	struct maui_priority_tables tables = maui_names_tables(in_force.names);

	maui_priority_evaluate_all(in_force.policy->priority, &tables, row, 1, now, ret_result);
}

/* What the arithmetic needs of a job in one of its places; without tracked, queued_since is the
 * caller's. */
ENGINE_LOCKED static void priorities_place(const struct jobrec_facts *facts,
					   const part_record_t *partition, uint32_t qos,
					   const struct maui_tracked_job *tracked,
					   struct maui_priority_job *ret_row)
{
	records_job(facts, partition, in_force.names, qos_records_now(qos, in_force.names),
		    records_class(partition, in_force.names), &node_state.machine, ret_row);
	ret_row->tree = share_factors_of(facts->association);
	if (tracked) {
		ret_row->queued_since = tracked->queued_since;
		ret_row->bypass = tracked->bypass;
	}
}

static void evaluate_place(part_record_t *partition, uint32_t qos, uint32_t place, void *context)
{
	struct job_rows *rows = context;
	struct maui_priority_job row;
	struct maui_priority_result result;
	struct maui_tracked_part *part;

	engine_assert_locked();
	if (place >= rows->tracked->part_count)
		return;
	part = maui_tracked_part_of(rows->tracked, place);
	priorities_place(&rows->facts, partition, qos, rows->tracked, &row);
	evaluate(&row, rows->tracked->evaluated, &result);
	part->class = row.credential[MAUI_CLASS];
	part->priority = result.priority;
	rows->rejected &= result.rejected;
	if (!place)
		rows->sum = result.sum;
}

/* Fills Slurm's fields from the priorities of all places; returns the one that
 * squeue shows. Job write lock, mutex. */
ENGINE_LOCKED static uint32_t store(struct slurm_writer *writer, job_record_t *job,
				    const struct jobrec_facts *facts,
				    const struct maui_tracked_job *tracked)
{
	uint32_t current = records_current_place(job);

	jobrec_make_priorities(writer, job);
	for (uint32_t i = 0; jobrec_has_priorities(job) && i < tracked->part_count; i++)
		jobrec_set_priority_at(writer, job, i,
				       tracked_priority(facts, maui_tracked_part(tracked, i)));
	if (current >= tracked->part_count)
		current = 0;
	return tracked_priority(facts, maui_tracked_part(tracked, current));
}

/* Unchanged, except that 0 would hold the job. */
static uint32_t present_priority(const job_record_t *job)
{
	uint32_t priority = jobrec_priority(job);

	return priority ? priority : 1;
}

/* The mutex is held. The job's priority in all its partitions, and what squeue shows. */
ENGINE_LOCKED static uint32_t set_tracked(struct slurm_writer *writer, job_record_t *job,
					  struct maui_tracked_job *tracked)
{
	struct job_rows rows = {.tracked = tracked, .rejected = true};

	jobrec_facts_read(job, &rows.facts);
	tracked->evaluated = time(NULL);
	tracked->walltime = jobrec_facts_walltime_asked(&rows.facts);
	maui_tracked_job_resize(tracked, jobrec_sort_places(writer, job));
	if (!records_each_place(job, evaluate_place, &rows)) {
		tracked->part_count = 0;
		return present_priority(job);
	}
	tracked->change = ++engine.change;
	/* This job may be blocked, or others may have to let it pass. */
	if (job_queue.blocked || maui_limits_any(limits_table(), MAUI_LIMIT_BIT(MAUI_LIMIT_IDLE))) {
		engine_want_refresh();
	}
	tracked->rejected = !engine.disabled && rows.rejected;
	if (tracked->rejected) {
		rejection_hold(writer, job, rows.sum);
		return 0;
	}
	return store(writer, job, &rows.facts, tracked);
}

/* The engine sees a job here first, before Slurm looks for nodes. */
static void apply_access(struct slurm_writer *writer, job_record_t *job)
{
	struct maui_policy *policy;
	bool applies;

	engine_lock();
	policy = maui_policy_ref(in_force.policy);
	applies = policy && !engine.disabled;
	if (policy)
		rsv_admission_pass(writer, job, maui_jobs_find(job_queue.jobs, jobrec_id(job)));
	lowered_lift(writer, job); /* it gets a new priority */
	engine_unlock();
	if (applies)
		access_apply(writer, job, policy);
	maui_policy_unref(policy);
}

uint32_t maui_engine_set_priority(job_record_t *job)
{
	struct maui_tracked_job *tracked;
	struct slurm_writer *writer = slurm_writer_of_call();
	uint32_t priority;

	if (!writer)
		return jobrec_priority(job);
	apply_access(writer, job);
	if (jobrec_priority_is_by_hand(job) && jobrec_priority(job) > 0) {
		jobrec_spread_priority(writer, job);
		return jobrec_priority(job);
	}
	if (!jobrec_has_details(job)) {
		error("maui: %pJ has no details: its priority stays as it is", job);
		return present_priority(job);
	}
	qos_records_lock();
	engine_lock();
	known_jobs_add(jobrec_id(job), job);
	tracked = in_force.policy
			  ? maui_jobs_track(job_queue.jobs, jobrec_id(job), jobrec_submitted(job))
			  : NULL;
	priority = tracked ? set_tracked(writer, job, tracked) : present_priority(job);
	engine_unlock();
	qos_records_unlock();
	return priority;
}

/* ---- the terms for sprio ---- */

/* One place of a job, whose terms are wanted. */
struct terms_place {
	const struct jobrec_facts *facts;
	const part_record_t *partition;         /* the first place in it */
	const struct maui_tracked_job *tracked; /* NULL: nobody has seen it yet, as of a task just
						   split from its array */
	struct maui_engine_terms *terms;
	bool found;
};

/* As of the time of the priority that is stored. What has been counted since, or rounded, goes into
 * the largest of sprio's columns. */
static void terms_evaluate(part_record_t *partition, uint32_t qos, uint32_t place, void *context)
{
	struct terms_place *wanted = context;
	const struct maui_tracked_job *tracked = wanted->tracked;
	int64_t now = tracked ? tracked->evaluated : time(NULL);
	struct maui_priority_job row;

	engine_assert_locked();
	(void)place;
	if (wanted->found || partition != wanted->partition)
		return;
	wanted->found = true;
	priorities_place(wanted->facts, partition, qos, tracked, &row);
	if (!tracked)
		row.queued_since = wanted->facts->has_details ? wanted->facts->submitted : now;
	evaluate(&row, now, &wanted->terms->result);
}

/* What the priority would be if a soft limit had not lowered it; 0: none has. */
ENGINE_LOCKED static uint32_t terms_behind(const struct maui_tracked_job *tracked,
					   const part_record_t *partition,
					   const struct maui_engine_terms *terms)
{
	uint32_t class = records_class(partition, in_force.names);

	for (uint32_t i = 0; i < tracked->part_count; i++) {
		const struct maui_tracked_part *part = maui_tracked_part(tracked, i);

		if (part->class == class)
			return part->demoted ? slurm_priority(part->priority, terms->base,
							      terms->nice, terms->site_factor)
					     : 0;
	}
	return 0;
}

ENGINE_LOCKED static void terms_look(const struct jobrec_facts *facts,
				     const part_record_t *partition,
				     struct maui_engine_terms *terms)
{
	struct terms_place wanted = {.facts = facts, .partition = partition, .terms = terms};
	const struct maui_tracked_job *tracked = maui_jobs_find(job_queue.jobs, facts->job_id);

	terms->base = in_force.policy->base;
	if (tracked && tracked->part_count) {
		wanted.tracked = tracked;
		terms->behind = terms_behind(tracked, partition, terms);
	}
	records_each_place(facts->job, terms_evaluate, &wanted);
}

void maui_engine_terms(const job_record_t *job, const part_record_t *partition, bool qos_locked,
		       struct maui_engine_terms *ret_terms)
{
	struct jobrec_facts facts;

	jobrec_facts_read(job, &facts);
	*ret_terms =
		(struct maui_engine_terms){.nice = facts.nice, .site_factor = facts.site_factor};
	if (!qos_locked)
		qos_records_lock();
	engine_lock();
	if (in_force.policy)
		terms_look(&facts, partition, ret_terms);
	engine_unlock();
	if (!qos_locked)
		qos_records_unlock();
}
