/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `maui showres` and `maui diagnose -r` show: the service's show-reservations and
 * diagnose-reservations. */
#ifndef MAUI_ENGINE_RSV_REPORT_H
#define MAUI_ENGINE_RSV_REPORT_H

#include <json-c/json.h>

#include "plugins/engine/report/report_asker.h"

/* The answer to users bound by PrivateData=reservations: to Slurm, ours are for root alone. */
#define RSV_REPORT_PRIVATE "PrivateData leaves the reservations to operators and administrators"

/* As in node_report.h. */
const char *rsv_report_show(const struct report_asker *asker, struct json_object *arguments,
			    struct json_object **ret_data);
const char *rsv_report_diagnose(const struct report_asker *asker, struct json_object *arguments,
				struct json_object **ret_data);

#endif
