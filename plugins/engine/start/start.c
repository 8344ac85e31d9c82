/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks a job in this order: reservations, unknown names, QOS, limits,
 * fairshare caps. Then sets or clears the mark on its record.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/start/start.h"

#include <string.h>
#include <time.h>

#include "common/queue/refusal.h"
#include "plugins/engine/api/engine.h"
#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/limits/limits.h"
#include "plugins/engine/nodes/node_state.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/queue/jobstate_file.h"
#include "plugins/engine/reservation/rsv_admission.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/mark.h"
#include "plugins/engine/slurm/qos.h"
#include "plugins/engine/slurm/qos_records.h"
#include "plugins/engine/slurm/qos_started.h"
#include "plugins/engine/slurm/records.h"
#include "plugins/engine/slurm/slurmctld.h"
#include "plugins/engine/start/lowered.h"

/* The last job let in with less time in its record than it is going to get. */
ENGINE_GUARDED static struct {
	uint32_t job_id; /* for a task, its array's */
	int64_t walltime;
} prolonged;

/* Only the main scheduler closes partitions. Backfill marks itself in bit_flags, and a newly
 * submitted job has not been looked at before. */
static bool main_scheduler_looks(const job_record_t *job)
{
	return jobrec_was_looked_at(job) && !jobrec_backfill_looks(job);
}

/* ---- the check ---- */

/* Usually there are no caps, and then nothing needs to be checked. */
ENGINE_LOCKED static bool capped(void)
{
	return !engine.disabled && fairshare_metric() != MAUI_FS_OFF && fairshare_windows(NULL);
}

/* After slurmctld's start, and when limits are new: counts the jobs that are already active. Drops
 * the mutex for a moment. */
ENGINE_LOCKED static void count_active(void)
{
	if (limits_usage(time(NULL)))
		return;
	engine_unlock();
	qos_records_lock();
	engine_lock();
	limits_count();
	qos_records_unlock();
}

ENGINE_LOCKED static bool refused_by_limit(const struct maui_limit_job *request,
					   enum maui_limit_level level, unsigned int modes,
					   struct maui_refusal *refusal)
{
	if (!maui_limits_check(limits_table(), limits_usage(time(NULL)), request, level, modes,
			       &refusal->limit))
		return false;
	refusal->kind = MAUI_REFUSAL_LIMIT;
	return true;
}

/*
 * Checks the hard level first: its text says more. Soft limits do not apply to a job that an
 * iteration let into the second pass, or whose priority an administrator set by hand. Idle limits
 * are the iteration's to judge; they are checked here only if none has judged the job yet.
 */
ENGINE_LOCKED static bool limited(const struct jobrec_facts *facts,
				  const struct maui_tracked_job *tracked,
				  const struct maui_limit_job *request,
				  struct maui_refusal *refusal)
{
	unsigned int modes =
		tracked && tracked->judged ? MAUI_LIMIT_START_ONLY : MAUI_LIMIT_ALL_MODES;

	if (!limits_act())
		return false;
	if (!limits_usage(time(NULL))) {
		refusal->kind = MAUI_REFUSAL_UNKNOWN;
		return true;
	}
	if (refused_by_limit(request, MAUI_LIMIT_HARD, modes, refusal))
		return true;
	if ((tracked && tracked->standing == MAUI_STANDING_SECOND) || facts->by_hand ||
	    !maui_limits_soft(limits_table()))
		return false;
	return refused_by_limit(request, MAUI_LIMIT_SOFT, MAUI_LIMIT_START_ONLY, refusal);
}

ENGINE_LOCKED static bool over_cap(const struct maui_limit_job *request,
				   struct maui_refusal *refusal)
{
	struct maui_priority_tables tables = maui_names_tables(in_force.names);
	double wanted;

	if (!capped())
		return false;
	wanted = maui_fairshare_request(maui_fairshare_rate(fairshare_counting(),
							    (double)request->procs,
							    (double)request->pe, request->gres),
					(double)request->walltime);
	if (!maui_fairshare_cap(fairshare_windows(NULL), &tables, request->credential, wanted,
				&refusal->cap))
		return false;
	refusal->kind = MAUI_REFUSAL_FSCAP;
	refusal->id = request->credential[refusal->cap.type];
	return true;
}

ENGINE_LOCKED static bool refused_qos(const struct maui_limit_job *request,
				      struct maui_refusal *refusal)
{
	if (!qos_refuses(request->credential, &refusal->qos))
		return false;
	refusal->kind = MAUI_REFUSAL_QOS;
	refusal->id = request->credential[MAUI_QOS];
	return true;
}

/* A job whose user or group could be one that the policy names waits until the
 * name is known. */
ENGINE_LOCKED static bool unidentified(const struct jobrec_facts *facts,
				       const struct maui_limit_job *request,
				       struct maui_refusal *refusal)
{
	enum maui_credential type = maui_names_first_unidentified(
		in_force.names, request->credential, facts->submitted);

	if (type == MAUI_CREDENTIALS)
		return false;
	refusal->kind = MAUI_REFUSAL_NAME;
	refusal->type = type;
	refusal->id = request->credential[type];
	return true;
}

