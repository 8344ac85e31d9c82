/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which nodes have the same reservations: a row each in a calendar. */
#ifndef MAUI_PAGE_CALENDAR_H
#define MAUI_PAGE_CALENDAR_H

#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "contribs/maui/queue/queue_sorted.h"

#define CALENDAR_RESERVATIONS 200
#define CALENDAR_COLUMNS      84 /* moments at which a row says how busy it is */

struct calendar_row {
	const char *first, *last; /* nodes, in Slurm's order */
	size_t nodes;
	int64_t procs;
	size_t *reservations; /* indices, ascending */
	size_t count;
};

struct calendar {
	struct calendar_row *rows; /* in the order of their first nodes */
	size_t count;
	size_t *row_of; /* of each node of the queue */
};

/*
 * Of the nodes of a queue, sorted before, by the first CALENDAR_RESERVATIONS of the reservations,
 * whose "nodes" are list expressions. Names belong to the queue. The caller clears it.
 */
void calendar_make(struct json_object *queue, const struct queue_sorted *sorted,
		   struct json_object *reservations, struct calendar *ret_calendar);
void calendar_clear(struct calendar *calendar);

/*
 * busy[row * CALENDAR_COLUMNS + column]: processors that the active jobs hold at the beginning of
 * each column of step seconds from now on. The caller frees it.
 */
int64_t *calendar_busy(const struct calendar *calendar, const struct queue_sorted *sorted,
		       int64_t now, int64_t step);

#endif
