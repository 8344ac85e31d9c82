/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks at all jobs: the records of those that run or have ended are read for
 * fairshare, limits, bypasses and the QOS that they started in; those that wait
 * are counted, and visited later.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/iteration_private.h"

#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/limits/limits.h"
#include "plugins/engine/modules.h"
#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/nodes/node_state.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/queue/jobstate_file.h"
#include "plugins/engine/queue/known_jobs.h"
#include "plugins/engine/reservation/shadow_nodes.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/gres_records.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/partrec.h"
#include "plugins/engine/slurm/qos_records.h"
#include "plugins/engine/slurm/qos_started.h"
#include "plugins/engine/slurm/records.h"
#include "plugins/engine/slurm/slurmctld.h"
#include "plugins/engine/slurm/usage/share_factors.h"

uint32_t iteration_class(struct iteration *iteration, const part_record_t *partition)
{
	if (iteration->partition != partition) {
		iteration->partition = partition;
		iteration->class = records_class(partition, in_force.names);
	}
	return iteration->class;
}

uint32_t iteration_arrival(uint32_t array_job_id, uint32_t job_id)
{
	return array_job_id ? array_job_id : job_id;
}

/* A heterogeneous job passes others as one job, though each of its parts has a record. */
ENGINE_LOCKED static void collect_start(const job_record_t *job)
{
	uint32_t job_id = jobrec_id(job);
	struct maui_bypass_start start = {.job_id = job_id,
					  .arrival =
						  iteration_arrival(jobrec_array_id(job), job_id),
					  .priority = jobrec_priority(job),
					  .time = jobrec_start(job)};

	if (records_backfilled(job) && !jobrec_is_het_part(job))
		maui_bypass_see(job_queue.bypass, &start);
}

ENGINE_LOCKED static uint32_t class_of_job(struct iteration *iteration, const job_record_t *job)
{
	const part_record_t *partition = jobrec_partition(job);

	return partition ? iteration_class(iteration, partition) : MAUI_NO_CREDENTIAL;
}

/* What it has used, for fairshare. */
ENGINE_LOCKED static void collect_run(const job_record_t *job, struct iteration *iteration)
{
	struct maui_run *run;

	if (!iteration->counting ||
	    (jobrec_is_finished(job) && jobrec_end(job) < iteration->counted))
		return;
	run = fairshare_run();
	if (records_run(job, false, in_force.names, qos_records_seen(jobrec_qos(job)),
			class_of_job(iteration, job), iteration->counting, &iteration->machine,
			iteration->snapshot->time, run))
		fairshare_keep(job);
}

/* What it holds, for limits. */
ENGINE_LOCKED static void collect_active(const job_record_t *job, struct iteration *iteration)
{
	if (iteration->limits && jobrec_is_active(job))
		limits_see(job, qos_records_seen(jobrec_qos(job)), class_of_job(iteration, job));
}

ENGINE_LOCKED static void collect_job(const job_record_t *job, struct iteration *iteration)
{
	if (qos_started_see(job))
		jobstate_changed();
	collect_start(job);
	collect_run(job, iteration);
	collect_active(job, iteration);
}

ENGINE_LOCKED static void collect_jobs(struct iteration *iteration)
{
	size_t count;
	const struct known_job *jobs = known_jobs_look(select_is_loaded(), &count);

	for (size_t i = 0; i < count; i++) {
		if (i + AHEAD_RECORD < count && !jobs[i + AHEAD_RECORD].waits)
			jobrec_facts_prefetch(jobs[i + AHEAD_RECORD].record);
		if (jobs[i].waits)
			iteration->waiting++;
		else
			collect_job(jobs[i].record, iteration);
	}
}

/* All partitions are known by name, even those without a job. */
static int collect_partition(part_record_t *partition, void *context)
{
	engine_assert_locked();
	(void)context;
	records_class(partition, in_force.names);
	return 0;
}

/* A site_factor plugin may change the factor of any job. Stock Slurm asks it under the job write
 * lock; without one there is nothing to ask, and no reason for the lock. */
static void update_site_factors(void)
{
	slurmctld_lock_t job_write = {.job = WRITE_LOCK, .node = READ_LOCK, .part = READ_LOCK};
	struct slurm_writer *writer;

	if (engine_is_shadow() || !compat_has_site_factor())
		return;
	writer = slurm_writer_begin(job_write);
	if (!writer)
		return;
	slurmctld_update_site_factors(writer);
	slurm_writer_end(writer, job_write);
}

/* Before the mutex and the lock on QOS; NULL: no FSTREEWEIGHT counts, or there
 * are no associations. */
static struct share_factors *collect_factors(const struct iteration *iteration)
{
	return maui_priority_uses_tree(iteration->policy->priority) ? share_factors_read() : NULL;
}

bool iteration_collect(struct iteration *iteration)
{
	slurmctld_lock_t records_read = {.job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK};
	struct share_factors *factors;

	update_site_factors();
	lock_slurmctld(records_read);
	if (!jobrec_there() || !engine_may_look()) {
		unlock_slurmctld(records_read);
		return false;
	}
	shadow_forget_nodes();
	records_machine(&iteration->machine);
	factors = collect_factors(iteration);
	qos_records_lock();
	engine_lock();
	share_factors_keep(factors);
	qos_records_look(in_force.names);
	qos_records_unlock();
	iteration->snapshot->change = engine.change;
	node_state_machine(&iteration->machine);
	maui_bypass_begin(job_queue.bypass, iteration->snapshot->time);
	iteration->counting = fairshare_counting();
	iteration->counted = fairshare_counted();
	partrec_each(collect_partition, NULL);
	modules_collect();
	qos_started_begin();
	iteration->snapshot->gres = maui_gres_table_ref(gres_records_table());
	iteration->limits = limits_act();
	collect_jobs(iteration);
	modules_collected();
	if (qos_started_end())
		jobstate_changed();
	engine_unlock();
	unlock_slurmctld(records_read);
	return true;
}
