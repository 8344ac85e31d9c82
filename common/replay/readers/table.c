/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a table and the names of its columns. */
#include "common/replay/readers/table.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/util/text.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

void maui_table_complain(const struct maui_table *table, const char *where, const char *text)
{
	(*table->bad_lines)++;
	table->complaints->bad_line(table->complaints->context, table->line,
				    (uint32_t)(where - table->begin) + 1, text);
}

const char *maui_table_begin(const char *text, size_t size)
{
	size_t mark = strlen(BYTE_ORDER_MARK);

	return size >= mark && !memcmp(text, BYTE_ORDER_MARK, mark) ? text + mark : text;
}

static const char *find_delimiter(const struct maui_table *table, const char *text, const char *end)
{
	return memmem(text, (size_t)(end - text), table->delimiter, strlen(table->delimiter));
}

/* The next column of the row; false: there is none. *at is NULL behind the last. */
static bool next_piece(const struct maui_table *table, const char **at,
		       struct maui_table_piece *piece)
{
	const char *stop;

	if (!*at)
		return false;
	stop = find_delimiter(table, *at, table->end);
	*piece = (struct maui_table_piece){*at, (size_t)((stop ? stop : table->end) - *at)};
	*at = stop ? stop + strlen(table->delimiter) : NULL;
	return true;
}

static int count_pieces(const struct maui_table *table, const char *text, const char *end)
{
	int count = 1;

	while (count <= MAUI_TABLE_PLACES * 2 && (text = find_delimiter(table, text, end))) {
		text += strlen(table->delimiter);
		count++;
	}
	return count;
}

/* ---- the names of the columns ---- */

static int find_column(const struct maui_table *table, struct maui_table_piece name)
{
	int column = 0;

	while (column < table->column_count &&
	       !maui_equals(name.text, name.size, table->columns[column].name))
		column++;
	return column;
}

static bool is_there(const struct maui_table *table, const bool *seen, const char *name)
{
	return name && seen[find_column(table, (struct maui_table_piece){name, strlen(name)})];
}

static int check_head(const struct maui_table *table, const bool *seen)
{
	char text[64];

	for (int i = 0; i < table->column_count; i++) {
		const struct maui_table_column *column = &table->columns[i];

		if (!column->needed || seen[i] || is_there(table, seen, column->instead))
			continue;
		snprintf(text, sizeof(text), "there is no column %s", column->name);
		maui_table_complain(table, table->end, text);
		return -EINVAL;
	}
	return 0;
}

static bool is_free(const struct maui_table *table, int place)
{
	int column = table->column_at[place];

	return column < table->column_count && table->columns[column].free;
}

/* The only column of somebody's own words; of several the last column of all. */
static int find_free_place(const struct maui_table *table)
{
	int found = -1, count = 0;

	for (int place = 0; place < table->places; place++)
		if (is_free(table, place)) {
			found = place;
			count++;
		}
	return count == 1 || found == table->places - 1 ? found : -1;
}

static int read_head(struct maui_table *table)
{
	bool seen[MAUI_TABLE_COLUMNS + 1] = {false};
	const char *at = table->begin;
	struct maui_table_piece piece;

	table->places = 0;
	while (next_piece(table, &at, &piece)) {
		int column = find_column(table, piece);

		if (table->places == MAUI_TABLE_PLACES) {
			maui_table_complain(table, piece.text, "more than 256 columns");
			return -EINVAL;
		}
		table->column_at[table->places++] = column;
		seen[column] = column < table->column_count;
	}
	table->free_place = find_free_place(table);
	return check_head(table, seen);
}

/* Of a text that has none; they have bars between them, whatever the rows have. */
static int read_names(struct maui_table *table)
{
	const char *delimiter = table->delimiter;
	int rc;

	table->delimiter = "|";
	table->begin = table->names;
	table->end = table->names + strlen(table->names);
	rc = read_head(table);
	table->delimiter = delimiter;
	return rc;
}

