/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/report/report.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/report/number.h"

static bool add_text(struct json_object *object, const struct maui_problem *problem)
{
	bool refused = problem->severity == MAUI_ERROR && !problem->rest;
	char *text;
	bool done;

	if (asprintf(&text, "%s%s", problem->text, refused ? MAUI_REPORT_REFUSED : "") < 0)
		return false;
	done = maui_report_add_text(object, "text", text);
	free(text);
	return done;
}

static struct json_object *render_problem(const struct maui_problem *problem)
{
	struct json_object *object = json_object_new_object();

	if (!object)
		return NULL;
	if (maui_report_add_text(object, "severity",
				 problem->severity == MAUI_ERROR ? "error" : "warning") &&
	    maui_report_add_text(object, "file", problem->origin.file) &&
	    maui_report_add_new(object, "line", json_object_new_int64(problem->origin.line)) &&
	    maui_report_add_new(object, "column", json_object_new_int64(problem->origin.column)) &&
	    add_text(object, problem))
		return object;
	json_object_put(object);
	return NULL;
}

struct json_object *maui_report_problems(const struct maui_config *config)
{
	const struct maui_problem *problems;
	size_t count = maui_config_problems(config, &problems);
	struct json_object *array = json_object_new_array();

	if (!array)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		if (!maui_report_append(array, render_problem(&problems[i]))) {
			json_object_put(array);
			return NULL;
		}
	}
	return array;
}
