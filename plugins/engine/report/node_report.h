/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `maui diagnose -n`, `maui checknode` and `maui explain-nodes` show: the service's
 * diagnose-nodes, check-node and explain-nodes. They copy what they need under Slurm's read locks,
 * and build their answers from the copy without them.
 */
#ifndef MAUI_ENGINE_NODE_REPORT_H
#define MAUI_ENGINE_NODE_REPORT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <sys/types.h>

/* Who asks. */
struct node_asker {
	uid_t uid;
	bool sees_all; /* PrivateData does not bind root, SlurmUser and ADMIN1..3 */
};

/*
 * Answers a request's arguments (an object or NULL). Returns NULL and the answer's data, or why
 * there is none. No lock held.
 */
const char *node_report_all(const struct node_asker *asker, struct json_object *arguments,
			    struct json_object **ret_data);
const char *node_report_one(const struct node_asker *asker, struct json_object *arguments,
			    struct json_object **ret_data);
const char *node_report_order(const struct node_asker *asker, struct json_object *arguments,
			      struct json_object **ret_data);

#endif
