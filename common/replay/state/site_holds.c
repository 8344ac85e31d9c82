/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps holds of nodes in the order in which they begin and end. */
#include "common/replay/state/site_holds.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

void site_hold_add(struct site_holds *holds, int64_t begin, int64_t end, uint32_t instance)
{
	holds->holds =
		maui_grow(holds->holds, holds->count + 1, &holds->room, sizeof(*holds->holds));
	holds->holds[holds->count++] = (struct site_hold){
		.begin = begin, .end = end, .first = holds->node_count, .instance = instance};
}

void site_hold_node(struct site_holds *holds, uint32_t node, uint32_t cpus)
{
	holds->nodes = maui_grow(holds->nodes, holds->node_count + 1, &holds->node_room,
				 sizeof(*holds->nodes));
	holds->cpus = maui_grow(holds->cpus, holds->node_count + 1, &holds->cpu_room,
				sizeof(*holds->cpus));
	holds->inside = maui_grow(holds->inside, holds->node_count + 1, &holds->inside_room,
				  sizeof(*holds->inside));
	holds->nodes[holds->node_count] = node;
	holds->inside[holds->node_count] = 0;
	holds->cpus[holds->node_count++] = cpus;
	holds->holds[holds->count - 1].count++;
}

/* ---- in the order of time ---- */

static size_t place_of(const struct site_holds *holds, const uint32_t *order, size_t count,
		       int64_t time, bool by_end)
{
	size_t low = 0;

	while (low < count) {
		size_t middle = low + (count - low) / 2;
		const struct site_hold *hold = &holds->holds[order[middle]];

		if ((by_end ? hold->end : hold->begin) <= time)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

static void holds_insert(const struct site_holds *holds, uint32_t **order, size_t *room,
			 size_t count, uint32_t hold, bool by_end)
{
	int64_t time = by_end ? holds->holds[hold].end : holds->holds[hold].begin;
	size_t at;

	*order = maui_grow(*order, count + 1, room, sizeof(**order));
	at = place_of(holds, *order, count, time, by_end);
	memmove(&(*order)[at + 1], &(*order)[at], (count - at) * sizeof(**order));
	(*order)[at] = hold;
}

static void holds_enter(const struct site_holds *holds, struct site_line *line, uint32_t hold)
{
	holds_insert(holds, &line->begins, &line->begin_room, line->count, hold, false);
	holds_insert(holds, &line->ends, &line->end_room, line->count, hold, true);
	line->count++;
}

void site_holds_stand(struct site_holds *holds)
{
	holds->bars =
		maui_grow(holds->bars, holds->count + 1, &holds->bars_room, sizeof(*holds->bars));
	holds->stand.count = 0;
	for (uint32_t i = 0; i < holds->count; i++)
		holds_enter(holds, &holds->stand, i);
}

void site_holds_clear(struct site_holds *holds)
{
	free(holds->holds);
	free(holds->nodes);
	free(holds->cpus);
	free(holds->inside);
	free(holds->bars);
	free(holds->stand.begins);
	free(holds->stand.ends);
}
