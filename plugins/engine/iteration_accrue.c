/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Since when a waiting job's time counts, and how often backfill has passed it,
 * by what its record says in this iteration.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/iteration_private.h"

#include "common/policy/priority/accrual.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/queue/jobstate_file.h"
#include "plugins/engine/runtime/runtime.h"

/* A job's best priority in the partitions where it has no violation other than those in `but`; 0 if
 * there is none. */
static uint32_t accrue_standing(const struct maui_snapshot *snapshot, size_t first,
				unsigned int but)
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
static unsigned int accrue_violations(const struct maui_tracked_job *tracked)
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
ENGINE_LOCKED static void accrue_bypass(struct maui_tracked_job *tracked,
					const struct maui_snapshot *snapshot, size_t first)
{
	const struct maui_snapshot_row *row = &snapshot->rows[first];
	uint32_t priority = accrue_standing(snapshot, first, 0), passed = 0;

	if (accrue_violations(tracked))
		priority = 0; /* a job that could not start was not passed */
	if (priority && tracked->waited && row->eligible_since <= snapshot->time)
		passed = maui_bypass_count(job_queue.bypass,
					   iteration_arrival(row->array_job_id, row->job_id),
					   priority, row->eligible_since);
	tracked->waited = accrue_standing(snapshot, first, MAUI_VIOLATES_DEPENDENCY);
	if (!passed)
		return;
	tracked->bypass +=
		passed < UINT32_MAX - tracked->bypass ? passed : UINT32_MAX - tracked->bypass;
	jobstate_changed();
}

static unsigned int accrue_violations_in(const struct maui_tracked_job *tracked,
					 const struct maui_snapshot_row *row)
{
	unsigned int violations = row->violations;

	if (tracked->rejected)
		violations |= MAUI_VIOLATES_PRIORITY;
	violations |= accrue_violations(tracked);
	if (row->state == MAUI_ROW_REJECTED)
		violations &= ~(unsigned int)MAUI_VIOLATES_HOLD;
	return violations;
}

/* Whether what the state file says of the job's queue time has changed. */
static bool accrue_queue_time(const struct iteration *iteration, struct maui_tracked_job *tracked,
			      size_t first)
{
	enum maui_accrual_policy policy = iteration->policy->accrual;
	struct maui_snapshot *snapshot = iteration->snapshot;
	const struct maui_snapshot_row *rows = &snapshot->rows[first];
	int64_t before = tracked->queued_since;
	bool restarted = tracked->restarts;

	tracked->restarts = false;
	for (uint32_t i = 0; i < rows->parts; i++) {
		unsigned int violations = accrue_violations_in(tracked, &rows[i]);

		tracked->restarts |= maui_accrual_resets(policy, violations);
		tracked->queued_since =
			maui_accrual_since(policy, tracked->queued_since, rows[i].submitted,
					   violations, snapshot->time);
		snapshot->jobs[first + i].queued_since = tracked->queued_since;
	}
	return tracked->restarts != restarted || (!restarted && tracked->queued_since != before);
}

void iteration_accrue(struct iteration *iteration, size_t first)
{
	struct maui_snapshot *snapshot = iteration->snapshot;
	struct maui_snapshot_row *rows = &snapshot->rows[first];
	struct maui_tracked_job *tracked = maui_jobs_track_at(job_queue.jobs, rows->tracked_slot,
							      rows->job_id, rows->submitted);

	if (accrue_queue_time(iteration, tracked, first))
		jobstate_changed();
	rows->tracked_slot = maui_jobs_slot(job_queue.jobs, tracked);
	tracked->iteration = engine.iteration;
	accrue_bypass(tracked, snapshot, first);
	for (uint32_t i = 0; i < rows->parts; i++)
		snapshot->jobs[first + i].bypass = tracked->bypass;
}
