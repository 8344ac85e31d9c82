/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON that commands make. Where memory is short a command ends with "out of memory" and
 * EXIT_ERRORS: no document is printed and no request sent that lacks something, and nobody has to
 * ask. Not for what has to be put in order behind it, such as files half written.
 */
#ifndef MAUI_JSON_H
#define MAUI_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

struct json_object *json_make_object(void);
struct json_object *json_make_array(void);
struct json_object *json_make_text(const char *text);
struct json_object *json_make_part(const char *text, size_t size); /* so many bytes of it */
struct json_object *json_make_number(int64_t number);
struct json_object *json_make_real(double number);
struct json_object *json_make_flag(bool value);

/* object[name] = value, which belongs to object from here on; NULL is JSON's null. */
void json_set(struct json_object *object, const char *name, struct json_object *value);
/* The same of a name that the object does not have yet: it is not looked for. */
void json_set_new(struct json_object *object, const char *name, struct json_object *value);
void json_set_text(struct json_object *object, const char *name, const char *text); /* NULL: null */
void json_set_given(struct json_object *object, const char *name, const char *text); /* NULL: no */
void json_set_number(struct json_object *object, const char *name, int64_t number);
void json_set_real(struct json_object *object, const char *name, double number);
void json_set_flag(struct json_object *object, const char *name, bool value);
/* What another object has of this name, null if it has none or is none. */
void json_set_same(struct json_object *object, struct json_object *from, const char *name);

/* At the end of an array. */
void json_append(struct json_object *array, struct json_object *value);
void json_append_text(struct json_object *array, const char *text);
void json_append_number(struct json_object *array, int64_t number);

#endif
