/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Members of a report's JSON objects. */
#ifndef MAUI_ENGINE_REPORT_JSON_H
#define MAUI_ENGINE_REPORT_JSON_H

#include <stddef.h>
#include <stdint.h>

#include "common/report/json.h"
#include "plugins/engine/report/report_records.h"

/* A time, or null where Slurm has none. */
void report_json_time(struct json_object *object, const char *name, int64_t seconds);
/* "job" and "array", "user". unanswered: as for name_text(). */
void report_json_job(struct json_object *object, const struct report_job *job, size_t *unanswered);

#endif
