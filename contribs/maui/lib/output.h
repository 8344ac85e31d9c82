/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Printing text from outside, and reading the JSON of an answer without trusting its shape. */
#ifndef MAUI_OUTPUT_H
#define MAUI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

/*
 * Text of printable characters alone, '?' for all others: names of jobs' owners and lines of files
 * must not control a terminal.
 */
void print_clean(const char *text);
/* The same in place, and as a copy that is cut to fit. clean_copy() returns buffer. */
void clean_text(char *text);
const char *clean_copy(const char *text, char *buffer, size_t size);

/* One line of JSON: schema first, then the members of data (NULL: none). Returns EXIT_OK; out of
 * memory, the command ends. */
int print_json(const char *schema, struct json_object *data);

/*
 * Members of an object; an absent or wrong one is "", 0, false, or NULL. Integers are clamped to
 * -(2^53 - 1) to 2^53 - 1: the answer or file may be anybody's, and sums of a few must not
 * overflow.
 */
const char *member_text(struct json_object *object, const char *name); /* "" for null, too */
double member_number(struct json_object *object, const char *name);
int64_t member_integer(struct json_object *object, const char *name);
bool member_flag(struct json_object *object, const char *name);
struct json_object *member_array(struct json_object *object, const char *name);
struct json_object *member_object(struct json_object *object, const char *name);

/* The texts of an array with a separator between them, into a buffer, cut to fit. Returns the
 * buffer. */
const char *joined(struct json_object *array, const char *between, char *buffer, size_t size);

/* The number of elements; array may be NULL. */
size_t array_size(struct json_object *array);

#endif
