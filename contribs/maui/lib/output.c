/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replaces unprintable bytes with '?' and tabs with blanks, prints JSON with
 * its schema, and reads JSON members with a check of their type.
 */
#include "contribs/maui/lib/output.h"

#include <stdio.h>
#include <string.h>

#include "common/util/text.h"
#include "contribs/maui/lib/command.h"
#include "common/report/json.h"
#include "contribs/maui/lib/terminal.h"

void print_clean(const char *text)
{
	size_t size = strlen(text), printable;

	while ((printable = maui_printable_size(text, size)) < size) {
		fwrite(text, 1, printable, stdout);
		putchar(text[printable] == '\t' ? ' ' : '?');
		text += printable + 1;
		size -= printable + 1;
	}
	fwrite(text, 1, size, stdout);
}

void clean_text(char *text)
{
	for (char *tab = text; (tab = strchr(tab, '\t'));)
		*tab = ' ';
	maui_make_printable(text);
}

const char *clean_copy(const char *text, char *buffer, size_t size)
{
	snprintf(buffer, size, "%s", text);
	clean_text(buffer);
	return buffer;
}

int print_json(const char *schema, struct json_object *data)
{
	struct json_object *all = json_make_object();

	json_set_text(all, "schema", schema);
	if (data) {
		json_object_object_foreach(data, name, value)
			json_set(all, name, json_object_get(value));
	}
	terminal_wide();
	json_write(all, stdout);
	json_object_put(all);
	return EXIT_OK;
}

static struct json_object *output_member(struct json_object *object, const char *name,
					 json_type type)
{
	struct json_object *value;

	if (!json_object_is_type(object, json_type_object) ||
	    !json_object_object_get_ex(object, name, &value) || !json_object_is_type(value, type))
		return NULL;
	return value;
}

const char *member_text(struct json_object *object, const char *name)
{
	struct json_object *value = output_member(object, name, json_type_string);

	return value ? json_object_get_string(value) : "";
}

/* The limit of what all JSON readers agree on (RFC 8259, 6). */
#define GREATEST ((INT64_C(1) << 53) - 1)

double member_number(struct json_object *object, const char *name)
{
	struct json_object *value = output_member(object, name, json_type_double);

	if (!value)
		value = output_member(object, name, json_type_int);
	return value ? json_object_get_double(value) : 0;
}

int64_t member_integer(struct json_object *object, const char *name)
{
	struct json_object *value = output_member(object, name, json_type_int);
	int64_t number = value ? json_object_get_int64(value) : 0;

	if (number > GREATEST)
		return GREATEST;
	return number < -GREATEST ? -GREATEST : number;
}

bool member_flag(struct json_object *object, const char *name)
{
	struct json_object *value = output_member(object, name, json_type_boolean);

	return value && json_object_get_boolean(value);
}

struct json_object *member_array(struct json_object *object, const char *name)
{
	return output_member(object, name, json_type_array);
}

struct json_object *member_object(struct json_object *object, const char *name)
{
	return output_member(object, name, json_type_object);
}

size_t array_size(struct json_object *array)
{
	return array ? json_object_array_length(array) : 0;
}

const char *joined(struct json_object *array, const char *between, char *buffer, size_t size)
{
	size_t length = 0;

	*buffer = '\0';
	for (size_t i = 0; i < array_size(array) && length < size; i++) {
		struct json_object *value = json_object_array_get_idx(array, i);
		const char *text = json_object_is_type(value, json_type_string)
					   ? json_object_get_string(value)
					   : "";

		length += (size_t)snprintf(buffer + length, size - length, "%s%s", i ? between : "",
					   text);
	}
	return buffer;
}
