/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of reservations form a tree. Each reservation moves its nodes to a child
 * of their set, and each set with nodes becomes a row.
 */
#include "contribs/maui/page/page_calendar.h"

#include <stdlib.h>

#include "common/util/grow.h"
#include "common/util/slurm/hostlist.h"
#include "common/util/memory.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/machine_use.h"
#include "contribs/maui/queue/queue.h"

/* ---- which node is in which reservations ---------------------------------------------------- */

/* A set of reservations: another one, and one more. */
struct set {
	size_t rest, reservation;
	size_t count;
	size_t grown, grown_by; /* this set and grown_by, if there is a set of that */
	size_t row;             /* of the calendar, from 1; 0: it has none */
};

struct sets {
	const struct queue_sorted *sorted;
	size_t *of_node;
	struct set *list; /* the first is empty */
	size_t count, room;
	size_t reservation; /* the one that is looked at, from 1 */
};

static size_t make_set(struct sets *sets, size_t rest)
{
	sets->list = maui_grow(sets->list, sets->count + 1, &sets->room, sizeof(*sets->list));
	sets->list[sets->count] =
		(struct set){.rest = rest,
			     .reservation = sets->reservation,
			     .count = sets->count ? sets->list[rest].count + 1 : 0};
	return sets->count++;
}

static int page_calendar_take(void *context, const char *name)
{
	struct sets *sets = context;
	size_t node, set;

	if (!queue_sorted_node(sets->sorted, name, &node))
		return 0;
	set = sets->of_node[node];
	if (sets->list[set].reservation == sets->reservation) /* named twice */
		return 0;
	if (sets->list[set].grown_by != sets->reservation) {
		size_t grown = make_set(sets, set);

		sets->list[set].grown = grown;
		sets->list[set].grown_by = sets->reservation;
	}
	sets->of_node[node] = sets->list[set].grown;
	return 0;
}

static struct sets make_sets(const struct queue_sorted *sorted, size_t nodes,
			     struct json_object *reservations)
{
	struct sets sets = {.sorted = sorted, .of_node = maui_calloc(nodes + 1, sizeof(size_t))};
	struct maui_error error;

	make_set(&sets, 0);
	for (size_t i = 0; i < array_size(reservations) && i < CALENDAR_RESERVATIONS; i++) {
		struct json_object *row = json_object_array_get_idx(reservations, i);

		sets.reservation = i + 1;
		if (*member_text(row, "nodes"))
			maui_hostlist_expand(member_text(row, "nodes"), page_calendar_take, &sets,
					     NULL, NULL, &error);
	}
	return sets;
}

/* ---- rows ----------------------------------------------------------------------------------- */

static size_t begin_row(struct calendar *calendar, const struct sets *sets, size_t set,
			const char *node)
{
	struct calendar_row *row = &calendar->rows[calendar->count];

	*row = (struct calendar_row){.first = node, .count = sets->list[set].count};
	row->reservations = maui_calloc(row->count + 1, sizeof(*row->reservations));
	for (size_t at = row->count; at; at--, set = sets->list[set].rest)
		row->reservations[at - 1] = sets->list[set].reservation - 1;
	return ++calendar->count;
}

void calendar_make(struct json_object *queue, const struct queue_sorted *sorted,
		   struct json_object *reservations, struct calendar *ret_calendar)
{
	struct json_object *nodes = member_array(queue, "nodes");
	size_t count = array_size(nodes);
	struct sets sets = make_sets(sorted, count, reservations);
	struct calendar calendar = {.rows = maui_calloc(count + 1, sizeof(*calendar.rows))};

	for (size_t i = 0; i < count; i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);
		const char *name = member_text(node, "name");
		struct set *set = &sets.list[sets.of_node[i]];
		struct calendar_row *row;

		if (!set->row)
			set->row = begin_row(&calendar, &sets, sets.of_node[i], name);
		sets.of_node[i] = set->row - 1;
		row = &calendar.rows[set->row - 1];
		row->last = name;
		row->nodes++;
		row->procs += count_of(node, "procs");
	}
	calendar.row_of = sets.of_node;
	free(sets.list);
	*ret_calendar = calendar;
}

void calendar_clear(struct calendar *calendar)
{
	for (size_t i = 0; i < calendar->count; i++)
		free(calendar->rows[i].reservations);
	free(calendar->rows);
	free(calendar->row_of);
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

int64_t *calendar_busy(const struct calendar *calendar, const struct queue_sorted *sorted,
		       int64_t now, int64_t step)
{
	struct json_object *jobs = member_array(sorted->active, "jobs");
	int64_t *busy = maui_calloc((calendar->count + 1) * CALENDAR_COLUMNS, sizeof(*busy));

	for (size_t i = 0; i < sorted->use_count; i++) {
		const struct queue_use *use = &sorted->uses[i];
		int64_t *row = busy + calendar->row_of[use->node] * CALENDAR_COLUMNS;
		size_t columns = columns_of(json_object_array_get_idx(jobs, use->job), now, step);

		for (size_t at = 0; at < columns; at++)
			row[at] += use->procs;
	}
	return busy;
}
