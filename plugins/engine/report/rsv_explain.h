/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `maui res explain` shows: how each of our reservations treats a job. The service's
 * explain-reservations. */
#ifndef MAUI_ENGINE_RSV_EXPLAIN_H
#define MAUI_ENGINE_RSV_EXPLAIN_H

#include <json-c/json.h>

#include "plugins/engine/report/report_asker.h"

/* As in node_report.h. */
const char *rsv_explain_job(const struct report_asker *asker, struct json_object *arguments,
			    struct json_object **ret_data);

#endif
