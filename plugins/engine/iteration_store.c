/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The priority of a job to its record and to what is remembered of it. In
 * shadow mode the record stays as it is.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/iteration_private.h"

#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/reservation/rsv_admission.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/qos_records.h"
#include "plugins/engine/slurm/records.h"
#include "plugins/engine/start/lowered.h"
#include "plugins/engine/start/priorities.h"

/* Remember the priorities with the job. The mutex is held. */
ENGINE_LOCKED static void store_tracked(struct maui_tracked_job *tracked,
					const struct maui_snapshot *snapshot, size_t first,
					const struct maui_priority_result *results)
{
	bool rejected = !engine.disabled;

	maui_tracked_job_resize(tracked, snapshot->rows[first].parts);
	for (uint32_t i = 0; i < tracked->part_count; i++) {
		struct maui_tracked_part *part = maui_tracked_part_of(tracked, i);

		part->class = snapshot->jobs[first + i].credential[MAUI_CLASS];
		part->priority = results[i].priority;
		rejected &= results[i].rejected;
	}
	tracked->rejected = rejected;
	tracked->evaluated = snapshot->time;
}

bool iteration_is_same(const struct iteration *iteration, const job_record_t *job, size_t first)
{
	const struct maui_snapshot *snapshot = iteration->snapshot;
	const struct maui_snapshot_row *row = &snapshot->rows[first];
	const struct maui_tracked_job *tracked = maui_jobs_find(job_queue.jobs, row->job_id);

	return jobrec_still_waits(job, row->submitted) && jobrec_places(job) == row->parts &&
	       (!tracked || tracked->change <= snapshot->change);
}

/* Set Slurm's fields where they differ; the schedulers write older values back now and then. */
static bool store_priorities(struct slurm_writer *writer, job_record_t *job,
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
			slurm_priority(maui_tracked_part(tracked, i)->priority,
				       iteration->policy->base, row->nice, row->site_factor);
		priority = demoted && demoted < row->priority ? demoted : row->priority;
		changed |= jobrec_change_priority(writer, job, i, i == current, priority);
	}
	return changed;
}

static void store_rows(struct maui_snapshot *snapshot, size_t first, enum maui_row_state state,
		       uint32_t priority)
{
	for (uint32_t i = 0; i < snapshot->rows[first].parts; i++) {
		snapshot->rows[first + i].state = state;
		snapshot->rows[first + i].priority = priority;
	}
}

bool iteration_store(struct slurm_writer *writer, job_record_t *job, struct iteration *iteration,
		     size_t first, const struct maui_priority_result *results)
{
	struct maui_snapshot *snapshot = iteration->snapshot;
	struct maui_tracked_job *tracked = maui_jobs_find_at(
		job_queue.jobs, snapshot->rows[first].tracked_slot, snapshot->rows[first].job_id);
	bool ours;

	if (!tracked)
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
	store_tracked(tracked, snapshot, first, results);
	if (tracked->rejected) {
		rejection_hold(writer, job, results->sum);
		store_rows(snapshot, first, MAUI_ROW_REJECTED, 0);
		return !ours;
	}
	if (ours) {
		rejection_release(writer, job);
		store_rows(snapshot, first, MAUI_ROW_IDLE, 0);
	}
	return store_priorities(writer, job, tracked, iteration, first) || ours;
}

void iteration_imagine(struct iteration *iteration, size_t first,
		       const struct maui_priority_result *results)
{
	struct maui_snapshot *snapshot = iteration->snapshot;
	struct maui_snapshot_row *rows = &snapshot->rows[first];
	struct maui_tracked_job *tracked =
		maui_jobs_find_at(job_queue.jobs, rows->tracked_slot, rows->job_id);

	if (!tracked || tracked->submitted != rows->submitted || rows->state == MAUI_ROW_HELD ||
	    rows->state == MAUI_ROW_DIRECT)
		return;
	store_tracked(tracked, snapshot, first, results);
	if (tracked->rejected) {
		store_rows(snapshot, first, MAUI_ROW_REJECTED, 0);
		return;
	}
	for (uint32_t i = 0; i < rows->parts; i++) {
		rows[i].state = MAUI_ROW_IDLE;
		rows[i].priority =
			slurm_priority(maui_tracked_part(tracked, i)->priority,
				       iteration->policy->base, rows[i].nice, rows[i].site_factor);
	}
}
