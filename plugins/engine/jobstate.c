/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/jobstate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "plugins/engine/statetext.h"

#define FIRST_LINE "slurm-maui jobs 1\n"
#define MAX_LINE   64
#define MAX_TIME   INT64_C(253402300799) /* the end of the year 9999 */

void jobstate_clear(struct jobstate *state)
{
	free(state->starts);
	free(state->jobs);
	*state = (struct jobstate){0};
}

static bool job_id(struct statetext_words *words, uint32_t *ret_id)
{
	int64_t id;

	if (!statetext_number(words, 1, UINT32_MAX, &id))
		return false;
	*ret_id = (uint32_t)id;
	return true;
}

static bool parse_job(struct statetext_words *words, struct jobstate *state)
{
	struct jobstate_job job;
	int64_t bypass;

	if (state->job_count == JOBSTATE_MAX_JOBS || !job_id(words, &job.job_id) ||
	    !statetext_number(words, 0, MAX_TIME, &job.submitted) ||
	    /* A requeued job is submitted in the next second: it may have begun to wait before. */
	    !statetext_number(words, 0, MAX_TIME, &job.queued_since) ||
	    !statetext_number(words, 0, UINT32_MAX, &bypass))
		return false;
	job.bypass = (uint32_t)bypass;
	state->jobs[state->job_count++] = job;
	return true;
}

static bool parse_start(struct statetext_words *words, struct jobstate *state)
{
	struct bypass_start start = {0};

	if (state->start_count == JOBSTATE_MAX_STARTS || !job_id(words, &start.job_id) ||
	    !statetext_number(words, 1, MAX_TIME, &start.time))
		return false;
	state->starts[state->start_count++] = start;
	return true;
}

static int parse_line(struct statetext_words words, void *context, const char **why)
{
	struct jobstate *state = context;
	bool good = false;

	(void)why;
	if (statetext_word(&words, "job"))
		good = parse_job(&words, state);
	else if (statetext_word(&words, "start"))
		good = parse_start(&words, state);
	else if (statetext_word(&words, "counted"))
		good = statetext_number(&words, 1, MAX_TIME, &state->counted);
	return good && words.at == words.end ? 0 : -EINVAL;
}

static size_t lesser(size_t a, size_t b)
{
	return a < b ? a : b;
}

int jobstate_parse(const char *text, size_t size, struct jobstate *ret_state,
		   struct maui_error *error)
{
	struct jobstate state = {0};
	struct statetext content;
	int rc = statetext_open(text, size, FIRST_LINE, &content, error);

	if (rc)
		return rc;
	state.jobs = calloc(lesser(content.lines, JOBSTATE_MAX_JOBS) + 1, sizeof(*state.jobs));
	state.starts =
		calloc(lesser(content.lines, JOBSTATE_MAX_STARTS) + 1, sizeof(*state.starts));
	if (!state.jobs || !state.starts)
		rc = maui_error_set(error, ENOMEM, "out of memory");
	else
		rc = statetext_lines(&content, parse_line, &state, error);
	if (rc)
		jobstate_clear(&state);
	else
		*ret_state = state;
	return rc;
}

int jobstate_format(const struct jobstate *state, char **ret_text, size_t *ret_size)
{
	size_t starts = lesser(state->start_count, JOBSTATE_MAX_STARTS);
	size_t jobs = lesser(state->job_count, JOBSTATE_MAX_JOBS);
	/* and the first two lines */
	char *text = malloc((2 + starts + jobs) * MAX_LINE + STATETEXT_END_SIZE), *at = text;

	if (!text)
		return -ENOMEM;
	at += sprintf(at, "%s", FIRST_LINE);
	if (state->counted > 0)
		at += sprintf(at, "counted %" PRId64 "\n", state->counted);
	for (size_t i = 0; i < starts; i++)
		at += sprintf(at, "start %" PRIu32 " %" PRId64 "\n", state->starts[i].job_id,
			      state->starts[i].time);
	for (size_t i = 0; i < jobs; i++)
		at += sprintf(at, "job %" PRIu32 " %" PRId64 " %" PRId64 " %" PRIu32 "\n",
			      state->jobs[i].job_id, state->jobs[i].submitted,
			      state->jobs[i].queued_since, state->jobs[i].bypass);
	*ret_text = text;
	*ret_size = statetext_seal(text, (size_t)(at - text));
	return 0;
}
