/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits an E record into time, job ID and key=value pairs. Counts processors
 * of each node of exec_host and GPUs of the request.
 */
#include "common/replay/readers/pbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/replay/readers/table.h"
#include "common/replay/readers/trace_lines.h"
#include "common/util/grow.h"
#include "common/util/memory.h"
#include "common/util/text.h"

#define STAMP "00/00/0000 00:00:00;" /* 0: a digit */

enum key {
	CREATED,
	QUEUED,
	ELIGIBLE,
	START,
	END,
	WALLTIME_USED,
	HOSTS,
	WALLTIME,
	MEMORY,
	NODES,
	SELECT,
	NCPUS,
	USER,
	GROUP,
	ACCOUNT,
	QUEUE,
	QOS,
	KEYS
};

static const char *const keys[KEYS] = {
	[CREATED] = "ctime",
	[QUEUED] = "qtime",
	[ELIGIBLE] = "etime",
	[START] = "start",
	[END] = "end",
	[WALLTIME_USED] = "resources_used.walltime",
	[HOSTS] = "exec_host",
	[WALLTIME] = "Resource_List.walltime",
	[MEMORY] = "Resource_List.mem",
	[NODES] = "Resource_List.nodes",
	[SELECT] = "Resource_List.select",
	[NCPUS] = "Resource_List.ncpus",
	[USER] = "user",
	[GROUP] = "group",
	[ACCOUNT] = "account",
	[QUEUE] = "queue",
	[QOS] = "Resource_List.qos",
};

struct record {
	const struct maui_trace_line *line;
	struct maui_table_piece id, value[KEYS];
};

/* ---- a line ---- */

static bool has_stamp(const char *text, const char *end)
{
	if ((size_t)(end - text) < strlen(STAMP))
		return false;
	for (size_t i = 0; i < strlen(STAMP); i++)
		if (STAMP[i] == '0' ? !maui_is_digit(text[i]) : text[i] != STAMP[i])
			return false;
	return true;
}

/* A value ends at a blank, or where its quotes do. */
static const char *value_end(const char *text, const char *end)
{
	const char *quote =
		text < end && *text == '"' ? memchr(text + 1, '"', (size_t)(end - text - 1)) : NULL;
	const char *blank = quote ? quote + 1 : memchr(text, ' ', (size_t)(end - text));

	return blank ? blank : end;
}

static struct maui_table_piece pbs_unquoted(const char *text, const char *end)
{
	if (end - text > 1 && *text == '"' && end[-1] == '"')
		return (struct maui_table_piece){text + 1, (size_t)(end - text - 2)};
	return (struct maui_table_piece){text, (size_t)(end - text)};
}

static void pbs_keep(struct record *record, struct maui_table_piece key,
		     struct maui_table_piece value)
{
	for (int i = 0; i < KEYS; i++)
		if (maui_equals(key.text, key.size, keys[i]))
			record->value[i] = value;
}

static void split_values(struct record *record, const char *at)
{
	while (at < record->line->end) {
		const char *sign = memchr(at, '=', (size_t)(record->line->end - at));
		const char *stop;

		if (!sign)
			return;
		stop = value_end(sign + 1, record->line->end);
		pbs_keep(record, (struct maui_table_piece){at, (size_t)(sign - at)},
			 pbs_unquoted(sign + 1, stop));
		at = stop;
		while (at < record->line->end && maui_is_blank(*at))
			at++;
	}
}

/* Whether it is a job that has ended; a line that is no record at all is complained about. */
static bool pbs_split(struct record *record)
{
	const char *type = record->line->begin + strlen(STAMP), *id, *rest;

	if (!has_stamp(record->line->begin, record->line->end))
		return maui_trace_line_complain(record->line, record->line->begin,
						"this is no record of PBS");
	if (record->line->end - type < 2 || type[1] != ';')
		return maui_trace_line_complain(record->line, type, "a letter and ; are needed");
	if (*type != 'E')
		return false;
	id = type + 2;
	rest = memchr(id, ';', (size_t)(record->line->end - id));
	if (!rest)
		return maui_trace_line_complain(record->line, id, "a job and ; are needed");
	record->id = (struct maui_table_piece){id, (size_t)(rest - id)};
	split_values(record, rest + 1);
	return true;
}

/* ---- what a job has ---- */

