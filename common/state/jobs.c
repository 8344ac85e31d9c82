/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/state/jobs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/state/first_lines.h"
#include "common/state/text.h"

#define MAX_LINE 64
#define MAX_TIME INT64_C(253402300799) /* the end of the year 9999 */

void maui_jobstate_clear(struct maui_jobstate *state)
{
	free(state->starts);
	free(state->jobs);
	*state = (struct maui_jobstate){0};
}

static bool job_id(struct maui_statetext_words *words, uint32_t *ret_id)
{
	int64_t id;

	if (!maui_statetext_number(words, 1, UINT32_MAX, &id))
		return false;
	*ret_id = (uint32_t)id;
	return true;
}

static bool parse_job(struct maui_statetext_words *words, struct maui_jobstate *state)
{
	struct maui_jobstate_job job;
	int64_t bypass;

	if (state->job_count == MAUI_JOBSTATE_MAX_JOBS || !job_id(words, &job.job_id) ||
	    !maui_statetext_number(words, 0, MAX_TIME, &job.submitted) ||
	    /* A requeued job is submitted a second later: it may have begun to wait before that. */
	    !maui_statetext_number(words, 0, MAX_TIME, &job.queued_since) ||
	    !maui_statetext_number(words, 0, UINT32_MAX, &bypass))
		return false;
	job.bypass = (uint32_t)bypass;
	state->jobs[state->job_count++] = job;
	return true;
}

static bool parse_start(struct maui_statetext_words *words, struct maui_jobstate *state)
{
	struct maui_bypass_start start = {0};

	if (state->start_count == MAUI_JOBSTATE_MAX_STARTS || !job_id(words, &start.job_id) ||
	    !maui_statetext_number(words, 1, MAX_TIME, &start.time))
		return false;
	state->starts[state->start_count++] = start;
	return true;
}

static int parse_line(struct maui_statetext_words words, void *context, const char **why)
{
	struct maui_jobstate *state = context;
	bool good = false;

	(void)why;
	if (maui_statetext_word(&words, "job"))
		good = parse_job(&words, state);
	else if (maui_statetext_word(&words, "start"))
		good = parse_start(&words, state);
	else if (maui_statetext_word(&words, "counted"))
		good = maui_statetext_number(&words, 1, MAX_TIME, &state->counted);
	return good && words.at == words.end ? 0 : -EINVAL;
}

static size_t lesser(size_t a, size_t b)
{
	return a < b ? a : b;
}

int maui_jobstate_parse(const char *text, size_t size, struct maui_jobstate *ret_state,
			struct maui_error *error)
{
	struct maui_jobstate state = {0};
	struct maui_statetext content;
	int rc = maui_statetext_open(text, size, MAUI_FIRST_LINE_JOBS, &content, error);

	if (rc)
		return rc;
	state.jobs = calloc(lesser(content.lines, MAUI_JOBSTATE_MAX_JOBS) + 1, sizeof(*state.jobs));
	state.starts =
		calloc(lesser(content.lines, MAUI_JOBSTATE_MAX_STARTS) + 1, sizeof(*state.starts));
	if (!state.jobs || !state.starts)
		rc = maui_error_set(error, ENOMEM, "out of memory");
	else
		rc = maui_statetext_lines(&content, parse_line, &state, error);
	if (rc)
		maui_jobstate_clear(&state);
	else
		*ret_state = state;
	return rc;
}

static char *put_job(char *at, const struct maui_jobstate_job *job)
{
	memcpy(at, "job", 3);
	at = maui_statetext_put_number(at + 3, job->job_id);
	at = maui_statetext_put_number(at, job->submitted);
	at = maui_statetext_put_number(at, job->queued_since);
	at = maui_statetext_put_number(at, job->bypass);
	*at++ = '\n';
	return at;
}

/* Where the next line begins. */
static char *added(const char *line, char *end, struct maui_statetext_sum *sum)
{
	maui_statetext_add(sum, line, end);
	return end;
}

int maui_jobstate_format(const struct maui_jobstate *state, char **ret_text, size_t *ret_size)
{
	size_t starts = lesser(state->start_count, MAUI_JOBSTATE_MAX_STARTS);
	size_t jobs = lesser(state->job_count, MAUI_JOBSTATE_MAX_JOBS);
	/* plus the first two lines */
	char *text = malloc((2 + starts + jobs) * MAX_LINE + MAUI_STATETEXT_END_SIZE), *at = text;
	struct maui_statetext_sum sum = MAUI_STATETEXT_NOTHING;

	if (!text)
		return -ENOMEM;
	at = added(at, at + sprintf(at, "%s", MAUI_FIRST_LINE_JOBS), &sum);
	if (state->counted > 0)
		at = added(at, at + sprintf(at, "counted %" PRId64 "\n", state->counted), &sum);
	for (size_t i = 0; i < starts; i++)
		at = added(at,
			   at + sprintf(at, "start %" PRIu32 " %" PRId64 "\n",
					state->starts[i].job_id, state->starts[i].time),
			   &sum);
	for (size_t i = 0; i < jobs; i++)
		at = added(at, put_job(at, &state->jobs[i]), &sum);
	*ret_text = text;
	*ret_size = (size_t)(maui_statetext_seal_added(at, &sum) - text);
	return 0;
}
