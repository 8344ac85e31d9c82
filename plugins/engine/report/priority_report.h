/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diagnose-priority: the jobs of a snapshot with every term of their priorities, as one user may
 * see them. */
#ifndef MAUI_ENGINE_PRIORITY_REPORT_H
#define MAUI_ENGINE_PRIORITY_REPORT_H

#include <json-c/json.h>

#include "common/queue/snapshot.h"
#include "plugins/engine/report/job_query.h"

/* The answer's data. */
struct json_object *priority_report(const struct maui_snapshot *snapshot,
				    const struct job_query *query);

#endif
