/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables as Slurm's commands print them: a line of column names, then rows, with '|' between
 * columns, which may be in any order; unknown ones are left alone.
 */
#ifndef MAUI_REPLAY_TABLE_H
#define MAUI_REPLAY_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/replay/trace.h"

#define MAUI_TABLE_PLACES  256 /* columns of a file */
#define MAUI_TABLE_COLUMNS 24  /* that somebody asks for */

struct maui_table_column {
	const char *name; /* in any case; other names of it follow, as columns of their own */
	bool needed;
};

struct maui_table_piece {
	const char *text; /* NULL: the column is not there */
	size_t size;
};

struct maui_table {
	const struct maui_table_column *columns;
	int column_count;
	const struct maui_replay_complaints *complaints;
	size_t *bad_lines;
	/* the row */
	uint32_t line;
	const char *begin, *end;
	struct maui_table_piece value[MAUI_TABLE_COLUMNS]; /* by column */
	/* where the columns are */
	int column_at[MAUI_TABLE_PLACES]; /* column_count: one that is left alone */
	int places;
};

typedef void (*maui_table_row)(void *context, const struct maui_table *table);

/*
 * Each row of a text, which need not end with NUL, to row(). One with another number of columns
 * than the first line is complained about and left out. 0; -EINVAL if the first line lacks a column
 * that is needed, which is complained about.
 */
int maui_table_read(struct maui_table *table, const char *text, size_t size, maui_table_row row,
		    void *context);

/* Something is wrong there, which costs the row. */
void maui_table_complain(const struct maui_table *table, const char *where, const char *text);

/* Digits at the beginning: their number, and what follows. False: there are none, or too many. */
bool maui_table_digits(struct maui_table_piece *piece, int64_t *ret_number);

/* The next of those between commas; *all is what follows. */
bool maui_table_item(struct maui_table_piece *all, struct maui_table_piece *item);

/*
 * Epoch seconds, or 2026-11-22T05:10:00, which is local; MAUI_REPLAY_UNKNOWN for Unknown, None and
 * nothing. False: anything else, which is complained about.
 */
bool maui_table_time(const struct maui_table *table, int column, int64_t *ret_time);

/*
 * A whole number; MAUI_REPLAY_UNKNOWN for nothing, and for each of other, which ends with NULL.
 * False: anything else, which is complained about.
 */
bool maui_table_number(const struct maui_table *table, int column, const char *const *other,
		       int64_t *ret_number);

#endif
