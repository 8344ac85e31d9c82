/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits each line at blanks into fields, and converts them to a job: [NONE]
 * values, [features], QOS pairs, and hosts between colons.
 */
#include "common/replay/readers/workload.h"

#include <stdio.h>
#include <string.h>

#include "common/replay/readers/table.h"
#include "common/replay/readers/trace_lines.h"
#include "common/util/text.h"

#define VERSION "VERSION "

/* The manual counts from 1. */
enum field {
	JOB,
	NODES,
	TASKS,
	USER,
	GROUP,
	LIMIT,
	CLASS = 7,
	SUBMITTED,
	START = 10,
	END,
	FEATURES = 19,
	QUEUED,
	ALLOCATED,
	QOS = 23,
	ACCOUNT = 25,
	TASK_PROCS = 31,
	TASK_MEMORY,
	NEEDED,
	HOSTS = 37,
	FIELDS
};

struct record {
	const struct maui_trace_line *line;
	struct maui_table_piece value[FIELDS];
};

static bool is_word(struct maui_table_piece piece, const char *word)
{
	return maui_equals(piece.text, piece.size, word);
}

/* ---- a line ---- */

static bool split_fields(struct record *record)
{
	const char *at = record->line->begin;
	char text[80];
	int count = 0;

	for (; count < FIELDS; count++) {
		const char *begin;

		while (at < record->line->end && maui_is_blank(*at))
			at++;
		if (at == record->line->end)
			break;
		for (begin = at; at < record->line->end && !maui_is_blank(*at);)
			at++;
		record->value[count] = (struct maui_table_piece){begin, (size_t)(at - begin)};
	}
	if (count >= NEEDED)
		return true;
	snprintf(text, sizeof(text), "%d fields where a job of a workload trace has %d or more",
		 count, NEEDED);
	return maui_trace_line_complain(record->line, at, text);
}

/* A whole number, of which a fraction is cut off; what is less than 0 is unknown. */
static bool read_number(const struct record *record, enum field field, int64_t *ret_number)
{
	struct maui_table_piece piece = record->value[field];
	char text[64];

	*ret_number = MAUI_REPLAY_UNKNOWN;
	if (is_word(piece, "[NONE]") || maui_table_skip(&piece, '-'))
		return true;
	if (maui_table_digits(&piece, ret_number) && (!piece.size || *piece.text == '.') &&
	    *ret_number < MAUI_REPLAY_MAX_TIME)
		return true;
	snprintf(text, sizeof(text), "field %d is not a number of the format", (int)field + 1);
	return maui_trace_line_complain(record->line, record->value[field].text, text);
}

/* ---- what a job has ---- */

/* What is in the brackets; of `[batch:1]` the class alone. */
static struct maui_table_piece without_brackets(struct maui_table_piece piece)
{
	struct maui_table_piece name;

	if (piece.size < 2 || *piece.text != '[')
		return piece;
	piece.text++;
	piece.size -= piece.text[piece.size - 2] == ']' ? 2 : 1;
	(void)maui_table_item(&piece, ':', &name);
	return name;
}

/* [NONE], [DEFAULT] and [NONE:1] are nothing. */
static struct maui_table_piece name_of(struct maui_table_piece piece)
{
	struct maui_table_piece name = without_brackets(piece);

	if (name.text != piece.text && (is_word(name, "NONE") || is_word(name, "DEFAULT")))
		name.size = 0;
	return name;
}

/* The one that it got. DEFAULT is that of jobs without any. */
static struct maui_table_piece qos_of(struct maui_table_piece piece)
{
	struct maui_table_piece asked = {"", 0};

	if (piece.size && *piece.text == '[')
		return name_of(piece);
	(void)maui_table_item(&piece, ':', &asked);
	if (!piece.size)
		piece = asked;
	if (is_word(piece, "DEFAULT"))
		piece.size = 0;
	return piece;
}

static void read_names(const struct record *record, struct maui_replay_job *job)
{
	static const int at[MAUI_CREDENTIALS] = {[MAUI_USER] = USER,
						 [MAUI_GROUP] = GROUP,
						 [MAUI_ACCOUNT] = ACCOUNT,
						 [MAUI_QOS] = QOS,
						 [MAUI_CLASS] = CLASS};
	struct maui_table_piece names[FIELDS];

	memcpy(names, record->value, sizeof(names));
	for (int i = 0; i < MAUI_CREDENTIALS; i++)
		names[at[i]] = at[i] == QOS ? qos_of(names[QOS]) : name_of(names[at[i]]);
	maui_table_names(names, at, record->line->trace, job);
}

