/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diagnose-blocked: the pending jobs that are not eligible, and why, as one user may see them. */
#ifndef MAUI_ENGINE_BLOCKED_REPORT_H
#define MAUI_ENGINE_BLOCKED_REPORT_H

#include <json-c/json.h>

#include "common/queue/snapshot.h"
#include "plugins/engine/report/job_query.h"

struct blocked_filter {
	bool hard_only;   /* without jobs that a later pass considers */
	bool counts_only; /* no individual jobs */
};

/* Reads a request's arguments. NULL, or what is wrong with them. */
const char *blocked_filter_read(struct json_object *arguments, struct blocked_filter *filter);

/* The answer's data. Takes the engine's mutex. */
struct json_object *blocked_report(const struct maui_snapshot *snapshot,
				   const struct job_query *query,
				   const struct blocked_filter *filter);

#endif
