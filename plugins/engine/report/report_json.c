/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes times and jobs as members of JSON objects. */
#include "plugins/compat/base.h"

#include "plugins/engine/report/report_json.h"

#include <stdio.h>
#include <stdlib.h>

#include "plugins/engine/report/name_texts.h"

void report_json_time(struct json_object *object, const char *name, int64_t seconds)
{
	bool known = seconds > 0 && seconds < INFINITE;

	json_set(object, name, known ? json_make_number(seconds) : NULL);
}

static void report_json_user(struct json_object *object, uint32_t uid, size_t *unanswered)
{
	char *name = name_text(MAUI_USER, uid, unanswered);

	json_set_text(object, "user", name);
	free(name);
}

void report_json_job(struct json_object *object, const struct report_job *job, size_t *unanswered)
{
	char array[24];

	json_set_number(object, "job", job->id);
	snprintf(array, sizeof(array), "%u_%u", job->array_id, job->array_task);
	json_set_text(object, "array", job->array_id && job->array_task != NO_VAL ? array : NULL);
	report_json_user(object, job->uid, unanswered);
}