/* `[fast][big]`, each of which it must have, as sacct writes that. */
static void read_features(const struct record *record, struct maui_replay_job *job)
{
	struct maui_table_piece all = record->value[FEATURES], one;
	char text[256] = "";
	size_t used = 0;

	while (maui_table_item(&all, ']', &one)) {
		if (!maui_table_skip(&one, '[') || is_word(one, "NONE"))
			continue;
		if (used + one.size + 2 > sizeof(text)) {
			used = 0; /* longer than any that is understood */
			break;
		}
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%.*s",
					 used ? "&" : "", (int)one.size, one.text);
	}
	job->constraint = maui_replay_trace_name(record->line->trace->constraints, text, used);
}

/* A node's tasks follow each other, between colons. */
static uint32_t count_hosts(struct maui_table_piece hosts)
{
	struct maui_table_piece one, last = {"", 0};
	uint32_t count = 0;

	if (!hosts.text || is_word(hosts, "[NONE]"))
		return 0;
	while (maui_table_item(&hosts, ':', &one)) {
		count += !maui_table_same(one, last);
		last = one;
	}
	return count;
}

/* `17`, `17.server`; `host.17.0` of LoadLeveler; of `job17` the number, and otherwise the line. */
static int64_t number_of(const struct record *record)
{
	struct maui_table_piece id = record->value[JOB], part;
	int64_t number;

	while (maui_table_item(&id, '.', &part)) {
		if (part.size && maui_is_digit(*part.text) && maui_table_digits(&part, &number))
			return number;
		if (id.size)
			continue;
		while (part.size && !maui_is_digit(*part.text)) {
			part.text++;
			part.size--;
		}
		if (maui_table_digits(&part, &number) && !part.size)
			return number;
	}
	return record->line->number;
}

static bool read_times(const struct record *record, struct maui_replay_job *job)
{
	int64_t queued, end;

	if (!read_number(record, LIMIT, &job->estimate) ||
	    !read_number(record, SUBMITTED, &job->submitted) ||
	    !read_number(record, QUEUED, &queued) || !read_number(record, START, &job->started) ||
	    !read_number(record, END, &end))
		return false;
	if (!job->estimate)
		job->estimate = MAUI_REPLAY_UNKNOWN;
	if (!job->submitted)
		job->submitted = MAUI_REPLAY_UNKNOWN;
	job->run = MAUI_REPLAY_UNKNOWN;
	if (job->started > 0 && end != MAUI_REPLAY_UNKNOWN)
		job->run = end - job->started;
	else
		job->started = MAUI_REPLAY_UNKNOWN;
	if (queued > 0 && queued > job->submitted && queued <= job->started)
		job->submitted = queued;
	return true;
}

static int64_t at_least(int64_t least, int64_t number)
{
	return number < least ? least : number;
}

static void add_job(struct record *record)
{
	struct maui_replay_job job = {.line = record->line->number, .number = number_of(record)};
	int64_t nodes, asked, allocated, procs, memory;

	if (!read_times(record, &job) || !read_number(record, NODES, &nodes) ||
	    !read_number(record, TASKS, &asked) || !read_number(record, ALLOCATED, &allocated) ||
	    !read_number(record, TASK_PROCS, &procs) || !read_number(record, TASK_MEMORY, &memory))
		return;
	if (allocated <= 0)
		allocated = at_least(0, asked);
	if (allocated > MAUI_REPLAY_MAX_PROCS)
		allocated = MAUI_REPLAY_MAX_PROCS;
	job.had_nodes = count_hosts(record->value[HOSTS]);
	job.nodes = (uint32_t)(at_least(0, nodes) <= allocated ? at_least(0, nodes) : allocated);
	job.memory = memory > 0 && memory < INT64_C(1) << 32 ? memory * allocated : 0;
	read_names(record, &job);
	read_features(record, &job);
	procs = at_least(1, procs);
	maui_replay_trace_add_once(record->line->trace, &job,
				   procs > MAUI_REPLAY_MAX_PROCS ? procs : procs * allocated);
}

/* ---- all of it ---- */

static bool begins_with(const char *text, const char *end, const char *word)
{
	return (size_t)(end - text) >= strlen(word) && !memcmp(text, word, strlen(word));
}

bool maui_replay_workload_looks(const char *text, size_t size)
{
	return begins_with(text, text + size, VERSION) && size > strlen(VERSION) &&
	       maui_is_digit(text[strlen(VERSION)]);
}

void maui_replay_workload_read(struct maui_replay_trace *trace, const char *text, size_t size,
			       const struct maui_replay_complaints *complaints)
{
	struct maui_trace_line line = maui_trace_lines(trace, text, size, complaints);

	while (maui_trace_line_next(&line)) {
		struct record record = {.line = &line};

		if (*line.begin != '#' && !begins_with(line.begin, line.end, VERSION) &&
		    split_fields(&record))
			add_job(&record);
	}
}
