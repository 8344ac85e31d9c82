/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts between the tracked jobs and the records of `jobs`: queue time,
 * bypass count, recent starts, and the QOS of started jobs.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/queue/jobstate_file.h"

#include <string.h>
#include <time.h>

#include "common/util/memory.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/qos_started.h"

/* What the file says, until it is adopted, and what is to be written: the thread that begins, then
 * the engine's own. */
static struct maui_jobstate found, copy;

static bool is_default(const struct maui_tracked_job *job)
{
	return !job->restarts && job->queued_since == job->submitted && !job->bypass;
}

static int64_t jobstate_since(const struct maui_tracked_job *job)
{
	return job->restarts ? MAUI_JOBSTATE_RESTARTS : job->queued_since;
}

/* Its queue time begins now, if it restarted when the file was written. */
static void jobstate_restore(const struct maui_jobstate_job *job, struct maui_tracked_job *tracked)
{
	tracked->restarts = job->queued_since == MAUI_JOBSTATE_RESTARTS;
	tracked->queued_since = tracked->restarts ? time(NULL) : job->queued_since;
}

/* A copy of all that is to be written. */
static void jobstate_gather(void *context)
{
	struct maui_jobstate *state = context;
	const struct maui_bypass_start *starts;
	const struct maui_tracked_job *job;
	uint32_t slot = 0;

	engine_assert_locked();
	state->counted = maui_bypass_counted(job_queue.bypass);
	state->start_count = maui_bypass_recent(job_queue.bypass, &starts);
	state->jobs = maui_calloc(maui_jobs_count(job_queue.jobs) + 1, sizeof(*state->jobs));
	state->starts = maui_calloc(state->start_count + 1, sizeof(*state->starts));
	state->qos = qos_started_copy(&state->qos_count);
	if (state->start_count)
		memcpy(state->starts, starts, state->start_count * sizeof(*starts));
	while ((job = maui_jobs_next(job_queue.jobs, &slot)))
		if (!is_default(job))
			state->jobs[state->job_count++] =
				(struct maui_jobstate_job){.job_id = job->job_id,
							   .bypass = job->bypass,
							   .submitted = job->submitted,
							   .queued_since = jobstate_since(job)};
}

/* At the end: the time up to which starts are counted has moved on. */
static bool is_ending(void)
{
	engine_assert_locked();
	return engine.mode == ENGINE_STANDBY;
}

static void add_late(enum state_answer answer);

struct state_file jobs_file = {
	.format = &maui_jobstate_file,
	.interval = 3,
	.found = &found,
	.in_shadow = true,
	.late = add_late,
	.gather = jobstate_gather,
	.copy = &copy,
	.changes = is_ending,
};

void jobstate_changed(void)
{
	jobs_file.changed = true;
}

ENGINE_LOCKED static void add_job(const struct maui_jobstate_job *job)
{
	struct maui_tracked_job *tracked = maui_jobs_find(job_queue.jobs, job->job_id);

	if (!tracked)
		tracked = maui_jobs_track(job_queue.jobs, job->job_id, job->submitted);
	if (tracked->submitted != job->submitted)
		return;
	if (job->queued_since == MAUI_JOBSTATE_RESTARTS)
		jobstate_restore(job, tracked);
	else
		tracked->queued_since += job->queued_since - job->submitted;
	tracked->bypass += MIN(job->bypass, UINT32_MAX - tracked->bypass);
}

/* What was counted meanwhile counts in addition. */
static void add_late(enum state_answer answer)
{
	(void)answer;
	engine_lock();
	for (size_t i = 0; i < found.job_count; i++)
		add_job(&found.jobs[i]);
	qos_started_restore(found.qos, found.qos_count);
	engine_want_refresh();
	engine_unlock();
}

static void jobstate_adopt(void)
{
	/* Without a file nobody knows which starts were counted: count those to come. */
	int64_t counted = found.counted ? found.counted : time(NULL);

	engine_assert_locked();
	maui_jobs_clear(job_queue.jobs);
	for (size_t i = 0; i < found.job_count; i++) {
		const struct maui_jobstate_job *job = &found.jobs[i];
		struct maui_tracked_job *tracked =
			maui_jobs_track(job_queue.jobs, job->job_id, job->submitted);

		jobstate_restore(job, tracked);
		tracked->bypass = job->bypass;
	}
	qos_started_clear();
	qos_started_restore(found.qos, found.qos_count);
	maui_bypass_reset(job_queue.bypass, counted, found.starts, found.start_count);
	engine.last_save = false;
}

const struct module jobstate_module = {.adopt = jobstate_adopt};
