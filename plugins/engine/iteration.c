/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One iteration, in stages. Slurm's read locks are held while records are copied and its job write
 * lock while results are stored, a bounded number of jobs at a time; everything between runs
 * without any lock of Slurm.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/iteration.h"

#include <time.h>

#include "common/policy/priority/accrual.h"
#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/iteration_private.h"
#include "plugins/engine/labels.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/queue/jobstate_file.h"
#include "plugins/engine/reservation/rsv_admission.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/qos_records.h"
#include "plugins/engine/slurm/records.h"
#include "plugins/engine/slurm/slurmctld.h"
#include "plugins/engine/start/eligible.h"
#include "plugins/engine/start/lowered.h"
#include "plugins/engine/start/priorities.h"

/* Jobs whose priorities are stored under one hold of the job write lock: some tens of
 * microseconds. */
#define STORE_BATCH 1000

/* A job's best priority in the partitions where it has no violation other than those in `but`; 0 if
 * there is none. */
static uint32_t standing(const struct maui_snapshot *snapshot, size_t first, unsigned int but)
{
	const struct maui_snapshot_row *rows = &snapshot->rows[first];
	uint32_t best = 0;

	if (rows->state != MAUI_ROW_IDLE && rows->state != MAUI_ROW_DIRECT)
		return 0;
	for (uint32_t i = 0; i < rows->parts; i++)
		if (!(rows[i].violations & ~but) && rows[i].priority > best)
			best = rows[i].priority;
	return best;
}

/* The job's violations in the last iteration. */
static unsigned int tracked_violations(const struct maui_tracked_job *tracked)
{
	if (tracked->standing != MAUI_STANDING_BLOCKED)
		return 0;
	return tracked->refusal->kind == MAUI_REFUSAL_FSCAP ? MAUI_VIOLATES_FSCAP
							    : MAUI_VIOLATES_LIMIT;
}

/*
 * How many jobs behind this one backfill has started since the last iteration, by the priorities
 * then in force, which are those in the records. A job that was held or rejected may have become
 * eligible at any time since, so no start counts as passing it. When a dependency or the wait for a
 * begin time ended is known from the begin time that Slurm sets.
 */
ENGINE_LOCKED static void count_bypass(struct maui_tracked_job *tracked,
				       const struct maui_snapshot *snapshot, size_t first)
{
	const struct maui_snapshot_row *row = &snapshot->rows[first];
	uint32_t priority = standing(snapshot, first, 0), passed = 0;

	if (tracked_violations(tracked))
		priority = 0; /* a job that could not start was not passed */
	if (priority && tracked->waited && row->eligible_since <= snapshot->time)
		passed = maui_bypass_count(job_queue.bypass,
					   iteration_arrival(row->array_job_id, row->job_id),
					   priority, row->eligible_since);
	tracked->waited = standing(snapshot, first, MAUI_VIOLATES_DEPENDENCY);
	if (!passed)
		return;
	tracked->bypass +=
		passed < UINT32_MAX - tracked->bypass ? passed : UINT32_MAX - tracked->bypass;
	jobstate_changed();
}

static int64_t accrue_since(const struct iteration *iteration,
			    const struct maui_tracked_job *tracked,
			    const struct maui_snapshot_row *row)
{
	unsigned int violations = row->violations;

	if (tracked->rejected)
		violations |= MAUI_VIOLATES_PRIORITY;
	violations |= tracked_violations(tracked);
	if (row->state == MAUI_ROW_REJECTED)
		violations &= ~(unsigned int)MAUI_VIOLATES_HOLD;
	return maui_accrual_since(iteration->policy->accrual, tracked->queued_since, row->submitted,
				  violations, iteration->snapshot->time);
}

ENGINE_LOCKED static void accrue_job(struct iteration *iteration, size_t first)
{
	struct maui_snapshot *snapshot = iteration->snapshot;
	struct maui_snapshot_row *rows = &snapshot->rows[first];
	struct maui_tracked_job *tracked =
		maui_jobs_track(job_queue.jobs, rows->job_id, rows->submitted);
	int64_t before = tracked->queued_since;

	for (uint32_t i = 0; i < rows->parts; i++) {
		tracked->queued_since = accrue_since(iteration, tracked, &rows[i]);
		snapshot->jobs[first + i].queued_since = tracked->queued_since;
	}
	if (tracked->queued_since != before)
		jobstate_changed();
	rows->tracked_slot = maui_jobs_slot(job_queue.jobs, tracked);
	tracked->iteration = engine.iteration;
	count_bypass(tracked, snapshot, first);
	for (uint32_t i = 0; i < rows->parts; i++)
		snapshot->jobs[first + i].bypass = tracked->bypass;
}

/* Stage 2: the time from which each job's wait counts, and how often it was bypassed. The mutex is
 * held. */