/* ---- rows ---- */

/* False: the row has another number of columns. */
static bool table_split(struct maui_table *table)
{
	int more = count_pieces(table, table->begin, table->end) - table->places;
	const char *at = table->begin;
	struct maui_table_piece piece = {at, 0};

	memset(table->value, 0, sizeof(table->value));
	if (more < 0 || (more && table->free_place < 0))
		return false;
	for (int place = 0; place < table->places; place++) {
		struct maui_table_piece whole = piece;

		next_piece(table, &at, &whole);
		for (int i = 0; place == table->free_place && i < more; i++) {
			next_piece(table, &at, &piece);
			whole.size = (size_t)(piece.text + piece.size - whole.text);
		}
		if (table->column_at[place] != table->column_count)
			table->value[table->column_at[place]] = whole;
	}
	return true;
}

static void complain_of_columns(const struct maui_table *table)
{
	const char *at = table->begin;
	struct maui_table_piece piece = {at, 0};
	int place = 0;

	while (next_piece(table, &at, &piece) && place < table->places)
		place++;
	if (place < table->places)
		maui_table_complain(table, table->end, "fewer columns than the first line has");
	else
		maui_table_complain(table, piece.text,
				    "more columns than the first line has; with "
				    "--delimiter=$'\\t' names may have a '|'");
}

/* Names again, of another table: in each column that is needed stands the name of one. */
static bool is_head(const struct maui_table *table)
{
	bool any = false;

	for (int i = 0; i < table->column_count; i++) {
		const struct maui_table_column *column = &table->columns[i];
		struct maui_table_piece piece = table->value[i];

		if (!column->needed || !piece.text)
			continue;
		if (find_column(table, piece) == table->column_count)
			return false;
		any = true;
	}
	return any;
}

static int read_row(struct maui_table *table, maui_table_row row, void *context)
{
	if (!table->places)
		return read_head(table);
	if (!table_split(table))
		complain_of_columns(table);
	else if (is_head(table))
		return read_head(table);
	else
		row(context, table);
	return 0;
}

static const char *line_end(const char *text, const char *end)
{
	const char *stop = memchr(text, '\n', (size_t)(end - text));

	return stop ? stop : end;
}

/* A row goes on where a text has the end of a line in it: neither line has enough columns, and
 * both together have. Returns the end of its last line, and how many there are. */
static const char *row_end(const struct maui_table *table, const char *text, const char *end,
			   uint32_t *ret_lines)
{
	const char *first = line_end(text, end), *stop = first;

	*ret_lines = 1;
	for (uint32_t lines = 1; table->places && lines < MAUI_TABLE_LINES && stop < end; lines++) {
		const char *next = line_end(stop + 1, end);

		if (count_pieces(table, text, stop) >= table->places ||
		    count_pieces(table, stop + 1, next) >= table->places)
			return first;
		stop = next;
		if (count_pieces(table, text, stop) == table->places) {
			*ret_lines = lines + 1;
			return stop;
		}
	}
	return first;
}

int maui_table_read(struct maui_table *table, const char *text, size_t size, maui_table_row row,
		    void *context)
{
	const char *end = text + size;
	uint32_t lines = 1;
	int rc = 0;

	text = maui_table_begin(text, size);
	if (!table->delimiter)
		table->delimiter =
			!table->names && memchr(text, '\t', (size_t)(line_end(text, end) - text))
				? "\t"
				: "|";
	if (table->names)
		rc = read_names(table);
	while (!rc && text < end) {
		const char *stop;

		table->line += lines;
		stop = row_end(table, text, end, &lines);
		table->begin = text;
		table->end = stop > text && stop[-1] == '\r' ? stop - 1 : stop;
		if (table->end > text)
			rc = read_row(table, row, context);
		text = stop < end ? stop + 1 : end;
	}
	return rc;
}
