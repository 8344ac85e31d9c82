/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One iteration, in stages. Slurm's read locks are held while all jobs are
 * looked at, its job write lock while waiting jobs are visited, a bounded
 * number at a time. All else runs without any lock of Slurm.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/iteration.h"

#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/iteration_private.h"
#include "plugins/engine/labels.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/queue/jobstate_file.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/slurmctld.h"
#include "plugins/engine/start/eligible.h"

/* From now on the service reads this snapshot. */
ENGINE_LOCKED static void iteration_publish(struct iteration *iteration)
{
	maui_snapshot_unref(job_queue.snapshot);
	job_queue.snapshot = iteration->snapshot;
	job_queue.count = iteration->snapshot->count;
	job_queue.time = iteration->snapshot->time;
	iteration->snapshot = NULL;
}

static void iteration_begin(struct iteration *iteration)
{
	engine_lock();
	iteration->policy = maui_policy_ref(in_force.policy);
	iteration->snapshot = maui_snapshot_new(iteration->policy, 0);
	iteration->snapshot->iteration = ++engine.iteration;
	iteration->begun = clocks_read();
	iteration->snapshot->time = iteration->begun.wall;
	engine_unlock();
}

/* Have memory for the rows, before somebody waits for a lock that is held
 * meanwhile: that of the last snapshot, or new one for each job, or for as many
 * rows as the last time. */
static void iteration_make_room(struct iteration *iteration)
{
	size_t count;

	engine_lock();
	if (maui_snapshot_take_over(iteration->snapshot, job_queue.snapshot))
		job_queue.snapshot = maui_snapshot_unref(job_queue.snapshot);
	count = job_queue.count;
	engine_unlock();
	if (count < iteration->waiting)
		count = iteration->waiting;
	maui_snapshot_expect(iteration->snapshot, count + count / 64);
}

/* Names of users and groups that are new are asked for without a lock; then
 * the names stay what they are for the jobs to come. */
static void iteration_name(struct iteration *iteration)
{
	labels_ask();
	engine_lock();
	maui_frozen_names_clear(&iteration->snapshot->names);
	maui_names_freeze(in_force.names, &iteration->snapshot->names);
	engine_unlock();
}

/* What runs and has ended counts before anything that waits is looked at. */
static void iteration_count(struct iteration *iteration)
{
	labels_ask();
	engine_lock();
	fairshare_pass(iteration->begun);
	maui_bypass_sort(job_queue.bypass);
	maui_names_freeze(in_force.names, &iteration->snapshot->names);
	engine_unlock();
}

static bool iteration_visit_jobs(struct iteration *iteration)
{
	if (!iteration_visit(iteration))
		return false;
	while (iteration->unnamed_count) {
		iteration_name(iteration);
		if (!iteration_visit_unnamed(iteration))
			return false;
	}
	return true;
}

/* Every waiting job has been visited: the others have left the queue. */
static void iteration_forget(struct iteration *iteration)
{
	engine_lock();
	if (maui_bypass_done(job_queue.bypass))
		jobstate_changed(); /* counted once, even across restarts */
	maui_jobs_forget(job_queue.jobs, engine.iteration, iteration->snapshot->change);
	engine_unlock();
}

static void iteration_end(struct iteration *iteration)
{
	maui_snapshot_unref(iteration->snapshot);
	maui_policy_unref(iteration->policy);
}

/* Its arrays are for the next one. */
static void iteration_reset(struct iteration *iteration)
{
	*iteration = (struct iteration){.results = iteration->results,
					.result_room = iteration->result_room,
					.unnamed = iteration->unnamed,
					.unnamed_room = iteration->unnamed_room};
}

void iteration_run(void)
{
	static struct iteration iteration; /* of the engine's thread */
	bool complete = false;

	iteration_reset(&iteration);
	iteration_begin(&iteration);
	if (iteration_collect(&iteration)) {
		iteration_count(&iteration);
		iteration_make_room(&iteration);
		complete = iteration_visit_jobs(&iteration);
	}
	if (complete) {
		iteration_forget(&iteration);
		if (iteration.passed)
			slurmctld_schedule();
		eligible_run(iteration.snapshot);
		engine_lock();
		iteration_publish(&iteration);
		engine_unlock();
	}
	iteration_end(&iteration);
}