ENGINE_LOCKED static void accrue(struct iteration *iteration)
{
	struct maui_snapshot *snapshot = iteration->snapshot;

	maui_bypass_sort(job_queue.bypass);
	for (size_t at = 0; at < snapshot->count; at += snapshot->rows[at].parts) {
		if (at + AHEAD_RECORD < snapshot->count)
			maui_jobs_prefetch_id(job_queue.jobs,
					      snapshot->rows[at + AHEAD_RECORD].job_id);
		if (at + AHEAD_DETAILS < snapshot->count)
			maui_jobs_prefetch(job_queue.jobs,
					   snapshot->rows[at + AHEAD_DETAILS].job_id);
		accrue_job(iteration, at);
	}
	if (maui_bypass_done(job_queue.bypass))
		jobstate_changed(); /* counted once, even across restarts */
	maui_jobs_forget(job_queue.jobs, engine.iteration, snapshot->change);
}

/* Remember the terms with the job, so that sprio shows what was stored. The mutex is held. */
ENGINE_LOCKED static void remember(struct maui_tracked_job *tracked,
				   const struct maui_snapshot *snapshot, size_t first)
{
	maui_tracked_job_resize(tracked, snapshot->rows[first].parts);
	for (uint32_t i = 0; i < tracked->part_count; i++) {
		maui_tracked_part_of(tracked, i)->class =
			snapshot->jobs[first + i].credential[MAUI_CLASS];
		maui_tracked_part_of(tracked, i)->result = snapshot->results[first + i];
	}
	tracked->rejected = !engine.disabled && maui_tracked_job_rejected(tracked);
}

/* Whether the job is still the one that was collected. Job write lock, mutex. */
static bool unchanged(const job_record_t *job, const struct maui_tracked_job *tracked,
		      const struct maui_snapshot *snapshot, size_t first)
{
	const struct maui_snapshot_row *row = &snapshot->rows[first];

	return jobrec_still_waits(job, row->submitted) && tracked->change <= snapshot->change &&
	       jobrec_places(job) == row->parts;
}

/* Set Slurm's fields where they differ; the schedulers write older values back now and then. */
static bool write_priorities(struct slurm_writer *writer, job_record_t *job,
			     const struct maui_tracked_job *tracked, struct iteration *iteration,
			     size_t first)
{
	struct maui_snapshot *snapshot = iteration->snapshot;
	uint32_t parts = snapshot->rows[first].parts, current = records_current_place(job);
	bool changed = false;

	jobrec_make_priorities(writer, job);
	for (uint32_t i = 0; i < parts; i++) {
		struct maui_snapshot_row *row = &snapshot->rows[first + i];
		uint32_t demoted = maui_tracked_part(tracked, i)->demoted, priority;

		row->priority =
			slurm_priority(&snapshot->results[first + i], iteration->policy->base,
				       row->nice, row->site_factor);
		priority = demoted && demoted < row->priority ? demoted : row->priority;
		changed |= jobrec_change_priority(writer, job, i, i == current, priority);
	}
	return changed;
}

static void mark_rows(struct maui_snapshot *snapshot, size_t first, enum maui_row_state state,
		      uint32_t priority)
{
	for (uint32_t i = 0; i < snapshot->rows[first].parts; i++) {
		snapshot->rows[first + i].state = state;
		snapshot->rows[first + i].priority = priority;
	}
}

/* Job write lock, mutex. Returns whether anything about the job changed. */
ENGINE_LOCKED static bool store_job(struct slurm_writer *writer, job_record_t *job,
				    struct iteration *iteration, size_t first)
{
	struct maui_snapshot *snapshot = iteration->snapshot;
	struct maui_tracked_job *tracked = maui_jobs_find_at(
		job_queue.jobs, snapshot->rows[first].tracked_slot, snapshot->rows[first].job_id);
	bool ours;

	if (!tracked || !unchanged(job, tracked, snapshot, first))
		return false;
	tracked->walltime = snapshot->rows[first].walltime_asked;
	iteration->passed |= rsv_admission_pass_again(writer, job, tracked);
	if (qos_records_threshold_seen())
		jobrec_forget_fairshare(writer, job);
	ours = rejection_is_ours(job, tracked);
	lowered_lift(writer, job); /* with this lock held no scheduler looks at it */
	if (jobrec_priority_is_by_hand(job))
		jobrec_spread_priority(writer, job);
	if (jobrec_priority_is_by_hand(job) || (!jobrec_priority(job) && !ours))
		return rejection_give_up(writer, job);
	remember(tracked, snapshot, first);
	if (tracked->rejected) {
		rejection_hold(writer, job, snapshot->results[first].sum);
		mark_rows(snapshot, first, MAUI_ROW_REJECTED, 0);
		return !ours;
	}
	if (ours) {
		rejection_release(writer, job);
		mark_rows(snapshot, first, MAUI_ROW_IDLE, 0);
	}
	return write_priorities(writer, job, tracked, iteration, first) || ours;
}

/* Where the batch that begins at a row ends: the rows of a job stay together. */
static size_t batch_end(const struct maui_snapshot *snapshot, size_t at)
{
	size_t end = at + STORE_BATCH;

	while (at < snapshot->count && at < end)
		at += snapshot->rows[at].parts;
	return at;
}

