/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/replay/sacct.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/util/calendar.h"
#include "common/util/text.h"

enum column {
	JOB,
	SUBMIT,
	ELIGIBLE,
	START,
	END,
	ELAPSED,
	LIMIT,
	USER,
	GROUP,
	ACCOUNT,
	QOS,
	PARTITION,
	CPUS,
	MEMORY,
	TRES,
	CONSTRAINTS,
	COLUMNS
};

static const struct {
	const char *name;
	bool needed;
} columns[COLUMNS] = {
	[JOB] = {"JobID", true},
	[SUBMIT] = {"Submit", true},
	[ELIGIBLE] = {"Eligible", false},
	[START] = {"Start", true},
	[END] = {"End", true},
	[ELAPSED] = {"ElapsedRaw", false},
	[LIMIT] = {"TimelimitRaw", false},
	[USER] = {"User", false},
	[GROUP] = {"Group", false},
	[ACCOUNT] = {"Account", false},
	[QOS] = {"QOS", false},
	[PARTITION] = {"Partition", false},
	[CPUS] = {"AllocCPUS", true},
	[MEMORY] = {"ReqMem", false},
	[TRES] = {"ReqTRES", false},
	[CONSTRAINTS] = {"Constraints", false},
};

#define MAX_PLACES 256 /* columns of a file */
#define NAME_SIZE  128

struct piece {
	const char *text; /* NULL: the column is not there */
	size_t size;
};

struct reader {
	struct maui_replay_trace *trace;
	const struct maui_replay_complaints *complaints;
	uint32_t line;
	const char *begin, *end;   /* of the line */
	int column_at[MAX_PLACES]; /* COLUMNS: one that is left alone */
	int places;
	struct piece value[COLUMNS];
};

static void complain(const struct reader *reader, const char *where, const char *text)
{
	reader->trace->bad_lines++;
	reader->complaints->bad_line(reader->complaints->context, reader->line,
				     (uint32_t)(where - reader->begin) + 1, text);
}

/* The next column of the line; false: there is none. *at is NULL behind the last. */
static bool next_piece(const struct reader *reader, const char **at, struct piece *piece)
{
	const char *bar;

	if (!*at)
		return false;
	bar = memchr(*at, '|', (size_t)(reader->end - *at));
	*piece = (struct piece){*at, (size_t)((bar ? bar : reader->end) - *at)};
	*at = bar ? bar + 1 : NULL;
	return true;
}

/* ---- the first line ---- */

static int find_column(struct piece name)
{
	int column = 0;

	while (column < COLUMNS && !maui_equals(name.text, name.size, columns[column].name))
		column++;
	return column;
}

static int read_head(struct reader *reader)
{
	bool seen[COLUMNS + 1] = {false};
	const char *at = reader->begin;
	struct piece piece;

	while (next_piece(reader, &at, &piece)) {
		int column = find_column(piece);

		if (reader->places == MAX_PLACES) {
			complain(reader, piece.text, "more than 256 columns");
			return -EINVAL;
		}
		reader->column_at[reader->places++] = column;
		seen[column] = true;
	}
	for (int column = 0; column < COLUMNS; column++)
		if (columns[column].needed && !seen[column]) {
			char text[64];

			snprintf(text, sizeof(text), "there is no column %s", columns[column].name);
			complain(reader, reader->end, text);
			return -EINVAL;
		}
	return 0;
}

/* ---- values ---- */

/* Digits at the beginning: their number, and what follows. False: there are none, or too many. */
static bool read_digits(struct piece *piece, int64_t *ret_number)
{
	size_t used = 0;
	int64_t number = 0;

	for (; used < piece->size && maui_is_digit(piece->text[used]); used++) {
		number = number * 10 + (piece->text[used] - '0');
		if (number >= MAUI_REPLAY_MAX_TIME)
			return false;
	}
	*ret_number = number;
	piece->text += used;
	piece->size -= used;
	return used != 0;
}

/* Two or four digits and what has to follow; '\0': nothing. */
static bool read_part(struct piece *piece, char stop, int64_t least, int64_t most,
		      int64_t *ret_part)
{
	if (!read_digits(piece, ret_part) || *ret_part < least || *ret_part > most)
		return false;
	if (!stop)
		return !piece->size;
	if (!piece->size || *piece->text != stop)
		return false;
	piece->text++;
	piece->size--;
	return true;
}

static bool read_date(struct piece piece, int64_t *ret_time)
{
	int64_t year, month, date, hour, minute, second, day;

	if (!read_part(&piece, '-', 1970, 9999, &year) || !read_part(&piece, '-', 1, 12, &month) ||
	    !read_part(&piece, 'T', 1, 31, &date) || !read_part(&piece, ':', 0, 23, &hour) ||
	    !read_part(&piece, ':', 0, 59, &minute) || !read_part(&piece, '\0', 0, 60, &second))
		return false;
	day = maui_day_from_date(year * 10000 + month * 100 + date);
	if (day == INT64_MIN)
		return false;
	*ret_time = maui_clock_instant(day, (hour * 60 + minute) * 60 + second);
	return true;
}

