/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contribs/maui/page/calendar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/hostlist.h"
#include "contribs/maui/lib/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/machine_use.h"
#include "contribs/maui/queue/queue.h"

static void *made(void *memory)
{
	if (!memory)
		exit_out_of_memory();
	return memory;
}

/* ---- which node is in which reservations ---------------------------------------------------- */

struct sets {
	struct json_object *of_node; /* node: array of indices */
	size_t reservation;
};

static int take(void *context, const char *name)
{
	struct sets *sets = context;
	struct json_object *set = member_array(sets->of_node, name);

	if (set)
		json_append_number(set, (int64_t)sets->reservation);
	return 0;
}

static struct json_object *make_sets(struct json_object *queue, struct json_object *reservations)
{
	struct json_object *nodes = member_array(queue, "nodes");
	struct sets sets = {.of_node = json_make_object()};
	struct maui_error error;

	for (size_t i = 0; i < array_size(nodes); i++)
		json_set(sets.of_node, member_text(json_object_array_get_idx(nodes, i), "name"),
			 json_make_array());
	for (; sets.reservation < array_size(reservations) &&
	       sets.reservation < CALENDAR_RESERVATIONS;
	     sets.reservation++) {
		struct json_object *row = json_object_array_get_idx(reservations, sets.reservation);

		if (*member_text(row, "nodes"))
			maui_hostlist_expand(member_text(row, "nodes"), take, &sets, NULL, NULL,
					     &error);
	}
	return sets.of_node;
}

/* ---- rows ----------------------------------------------------------------------------------- */

static void begin_row(struct calendar *calendar, struct json_object *set, const char *node)
{
	struct calendar_row *row = &calendar->rows[calendar->count++];

	*row = (struct calendar_row){.first = node, .count = array_size(set)};
	row->reservations = made(calloc(row->count + 1, sizeof(*row->reservations)));
	for (size_t i = 0; i < row->count; i++)
		row->reservations[i] =
			(size_t)json_object_get_int64(json_object_array_get_idx(set, i));
}

void calendar_make(struct json_object *queue, struct json_object *reservations,
		   struct calendar *ret_calendar)
{
	struct json_object *nodes = member_array(queue, "nodes");
	struct json_object *sets = make_sets(queue, reservations), *rows = json_make_object();
	struct calendar calendar = {.row_of = json_make_object()};

	calendar.rows = made(calloc(array_size(nodes) + 1, sizeof(*calendar.rows)));
	for (size_t i = 0; i < array_size(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);
		const char *name = member_text(node, "name");
		struct json_object *set = member_array(sets, name), *known;
		const char *key = json_object_to_json_string(made(set));
		struct calendar_row *row;

		if (!json_object_object_get_ex(rows, key, &known)) {
			json_set_number(rows, key, (int64_t)calendar.count);
			begin_row(&calendar, set, name);
		}
		json_set_number(calendar.row_of, name, member_integer(rows, key));
		row = &calendar.rows[member_integer(rows, key)];
		row->last = name;
		row->nodes++;
		row->procs += count_of(node, "procs");
	}
	json_object_put(sets);
	json_object_put(rows);
	*ret_calendar = calendar;
}

void calendar_clear(struct calendar *calendar)
{
	for (size_t i = 0; i < calendar->count; i++)
		free(calendar->rows[i].reservations);
	free(calendar->rows);
	json_object_put(calendar->row_of);
}

/* ---- how busy ------------------------------------------------------------------------------- */

/* Columns at whose beginning a job still runs; all of them if its end is unknown. */
static size_t columns_of(struct json_object *job, int64_t now, int64_t step)
{
	int64_t end = member_integer(job, "end");

	if (end <= 0 || end - now > step * (CALENDAR_COLUMNS - 1))
		return CALENDAR_COLUMNS;
	return end <= now ? 1 : (size_t)((end - now + step - 1) / step);
}

int64_t *calendar_busy(const struct calendar *calendar, struct json_object *active, int64_t now,
		       int64_t step)
{
	struct json_object *jobs = member_array(active, "jobs"), *row;
	int64_t *busy = made(calloc((calendar->count + 1) * CALENDAR_COLUMNS, sizeof(*busy)));

	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);
		struct json_object *parts = member_array(job, "allocated");
		size_t columns = columns_of(job, now, step);

		for (size_t k = 0; k < array_size(parts); k++) {
			struct json_object *part = json_object_array_get_idx(parts, k);

			if (!json_object_object_get_ex(calendar->row_of, member_text(part, "node"),
						       &row))
				continue;
			for (size_t at = 0; at < columns; at++)
				busy[(size_t)json_object_get_int64(row) * CALENDAR_COLUMNS + at] +=
					count_of(part, "procs");
		}
	}
	return busy;
}
