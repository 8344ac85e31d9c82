/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the renderings: numbers as people write them, and objects filled without a leak when
 * memory is short.
 */
#ifndef MAUI_REPORT_NUMBER_H
#define MAUI_REPORT_NUMBER_H

#include <stdbool.h>

#include <json-c/json.h>

/*
 * The shortest decimal text that reads back as the same number: 8.7, not 8.6999999999999993. NaN
 * and infinity, which JSON lacks, become null; then *ret_value is NULL, too. False when memory is
 * short.
 */
bool maui_report_number(double number, struct json_object **ret_value);

/*
 * object[name] = value; object owns value from here on, whatever happens. NULL is JSON's null: for
 * constructors that may fail use maui_report_add_new(). The name must outlive the object (a
 * literal, or from the key table).
 */
bool maui_report_add(struct json_object *object, const char *name, struct json_object *value);

/* The same, but NULL means that memory was short. */
bool maui_report_add_new(struct json_object *object, const char *name, struct json_object *value);

bool maui_report_add_number(struct json_object *object, const char *name, double number);

/* text == NULL: null. */
bool maui_report_add_text(struct json_object *object, const char *name, const char *text);

/* Append to array; value == NULL: memory was short. */
bool maui_report_append(struct json_object *array, struct json_object *value);

#endif