/* Whether anything could refuse a job. */
ENGINE_LOCKED static bool may_refuse(const struct jobrec_facts *facts)
{
	return limits_act() || capped() || qos_acts() || rsv_admission_refuses(facts) ||
	       (!engine.disabled && maui_names_lack(in_force.names));
}

ENGINE_LOCKED static struct maui_refusal judge(const struct jobrec_facts *facts,
					       const struct maui_tracked_job *tracked,
					       const struct maui_limit_job *request)
{
	struct maui_refusal refusal = {.kind = MAUI_REFUSAL_NONE};

	if (rsv_admission_refuses(facts))
		refusal.kind = MAUI_REFUSAL_RESERVATION;
	else if (qos_acts() && !in_force.principals) /* whose lists they are */
		refusal.kind = MAUI_REFUSAL_UNKNOWN;
	else if (!unidentified(facts, request, &refusal) && !refused_qos(request, &refusal) &&
		 !limited(facts, tracked, request, &refusal))
		over_cap(request, &refusal);
	return refusal;
}

ENGINE_LOCKED static void refuse(struct slurm_writer *writer, job_record_t *job,
				 struct maui_tracked_job *tracked,
				 const struct maui_refusal *refusal, bool immediate)
{
	char text[MAUI_REFUSAL_TEXT_SIZE];
	bool known = tracked && maui_refusal_same(tracked->refusal, refusal);

	if (!known || job_mark(job) != MARK_REFUSED)
		job_mark_set(writer, job, MARK_REFUSED,
			     maui_refusal_text(refusal, in_force.names, text));
	if (immediate)
		lowered_set(writer, job, main_scheduler_looks(job));
	if (tracked)
		maui_jobs_refuse(job_queue.jobs, tracked, refusal);
	/* Let an iteration see what else is blocked now; once, as some jobs are never held at 0. */
	if (!known) {
		engine_want_refresh();
	}
}

/* Slurm tries a job several times in a pass, on one set of nodes after another: a job that was
 * refused may pass now, and must not start with a lowered priority. */
ENGINE_LOCKED static void let_in(struct slurm_writer *writer, job_record_t *job,
				 struct maui_tracked_job *tracked)
{
	lowered_reset(writer, 0);
	if (job_mark(job) != MARK_NONE)
		job_mark_clear(writer, job);
	if (tracked)
		maui_jobs_refuse(job_queue.jobs, tracked, &maui_refusal_none);
}

/* The job's row in the partition where it is looked at. Returns whether it would get more time here
 * than from the main scheduler. */
ENGINE_LOCKED static bool row_of(const struct jobrec_facts *facts,
				 struct maui_priority_job *ret_row)
{
	uint32_t asked = job_queue_walltime(facts->job_id, facts->array_id);
	double walltime = jobrec_facts_walltime_at_start(facts, asked);
	uint32_t qos = qos_find(facts->qos);
	bool more;

	records_job(facts, facts->partition, in_force.names, qos,
		    records_class(facts->partition, in_force.names), &node_state.machine, ret_row);
	more = (!asked || facts->time_limit == NO_VAL) && walltime > ret_row->walltime;
	ret_row->walltime = walltime;
	return more;
}

static uint32_t array_or_job(uint32_t array_id, uint32_t job_id)
{
	return array_id ? array_id : job_id;
}

/* Slurm writes the limit that it will get into its record only after the job has begun and is
 * counted. */
ENGINE_LOCKED static void note_prolonged(const struct jobrec_facts *facts,
					 const struct maui_limit_job *request)
{
	uint32_t asked = jobrec_facts_walltime_asked(facts);

	if (asked && request->walltime <= asked)
		return;
	prolonged.job_id = array_or_job(facts->array_id, facts->job_id);
	prolonged.walltime = request->walltime;
}

ENGINE_LOCKED static int64_t take_prolonged(const job_record_t *job)
{
	if (!prolonged.job_id || !jobrec_is_running(job) ||
	    prolonged.job_id != array_or_job(jobrec_array_id(job), jobrec_id(job)))
		return 0;
	prolonged.job_id = 0;
	return prolonged.walltime;
}

ENGINE_LOCKED static void answer(struct slurm_writer *writer, job_record_t *job,
				 struct maui_tracked_job *tracked,
				 const struct maui_refusal *refusal, bool immediate)
{
	if (refusal->kind == MAUI_REFUSAL_NONE)
		let_in(writer, job, tracked);
	else
		refuse(writer, job, tracked, refusal, immediate);
}

/* The mutex may be dropped for a moment. */
ENGINE_LOCKED static struct maui_refusal start_check(struct slurm_writer *writer, job_record_t *job,
						     const struct jobrec_facts *facts,
						     bool immediate)
{
	struct maui_tracked_job *tracked;
	struct maui_limit_job request;
	struct maui_priority_job row;
	struct maui_refusal refusal;
	bool more;

	if (limits_act())
		count_active();
	more = row_of(facts, &row);
	tracked = maui_jobs_find(job_queue.jobs, facts->job_id);
	limits_request(facts, &row, tracked, &request);
	refusal = judge(facts, tracked, &request);
	if (refusal.kind == MAUI_REFUSAL_NONE || !more) /* else leave it to the main scheduler */
		answer(writer, job, tracked, &refusal, immediate);
	note_prolonged(facts, &request);
	return refusal;
}

