/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and checks the members of a request's arguments. */
#include "plugins/compat/base.h"

#include "plugins/engine/report/report_arguments.h"

#include <string.h>

const char *report_text_argument(struct json_object *arguments, const char *name)
{
	struct json_object *member;

	if (!arguments || !json_object_object_get_ex(arguments, name, &member) || !member)
		return NULL;
	return json_object_get_string(member);
}

bool report_number_argument(struct json_object *arguments, const char *name, int64_t min,
			    int64_t max, int64_t *ret_number)
{
	struct json_object *member;

	if (!json_object_object_get_ex(arguments, name, &member) || !member)
		return true;
	*ret_number = json_object_get_int64(member);
	return json_object_is_type(member, json_type_int) && *ret_number >= min &&
	       *ret_number <= max;
}

const char *report_type_argument(struct json_object *arguments, enum maui_credential *ret_type)
{
	const char *name = report_text_argument(arguments, "type");

	*ret_type = MAUI_CREDENTIALS;
	for (int i = 0; name && i < MAUI_CREDENTIALS; i++)
		if (!strcmp(name, maui_credential_name(i)))
			*ret_type = i;
	return name && *ret_type == MAUI_CREDENTIALS ? REPORT_NO_TYPE : NULL;
}

const char *report_job_argument(struct json_object *arguments, uint32_t *ret_job,
				uint32_t *ret_task)
{
	int64_t job = 0, task = NO_VAL;

	if (!arguments)
		return "the request names no job";
	if (!report_number_argument(arguments, "job", 1, NO_VAL - 1, &job) ||
	    !report_number_argument(arguments, "task", 0, NO_VAL - 1, &task))
		return "the request's job is not a job ID";
	if (!job)
		return "the request names no job";
	*ret_job = (uint32_t)job;
	*ret_task = (uint32_t)task;
	return NULL;
}
