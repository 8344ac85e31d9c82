/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of a table's columns. */
#include <string.h>

#include "common/replay/readers/table.h"
#include "common/util/time/calendar.h"
#include "common/util/text.h"

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

bool maui_table_skip(struct maui_table_piece *piece, char mark)
{
	if (!piece->size || *piece->text != mark)
		return false;
	piece->text++;
	piece->size--;
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
	return maui_table_skip(piece, stop);
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

static bool is_one_of(struct maui_table_piece piece, const char *const *words)
{
	for (; *words; words++)
		if (maui_equals(piece.text, piece.size, *words))
			return true;
	return false;
}

bool maui_table_number(const struct maui_table *table, int column, const char *const *other,
		       int64_t *ret_number)
{
	struct maui_table_piece piece = table->value[column];

	*ret_number = MAUI_REPLAY_UNKNOWN;
	if (!piece.size || is_one_of(piece, other))
		return true;
	if (maui_table_digits(&piece, ret_number) && !piece.size)
		return true;
	maui_table_complain(table, table->value[column].text, "this is not a number");
	return false;
}

/* Up to three numbers with colons between them, the last of which are seconds. */
static bool read_clock(struct maui_table_piece *piece, int64_t *ret_seconds, int *ret_fields)
{
	int64_t seconds = 0, field;

	*ret_fields = 0;
	do {
		if (!maui_table_digits(piece, &field) || ++*ret_fields > 3)
			return false;
		seconds = seconds * 60 + field;
	} while (maui_table_skip(piece, ':'));
	*ret_seconds = seconds;
	return seconds < MAUI_REPLAY_MAX_TIME;
}

bool maui_table_length(struct maui_table_piece piece, int64_t *ret_seconds)
{
	struct maui_table_piece rest = piece;
	int64_t days = 0, fraction;
	int fields;

	if (maui_table_digits(&rest, &days) && maui_table_skip(&rest, '-'))
		piece = rest;
	else
		days = 0;
	if (days >= MAUI_REPLAY_MAX_TIME / 86400 || !read_clock(&piece, ret_seconds, &fields) ||
	    fields < 2 || (days && fields < 3))
		return false;
	if (maui_table_skip(&piece, '.') && !maui_table_digits(&piece, &fraction))
		return false;
	*ret_seconds += days * 86400;
	return !piece.size;
}

bool maui_table_duration(const struct maui_table *table, int column, const char *const *other,
			 int64_t *ret_seconds)
{
	struct maui_table_piece piece = table->value[column];

	*ret_seconds = MAUI_REPLAY_UNKNOWN;
	if (!piece.size || is_one_of(piece, other) || maui_table_length(piece, ret_seconds))
		return true;
	maui_table_complain(table, piece.text, "a length of time is 1-02:03:04, 02:03:04 or 03:04");
	return false;
}

void maui_table_names(const struct maui_table_piece *values, const int at[MAUI_CREDENTIALS],
		      struct maui_replay_trace *trace, struct maui_replay_job *job)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		job->credential[type] = maui_replay_trace_name(
			trace->names[type], values[at[type]].text, values[at[type]].size);
}

bool maui_table_same(struct maui_table_piece a, struct maui_table_piece b)
{
	return a.size == b.size && !memcmp(a.text, b.text, a.size);
}

bool maui_table_item(struct maui_table_piece *all, char mark, struct maui_table_piece *item)
{
	const char *stop;

	if (!all->text || !all->size)
		return false;
	stop = memchr(all->text, mark, all->size);
	*item = (struct maui_table_piece){all->text, stop ? (size_t)(stop - all->text) : all->size};
	all->text += item->size + (stop != NULL);
	all->size -= item->size + (stop != NULL);
	return true;
}
