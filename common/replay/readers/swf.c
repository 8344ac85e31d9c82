/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the 18 fields of each line into a job, and reads MaxProcs, MaxNodes
 * and UnixStartTime from the comments.
 */
#include "common/replay/readers/swf.h"

#include <stdio.h>
#include <string.h>

#include "common/util/text.h"

enum field {
	JOB,
	SUBMIT,
	WAIT,
	RUN,
	ALLOCATED,
	CPU_TIME,
	USED_MEMORY,
	PROCS,
	TIME,
	MEMORY,
	STATUS,
	USER,
	GROUP,
	EXECUTABLE,
	QUEUE,
	PARTITION,
	PRECEDING,
	THINK,
	FIELDS
};

struct line {
	struct maui_replay_trace *trace;
	const struct maui_replay_complaints *complaints;
	uint32_t number;
	const char *begin, *end;
	int64_t field[FIELDS];
};

static void swf_complain(const struct line *line, const char *where, const char *text)
{
	line->trace->bad_lines++;
	line->complaints->bad_line(line->complaints->context, line->number,
				   (uint32_t)(where - line->begin) + 1, text);
}

/* ---- one line ---- */

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && maui_is_blank(*at))
		at++;
	return at;
}

/*
 * A number, of which a fraction is cut off: some traces have fractions of seconds. Returns its end,
 * NULL if it is none, or is out of range.
 */
static const char *read_number(const char *at, const char *end, int64_t *ret_number)
{
	bool negative = at < end && *at == '-';
	int64_t number = 0;
	const char *digits;

	digits = at += negative || (at < end && *at == '+');
	for (; at < end && maui_is_digit(*at); at++) {
		number = number * 10 + (*at - '0');
		if (number >= MAUI_REPLAY_MAX_TIME)
			return NULL;
	}
	if (at == digits)
		return NULL;
	if (at < end && *at == '.')
		for (at++; at < end && maui_is_digit(*at);)
			at++;
	if (at < end && !maui_is_blank(*at))
		return NULL;
	*ret_number = negative ? -number : number;
	return at;
}

static bool read_fields(struct line *line)
{
	const char *at = line->begin;

	for (int i = 0; i < FIELDS; i++) {
		const char *next;
		char text[64];

		at = skip_blanks(at, line->end);
		if (at == line->end) {
			snprintf(text, sizeof(text), "%d fields where the format has %d", i,
				 FIELDS);
			swf_complain(line, at, text);
			return false;
		}
		next = read_number(at, line->end, &line->field[i]);
		if (!next) {
			snprintf(text, sizeof(text), "field %d is not a number of the format",
				 i + 1);
			swf_complain(line, at, text);
			return false;
		}
		at = next;
	}
	at = skip_blanks(at, line->end);
	if (at != line->end)
		swf_complain(line, at, "more than 18 fields");
	return at == line->end;
}

/* ---- the job on it ---- */

/* The number as a name. */
static uint32_t swf_name(struct maui_replay_trace *trace, enum maui_credential type, int64_t number)
{
	char text[24];

	if (number < 0)
		return 0;
	snprintf(text, sizeof(text), "%lld", (long long)number);
	return maui_intern_add(trace->names[type], text);
}

static int64_t memory_of(const struct line *line, int64_t procs)
{
	int64_t each = line->field[MEMORY];

	if (each <= 0 || procs <= 0 || procs > MAUI_REPLAY_MAX_PROCS)
		return 0;
	return each / 1024 >= INT64_MAX / procs / 2 ? INT64_MAX / 2 : (each * procs) / 1024;
}

static void add_job(struct line *line)
{
	const int64_t *field = line->field;
	struct maui_replay_trace *trace = line->trace;
	int64_t procs = field[PROCS] > 0 ? field[PROCS] : field[ALLOCATED];
	struct maui_replay_job job = {
		.number = field[JOB],
		.submitted = field[SUBMIT] < 0 ? MAUI_REPLAY_UNKNOWN : trace->epoch + field[SUBMIT],
		.started = MAUI_REPLAY_UNKNOWN,
		.run = field[RUN],
		.estimate = field[TIME] > 0 ? field[TIME] : MAUI_REPLAY_UNKNOWN,
		.memory = memory_of(line, procs),
		.line = line->number,
	};

	if (field[STATUS] >= 2 && field[STATUS] <= 4) {
		trace->lacking[MAUI_REPLAY_PARTIAL]++;
		return;
	}
	if (field[WAIT] >= 0 && field[SUBMIT] >= 0)
		job.started = job.submitted + field[WAIT];
	job.credential[MAUI_USER] = swf_name(trace, MAUI_USER, field[USER]);
	job.credential[MAUI_GROUP] = swf_name(trace, MAUI_GROUP, field[GROUP]);
	job.credential[MAUI_CLASS] = swf_name(trace, MAUI_CLASS, field[QUEUE]);
	maui_replay_trace_add(trace, &job, procs);
}

/* ---- comments ---- */

/* "; MaxProcs: 100" */
static bool swf_header(const struct line *line, const char *label, int64_t *ret_number)
{
	const char *at = skip_blanks(line->begin, line->end);
	size_t size = strlen(label);

	while (at < line->end && (*at == ';' || maui_is_blank(*at)))
		at++;
	if ((size_t)(line->end - at) <= size || !maui_equals(at, size, label) || at[size] != ':')
		return false;
	return read_number(skip_blanks(at + size + 1, line->end), line->end, ret_number);
}

/* MaxProcs counts for more than MaxNodes, wherever it stands. */
static void read_comment(const struct line *line, bool *procs_known)
{
	int64_t number;

	if (swf_header(line, "UnixStartTime", &number) && number >= 0) {
		line->trace->epoch = number;
	} else if (swf_header(line, "MaxProcs", &number) && number > 0 &&
		   number <= MAUI_REPLAY_MAX_PROCS) {
		line->trace->procs = (uint32_t)number;
		*procs_known = true;
	} else if (!*procs_known && swf_header(line, "MaxNodes", &number) && number > 0 &&
		   number <= MAUI_REPLAY_MAX_PROCS) {
		line->trace->procs = (uint32_t)number;
	}
}

void maui_replay_swf_read(struct maui_replay_trace *trace, const char *text, size_t size,
			  const struct maui_replay_complaints *complaints)
{
	const char *end = text + size;
	bool procs_known = false;
	uint32_t number = 0;

	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		struct line line = {.trace = trace,
				    .complaints = complaints,
				    .number = ++number,
				    .begin = text,
				    .end = stop ? stop : end};
		const char *first = skip_blanks(line.begin, line.end);

		if (first < line.end && *first == ';')
			read_comment(&line, &procs_known);
		else if (first < line.end && read_fields(&line))
			add_job(&line);
		text = stop ? stop + 1 : end;
	}
}
