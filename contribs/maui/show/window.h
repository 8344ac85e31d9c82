/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What could start now, and for how long: the processors that are free on each node, until they are
 * next needed. What ends meanwhile is ignored, and so is what else a job may lack: licenses,
 * limits. Of GRES, those that are free now on nodes that have processors left.
 */
#ifndef MAUI_WINDOW_H
#define MAUI_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "contribs/maui/queue/gres_list.h"

#define WINDOW_FOREVER (INT64_C(1) << 40) /* seconds without end */

/* Who asks, and for what; NULL and 0 are "not given". */
struct window_request {
	const char *user, *group, *account, *qos, *partition, *features;
	const char *class; /* of a job that names none: the default partition */
	bool all;          /* for anybody: access lists are ignored */
	int64_t duration, nodes;
	int64_t memory;         /* MB free on a node; -1: any */
	char memory_comparison; /* '<', '>', '=', 'l' for <=, 'g' for >= */
	const char *gres;       /* "gpu:a100:2": as many free on a node */
};

enum window_state {
	WINDOW_FREE,
	WINDOW_BUSY,       /* reason: the node's state */
	WINDOW_UNSUITABLE, /* reason: what it lacks */
	WINDOW_RESERVED,   /* reason: the reservation */
};

struct window_node {
	const char *name;
	enum window_state state;
	const char *reason; /* of nodes that are not free */
	int64_t procs;      /* that are free now */
	const char *next;   /* the first thing that takes some of them; NULL: nothing */
	int64_t until;      /* seconds from now until then */
};

/* How many processors on how many nodes, for how many seconds. */
struct window {
	int64_t procs, nodes, seconds;
	struct gres_sums gres; /* of these nodes */
};

struct windows {
	struct window_node *node;
	size_t nodes;
	struct window *window; /* growing seconds, shrinking processors */
	size_t count;
};

/*
 * queue: its jobs, nodes, partitions and reservations. access: what the engine says about
 * reservations (diagnose-reservations), NULL if unknown. Texts belong to the arguments.
 */
void windows_find(struct json_object *queue, struct json_object *access,
		  const struct window_request *request, struct windows *ret_windows);
void windows_clear(struct windows *windows);

/* ---- who gets in (window_access.c) ---- */

/* Whether jobs as requested may be in a partition. */
bool window_partition_admits(struct json_object *partition, const struct window_request *request);

/*
 * For how many seconds such a job may overlap a reservation of ours: 0 none, WINDOW_FOREVER as many
 * as it wants. Nobody gets into other reservations without asking for them by name. name: of the
 * reservation.
 */
int64_t window_reservation_admits(const char *name, struct json_object *access,
				  const struct window_request *request);

#endif
