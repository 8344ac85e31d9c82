/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The record of a waiting job as rows of the snapshot, one for each place. */
#include "plugins/compat/base.h"

#include "plugins/engine/iteration_private.h"

#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/slurm/qos_records.h"
#include "plugins/engine/slurm/records.h"
#include "plugins/engine/slurm/usage/share_factors.h"
#include "plugins/engine/start/eligible.h"
#include "plugins/engine/start/lowered.h"
#include "plugins/engine/start/priorities.h"

/* The job's priority is 0: who set it? */
ENGINE_LOCKED static void row_see_hold(const struct jobrec_facts *facts,
				       struct maui_snapshot_row *row)
{
	if (lowered_is_hold(facts->job))
		row->violations &= (uint16_t)~MAUI_VIOLATES_HOLD;
	else if (rejection_is_ours(facts->job, maui_jobs_find(job_queue.jobs, row->job_id)))
		row->state = MAUI_ROW_REJECTED;
	else
		row->state = MAUI_ROW_HELD;
}

static void row_add(part_record_t *partition, uint32_t slurm_qos, uint32_t place, void *context)
{
	struct iteration *iteration = context;
	struct maui_snapshot *snapshot = iteration->snapshot;
	const struct jobrec_facts *facts = &iteration->facts;
	size_t at = maui_snapshot_add(snapshot);
	struct maui_snapshot_row *row = &snapshot->rows[at];
	uint32_t qos;

	engine_assert_locked();
	qos = qos_records_seen(slurm_qos);
	records_row(facts, partition, place, snapshot, row);
	if (row->violations & MAUI_VIOLATES_HOLD)
		row_see_hold(facts, row);
	row->qos_missing = !qos;
	records_job(facts, partition, in_force.names, qos, iteration_class(iteration, partition),
		    &iteration->machine, &snapshot->jobs[at]);
	row->association = facts->association;
	snapshot->jobs[at].tree = share_factors_of(facts->association);
	eligible_see(facts, snapshot, at);
}

void iteration_rows(struct iteration *iteration, const job_record_t *job)
{
	size_t first = iteration->snapshot->count;

	jobrec_facts_read(job, &iteration->facts);
	records_each_place(job, row_add, iteration);
	for (size_t i = first; i < iteration->snapshot->count; i++)
		iteration->snapshot->rows[i].parts = (uint32_t)(iteration->snapshot->count - first);
}
