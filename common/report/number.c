/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/report/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool maui_report_number(double number, struct json_object **ret_value)
{
	struct json_object *value;
	char text[32];

	if (!isfinite(number)) {
		*ret_value = NULL;
		return true;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	value = json_object_new_double_s(number, text);
	if (!value)
		return false;
	*ret_value = value;
	return true;
}

bool maui_report_add(struct json_object *object, const char *name, struct json_object *value)
{
	if (json_object_object_add_ex(object, name, value, JSON_C_OBJECT_ADD_CONSTANT_KEY) == 0)
		return true;
	json_object_put(value);
	return false;
}

bool maui_report_add_new(struct json_object *object, const char *name, struct json_object *value)
{
	return value && maui_report_add(object, name, value);
}

bool maui_report_add_number(struct json_object *object, const char *name, double number)
{
	struct json_object *value;

	return maui_report_number(number, &value) && maui_report_add(object, name, value);
}

bool maui_report_add_text(struct json_object *object, const char *name, const char *text)
{
	if (!text)
		return maui_report_add(object, name, NULL);
	return maui_report_add_new(object, name, json_object_new_string(text));
}

bool maui_report_append(struct json_object *array, struct json_object *value)
{
	if (!value)
		return false;
	if (json_object_array_add(array, value) == 0)
		return true;
	json_object_put(value);
	return false;
}
