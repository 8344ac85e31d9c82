/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of a case's "cfg", read as the original does and as simply as the vectors allow: what
 * the formulas of original.c take their numbers from, independent of the parser under test.
 */
#ifndef MAUI_VECTORS_LINES_H
#define MAUI_VECTORS_LINES_H

#include <json-c/json.h>

/* Their number, 0 for anything that is no array; and the text of one. */
size_t lines_count(struct json_object *cfg);
const char *lines_at(struct json_object *cfg, size_t index);

/* The value of NAME VALUE; the last such line. NULL: none. Copied to text (of 64 bytes), which is
 * returned. */
const char *lines_parameter(struct json_object *cfg, const char *name, char *text);

/* The value of ATTRIBUTE=VALUE on lines SECTION[index]; the last one. */
const char *lines_attribute(struct json_object *cfg, const char *section, const char *index,
			    const char *attribute, char *text);

/* The whole of it, a line each, to be freed by the caller. */
char *lines_join(struct json_object *cfg);

#endif
