/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/compat.h"

#include "plugins/engine/queue/jobstate_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/state.h"
#include "plugins/engine/runtime/statefile.h"
#include "plugins/engine/runtime/stateload.h"

#define NAME "jobs"
/* Between two writes, which may wait for a slow disk: seconds, and at most one part in so many of the time. */
#define SAVE_INTERVAL 3.0
#define SAVE_SHARE    20

static int parse(const char *text, size_t size, void *result, struct maui_error *why)
{
	return jobstate_parse(text, size, result, why);
}

void jobstate_load(const struct site *site, struct jobstate *ret_state)
{
	*ret_state = (struct jobstate){0};
	stateload(site->state_directory, NAME, JOBSTATE_MAX_SIZE, parse, ret_state,
		  "queue times count from submission again, bypasses from 0");
}

void jobstate_adopt(const struct jobstate *state)
{
	/* Without a file nobody knows which starts were counted: count those to come. */
	int64_t counted = state->counted ? state->counted : time(NULL);

	jobs_clear(engine.jobs);
	for (size_t i = 0; i < state->job_count; i++) {
		const struct jobstate_job *job = &state->jobs[i];
		struct tracked_job *tracked = jobs_track(engine.jobs, job->job_id, job->submitted);

		if (!tracked)
			break;
		tracked->queued_since = job->queued_since;
		tracked->bypass = job->bypass;
	}
	bypass_reset(engine.bypass, counted, state->starts, state->start_count);
	engine.jobs_changed = engine.last_save = false;
	engine.next_save = 0;
}

double jobstate_due(void)
{
	return engine.jobs_changed ? engine.next_save : INFINITY;
}

static bool is_default(const struct tracked_job *job)
{
	return job->queued_since == job->submitted && !job->bypass;
}

/* A copy of all that is to be written. The mutex is held. */
static int gather(struct jobstate *state)
{
	const struct bypass_start *starts;
	const struct tracked_job *job;
	uint32_t slot = 0;
	size_t count = 0;

	while ((job = jobs_next(engine.jobs, &slot)))
		count += !is_default(job);
	state->counted = bypass_counted(engine.bypass);
	state->start_count = bypass_recent(engine.bypass, &starts);
	state->jobs = calloc(count + 1, sizeof(*state->jobs));
	state->starts = calloc(state->start_count + 1, sizeof(*state->starts));
	if (!state->jobs || !state->starts)
		return -ENOMEM;
	if (state->start_count)
		memcpy(state->starts, starts, state->start_count * sizeof(*starts));
	for (slot = 0; (job = jobs_next(engine.jobs, &slot));)
		if (!is_default(job))
			state->jobs[state->job_count++] =
				(struct jobstate_job){.job_id = job->job_id,
						      .bypass = job->bypass,
						      .submitted = job->submitted,
						      .queued_since = job->queued_since};
	return 0;
}

static int write_state(const char *directory, const struct jobstate *state,
		       struct maui_error *error)
{
	char *text;
	size_t size;
	int rc;

	if (!directory || jobstate_format(state, &text, &size))
		return maui_error_set(error, ENOMEM, "out of memory");
	rc = statefile_replace(directory, NAME, text, size, error);
	free(text);
	return rc;
}

void jobstate_save(void)
{
	static bool failed; /* the engine's thread alone */
	struct maui_error why = {"out of memory"};
	struct jobstate state = {0};
	double begun = monotonic(), ended;
	char *directory;
	int rc;

	pthread_mutex_lock(&engine.mutex);
	directory = engine.site.state_directory ? strdup(engine.site.state_directory) : NULL;
	rc = gather(&state);
	engine.jobs_changed = false;
	pthread_mutex_unlock(&engine.mutex);
	if (!rc)
		rc = write_state(directory, &state, &why);
	ended = monotonic();
	pthread_mutex_lock(&engine.mutex);
	if (rc)
		engine.jobs_changed = true;
	engine.next_save = ended + fmax(SAVE_INTERVAL, (ended - begun) * SAVE_SHARE);
	pthread_mutex_unlock(&engine.mutex);
	if (rc && !failed)
		error("maui: %s: a restart would forget queue times and bypasses of jobs",
		      why.text);
	failed = rc;
	jobstate_clear(&state);
	free(directory);
}
