/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contents of every line of a configuration, one by one: parameters, attributes, words that are
 * neither, lines that cannot be read, includes; also those that had no effect or that a later line
 * replaced. Kept only if maui_reader.record asks for it (a report on a file), never by the engine.
 * Comments and blank lines have no record.
 *
 * A record holds no texts of problems: those of the configuration refer to places on its lines.
 */
#ifndef MAUI_CONFIG_RECORD_H
#define MAUI_CONFIG_RECORD_H

#include "common/config/text/lexer.h"
#include "common/config/value.h"

#define MAUI_RECORDS_LIMIT 1000000u
#define MAUI_RECORD_FILES  100u /* a configuration has no more */

struct maui_config;

enum maui_record_fate {
	MAUI_RECORD_LEFT,     /* it had no effect */
	MAUI_RECORD_UNKNOWN,  /* there is no such name; object and name say which */
	MAUI_RECORD_TAKEN,    /* it is a value of the configuration, or part of one */
	MAUI_RECORD_REPLACED, /* it was, until a later one replaced it */
	MAUI_RECORD_INCLUDED, /* #INCLUDE: the file is read */
};

struct maui_record {
	struct maui_origin origin; /* of the name */
	unsigned int last_line;    /* of the logical line, which may continue after the origin's */
	enum maui_section section; /* as written: MAUI_PARAMETERS for names of Maui 3.0, too */
	const char *object;        /* the index, "" none */
	const char *name;          /* as written, MAXJOB[USER:bob]; a word, a line's beginning */
	const struct maui_key_info *key; /* NULL: no key has this name */
	const struct maui_value *value;  /* as this line gave it; NULL: none */
	enum maui_record_fate fate;
	struct maui_origin replaced_by; /* REPLACED: by what */
};

/*
 * In the order of files, lines and columns. *ret_lost (may be NULL): how many more there were than
 * are kept.
 */
size_t maui_config_records(const struct maui_config *config, const struct maui_record **ret_records,
			   size_t *ret_lost);

/* --- for the files that read a configuration: for NULL all of these do nothing -------- */

struct maui_records {
	struct maui_arena *arena;       /* of the configuration */
	const struct maui_lexer *lexer; /* its line is the one being read */
	struct maui_record *items;      /* malloc'ed until it is finished */
	size_t count, room, lost;
	size_t line;      /* how many there were before the current line, lost ones included */
	uint32_t current; /* the one being read: its number from 1 on, 0 none */
};

/* Begin one at an offset of the current line; its name is the size bytes at text. */
void maui_record_begin(struct maui_records *records, enum maui_section section, const char *object,
		       size_t object_size, const char *text, size_t size, size_t offset);
/* What the current one's name means. */
void maui_record_key(struct maui_records *records, const struct maui_key_info *key);
void maui_record_unknown(struct maui_records *records);
/* The current one is now a value; its number goes to *entry_record. */
void maui_record_taken(struct maui_records *records, const struct maui_value *value,
		       uint32_t *entry_record);
/* An earlier one, by number: something else has replaced it. 0 is none. */
void maui_record_replaced(struct maui_records *records, uint32_t number, struct maui_origin by);
/* An earlier one, by number: it has no effect after all. */
void maui_record_left(struct maui_records *records, uint32_t number);
/* A line begins, and ends: if nothing else was recorded of it, it is itself a record. */
void maui_record_line(struct maui_records *records);
void maui_record_line_end(struct maui_records *records);
/* #INCLUDE, which stands at its origin. */
void maui_record_include(struct maui_records *records, const char *path, struct maui_origin origin,
			 bool included);
/* Sort, and hand over to the arena. */
void maui_records_finish(struct maui_records *records, struct maui_config *config);

#endif
