/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one place where text becomes JSON. Names of jobs, accounts and files may be any bytes: strict
 * readers take what is written, and it may be shown on a terminal. A byte that is not UTF-8 becomes
 * U+FFFD, and control characters, those of C1 too, are escaped.
 */
#ifndef MAUI_REPORT_JSON_WRITE_H
#define MAUI_REPORT_JSON_WRITE_H

#include <stddef.h>
#include <stdio.h>

#include <json-c/json.h>

/* A line with its line feed: to a file, which reports what could not be written, or malloc'ed. */
void json_write(struct json_object *value, FILE *file);
char *json_line(struct json_object *value, size_t *ret_size);

/* What stands between the quotes of a string. */
void maui_json_write_string(const char *text, size_t size, FILE *file);

#endif
