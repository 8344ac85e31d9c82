/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contribs/maui/lib/job_filter.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contribs/maui/lib/json.h"
#include "contribs/maui/lib/output.h"

#define DIGITS   "0123456789"
#define ID_LIMIT 4294967295ULL

bool job_is_valid(const char *text)
{
	size_t digits = strspn(text, DIGITS);
	const char *task = text + digits + 1;

	if (!digits || digits > 10 || strtoull(text, NULL, 10) > ID_LIMIT)
		return false;
	if (!text[digits])
		return true;
	digits = strspn(task, DIGITS);
	return task[-1] == '_' && digits && digits <= 10 && !task[digits];
}

struct json_object *job_arguments(const char *text)
{
	struct json_object *arguments = json_make_object();
	const char *task = strchr(text, '_');

	json_set_number(arguments, "job", strtoll(text, NULL, 10));
	if (task)
		json_set_number(arguments, "task", strtoll(task + 1, NULL, 10));
	return arguments;
}

/* Whether "1-9,11,20-30:5%4" holds a task. */
static bool list_holds(const char *list, unsigned long long task)
{
	while (*list >= '0' && *list <= '9') {
		char *at;
		unsigned long long first = strtoull(list, &at, 10), last = first, step = 1;

		if (*at == '-')
			last = strtoull(at + 1, &at, 10);
		if (*at == ':')
			step = strtoull(at + 1, &at, 10);
		if (task >= first && task <= last && step && (task - first) % step == 0)
			return true;
		list = at + (*at == ',');
	}
	return false;
}

static bool matches(struct json_object *row, const char *name)
{
	const char *array = member_text(row, "array");
	size_t size = strspn(name, DIGITS);

	if (!name[size]) /* the engine has filtered by it */
		return member_integer(row, "job") == strtoll(name, NULL, 10) ||
		       (!strncmp(array, name, size) && array[size] == '_');
	if (!strcmp(array, name))
		return true;
	return !strncmp(array, name, size + 1) && array[size + 1] == '[' &&
	       list_holds(array + size + 2, strtoull(name + size + 1, NULL, 10));
}

static bool matches_any(struct json_object *row, char **names)
{
	for (; *names; names++)
		if (matches(row, *names))
			return true;
	return false;
}

void job_filter(struct json_object *rows, char **names)
{
	if (!*names)
		return;
	for (size_t i = array_size(rows); i-- > 0;)
		if (!matches_any(json_object_array_get_idx(rows, i), names))
			json_object_array_del_idx(rows, i, 1);
}

bool job_is_there(struct json_object *rows, const char *name)
{
	for (size_t i = 0; i < array_size(rows); i++)
		if (matches(json_object_array_get_idx(rows, i), name))
			return true;
	return false;
}

void job_print_title(const char *what, struct json_object *data)
{
	static const char *const names[] = {"user", "partition", "state"};

	printf("%s of job %" PRId64, what, member_integer(data, "job"));
	if (*member_text(data, "array")) {
		printf(" (");
		print_clean(member_text(data, "array"));
		putchar(')');
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		printf("  %s: ", names[i]);
		print_clean(member_text(data, names[i]));
	}
}
