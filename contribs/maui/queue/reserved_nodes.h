/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which nodes reservations keep from a job if it started now, with its time limit. */
#ifndef MAUI_RESERVED_NODES_H
#define MAUI_RESERVED_NODES_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "contribs/maui/queue/name_set.h"

struct reserved_nodes {
	bool asks;           /* the job's --reservation, if visible: no other nodes will do */
	struct name_set own; /* of this one, if it is in force */
	struct name_set
		open; /* of those that admit the job, or hold only some cores of each node */
	struct name_set closed;
};

/*
 * admitted: rows of explain-reservations, the engine's word on its own ones; NULL: unknown, so that
 * they keep out everybody who does not ask for them. The caller clears it.
 */
void reserved_nodes_read(struct json_object *queue, struct json_object *job,
			 struct json_object *admitted, int64_t span, struct reserved_nodes *ret);
bool reserved_nodes_bar(const struct reserved_nodes *reserved, struct json_object *job,
			struct json_object *node);
void reserved_nodes_clear(struct reserved_nodes *reserved);

#endif
