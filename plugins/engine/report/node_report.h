/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `maui diagnose -n`, `maui checknode` and `maui explain-nodes` show: the service's
 * diagnose-nodes, check-node and explain-nodes. They copy what they need under Slurm's read locks,
 * and build their answers from the copy without them.
 */
#ifndef MAUI_ENGINE_NODE_REPORT_H
#define MAUI_ENGINE_NODE_REPORT_H

#include <json-c/json.h>

#include "plugins/engine/report/report_asker.h"

/*
 * Answers a request's arguments (an object or NULL). Returns NULL and the answer's data, or why
 * there is none. No lock held.
 */
const char *node_report_all(const struct report_asker *asker, struct json_object *arguments,
			    struct json_object **ret_data);
const char *node_report_one(const struct report_asker *asker, struct json_object *arguments,
			    struct json_object **ret_data);
const char *node_report_order(const struct report_asker *asker, struct json_object *arguments,
			      struct json_object **ret_data);

#endif