static bool is_unknown(struct piece piece)
{
	return !piece.size || maui_equals(piece.text, piece.size, "Unknown") ||
	       maui_equals(piece.text, piece.size, "None");
}

static bool read_time(const struct reader *reader, enum column column, int64_t *ret_time)
{
	struct piece piece = reader->value[column], rest = piece;

	*ret_time = MAUI_REPLAY_UNKNOWN;
	if (is_unknown(piece))
		return true;
	if (read_digits(&rest, ret_time) && !rest.size)
		return true;
	if (read_date(piece, ret_time))
		return true;
	complain(reader, piece.text, "a time is 2026-11-22T05:10:00, epoch seconds or Unknown");
	return false;
}

/* A whole number; other: what stands for unknown. */
static bool read_number(const struct reader *reader, enum column column, const char *const *other,
			int64_t *ret_number)
{
	struct piece piece = reader->value[column];

	*ret_number = MAUI_REPLAY_UNKNOWN;
	if (!piece.size)
		return true;
	for (; *other; other++)
		if (maui_equals(piece.text, piece.size, *other))
			return true;
	if (read_digits(&piece, ret_number) && !piece.size)
		return true;
	complain(reader, reader->value[column].text, "this is not a number");
	return false;
}

/* MB of 4000M, 16G, 1.50T, and with a c or n behind it, which sacct had up to 21.08. */
static int64_t read_memory(struct piece piece, int64_t procs, int64_t nodes)
{
	static const char units[] = "KMGTP";
	int64_t number, hundredths = 0, scale = 1;
	const char *unit;

	if (!read_digits(&piece, &number))
		return 0;
	if (piece.size && *piece.text == '.')
		for (piece.text++, piece.size--; piece.size && maui_is_digit(*piece.text);
		     piece.text++, piece.size--)
			if (scale < 100) {
				hundredths = hundredths * 10 + (*piece.text - '0');
				scale *= 10;
			}
	unit = piece.size && *piece.text ? strchr(units, maui_upper(*piece.text)) : NULL;
	if (!unit || number > INT64_C(1) << (unit < units + 3 ? 40 : 20))
		return 0;
	number = number * scale + hundredths;
	if (unit == units)
		number /= 1024;
	for (const char *step = units + 1; step < unit; step++)
		number *= 1024;
	number /= scale;
	if (piece.size > 1 && maui_upper(piece.text[1]) == 'C')
		number *= procs > 0 && procs < 4096 ? procs : 1;
	if (piece.size > 1 && maui_upper(piece.text[1]) == 'N')
		number *= nodes > 0 && nodes < 4096 ? nodes : 1;
	return number;
}

/* The next of those between commas; *all is what follows. */
static bool next_item(struct piece *all, struct piece *item)
{
	const char *comma;

	if (!all->text || !all->size)
		return false;
	comma = memchr(all->text, ',', all->size);
	*item = (struct piece){all->text, comma ? (size_t)(comma - all->text) : all->size};
	all->text += item->size + (comma != NULL);
	all->size -= item->size + (comma != NULL);
	return true;
}

/* The value of a name in cpu=4,mem=16G,node=1. */
static struct piece tres(const struct reader *reader, const char *name)
{
	struct piece all = reader->value[TRES], item;
	size_t size = strlen(name);

	while (next_item(&all, &item))
		if (item.size > size && item.text[size] == '=' &&
		    maui_equals(item.text, size, name))
			return (struct piece){item.text + size + 1, item.size - size - 1};
	return (struct piece){NULL, 0};
}

static int64_t tres_count(const struct reader *reader, const char *name)
{
	struct piece piece = tres(reader, name);
	int64_t count;

	return piece.text && read_digits(&piece, &count) ? count : 0;
}

/* ---- a job ---- */

static uint32_t intern(struct maui_intern *table, struct piece piece)
{
	char text[NAME_SIZE];

	snprintf(text, sizeof(text), "%.*s", piece.size < NAME_SIZE ? (int)piece.size : NAME_SIZE,
		 piece.text);
	return maui_intern_add(table, text);
}

static int name(const struct reader *reader, enum column column, enum maui_credential type,
		struct maui_replay_job *job)
{
	struct piece piece = reader->value[column];

	if (!piece.size)
		return 0;
	job->credential[type] = intern(reader->trace->names[type], piece);
	return job->credential[type] ? 0 : -ENOMEM;
}

static int read_names(const struct reader *reader, struct maui_replay_job *job)
{
	if (name(reader, USER, MAUI_USER, job) || name(reader, GROUP, MAUI_GROUP, job) ||
	    name(reader, ACCOUNT, MAUI_ACCOUNT, job) || name(reader, QOS, MAUI_QOS, job) ||
	    name(reader, PARTITION, MAUI_CLASS, job))
		return -ENOMEM;
	return 0;
}

