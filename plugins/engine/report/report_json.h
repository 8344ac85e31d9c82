/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Members of a report's JSON objects. */
#ifndef MAUI_ENGINE_REPORT_JSON_H
#define MAUI_ENGINE_REPORT_JSON_H

#include <json-c/json.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/engine/report/report_records.h"

/* A text, or null for NULL. */
void report_json_text(struct json_object *object, const char *name, const char *text);
void report_json_number(struct json_object *object, const char *name, int64_t number);
void report_json_real(struct json_object *object, const char *name, double number);
/* A time, or null where Slurm has none. */
void report_json_time(struct json_object *object, const char *name, int64_t seconds);
/* "job" and "array", "user". unanswered: as for name_text(). */
void report_json_job(struct json_object *object, const struct report_job *job, size_t *unanswered);

#endif
