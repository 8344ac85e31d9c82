/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/replay/table.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/util/calendar.h"
#include "common/util/text.h"

void maui_table_complain(const struct maui_table *table, const char *where, const char *text)
{
	(*table->bad_lines)++;
	table->complaints->bad_line(table->complaints->context, table->line,
				    (uint32_t)(where - table->begin) + 1, text);
}

/* The next column of the line; false: there is none. *at is NULL behind the last. */
static bool next_piece(const struct maui_table *table, const char **at,
		       struct maui_table_piece *piece)
{
	const char *bar;

	if (!*at)
		return false;
	bar = memchr(*at, '|', (size_t)(table->end - *at));
	*piece = (struct maui_table_piece){*at, (size_t)((bar ? bar : table->end) - *at)};
	*at = bar ? bar + 1 : NULL;
	return true;
}

/* ---- the first line ---- */

static int find_column(const struct maui_table *table, struct maui_table_piece name)
{
	int column = 0;

	while (column < table->column_count &&
	       !maui_equals(name.text, name.size, table->columns[column].name))
		column++;
	return column;
}

static int read_head(struct maui_table *table)
{
	bool seen[MAUI_TABLE_COLUMNS + 1] = {false};
	const char *at = table->begin;
	struct maui_table_piece piece;

	while (next_piece(table, &at, &piece)) {
		int column = find_column(table, piece);

		if (table->places == MAUI_TABLE_PLACES) {
			maui_table_complain(table, piece.text, "more than 256 columns");
			return -EINVAL;
		}
		table->column_at[table->places++] = column;
		seen[column] = true;
	}
	for (int column = 0; column < table->column_count; column++)
		if (table->columns[column].needed && !seen[column]) {
			char text[64];

			snprintf(text, sizeof(text), "there is no column %s",
				 table->columns[column].name);
			maui_table_complain(table, table->end, text);
			return -EINVAL;
		}
	return 0;
}

/* ---- values ---- */

/* Digits at the beginning: their number, and what follows. False: there are none, or too many. */
bool maui_table_digits(struct maui_table_piece *piece, int64_t *ret_number)
{
	size_t used = 0;
	int64_t number = 0;

	for (; used < piece->size && maui_is_digit(piece->text[used]); used++) {
		number = number * 10 + (piece->text[used] - '0');
		if (number >= MAUI_REPLAY_MAX_TIME)
			return false;
	}
	*ret_number = number;
	if (!used) /* there may be no text */
		return false;
	piece->text += used;
	piece->size -= used;
	return true;
}

/* Two or four digits and what has to follow; '\0': nothing. */
static bool read_part(struct maui_table_piece *piece, char stop, int64_t least, int64_t most,
		      int64_t *ret_part)
{
	if (!maui_table_digits(piece, ret_part) || *ret_part < least || *ret_part > most)
		return false;
	if (!stop)
		return !piece->size;
	if (!piece->size || *piece->text != stop)
		return false;
	piece->text++;
	piece->size--;
	return true;
}

static bool read_date(struct maui_table_piece piece, int64_t *ret_time)
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

static bool is_unknown(struct maui_table_piece piece)
{
	return !piece.size || maui_equals(piece.text, piece.size, "Unknown") ||
	       maui_equals(piece.text, piece.size, "None");
}

bool maui_table_time(const struct maui_table *table, int column, int64_t *ret_time)
{
	struct maui_table_piece piece = table->value[column], rest = piece;

	*ret_time = MAUI_REPLAY_UNKNOWN;
	if (is_unknown(piece))
		return true;
	if (maui_table_digits(&rest, ret_time) && !rest.size)
		return true;
	if (read_date(piece, ret_time))
		return true;
	maui_table_complain(table, piece.text,
			    "a time is 2026-11-22T05:10:00, epoch seconds or Unknown");
	return false;
}

/* A whole number; other: what stands for unknown. */
bool maui_table_number(const struct maui_table *table, int column, const char *const *other,
		       int64_t *ret_number)
{
	struct maui_table_piece piece = table->value[column];

	*ret_number = MAUI_REPLAY_UNKNOWN;
	if (!piece.size)
		return true;
	for (; *other; other++)
		if (maui_equals(piece.text, piece.size, *other))
			return true;
	if (maui_table_digits(&piece, ret_number) && !piece.size)
		return true;
	maui_table_complain(table, table->value[column].text, "this is not a number");
	return false;
}

/* The next of those between commas; *all is what follows. */
bool maui_table_item(struct maui_table_piece *all, struct maui_table_piece *item)
{
	const char *comma;

	if (!all->text || !all->size)
		return false;
	comma = memchr(all->text, ',', all->size);
	*item = (struct maui_table_piece){all->text,
					  comma ? (size_t)(comma - all->text) : all->size};
	all->text += item->size + (comma != NULL);
	all->size -= item->size + (comma != NULL);
	return true;
}

/* ---- rows ---- */

static void read_row(struct maui_table *table, maui_table_row row, void *context)
{
	const char *at = table->begin;
	struct maui_table_piece piece;
	int place = 0;

	memset(table->value, 0, sizeof(table->value));
	for (; next_piece(table, &at, &piece); place++) {
		if (place == table->places) {
			maui_table_complain(table, piece.text,
					    "more columns than the first line has");
			return;
		}
		if (table->column_at[place] != table->column_count)
			table->value[table->column_at[place]] = piece;
	}
	if (place == table->places)
		row(context, table);
	else
		maui_table_complain(table, table->end, "fewer columns than the first line has");
}

int maui_table_read(struct maui_table *table, const char *text, size_t size, maui_table_row row,
		    void *context)
{
	const char *end = text + size;
	int rc = 0;

	while (!rc && text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));

		table->line++;
		table->begin = text;
		table->end = stop ? stop : end;
		if (table->end > text && table->end[-1] == '\r')
			table->end--;
		if (table->end > text && table->places)
			read_row(table, row, context);
		else if (table->end > text)
			rc = read_head(table);
		text = stop ? stop + 1 : end;
	}
	return rc;
}
