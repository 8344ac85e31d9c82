/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Matches the members `job` and `array` of the engine's rows with job names
 * such as 17, 17_3 and 17_[4-9].
 */
#include "contribs/maui/lib/job_filter.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/slurm/task_list.h"
#include "contribs/maui/lib/job_name.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"

struct json_object *job_arguments(const char *text)
{
	struct json_object *arguments = json_make_object();
	struct maui_task_range tasks;
	struct job_name name;

	if (!job_name_read(text, &name))
		return arguments;
	json_set_number(arguments, "job", name.number);
	if (name.part == JOB_TASKS && maui_task_next(&name.tasks, &tasks))
		json_set_number(arguments, "task", tasks.first);
	return arguments;
}

/* A list that is cut may have any task: the engine has found it. */
static bool lists_meet(const char *list, const char *tasks)
{
	return strstr(list, "...") || maui_task_lists_meet(list, tasks);
}

static bool job_filter_matches(struct json_object *row, const char *text)
{
	const char *array = member_text(row, "array");
	struct job_name name, own;

	if (!job_name_read(text, &name))
		return false;
	if (name.part == JOB_WHOLE && member_integer(row, "job") == name.number)
		return true;
	if (strtoll(array, NULL, 10) != name.number)
		return false;
	if (name.part != JOB_TASKS)
		return name.part == JOB_WHOLE;
	if (job_name_read(array, &own) && own.part == JOB_TASKS)
		return maui_task_lists_meet(own.tasks, name.tasks);
	array = strchr(array, '[');
	return array && lists_meet(array + 1, name.tasks);
}

static bool matches_any(struct json_object *row, char **names)
{
	for (; *names; names++)
		if (job_filter_matches(row, *names))
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
		if (job_filter_matches(json_object_array_get_idx(rows, i), name))
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
