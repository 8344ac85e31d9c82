/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making JSON. If json-c finds memory short, the process ends (common/util/memory.h): no incomplete
 * document is printed or sent, and callers need not check. */
#ifndef MAUI_REPORT_JSON_H
#define MAUI_REPORT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "common/report/json_write.h"

struct json_object *json_make_object(void);
struct json_object *json_make_array(void);
struct json_object *json_make_text(const char *text); /* NULL, which is JSON's null, for NULL */
struct json_object *json_make_part(const char *text, size_t size); /* its first size bytes */
struct json_object *json_make_number(int64_t number);
struct json_object *json_make_real(double number);
/* As its shortest decimal text, 8.7; NULL, which is JSON's null, for NaN and infinity. */
struct json_object *json_make_decimal(double number);
struct json_object *json_make_flag(bool value);

/* object[name] = value, which object owns from here on; NULL is JSON's null. */
void json_set(struct json_object *object, const char *name, struct json_object *value);
/* The same for a name that the object does not have yet: no look-up. */
void json_set_new(struct json_object *object, const char *name, struct json_object *value);
void json_set_text(struct json_object *object, const char *name, const char *text); /* NULL: null */
void json_set_given(struct json_object *object, const char *name, const char *text); /* NULL: no */
void json_set_number(struct json_object *object, const char *name, int64_t number);
void json_set_real(struct json_object *object, const char *name, double number);
void json_set_decimal(struct json_object *object, const char *name, double number);
void json_set_flag(struct json_object *object, const char *name, bool value);
/* The member of this name of another object; null if it has none or is not an object. */
void json_set_same(struct json_object *object, struct json_object *from, const char *name);

/* The same for a name that the object does not have yet, and that outlives it, such as a literal: it
 * is neither looked for nor copied. */
void json_add(struct json_object *object, const char *name, struct json_object *value);

/* At the end of an array. */
void json_append(struct json_object *array, struct json_object *value);
void json_append_text(struct json_object *array, const char *text);
void json_append_number(struct json_object *array, int64_t number);

#endif
