/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the answers about nodes share: diagnose-nodes, check-node and explain-nodes. */
#ifndef MAUI_ENGINE_NODE_JSON_H
#define MAUI_ENGINE_NODE_JSON_H

#include <json-c/json.h>

#include "plugins/engine/nodes/node_order.h"

/* Nodes in one answer. */
#define NODE_JSON_MAX 20000

/* The answer to users bound by PrivateData=nodes, as sinfo applies it. */
#define NODE_REPORT_PRIVATE "PrivateData leaves the nodes to operators and administrators"
#define NODE_REPORT_FAILED  "nothing is known of nodes: there is no policy yet"

/* "configured", "available", "dedicated", "speed", "procspeed", "load", "jobs", "usage". */
void node_json_resources(struct json_object *object, const struct maui_node_candidate *node);
/* "value", "constant", "terms". */
void node_json_terms(struct json_object *object, const struct maui_node_gres *gres,
		     const struct maui_node_terms *terms);

#endif
