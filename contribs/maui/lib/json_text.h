/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON as text, written member by member: for what another process parses at once, and is too long
 * to be made of json-c's pieces first. The FILE has the error if not all could be written.
 */
#ifndef MAUI_JSON_TEXT_H
#define MAUI_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* No other thread writes the file. */
struct json_text {
	FILE *file;
	bool begun; /* the innermost object or array has a member: the next one takes a comma */
};

/* name, of all of them: a member's, which is written as it stands; NULL: an array's element. */
void json_text_open(struct json_text *text, const char *name, char bracket);
void json_text_close(struct json_text *text, char bracket);
void json_text_string(struct json_text *text, const char *name, const char *value, size_t size);
void json_text_number(struct json_text *text, const char *name, int64_t number);
void json_text_hundredths(struct json_text *text, const char *name, uint32_t hundredths);
void json_text_flag(struct json_text *text, const char *name, bool value);

#endif