bool start_may(job_record_t *job, bool immediate)
{
	struct maui_refusal refusal = {.kind = MAUI_REFUSAL_NONE};
	struct slurm_writer *writer = slurm_writer_of_call();
	struct jobrec_facts facts;

	if (!writer)
		return true;
	engine_lock();
	prolonged.job_id = 0;
	lowered_reset(writer, jobrec_id(job));
	jobrec_facts_read(job, &facts);
	if (!engine_in_charge())
		refusal.kind = engine.awaited ? MAUI_REFUSAL_UNKNOWN : MAUI_REFUSAL_NONE;
	else if (facts.has_details && may_refuse(&facts))
		refusal = start_check(writer, job, &facts, immediate);
	engine_unlock();
	return refusal.kind == MAUI_REFUSAL_NONE;
}

bool start_may_hold(job_record_t *job)
{
	struct maui_refusal refusal = {.kind = MAUI_REFUSAL_NONE};
	struct maui_limit_job held;
	struct maui_priority_job row;
	struct maui_tracked_job *tracked;
	struct slurm_writer *writer = slurm_writer_of_call();
	struct jobrec_facts facts;

	if (!writer)
		return true;
	engine_lock();
	jobrec_facts_read(job, &facts);
	if (engine_in_charge() && facts.has_details && limits_act()) {
		row_of(&facts, &row);
		limits_held(job, &row, &held);
		tracked = maui_jobs_find(job_queue.jobs, facts.job_id);
		if (limited(&facts, tracked, &held, &refusal)) {
			if (tracked)
				limits_keep_got(tracked, &held,
						refusal.kind == MAUI_REFUSAL_LIMIT
							? refusal.limit.level
							: MAUI_LIMIT_HARD);
			refuse(writer, job, tracked, &refusal, true);
		}
	}
	engine_unlock();
	return refusal.kind == MAUI_REFUSAL_NONE;
}

/* ---- active jobs ---- */

/* Blocked jobs may be waiting for what has changed. */
ENGINE_LOCKED static void tell_waiting(void)
{
	if (!job_queue.blocked)
		return;
	engine_want_refresh();
}

/* Slurm may save the job at once. */
ENGINE_LOCKED static void note_qos(const job_record_t *job)
{
	if (!qos_started_see(job))
		return;
	jobstate_changed();
	pthread_cond_signal(&engine.wake);
}

void start_began(const job_record_t *job)
{
	uint32_t qos;

	engine_lock();
	lowered_forget(jobrec_id(job));
	note_qos(job);
	if (in_force.policy && limits_act()) {
		qos = qos_find(jobrec_qos(job));
		limits_begin(job, qos, records_class(jobrec_partition(job), in_force.names),
			     take_prolonged(job));
		tell_waiting();
	}
	engine_unlock();
}

void start_ended(const job_record_t *job)
{
	engine_lock();
	if (in_force.policy && limits_act()) {
		limits_end(jobrec_id(job));
		tell_waiting();
	}
	engine_unlock();
}

void maui_engine_before_change(job_record_t *job)
{
	struct slurm_writer *writer;

	if (engine_is_shadow())
		return;
	writer = slurm_writer_of_call();
	engine_lock();
	lowered_reset(writer, 0);
	lowered_lift(writer, job); /* a task that was split off only now */
	engine_unlock();
}

/* ---- the engine's life ---- */

static int start_recover(job_record_t *job, void *writer)
{
	lowered_lift(writer, job); /* until the first iteration, which follows at once */
	if (jobrec_is_pending(job) && !jobrec_priority(job) && job_mark(job) == MARK_REFUSED)
		jobrec_set_priority(writer, job, lowered_floor()); /* left by an older release */
	return 0;
}

/* Jobs whose priority was still lowered when slurmctld died. To Slurm they are held until now. */
static void start_recover_all(void)
{
	slurmctld_lock_t job_write = {.job = WRITE_LOCK};
	struct slurm_writer *writer = slurm_writer_begin(job_write);

	if (!writer)
		return;
	jobrec_each(start_recover, writer);
	slurm_writer_end(writer, job_write);
}

static int start_leave(job_record_t *job, void *writer)
{
	lowered_lift(writer, job);
	if (job_mark(job) != MARK_NONE)
		job_mark_clear(writer, job);
	return 0;
}

/* No job is left marked, so that Slurm can go on without us. */
static void start_leave_all(void)
{
	slurmctld_lock_t job_write = {.job = WRITE_LOCK};
	struct slurm_writer *writer = slurm_writer_leave(job_write);

	if (!writer)
		return;
	engine_lock();
	lowered_reset(writer, 0);
	engine_unlock();
	jobrec_each(start_leave, writer);
	slurmctld_save_jobs();
	slurm_writer_end(writer, job_write);
}

const struct module start_module = {.begun = start_recover_all, .leave = start_leave_all};
