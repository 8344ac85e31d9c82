/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits lines at their bars, reads numbers, and sorts rows by job. */
#include "common/import/import_sprio.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/arena.h"
#include "common/util/decimal.h"
#include "common/util/grow.h"

#define MOST_POINTS 1e12 /* 32 bits of weight, times factors of 16 bits, fit */

/* The columns of MAUI_SPRIO_FORMAT. */
enum {
	SPRIO_JOB,
	SPRIO_PARTITION,
	SPRIO_PRIORITY,
	SPRIO_FIRST, /* in the order of enum maui_import_factor */
	SPRIO_FAIRSHARE = SPRIO_FIRST + MAUI_IMPORT_FACTORS,
	SPRIO_TRES,
	SPRIO_COLUMNS
};

struct sprio_reading {
	struct maui_sprio *sprio;
	struct maui_import_lines lines;
};

static bool sprio_split(char *line, char *fields[SPRIO_COLUMNS])
{
	size_t count = 0;

	for (char *at = line; at; count++) {
		if (count == SPRIO_COLUMNS)
			return false;
		fields[count] = at;
		at = strchr(at, '|');
		if (at)
			*at++ = '\0';
	}
	return count == SPRIO_COLUMNS;
}

/* Up to a character of ends, or the end of the text. */
static bool sprio_points(const char *text, const char *ends, double *ret_points,
			 const char **ret_rest)
{
	return !maui_real_parse(text, ret_points, ret_rest) && *ret_points <= MOST_POINTS &&
	       *ret_points >= -MOST_POINTS && (!**ret_rest || strchr(ends, **ret_rest));
}

static bool sprio_whole(const char *text, int64_t *ret_number)
{
	const char *rest;

	return !maui_integer_parse(text, ret_number, &rest) && !*rest && *ret_number >= 0 &&
	       (double)*ret_number <= MOST_POINTS;
}

/* cpu=300,gres/gpu=12 */
static void sprio_read_tres(struct sprio_reading *reading, const char *text, double *ret_sum)
{
	double points, sum = 0;
	const char *rest;

	for (const char *at = text; *at; at = rest + (*rest == ',')) {
		const char *value = strchr(at, '=');

		if (!value || value == at || !sprio_points(value + 1, ",", &points, &rest)) {
			maui_import_complain(&reading->lines, at, "this is not TRES=POINTS");
			return;
		}
		sum += points;
	}
	*ret_sum = sum;
}

static void sprio_take_line(void *context, char *line)
{
	struct sprio_reading *reading = context;
	struct maui_sprio *sprio = reading->sprio;
	struct maui_sprio_row row = {0};
	char *fields[SPRIO_COLUMNS];
	const char *rest;

	if (!*line)
		return;
	if (!sprio_split(line, fields)) {
		maui_import_complain(&reading->lines, line,
				     "this is not what `sprio -h -o '" MAUI_SPRIO_FORMAT
				     "'` prints");
		return;
	}
	row.partition = fields[SPRIO_PARTITION];
	if (!sprio_whole(fields[SPRIO_JOB], &row.job))
		maui_import_complain(&reading->lines, fields[SPRIO_JOB], "a job is a whole number");
	if (!sprio_whole(fields[SPRIO_PRIORITY], &row.priority))
		maui_import_complain(&reading->lines, fields[SPRIO_PRIORITY],
				     "a priority is a whole number");
	for (size_t i = 0; i < MAUI_IMPORT_FACTORS; i++)
		if (!sprio_points(fields[SPRIO_FIRST + i], "", &row.points[i], &rest))
			maui_import_complain(&reading->lines, fields[SPRIO_FIRST + i],
					     "points are a number");
	if (!sprio_points(fields[SPRIO_FAIRSHARE], "", &row.fairshare, &rest) ||
	    row.fairshare < 0 || row.fairshare > 1)
		maui_import_complain(&reading->lines, fields[SPRIO_FAIRSHARE],
				     "FairShare is from 0 to 1");
	sprio_read_tres(reading, fields[SPRIO_TRES], &row.tres);
	sprio->rows = maui_grow(sprio->rows, sprio->count + 1, &sprio->room, sizeof(*sprio->rows));
	sprio->rows[sprio->count++] = row;
}

static int sprio_compare(const void *a, const void *b)
{
	const struct maui_sprio_row *x = a, *y = b;

	if (x->job != y->job)
		return x->job < y->job ? -1 : 1;
	return strcmp(x->partition, y->partition);
}

int maui_sprio_read(struct maui_sprio *ret_sprio, const char *path, const char *text, size_t size,
		    const struct maui_import_complaints *complaints)
{
	struct sprio_reading reading = {.sprio = ret_sprio,
					.lines = {.complaints = complaints, .path = path}};

	*ret_sprio = (struct maui_sprio){.arena = maui_arena_new()};
	maui_import_each_line(&reading.lines, ret_sprio->arena, text, size, sprio_take_line,
			      &reading);
	if (ret_sprio->count)
		qsort(ret_sprio->rows, ret_sprio->count, sizeof(*ret_sprio->rows), sprio_compare);
	return reading.lines.wrong ? -EINVAL : 0;
}

void maui_sprio_clear(struct maui_sprio *sprio)
{
	free(sprio->rows);
	maui_arena_free(sprio->arena);
	*sprio = (struct maui_sprio){0};
}

const struct maui_sprio_row *maui_sprio_find(const struct maui_sprio *sprio, int64_t job,
					     const char *partition)
{
	const struct maui_sprio_row key = {.job = job, .partition = partition};

	if (!sprio->count)
		return NULL;
	return bsearch(&key, sprio->rows, sprio->count, sizeof(key), sprio_compare);
}