/* Stage 3: the arithmetic, on copies. */
static void evaluate(struct iteration *iteration, size_t at, size_t end)
{
	struct maui_snapshot *snapshot = iteration->snapshot;

	maui_priority_evaluate_all(iteration->policy->priority, &snapshot->names.tables,
				   &snapshot->jobs[at], end - at, snapshot->time,
				   &snapshot->results[at]);
}

ENGINE_LOCKED static bool store_batch(struct slurm_writer *writer, struct iteration *iteration,
				      size_t at, size_t end)
{
	struct maui_snapshot *snapshot = iteration->snapshot;
	bool changed = false;

	while (at < end) {
		job_record_t *job;

		if (at + AHEAD_RECORD < snapshot->count) {
			const struct maui_snapshot_row *ahead = &snapshot->rows[at + AHEAD_RECORD];

			records_prefetch_stored(ahead->record_hint, ahead->details_hint);
			maui_jobs_prefetch_at(job_queue.jobs, ahead->tracked_slot);
		}
		job = jobrec_find(snapshot->rows[at].job_id);
		if (job && store_job(writer, job, iteration, at))
			changed = true;
		at += snapshot->rows[at].parts;
	}
	return changed;
}

/* Stage 4: results to records. False if the engine is no longer in charge. */
static bool store(struct iteration *iteration, size_t at, size_t end)
{
	slurmctld_lock_t job_write = {.job = WRITE_LOCK, .part = READ_LOCK};
	struct slurm_writer *writer = slurm_writer_begin(job_write);
	bool changed;

	if (!writer)
		return false;
	engine_lock();
	changed = store_batch(writer, iteration, at, end);
	engine_unlock();
	if (changed)
		jobrec_touch(writer);
	slurm_writer_end(writer, job_write);
	return true;
}

/* Shadow mode: what the rows would be if all that was computed had been stored. The mutex is
 * held. */
ENGINE_LOCKED static void imagine_job(struct iteration *iteration, size_t first)
{
	struct maui_snapshot *snapshot = iteration->snapshot;
	struct maui_snapshot_row *rows = &snapshot->rows[first];
	struct maui_tracked_job *tracked =
		maui_jobs_find_at(job_queue.jobs, rows->tracked_slot, rows->job_id);

	if (!tracked || tracked->submitted != rows->submitted || rows->state == MAUI_ROW_HELD ||
	    rows->state == MAUI_ROW_DIRECT)
		return;
	remember(tracked, snapshot, first);
	if (tracked->rejected) {
		mark_rows(snapshot, first, MAUI_ROW_REJECTED, 0);
		return;
	}
	for (uint32_t i = 0; i < rows->parts; i++) {
		rows[i].state = MAUI_ROW_IDLE;
		rows[i].priority =
			slurm_priority(&snapshot->results[first + i], iteration->policy->base,
				       rows[i].nice, rows[i].site_factor);
	}
}

static bool imagine(struct iteration *iteration, size_t at, size_t end)
{
	engine_lock();
	for (; at < end; at += iteration->snapshot->rows[at].parts)
		imagine_job(iteration, at);
	engine_unlock();
	return engine_may_look();
}

/* Each batch is stored while its results are still in the cache. False: interrupted, and some rows
 * have no results. */
static bool evaluate_and_store(struct iteration *iteration)
{
	for (size_t at = 0, end; at < iteration->snapshot->count; at = end) {
		end = batch_end(iteration->snapshot, at);
		evaluate(iteration, at, end);
		if (!(engine_is_shadow() ? imagine : store)(iteration, at, end))
			return false;
	}
	return true;
}

/* Stage 5: what the service reads. The mutex is held. */
ENGINE_LOCKED static void publish(struct iteration *iteration)
{
	maui_snapshot_unref(job_queue.snapshot);
	job_queue.snapshot = iteration->snapshot;
	iteration->snapshot = NULL;
}

static void begin(struct iteration *iteration)
{
	size_t count;

	engine_lock();
	count = job_queue.snapshot ? job_queue.snapshot->count : 0;
	iteration->policy = maui_policy_ref(in_force.policy);
	iteration->snapshot = maui_snapshot_new(iteration->policy, count + count / 4);
	iteration->snapshot->iteration = ++engine.iteration;
	iteration->begun = clocks_read();
	iteration->snapshot->time = iteration->begun.wall;
	engine_unlock();
	maui_snapshot_take_memory(iteration->snapshot, count);
}

void iteration_run(void)
{
	struct iteration iteration = {0};
	bool ready;

	begin(&iteration);
	ready = iteration_collect(&iteration);
	if (ready) {
		labels_ask();
		engine_lock();
		fairshare_pass(iteration.begun);
		accrue(&iteration);
		maui_names_freeze(in_force.names, &iteration.snapshot->names);
		engine_unlock();
	}
	if (ready && evaluate_and_store(&iteration)) {
		if (iteration.passed)
			slurmctld_schedule();
		eligible_run(iteration.snapshot);
		engine_lock();
		publish(&iteration);
		engine_unlock();
	}
	maui_snapshot_unref(iteration.snapshot);
	maui_policy_unref(iteration.policy);
}
