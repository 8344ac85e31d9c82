/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of a state file, described once for both reading and writing. A line is a word and its
 * fields in their order, a blank before each (contribs/doc/state-files.md).
 */
#ifndef MAUI_STATE_RECORD_H
#define MAUI_STATE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/state/state_text.h"

#define MAUI_STATE_LAST_SECOND INT64_C(253402300799) /* the end of the year 9999 */

enum maui_field_kind {
	MAUI_FIELD_NUMBER,     /* int64_t, uint32_t or bool */
	MAUI_FIELD_FLAG,       /* bool; neighbours are one number, the sum of those that are set */
	MAUI_FIELD_CREDENTIAL, /* enum maui_credential, as maui_credential_name() has it */
	MAUI_FIELD_NAME,       /* a text without blanks and control characters */
	MAUI_FIELD_REST,       /* a text up to the end of the line */
};

struct maui_field {
	const char *name;    /* in state-files.md */
	size_t offset, size; /* of the member, bytes */
	int64_t min;         /* of a number */
	int64_t max; /* of a number; the value of a flag; the bytes of a text, with its NUL */
	enum maui_field_kind kind;
	bool pointer; /* the text's member is a pointer, not an array */
};

#define MAUI_FIELD_OF(type, member) offsetof(type, member), sizeof(((type *)NULL)->member)

/* A number that is less or more than that is written as the nearest that is allowed. */
#define MAUI_NUMBER(name, type, member, min, max)                                                  \
	{                                                                                          \
		name, MAUI_FIELD_OF(type, member), min, max, MAUI_FIELD_NUMBER, false              \
	}
/* Epoch seconds. */
#define MAUI_TIME(name, type, member) MAUI_NUMBER(name, type, member, 0, MAUI_STATE_LAST_SECOND)
#define MAUI_FLAG(name, type, member, value)                                                       \
	{                                                                                          \
		name, MAUI_FIELD_OF(type, member), 0, value, MAUI_FIELD_FLAG, false                \
	}
#define MAUI_TYPE(type, member)                                                                    \
	{                                                                                          \
		"TYPE", MAUI_FIELD_OF(type, member), 0, 0, MAUI_FIELD_CREDENTIAL, false            \
	}
/* kind: NAME or REST. The member is an array, or a pointer to at most `room` bytes. */
#define MAUI_TEXT(name, kind, type, member)                                                        \
	{                                                                                          \
		name, MAUI_FIELD_OF(type, member), 0, sizeof(((type *)NULL)->member),              \
			MAUI_FIELD_##kind, false                                                   \
	}
#define MAUI_TEXT_AT(name, kind, type, member, room)                                               \
	{                                                                                          \
		name, MAUI_FIELD_OF(type, member), 0, room, MAUI_FIELD_##kind, true                \
	}

struct maui_record {
	const char *word;
	const struct maui_field *fields;
	size_t count;
};

#define MAUI_RECORD(word, fields)                                                                  \
	{                                                                                          \
		word, fields, sizeof(fields) / sizeof(*(fields))                                   \
	}

/* So many bytes hold the texts that a line points to. */
size_t maui_record_texts(const struct maui_record *record);

/*
 * Whether this is a line of this record: then it is in *line, which has the members that the fields
 * describe, and its pointers lead into texts. *line is undefined otherwise.
 */
bool maui_record_read(const struct maui_record *record, struct maui_statetext_words words,
		      void *line, char *texts);

/* Whether the line begins with the record's word. */
bool maui_record_begins(const struct maui_record *record, struct maui_statetext_words words);

/* Bytes at most, with the newline; and writing them: returns their end. */
size_t maui_record_room(const struct maui_record *record, const void *line);
char *maui_record_write(const struct maui_record *record, const void *line, char *at);

#endif