/* Of `7`, `0*8`, `0-7` or `0-3,5`, behind a node and a slash. */
static int64_t pbs_slots(struct maui_table_piece piece)
{
	struct maui_table_piece item;
	int64_t first, last, count = 0;

	while (count <= MAUI_REPLAY_MAX_PROCS && maui_table_item(&piece, ',', &item)) {
		if (!maui_table_digits(&item, &first))
			return 0;
		if (maui_table_skip(&item, '*'))
			count += maui_table_digits(&item, &last) ? last : 0;
		else if (maui_table_skip(&item, '-'))
			count += maui_table_digits(&item, &last) && last >= first ? last - first + 1
										  : 0;
		else
			count++;
	}
	return count;
}

struct host {
	struct maui_table_piece name;
	uint32_t cpus;
};

static int by_name(const void *first, const void *second)
{
	const struct maui_table_piece *a = &((const struct host *)first)->name;
	const struct maui_table_piece *b = &((const struct host *)second)->name;
	size_t size = a->size < b->size ? a->size : b->size;
	int order = memcmp(a->text, b->text, size);

	return order ? order : a->size < b->size ? -1 : a->size > b->size;
}

/* A node may be there for each of its processors, or for each chunk. Returns how many nodes there
 * are, and fills cpus with what each has. */
static uint32_t join_hosts(struct host *hosts, size_t count, uint32_t *cpus)
{
	uint32_t nodes = 0;

	if (count)
		qsort(hosts, count, sizeof(*hosts), by_name);
	for (size_t i = 0; i < count; i++) {
		if (!i || !maui_table_same(hosts[i].name, hosts[i - 1].name))
			cpus[nodes++] = 0;
		cpus[nodes - 1] += hosts[i].cpus;
	}
	return nodes;
}

/* Returns its processors, and sets on how many nodes they were, and how many on each. */
static int64_t read_hosts(const struct record *record, struct maui_replay_job *job)
{
	struct maui_table_piece list = record->value[HOSTS], one;
	struct host *hosts = NULL;
	size_t count = 0, room = 0;
	int64_t procs = 0;
	uint32_t *cpus;

	while (procs <= MAUI_REPLAY_MAX_PROCS && maui_table_item(&list, '+', &one)) {
		struct host host;
		int64_t here;

		maui_table_item(&one, '/', &host.name);
		here = one.size ? pbs_slots(one) : 1;
		if (!here)
			continue;
		procs += here;
		host.cpus = (uint32_t)(here & 0x1ffffff); /* it is too large as a whole, then */
		hosts = maui_grow(hosts, count + 1, &room, sizeof(*hosts));
		hosts[count++] = host;
	}
	cpus = maui_calloc(count + 1, sizeof(*cpus));
	job->had_nodes = join_hosts(hosts, count, cpus);
	if (procs <= MAUI_REPLAY_MAX_PROCS)
		maui_replay_trace_split(record->line->trace, job, cpus, job->had_nodes);
	free(cpus);
	free(hosts);
	return procs;
}

/* MB of 4gb, 4000mb, 100kb, 5b, and w, which is a word of 8 bytes. */
static int64_t read_memory(struct maui_table_piece piece)
{
	static const char units[] = "KMGTP";
	const char *unit;
	int64_t number;

	if (!maui_table_digits(&piece, &number) || number > INT64_C(1) << 36)
		return 0;
	unit = piece.size && *piece.text ? strchr(units, maui_upper(*piece.text)) : NULL;
	if (piece.size && maui_upper(piece.text[piece.size - 1]) == 'W')
		number *= 8;
	if (!unit)
		return number >> 20;
	if (unit == units)
		return number >> 10;
	for (; unit > units + 1 && number < INT64_C(1) << 50; unit--)
		number *= 1024;
	return number;
}

/* The number behind the last `name=` of a part between colons; 0: there is none, or it is no count. */
static int64_t number_of(struct maui_table_piece part, const char *name)
{
	size_t size = strlen(name);
	struct maui_table_piece word;
	int64_t number = 0;

	while (maui_table_item(&part, ':', &word))
		if (word.size > size && maui_equals(word.text, size, name)) {
			word.text += size;
			word.size -= size;
			if (!maui_table_digits(&word, &number) || number > UINT32_MAX)
				number = 0;
		}
	return number;
}

/* GPUs of `2:ppn=8:gpus=1+1:ppn=4` or `2:ncpus=8:ngpus=1`: a part begins with how often, or with
 * the name of a node. */
