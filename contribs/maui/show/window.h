/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What could start now, and for how long: the processors that are free on each node, until what is
 * next there. What ends meanwhile is not looked at, nor what else a job may lack: licenses, gres,
 * limits.
 */
#ifndef MAUI_WINDOW_H
#define MAUI_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#define WINDOW_FOREVER (INT64_C(1) << 40) /* seconds that do not end */

/* Who asks, and for what; NULL and 0 are "not given". */
struct window_request {
	const char *user, *group, *account, *qos, *partition, *features;
	const char *class; /* that a job is in which names none: the default partition */
	bool all;          /* for anybody: lists of who gets in are not looked at */
	int64_t duration, nodes;
	int64_t memory;         /* MB that are free on a node, as far as it is not -1 */
	char memory_comparison; /* '<', '>', '=', 'l' for <=, 'g' for >= */
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
	const char *reason; /* of those that are not free */
	int64_t procs;      /* that are free now */
	const char *next;   /* the first thing that takes some of them; NULL: nothing */
	int64_t until;      /* seconds from now until then */
};

/* So many processors on so many nodes, for so many seconds. */
struct window {
	int64_t procs, nodes, seconds;
};

struct windows {
	struct window_node *node;
	size_t nodes;
	struct window *window; /* growing seconds, shrinking processors */
	size_t count;
};

/*
 * queue: its jobs, nodes, partitions and reservations. access: what the engine says of reservations
 * (diagnose-reservations), NULL if it is not known. 0 or a negative errno. Texts belong to the
 * arguments.
 */
int windows_find(struct json_object *queue, struct json_object *access,
		 const struct window_request *request, struct windows *ret_windows);
void windows_clear(struct windows *windows);

/* ---- who gets in (window_access.c) ---- */

/* Whether jobs as asked for may be in a partition. */
bool window_partition_admits(struct json_object *partition, const struct window_request *request);

/*
 * How many seconds such a job may have in common with a reservation of ours: 0 none, WINDOW_FOREVER
 * as many as it wants. To others than ours nobody gets without asking for them by name. name: of
 * the reservation.
 */
int64_t window_reservation_admits(const char *name, struct json_object *access,
				  const struct window_request *request);

#endif