/* The features that it asks for. */
static int read_constraint(const struct reader *reader, struct maui_replay_job *job)
{
	struct piece piece = reader->value[CONSTRAINTS];

	if (!piece.size)
		return 0;
	job->constraint = intern(reader->trace->constraints, piece);
	return job->constraint ? 0 : -ENOMEM;
}

/* gres/gpu=4 and its like of ReqTRES, as gpu=4. */
static int read_gres(const struct reader *reader, struct maui_replay_job *job)
{
	static const char mark[] = "gres/";
	struct piece all = reader->value[TRES], item;
	char text[NAME_SIZE] = "";

	while (next_item(&all, &item)) {
		size_t used = strlen(text), size = item.size - strlen(mark);

		if (item.size > strlen(mark) && !memcmp(item.text, mark, strlen(mark)) &&
		    used + size + 1 < sizeof(text))
			snprintf(text + used, sizeof(text) - used, "%s%.*s", used ? "," : "",
				 (int)size, item.text + strlen(mark));
	}
	if (!*text)
		return 0;
	job->gres = maui_intern_add(reader->trace->gres, text);
	return job->gres ? 0 : -ENOMEM;
}

static bool read_times(const struct reader *reader, struct maui_replay_job *job)
{
	static const char *const none[] = {NULL};
	static const char *const no_limit[] = {"UNLIMITED", "Partition_Limit", NULL};
	int64_t eligible, end, elapsed, limit;

	if (!read_time(reader, SUBMIT, &job->submitted) ||
	    !read_time(reader, ELIGIBLE, &eligible) || !read_time(reader, START, &job->started) ||
	    !read_time(reader, END, &end) || !read_number(reader, ELAPSED, none, &elapsed) ||
	    !read_number(reader, LIMIT, no_limit, &limit))
		return false;
	if (job->submitted != MAUI_REPLAY_UNKNOWN && eligible > job->submitted)
		job->submitted = eligible;
	if (elapsed != MAUI_REPLAY_UNKNOWN)
		job->run = elapsed;
	else if (job->started != MAUI_REPLAY_UNKNOWN && end != MAUI_REPLAY_UNKNOWN)
		job->run = end - job->started;
	job->estimate = limit > 0 ? limit * 60 : MAUI_REPLAY_UNKNOWN;
	return true;
}

static int add_job(const struct reader *reader)
{
	static const char *const none[] = {NULL};
	struct piece id = reader->value[JOB], memory = tres(reader, "mem");
	struct maui_replay_job job = {.line = reader->line};
	int64_t procs;

	if (memchr(id.text, '.', id.size)) {
		reader->trace->lacking[MAUI_REPLAY_STEP]++;
		return 0;
	}
	if (!read_digits(&id, &job.number)) {
		complain(reader, id.text, "this is not a job");
		return 0;
	}
	if (!read_times(reader, &job) || !read_number(reader, CPUS, none, &procs))
		return 0;
	if (procs <= 0)
		procs = tres_count(reader, "cpu");
	job.nodes = (uint32_t)(tres_count(reader, "node") & 0xffffff);
	job.memory = read_memory(memory.text ? memory : reader->value[MEMORY], procs, job.nodes);
	if (read_names(reader, &job) || read_constraint(reader, &job) || read_gres(reader, &job))
		return -ENOMEM;
	return maui_replay_trace_add(reader->trace, &job, procs);
}

static int read_job(struct reader *reader)
{
	const char *at = reader->begin;
	struct piece piece;
	int place = 0;

	memset(reader->value, 0, sizeof(reader->value));
	for (; next_piece(reader, &at, &piece); place++) {
		if (place == reader->places) {
			complain(reader, piece.text, "more columns than the first line has");
			return 0;
		}
		if (reader->column_at[place] != COLUMNS)
			reader->value[reader->column_at[place]] = piece;
	}
	if (place == reader->places)
		return add_job(reader);
	complain(reader, reader->end, "fewer columns than the first line has");
	return 0;
}

/* ---- all of it ---- */

bool maui_replay_sacct_looks(const char *text, size_t size)
{
	const char *stop = memchr(text, '\n', size);

	return memchr(text, '|', stop ? (size_t)(stop - text) : size);
}

int maui_replay_sacct_read(struct maui_replay_trace *trace, const char *text, size_t size,
			   const struct maui_replay_complaints *complaints)
{
	struct reader reader = {.trace = trace, .complaints = complaints};
	const char *end = text + size;
	int rc = 0;

	while (!rc && text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));

		reader.line++;
		reader.begin = text;
		reader.end = stop ? stop : end;
		if (reader.end > text && reader.end[-1] == '\r')
			reader.end--;
		if (reader.end > text)
			rc = reader.places ? read_job(&reader) : read_head(&reader);
		text = stop ? stop + 1 : end;
	}
	return rc;
}
