/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of the engine's answers by the names of their jobs (job_name.h). A component is named by its
 * number here (job_names_resolve()). */
#ifndef MAUI_JOB_FILTER_H
#define MAUI_JOB_FILTER_H

#include <stdbool.h>

#include <json-c/json.h>

/* {"job", "task"} of a valid name, for the engine; of several tasks, the first. */
struct json_object *job_arguments(const char *text);

/*
 * Keep only the requested rows: the engine accepts only job ids and returns all of an array. names
 * ends with NULL, and is empty if all rows may stay.
 */
void job_filter(struct json_object *rows, char **names);

/* Whether any row is of this job. */
bool job_is_there(struct json_object *rows, const char *name);

/* "WHAT of job 17 (17_3)  user: ...  partition: ...  state: ...", from an answer about one job; no
 * newline. */
void job_print_title(const char *what, struct json_object *data);

#endif
