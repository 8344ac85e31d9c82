/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables as Slurm's commands print them: a line of column names, then rows. Between columns is '|',
 * or a tab if the first line has one, or what somebody says. Columns may be in any order; unknown
 * ones are left alone. Several tables may follow each other, each with its own names. Slurm escapes
 * nothing, so a delimiter or the end of a line may stand in a text, too: a row is put together where
 * that is clear.
 */
#ifndef MAUI_REPLAY_TABLE_H
#define MAUI_REPLAY_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/replay/trace/trace.h"

#define MAUI_TABLE_PLACES  256 /* columns of a file */
#define MAUI_TABLE_COLUMNS 32  /* that somebody asks for */
#define MAUI_TABLE_LINES   16  /* of one row */

struct maui_table_column {
	const char *name; /* in any case */
	bool needed;
	bool free;           /* somebody's own words: there may be delimiters in it */
	const char *instead; /* another column, which will do if a needed one is not there */
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
	const char *delimiter; /* NULL: what the first line has */
	const char *names;     /* of a text that has no line of them; NULL: it has */
	/* the row */
	uint32_t line; /* its first */
	const char *begin, *end;
	struct maui_table_piece value[MAUI_TABLE_COLUMNS]; /* by column */
	/* where the columns are */
	int column_at[MAUI_TABLE_PLACES]; /* column_count: one that is left alone */
	int places;
	int free_place; /* whose delimiters are too many; -1: nowhere, or that is not clear */
};

typedef void (*maui_table_row)(void *context, const struct maui_table *table);

/*
 * Each row of a text, which need not end with NUL, to row(). One with another number of columns
 * than the line of names is complained about and left out. 0; -EINVAL if names lack a column that is
 * needed, which is complained about.
 */
int maui_table_read(struct maui_table *table, const char *text, size_t size, maui_table_row row,
		    void *context);

/* Something is wrong there, which costs the row. */
void maui_table_complain(const struct maui_table *table, const char *where, const char *text);

/* Behind the byte order mark that a text may begin with. */
const char *maui_table_begin(const char *text, size_t size);

/* Whom a job is charged to: at, by type of credential, says which of the values it is. */
void maui_table_names(const struct maui_table_piece *values, const int at[MAUI_CREDENTIALS],
		      struct maui_replay_trace *trace, struct maui_replay_job *job);

/* Digits at the beginning: their number, and what follows. False: there are none, or too many. */
bool maui_table_digits(struct maui_table_piece *piece, int64_t *ret_number);

/* The next of those between marks, such as commas; *all is what follows. */
bool maui_table_item(struct maui_table_piece *all, char mark, struct maui_table_piece *item);

/* Whether both are the same bytes. */
bool maui_table_same(struct maui_table_piece a, struct maui_table_piece b);

/* Whether it begins with the mark, which is taken off then. */
bool maui_table_skip(struct maui_table_piece *piece, char mark);

/*
 * Epoch seconds, or 2026-11-22T05:10:00, which is local; MAUI_REPLAY_UNKNOWN for Unknown, None and
 * nothing. False: anything else, which is complained about.
 */
bool maui_table_time(const struct maui_table *table, int column, int64_t *ret_time);

/*
 * Seconds of 37-14:00:00, 02:00:00, 01:30 or 00:10.250, which is 10; else like maui_table_number().
 */
bool maui_table_duration(const struct maui_table *table, int column, const char *const *other,
			 int64_t *ret_seconds);

/* The same of a text; false: it is no such length. */
bool maui_table_length(struct maui_table_piece piece, int64_t *ret_seconds);

/*
 * A whole number; MAUI_REPLAY_UNKNOWN for nothing, and for each of other, which ends with NULL.
 * False: anything else, which is complained about.
 */
bool maui_table_number(const struct maui_table *table, int column, const char *const *other,
		       int64_t *ret_number);

#endif
