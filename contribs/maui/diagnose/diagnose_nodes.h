/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of `maui diagnose -n`. */
#ifndef MAUI_DIAGNOSE_NODES_H
#define MAUI_DIAGNOSE_NODES_H

#include <json-c/json.h>
#include <stdbool.h>

/* What the engine says about nodes, in the original's layout; returns an exit code. */
int print_nodes(struct json_object *data, bool verbose);

#endif
