/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/base.h"

#include "plugins/engine/queue/jobstate_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/runtime/statefile.h"
#include "plugins/engine/runtime/stateload.h"

#define NAME "jobs"
/* As the disk may be slow: seconds between two writes, which take at most one part in SAVE_SHARE of
 * the time. */
#define SAVE_INTERVAL 3.0
#define SAVE_SHARE    20

static int parse(const char *text, size_t size, void *result, struct maui_error *why)
{
	return maui_jobstate_parse(text, size, result, why);
}

/* What the file says, until it is adopted; nothing if there is none. Only the thread that
 * begins the engine uses it. */
static struct maui_jobstate found;

/* An unusable file is logged and set aside. */
static void read_file(const struct site *site, enum engine_mode mode)
{
	(void)mode;
	stateload(site->state_directory, NAME, MAUI_JOBSTATE_MAX_SIZE, parse, &found,
		  "queue times count from submission again, bypasses from 0");
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
	job_queue.jobs_changed = engine.last_save = false;
	job_queue.next_save = 0;
}

static void discard(void)
{
	maui_jobstate_clear(&found);
}

static double due(double now)
{
	(void)now;
	engine_assert_locked();
	return job_queue.jobs_changed ? job_queue.next_save : INFINITY;
}

static bool is_default(const struct maui_tracked_job *job)
{
	return job->queued_since == job->submitted && !job->bypass;
}

/* A copy of all that is to be written. The mutex is held. */
ENGINE_LOCKED static int gather(struct maui_jobstate *state)
{
	const struct maui_bypass_start *starts;
	const struct maui_tracked_job *job;
	uint32_t slot = 0;
	size_t count = 0;

	while ((job = maui_jobs_next(job_queue.jobs, &slot)))
		count += !is_default(job);
	state->counted = maui_bypass_counted(job_queue.bypass);
	state->start_count = maui_bypass_recent(job_queue.bypass, &starts);
	state->jobs = calloc(count + 1, sizeof(*state->jobs));
	state->starts = calloc(state->start_count + 1, sizeof(*state->starts));
	if (!state->jobs || !state->starts)
		return -ENOMEM;
	if (state->start_count)
		memcpy(state->starts, starts, state->start_count * sizeof(*starts));
	for (slot = 0; (job = maui_jobs_next(job_queue.jobs, &slot));)
		if (!is_default(job))
			state->jobs[state->job_count++] =
				(struct maui_jobstate_job){.job_id = job->job_id,
							   .bypass = job->bypass,
							   .submitted = job->submitted,
							   .queued_since = job->queued_since};
	return 0;
}

static int write_state(const char *directory, const struct maui_jobstate *state,
		       struct maui_error *error)
{
	char *text;
	size_t size;
	int rc;

	if (!directory || maui_jobstate_format(state, &text, &size))
		return maui_error_set(error, ENOMEM, "out of memory");
	rc = statefile_replace(directory, NAME, text, size, error);
	free(text);
	return rc;
}

static void save(void)
{
	static bool failed; /* the engine's thread alone */
	struct maui_error why = {"out of memory"};
	struct maui_jobstate state = {0};
	double begun = monotonic(), ended;
	char *directory;
	int rc;

	engine_lock();
	directory = engine.site.state_directory ? strdup(engine.site.state_directory) : NULL;
	rc = gather(&state);
	job_queue.jobs_changed = false;
	engine_unlock();
	if (!rc)
		rc = write_state(directory, &state, &why);
	ended = monotonic();
	engine_lock();
	if (rc)
		job_queue.jobs_changed = true;
	job_queue.next_save = ended + fmax(SAVE_INTERVAL, (ended - begun) * SAVE_SHARE);
	engine_unlock();
	if (rc && !failed)
		error("maui: %s: a restart would forget queue times and bypasses of jobs",
		      why.text);
	failed = rc;
	maui_jobstate_clear(&state);
	free(directory);
}

const struct module jobstate_module = {
	.read = read_file,
	.adopt = adopt,
	.discard = discard,
	.due = due,
	.chore = save,
	.saves = true,
};
