/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wrappers of json-c's constructors, object setters and array append, each of
 * which calls maui_memory_short() on failure.
 */
#include "common/report/json.h"

#include <math.h>
#include <stdlib.h>

#include "common/util/memory.h"

static void json_require(bool done)
{
	if (!done)
		maui_memory_short(0);
}

static struct json_object *json_required(struct json_object *value)
{
	json_require(value);
	return value;
}

struct json_object *json_make_object(void)
{
	return json_required(json_object_new_object());
}

struct json_object *json_make_array(void)
{
	return json_required(json_object_new_array());
}

struct json_object *json_make_text(const char *text)
{
	return text ? json_required(json_object_new_string(text)) : NULL;
}

struct json_object *json_make_part(const char *text, size_t size)
{
	return json_required(json_object_new_string_len(text, (int)size));
}

struct json_object *json_make_number(int64_t number)
{
	return json_required(json_object_new_int64(number));
}

struct json_object *json_make_real(double number)
{
	return json_required(json_object_new_double(number));
}

struct json_object *json_make_flag(bool value)
{
	return json_required(json_object_new_boolean(value));
}

struct json_object *json_make_decimal(double number)
{
	char text[32];

	if (!isfinite(number))
		return NULL;
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	return json_required(json_object_new_double_s(number, text));
}

void json_set(struct json_object *object, const char *name, struct json_object *value)
{
	json_require(json_object_object_add(object, name, value) == 0);
}

void json_set_new(struct json_object *object, const char *name, struct json_object *value)
{
	json_require(json_object_object_add_ex(object, name, value, JSON_C_OBJECT_ADD_KEY_IS_NEW) ==
		     0);
}

void json_set_text(struct json_object *object, const char *name, const char *text)
{
	json_set(object, name, json_make_text(text));
}

void json_set_given(struct json_object *object, const char *name, const char *text)
{
	if (text)
		json_set_text(object, name, text);
}

void json_set_number(struct json_object *object, const char *name, int64_t number)
{
	json_set(object, name, json_make_number(number));
}

void json_set_real(struct json_object *object, const char *name, double number)
{
	json_set(object, name, json_make_real(number));
}

void json_set_decimal(struct json_object *object, const char *name, double number)
{
	json_set(object, name, json_make_decimal(number));
}

void json_set_flag(struct json_object *object, const char *name, bool value)
{
	json_set(object, name, json_make_flag(value));
}

void json_set_same(struct json_object *object, struct json_object *from, const char *name)
{
	struct json_object *value = NULL;

	if (json_object_is_type(from, json_type_object))
		json_object_object_get_ex(from, name, &value);
	json_set(object, name, json_object_get(value));
}

void json_add(struct json_object *object, const char *name, struct json_object *value)
{
	const unsigned int options = JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_ADD_CONSTANT_KEY;

	json_require(json_object_object_add_ex(object, name, value, options) == 0);
}

void json_append(struct json_object *array, struct json_object *value)
{
	json_require(json_object_array_add(array, value) == 0);
}

void json_append_text(struct json_object *array, const char *text)
{
	json_append(array, json_make_text(text));
}

void json_append_number(struct json_object *array, int64_t number)
{
	json_append(array, json_make_number(number));
}