static int64_t count_gpus(struct maui_table_piece list, const char *name)
{
	struct maui_table_piece part;
	int64_t gpus = 0;

	while (maui_table_item(&list, '+', &part)) {
		struct maui_table_piece first = part;
		int64_t times;

		if (!maui_table_digits(&first, &times) || (first.size && *first.text != ':'))
			times = 1;
		gpus += (times < 1 << 24 ? times : 1) * number_of(part, name);
		if (gpus > UINT32_MAX)
			return 0;
	}
	return gpus;
}

static void read_gres(const struct record *record, struct maui_replay_job *job)
{
	int64_t gpus = count_gpus(record->value[SELECT], "ngpus=");
	char text[48];

	if (!gpus)
		gpus = count_gpus(record->value[NODES], "gpus=");
	if (!gpus)
		return;
	snprintf(text, sizeof(text), "gres/gpu=%lld", (long long)gpus);
	job->gres = maui_replay_trace_gres(record->line->trace, text, strlen(text));
}

static const int names[MAUI_CREDENTIALS] = {[MAUI_USER] = USER,
					    [MAUI_GROUP] = GROUP,
					    [MAUI_ACCOUNT] = ACCOUNT,
					    [MAUI_QOS] = QOS,
					    [MAUI_CLASS] = QUEUE};

/* Epoch seconds, or seconds of 24:00:00; MAUI_REPLAY_UNKNOWN for nothing. */
static bool read_seconds(const struct record *record, enum key key, int64_t *ret_seconds)
{
	struct maui_table_piece piece = record->value[key];

	*ret_seconds = MAUI_REPLAY_UNKNOWN;
	if (!piece.size || maui_table_length(piece, ret_seconds) ||
	    (maui_table_digits(&piece, ret_seconds) && !piece.size))
		return true;
	return maui_trace_line_complain(record->line, record->value[key].text,
					"epoch seconds or a length of time as 24:00:00 is needed");
}

static int64_t pbs_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static bool read_times(const struct record *record, struct maui_replay_job *job)
{
	int64_t created, queued, eligible, end, used;

	if (!read_seconds(record, CREATED, &created) || !read_seconds(record, QUEUED, &queued) ||
	    !read_seconds(record, ELIGIBLE, &eligible) ||
	    !read_seconds(record, START, &job->started) || !read_seconds(record, END, &end) ||
	    !read_seconds(record, WALLTIME_USED, &used) ||
	    !read_seconds(record, WALLTIME, &job->estimate))
		return false;
	job->submitted = pbs_later(pbs_later(created, queued), eligible);
	job->run = used;
	if (job->started != MAUI_REPLAY_UNKNOWN && end != MAUI_REPLAY_UNKNOWN)
		job->run = end - job->started;
	return true;
}

/* 17.server, 17[4].server, and 17-4.server of older ones. */
static bool read_id(const struct record *record, struct maui_replay_job *job)
{
	struct maui_table_piece id = record->id;
	int64_t part;

	if (!maui_table_digits(&id, &job->number))
		return maui_trace_line_complain(record->line, record->id.text, "this is not a job");
	if ((maui_table_skip(&id, '[') || maui_table_skip(&id, '-')) &&
	    maui_table_digits(&id, &part) && part <= UINT32_MAX) {
		job->mark = '[';
		job->part = (uint32_t)part;
	}
	return true;
}

static void add_job(struct record *record)
{
	struct maui_replay_job job = {.line = record->line->number};
	struct maui_table_piece cpus = record->value[NCPUS];
	int64_t procs;

	if (!read_id(record, &job) || !read_times(record, &job))
		return;
	procs = read_hosts(record, &job);
	job.nodes = job.had_nodes;
	if (!procs && !maui_table_digits(&cpus, &procs))
		procs = 0;
	job.memory = read_memory(record->value[MEMORY]);
	maui_table_names(record->value, names, record->line->trace, &job);
	read_gres(record, &job);
	maui_replay_trace_add_once(record->line->trace, &job, procs);
}

/* ---- all of it ---- */

bool maui_replay_pbs_looks(const char *text, size_t size)
{
	return has_stamp(text, text + size);
}

void maui_replay_pbs_read(struct maui_replay_trace *trace, const char *text, size_t size,
			  const struct maui_replay_complaints *complaints)
{
	struct maui_trace_line line = maui_trace_lines(trace, text, size, complaints);

	while (maui_trace_line_next(&line)) {
		struct record record = {.line = &line};

		if (pbs_split(&record))
			add_job(&record);
	}
}
