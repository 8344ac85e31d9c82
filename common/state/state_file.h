/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A state file in StateSaveLocation/maui as a row of a table: its name, version, lines and limits,
 * and what follows for a site when it cannot be used. One function reads all of them, another
 * writes them. Text in, state out, and back; no file, no clock, no Slurm.
 */
#ifndef MAUI_STATE_FILE_H
#define MAUI_STATE_FILE_H

#include <stdbool.h>

#include "common/state/state_record.h"
#include "common/util/error.h"

#define MAUI_STATE_FIRST_LINE 64 /* bytes of a first line at most, with its NUL */

struct maui_state_writer;

struct maui_state_line {
	const struct maui_record *record;
	const void *members; /* which the record describes */
	const char *why;     /* "is not understood", for take() to replace */
};

struct maui_state_file {
	const char *name;
	unsigned int version; /* one that changes is listed in contribs/doc/NEWS.md */
	size_t limit;         /* bytes at most */
	const struct maui_record *records;
	size_t record_count;
	size_t state_size, line_size; /* of the structs below */

	/* Empty a state is all zero. begin: before the first of so many lines; NULL:
	 * nothing to do. */
	void (*begin)(void *state, size_t lines);
	/* Adds a line that has been read. 0 or -EINVAL. */
	int (*take)(void *state, struct maui_state_line *line);
	/* Whether what was read fits together; NULL: it does. 0 or a negative errno. */
	int (*check)(const void *state, struct maui_error *error);
	/* Calls maui_state_put() for each line, unless each is an element of a list. */
	void (*each)(const void *state, struct maui_state_writer *writer);
	size_t list, count; /* offsets of the list, and of the number of its elements */
	bool by_pointer;    /* it is a list of pointers to them */
	/* Frees what is in it: then it is all zero again. */
	void (*clear)(void *state);

	bool presence; /* it counts alone, whatever stands in the file */

	/* A file of another form, in place of all that stands above but the name and the limit:
	 * maui_state_parse(), and maui_state_format(). */
	int (*parse)(const char *text, size_t size, void *ret_state, struct maui_error *error);
	void (*format)(const void *state, char **ret_text, size_t *ret_size);

	/* For the log, as in "usage counts from 0 again". */
	const char *lost;    /* if the file is set aside */
	const char *kept;    /* what goes on without it if it is kept */
	const char *waits;   /* until it can be read */
	const char *forgets; /* what a restart would forget, if it cannot be written */
};

#define MAUI_STATE_RECORDS(list) .records = (list), .record_count = sizeof(list) / sizeof(*(list))
/* Of one record, and each element of the state's list is a line. */
#define MAUI_STATE_LIST(type, member, line)                                                        \
	.state_size = sizeof(type), .line_size = sizeof(line), .list = offsetof(type, member),     \
	.count = offsetof(type, count)

/* The first line, with its newline; returns line. */
const char *maui_state_first_line(const struct maui_state_file *file,
				  char line[MAUI_STATE_FIRST_LINE]);

/*
 * The text as a state, which replaces *ret_state. 0; -EINVAL: the text is damaged, truncated or
 * something else; -ENOTSUP: it is of a later version. Then *ret_state is unchanged, and the
 * error says what is wrong, and in which line.
 */
int maui_state_parse(const struct maui_state_file *file, const char *text, size_t size,
		     void *ret_state, struct maui_error *error);

/* The text, malloc'ed. */
void maui_state_format(const struct maui_state_file *file, const void *state, char **ret_text,
		       size_t *ret_size);

/* A line of the file's first, second, ... record. */
void maui_state_put(struct maui_state_writer *writer, const struct maui_record *record,
		    const void *line);

/* The same two, and clear(), for the state of one file: the compiler then checks its type. */
#define MAUI_STATE_FUNCTIONS(prefix, pointer, const_pointer)                                       \
	extern const struct maui_state_file prefix##_file;                                         \
	static inline int prefix##_parse(const char *text, size_t size, pointer ret_state,         \
					 struct maui_error *error)                                 \
	{                                                                                          \
		return maui_state_parse(&prefix##_file, text, size, ret_state, error);             \
	}                                                                                          \
	static inline void prefix##_format(const_pointer state, char **ret_text, size_t *ret_size) \
	{                                                                                          \
		maui_state_format(&prefix##_file, state, ret_text, ret_size);                      \
	}                                                                                          \
	static inline void prefix##_clear(pointer state)                                           \
	{                                                                                          \
		prefix##_file.clear(state);                                                        \
	}

#endif
