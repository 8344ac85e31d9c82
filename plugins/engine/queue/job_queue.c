/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for the snapshot of an iteration that begins after the request, or for
 * the last snapshot. Finds the walltime of a tracked job or its array.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/queue/job_queue.h"

#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"

struct job_queue job_queue;

static void job_queue_allocate(void)
{
	engine_assert_locked();
	if (!job_queue.jobs)
		job_queue.jobs = maui_jobs_new();
	if (!job_queue.bypass)
		job_queue.bypass = maui_bypass_new();
}

/* The last snapshot, once it is of the iteration that is wanted or a later one. */
ENGINE_LOCKED static struct maui_snapshot *job_queue_wait(uint64_t wanted, int wait)
{
	double until = monotonic_seconds() + wait;

	while (engine.mode != ENGINE_STANDBY &&
	       (!job_queue.snapshot || job_queue.snapshot->iteration < wanted)) {
		/* It has not begun, or it ended before it was complete. */
		if (engine.iteration < wanted || !engine.busy)
			engine_want_refresh();
		if (!engine_wait_until(&engine.idle, until))
			break;
	}
	return maui_snapshot_ref(job_queue.snapshot);
}

struct maui_snapshot *job_queue_snapshot(int wait)
{
	struct maui_snapshot *snapshot;

	engine_lock(); /* an iteration under way may have read the records already */
	snapshot = job_queue_wait(engine.iteration + 1, wait);
	engine_unlock();
	return snapshot;
}

struct maui_snapshot *job_queue_last_snapshot(int wait)
{
	struct maui_snapshot *snapshot;

	engine_lock();
	snapshot = job_queue_wait(0, wait);
	engine_unlock();
	return snapshot;
}

uint32_t job_queue_walltime(uint32_t job_id, uint32_t array_id)
{
	const struct maui_tracked_job *tracked = maui_jobs_find(job_queue.jobs, job_id);

	if (!tracked && array_id)
		tracked = maui_jobs_find(job_queue.jobs, array_id);
	return tracked ? tracked->walltime : 0;
}

const struct module job_queue_module = {.allocate = job_queue_allocate};
