/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of a case's "cfg", read as the original does and as simply as the vectors allow: the
 * source of the numbers in the formulas of original.c, independent of the parser under test.
 */
#ifndef MAUI_VECTORS_LINES_H
#define MAUI_VECTORS_LINES_H

#include <json-c/json.h>

/* Their number, 0 for anything that is not an array; and the text of one. */
size_t lines_count(struct json_object *cfg);
const char *lines_at(struct json_object *cfg, size_t index);

/*
 * The value of NAME VALUE; the last such line counts. NULL: none. Copied to text (64 bytes), which
 * is returned.
 */
const char *lines_parameter(struct json_object *cfg, const char *name, char *text);

/* The value of ATTRIBUTE=VALUE on lines SECTION[index]; the last one counts. */
const char *lines_attribute(struct json_object *cfg, const char *section, const char *index,
			    const char *attribute, char *text);

/* All lines, with newlines; the caller frees it. */
char *lines_join(struct json_object *cfg);

#endif
