/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes texts, numbers, times and jobs as members of JSON objects. */
#include "plugins/compat/base.h"

#include "plugins/engine/report/report_json.h"

#include <stdio.h>
#include <stdlib.h>

#include "plugins/engine/report/name_texts.h"

void report_json_text(struct json_object *object, const char *name, const char *text)
{
	json_object_object_add(object, name, text ? json_object_new_string(text) : NULL);
}

void report_json_number(struct json_object *object, const char *name, int64_t number)
{
	json_object_object_add(object, name, json_object_new_int64(number));
}

void report_json_time(struct json_object *object, const char *name, int64_t seconds)
{
	bool known = seconds > 0 && seconds < INFINITE;

	json_object_object_add(object, name, known ? json_object_new_int64(seconds) : NULL);
}

void report_json_real(struct json_object *object, const char *name, double number)
{
	json_object_object_add(object, name, json_object_new_double(number));
}

static void report_json_user(struct json_object *object, uint32_t uid, size_t *unanswered)
{
	char *name = name_text(MAUI_USER, uid, unanswered);

	report_json_text(object, "user", name);
	free(name);
}

void report_json_job(struct json_object *object, const struct report_job *job, size_t *unanswered)
{
	char array[24];

	report_json_number(object, "job", job->id);
	snprintf(array, sizeof(array), "%u_%u", job->array_id, job->array_task);
	report_json_text(object, "array",
			 job->array_id && job->array_task != NO_VAL ? array : NULL);
	report_json_user(object, job->uid, unanswered);
}
