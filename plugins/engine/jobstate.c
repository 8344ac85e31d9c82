/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/jobstate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_LINE "slurm-maui jobs 1\n"
#define MAX_LINE   64
#define MAX_TIME   INT64_C(253402300799) /* the end of the year 9999 */

/* What is left of a line. */
struct words {
	const char *at, *end;
};

void jobstate_clear(struct jobstate *state)
{
	free(state->starts);
	free(state->jobs);
	*state = (struct jobstate){0};
}

/* FNV-1a: against disks and editors, not against people. */
static uint64_t checksum(const char *text, size_t size)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < size; i++)
		sum = (sum ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return sum;
}

static bool word_is(struct words *words, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(words->end - words->at) < length || memcmp(words->at, word, length) != 0)
		return false;
	words->at += length;
	return true;
}

/* A blank and a decimal number. */
static bool number(struct words *words, int64_t min, int64_t max, int64_t *ret_number)
{
	int64_t value = 0;
	const char *digit;

	if (words->at == words->end || *words->at != ' ')
		return false;
	for (digit = words->at + 1; digit < words->end && *digit >= '0' && *digit <= '9'; digit++) {
		value = value * 10 + (*digit - '0');
		if (value > max)
			return false;
	}
	if (digit == words->at + 1 || value < min)
		return false;
	words->at = digit;
	*ret_number = value;
	return true;
}

static bool job_id(struct words *words, uint32_t *ret_id)
{
	int64_t id;

	if (!number(words, 1, UINT32_MAX, &id))
		return false;
	*ret_id = (uint32_t)id;
	return true;
}

static bool parse_job(struct words *words, struct jobstate *state)
{
	struct jobstate_job job;
	int64_t bypass;

	if (state->job_count == JOBSTATE_MAX_JOBS || !job_id(words, &job.job_id) ||
	    !number(words, 0, MAX_TIME, &job.submitted) ||
	    /* A requeued job is submitted in the next second: it may have begun to wait before. */
	    !number(words, 0, MAX_TIME, &job.queued_since) ||
	    !number(words, 0, UINT32_MAX, &bypass))
		return false;
	job.bypass = (uint32_t)bypass;
	state->jobs[state->job_count++] = job;
	return true;
}

static bool parse_start(struct words *words, struct jobstate *state)
{
	struct bypass_start start = {0};

	if (state->start_count == JOBSTATE_MAX_STARTS || !job_id(words, &start.job_id) ||
	    !number(words, 1, MAX_TIME, &start.time))
		return false;
	state->starts[state->start_count++] = start;
	return true;
}

static bool parse_line(struct words words, struct jobstate *state)
{
	bool good = false;

	if (word_is(&words, "job"))
		good = parse_job(&words, state);
	else if (word_is(&words, "start"))
		good = parse_start(&words, state);
	else if (word_is(&words, "counted"))
		good = number(&words, 1, MAX_TIME, &state->counted);
	return good && words.at == words.end;
}

/* Between the first line and the last. */
static int parse_lines(const char *text, const char *end, struct jobstate *state,
		       struct maui_error *error)
{
	size_t line = 1;

	for (const char *next; text < end; text = next) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));

		next = newline + 1; /* the caller has seen to it that there is one */
		line++;
		if (!parse_line((struct words){text, newline}, state))
			return maui_error_set(error, EINVAL, "line %zu is not understood", line);
	}
	return 0;
}

/* The last line vouches for all before it. Returns where it begins, NULL if the text cannot be trusted. */
static const char *find_end(const char *text, size_t size, size_t *ret_lines)
{
	const char *end = text + size - 1;
	char expected[MAX_LINE];
	size_t lines = 0;
	int length;

	if (*end != '\n')
		return NULL;
	while (end > text && end[-1] != '\n')
		end--;
	for (const char *at = text; (at = memchr(at, '\n', (size_t)(end - at))); at++)
		lines++;
	length = snprintf(expected, sizeof(expected), "end %zu %016" PRIx64 "\n", lines,
			  checksum(text, (size_t)(end - text)));
	if ((size_t)length != (size_t)(text + size - end) ||
	    memcmp(end, expected, (size_t)length) != 0)
		return NULL;
	*ret_lines = lines;
	return end;
}

static size_t lesser(size_t a, size_t b)
{
	return a < b ? a : b;
}

int jobstate_parse(const char *text, size_t size, struct jobstate *ret_state,
		   struct maui_error *error)
{
	struct jobstate state = {0};
	size_t first = strlen(FIRST_LINE), lines = 0;
	const char *end;
	int rc;

	if (size < first || memcmp(text, FIRST_LINE, first) != 0)
		return maui_error_set(error, EINVAL, "it does not begin with \"%.*s\"",
				      (int)first - 1, FIRST_LINE);
	end = find_end(text, size, &lines);
	if (!end || end < text + first)
		return maui_error_set(error, EINVAL, "it is cut short or damaged");
	state.jobs = calloc(lesser(lines, JOBSTATE_MAX_JOBS) + 1, sizeof(*state.jobs));
	state.starts = calloc(lesser(lines, JOBSTATE_MAX_STARTS) + 1, sizeof(*state.starts));
	if (!state.jobs || !state.starts)
		rc = maui_error_set(error, ENOMEM, "out of memory");
	else
		rc = parse_lines(text + first, end, &state, error);
	if (rc)
		jobstate_clear(&state);
	else
		*ret_state = state;
	return rc;
}

int jobstate_format(const struct jobstate *state, char **ret_text, size_t *ret_size)
{
	size_t starts = lesser(state->start_count, JOBSTATE_MAX_STARTS);
	size_t jobs = lesser(state->job_count, JOBSTATE_MAX_JOBS), lines = 1 + starts + jobs, size;
	char *text = malloc((lines + 2) * MAX_LINE), *at = text;

	if (!text)
		return -ENOMEM;
	at += sprintf(at, "%s", FIRST_LINE);
	if (state->counted > 0)
		at += sprintf(at, "counted %" PRId64 "\n", state->counted);
	else
		lines--;
	for (size_t i = 0; i < starts; i++)
		at += sprintf(at, "start %" PRIu32 " %" PRId64 "\n", state->starts[i].job_id,
			      state->starts[i].time);
	for (size_t i = 0; i < jobs; i++)
		at += sprintf(at, "job %" PRIu32 " %" PRId64 " %" PRId64 " %" PRIu32 "\n",
			      state->jobs[i].job_id, state->jobs[i].submitted,
			      state->jobs[i].queued_since, state->jobs[i].bypass);
	size = (size_t)(at - text);
	at += sprintf(at, "end %zu %016" PRIx64 "\n", lines + 1, checksum(text, size));
	*ret_text = text;
	*ret_size = (size_t)(at - text);
	return 0;
}
