/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a value's text to a struct maui_value: one function per kind, in a table. Each reports what
 * it had to change or refuse as a problem at the text's origin.
 */
#ifndef MAUI_CONFIG_VALUES_H
#define MAUI_CONFIG_VALUES_H

#include "common/config/node_formula.h"
#include "common/config/text/lexer.h"
#include "common/config/value.h"

/* What is being read, and where it is. */
struct maui_reading {
	struct maui_arena *arena;
	struct maui_problems *problems;
	struct maui_config *config;       /* numbers the GRES that are named; NULL: none may be */
	struct maui_node_gres *node_gres; /* those that formulas have named so far */
	const struct maui_key_info *key;
	struct maui_origin origin;      /* of the text's first byte */
	const struct maui_lexer *lexer; /* whose line the text is from; NULL: none */
	size_t offset;                  /* in that line */
	bool exact;                     /* the text is as in the line, byte for byte */
	bool quoted;                    /* the same, except for quotes around it */
	const char *operation;          /* "=", "<=", ... */
};

/*
 * Read text, which is NUL-terminated and stays in the arena. True: *ret_value is set except for its
 * origin and dimension; false: there is no value, and a problem says why.
 */
bool maui_value_read(const struct maui_reading *reading, const char *text,
		     struct maui_value *ret_value);

/* Whether values of a kind are lists, which bare words continue. */
bool maui_kind_is_list(enum maui_kind kind);

/* --- for the files that read values ----------------------------------------------------------- */

typedef bool (*maui_value_reader)(const struct maui_reading *reading, const char *text,
				  struct maui_value *value);

bool maui_read_list(const struct maui_reading *reading, const char *text, struct maui_value *value);
bool maui_read_flags(const struct maui_reading *reading, const char *text,
		     struct maui_value *value);
bool maui_read_hostlist(const struct maui_reading *reading, const char *text,
			struct maui_value *value);
bool maui_read_limit(const struct maui_reading *reading, const char *text,
		     struct maui_value *value);
bool maui_read_days(const struct maui_reading *reading, const char *text, struct maui_value *value);
bool maui_read_acl(const struct maui_reading *reading, const char *text, struct maui_value *value);
bool maui_read_resources(const struct maui_reading *reading, const char *text,
			 struct maui_value *value);
bool maui_read_owner(const struct maui_reading *reading, const char *text,
		     struct maui_value *value);
bool maui_read_date(const struct maui_reading *reading, const char *text, struct maui_value *value);
bool maui_read_trigger(const struct maui_reading *reading, const char *text,
		       struct maui_value *value);

/*
 * One number at the beginning of text; *ret_rest points after it. False: with a problem.
 */
bool maui_read_integer(const struct maui_reading *reading, const char *text, int64_t *ret_value,
		       const char **ret_rest);
bool maui_read_seconds(const struct maui_reading *reading, const char *text, int64_t *ret_value,
		       const char **ret_rest);
bool maui_read_megabytes(const struct maui_reading *reading, const char *text, int64_t *ret_value,
			 const char **ret_rest);
/* Of a GRES, with Slurm's units: 400G. */
bool maui_read_units(const struct maui_reading *reading, const char *text, int64_t *ret_value,
		     const char **ret_rest);

/* Warn if anything is left after a number. */
void maui_warn_of_rest(const struct maui_reading *reading, const char *text, const char *rest);
/* Whether the number at the beginning of text is in the key's range; if not, an error says so. */
bool maui_check_range(const struct maui_reading *reading, const char *text, double number);

/*
 * The type of credential with this name in any case, ACCT included; MAUI_CREDENTIALS if there is
 * none.
 */
enum maui_credential maui_credential_find(const char *name, size_t size);

/* The origin of text + offset. */
struct maui_origin maui_reading_at(const struct maui_reading *reading, size_t offset);

/*
 * The pieces of a text, one after another, without empty ones. Brackets protect delimiters if
 * nesting is set.
 */
struct maui_pieces {
	const char *at;
	const char *delimiters;
	bool nesting;
};
bool maui_piece_next(struct maui_pieces *pieces, const char **ret_piece, size_t *ret_size);

/* A list being built in the arena. */
struct maui_list {
	const char **items;
	size_t count, room;
};
void maui_list_add(const struct maui_reading *reading, struct maui_list *list, const char *text,
		   size_t size);

#endif
