/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/base.h"

#include "plugins/engine/queue/jobstate_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/runtime/stateload.h"
#include "plugins/engine/runtime/statesave.h"

#define NAME "jobs"

static int parse(const char *text, size_t size, void *result, struct maui_error *why)
{
	return maui_jobstate_parse(text, size, result, why);
}

static void read_late(void);

static const struct stateload stored = {
	.name = NAME,
	.limit = MAUI_JOBSTATE_MAX_SIZE,
	.parse = parse,
	.lost = "queue times count from submission again, bypasses from 0",
	.kept = "queue times count from submission, bypasses from 0, and neither outlives a "
		"restart",
	.waits = "queue times count from submission and bypasses from 0; the file's are added then",
	.again = read_late,
};

/* What the file says, until it is adopted; nothing if there is none. Only the thread that
 * begins the engine uses it. */
static struct maui_jobstate found;

/* An unusable file is logged and set aside, or kept. */
static void read_file(const struct site *site, enum engine_mode mode)
{
	(void)mode;
	stateload(&stored, site->state_directory, &found);
}

static bool is_default(const struct maui_tracked_job *job)
{
	return job->queued_since == job->submitted && !job->bypass;
}

/* A copy of all that is to be written. */
static int gather(void *context, struct maui_error *why)
{
	struct maui_jobstate *state = context;
	const struct maui_bypass_start *starts;
	const struct maui_tracked_job *job;
	uint32_t slot = 0;

	(void)why; /* memory alone */
	engine_assert_locked();
	state->counted = maui_bypass_counted(job_queue.bypass);
	state->start_count = maui_bypass_recent(job_queue.bypass, &starts);
	state->jobs = calloc(maui_jobs_count(job_queue.jobs) + 1, sizeof(*state->jobs));
	state->starts = calloc(state->start_count + 1, sizeof(*state->starts));
	if (!state->jobs || !state->starts)
		return -ENOMEM;
	if (state->start_count)
		memcpy(state->starts, starts, state->start_count * sizeof(*starts));
	while ((job = maui_jobs_next(job_queue.jobs, &slot)))
		if (!is_default(job))
			state->jobs[state->job_count++] =
				(struct maui_jobstate_job){.job_id = job->job_id,
							   .bypass = job->bypass,
							   .submitted = job->submitted,
							   .queued_since = job->queued_since};
	return 0;
}

static int format(void *state, char **ret_text, size_t *ret_size, struct maui_error *why)
{
	(void)why; /* memory alone */
	return maui_jobstate_format(state, ret_text, ret_size);
}

ENGINE_GUARDED static struct statesave file = {
	.name = NAME,
	.interval = 3,
	.lost = "queue times and bypasses of jobs",
	.gather = gather,
	.format = format,
};

void jobstate_changed(void)
{
	file.changed = true;
}

ENGINE_LOCKED static void add_job(const struct maui_jobstate_job *job)
{
	struct maui_tracked_job *tracked = maui_jobs_find(job_queue.jobs, job->job_id);

	if (!tracked)
		tracked = maui_jobs_track(job_queue.jobs, job->job_id, job->submitted);
	if (!tracked || tracked->submitted != job->submitted)
		return;
	tracked->queued_since += job->queued_since - job->submitted;
	tracked->bypass += MIN(job->bypass, UINT32_MAX - tracked->bypass);
}

/* What was counted meanwhile counts in addition. */
static void read_late(void)
{
	struct maui_jobstate late = {0};

	if (stateload_again(&stored, &late) == STATE_NOT_NOW)
		return;
	engine_lock();
	for (size_t i = 0; i < late.job_count; i++)
		add_job(&late.jobs[i]);
	file.changed = true;
	engine_want_refresh();
	engine_unlock();
	maui_jobstate_clear(&late);
}

static void adopt(void)
{
	/* Without a file nobody knows which starts were counted: count those to come. */
	int64_t counted = found.counted ? found.counted : time(NULL);

	engine_assert_locked();
	maui_jobs_clear(job_queue.jobs);
	for (size_t i = 0; i < found.job_count; i++) {
		const struct maui_jobstate_job *job = &found.jobs[i];
		struct maui_tracked_job *tracked =
			maui_jobs_track(job_queue.jobs, job->job_id, job->submitted);

		if (!tracked)
			break;
		tracked->queued_since = job->queued_since;
		tracked->bypass = job->bypass;
	}
	maui_bypass_reset(job_queue.bypass, counted, found.starts, found.start_count);
	engine.last_save = false;
	statesave_reset(&file);
}

static void discard(void)
{
	maui_jobstate_clear(&found);
}

static double due(double now)
{
	(void)now;
	engine_assert_locked();
	return statesave_due(&file);
}

static void save(void)
{
	struct maui_jobstate state = {0};

	statesave(&file, &state);
	maui_jobstate_clear(&state);
}

const struct module jobstate_module = {
	.read = read_file,
	.adopt = adopt,
	.discard = discard,
	.due = due,
	.chore = save,
	.saves = true,
};
