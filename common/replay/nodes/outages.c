/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads rows of sacctmgr's events or reservations. ResumeTimeout and
 * SuspendTimeout shorten the outage of a node in power saving.
 */
#include "common/replay/nodes/outages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/replay/readers/table.h"
#include "common/util/grow.h"
#include "common/util/slurm/hostlist.h"
#include "common/util/memory.h"
#include "common/util/text.h"

enum column { NODES, BEGIN, END, STATE, FLAGS, NAME, COLUMNS };

static const struct maui_table_column columns[COLUMNS] = {
	[NODES] = {"NodeName", true}, [BEGIN] = {"TimeStart", true}, [END] = {"TimeEnd", true},
	[STATE] = {"State", false},   [FLAGS] = {"Flags", false},    [NAME] = {"Name", false},
};

struct reading {
	struct maui_replay_outages *outages;
	const struct maui_replay_nodes *nodes;
};

static void add_node(struct maui_replay_outages *outages, uint32_t node)
{
	outages->nodes = maui_grow(outages->nodes, outages->node_count + 1, &outages->node_room,
				   sizeof(*outages->nodes));
	outages->nodes[outages->node_count++] = node;
}

static void outages_add(struct maui_replay_outages *outages,
			const struct maui_replay_outage *outage)
{
	outages->list = maui_grow(outages->list, outages->count + 1, &outages->room,
				  sizeof(*outages->list));
	outages->list[outages->count++] = *outage;
}

#define TOO_MANY 1 /* of take_node() */

static int take_node(void *context, const char *name)
{
	const struct reading *reading = context;
	uint32_t node = maui_replay_nodes_find(reading->nodes, name);

	if (node == UINT32_MAX)
		return 0;
	if (reading->outages->node_count == MAUI_REPLAY_MAX_OUTAGE_NODES)
		return TOO_MANY;
	add_node(reading->outages, node);
	return 0;
}

/* The nodes of a row go behind the others; none of them do if there is something wrong. */
static void take_nodes(struct reading *reading, const struct maui_table *table)
{
	struct maui_table_piece piece = table->value[NODES];
	char *names = maui_strndup(piece.text, piece.size);
	size_t before = reading->outages->node_count;
	struct maui_error error;
	int rc = maui_hostlist_expand(names, take_node, reading, NULL, NULL, &error);

	if (rc == TOO_MANY)
		maui_error_set(&error, E2BIG, "with these, more than %u nodes of outages",
			       MAUI_REPLAY_MAX_OUTAGE_NODES);
	if (rc) {
		reading->outages->node_count = before;
		maui_table_complain(table, piece.text, error.text);
	}
	free(names);
}

static void take_name(struct maui_replay_outages *outages, struct maui_table_piece piece,
		      struct maui_replay_outage *outage)
{
	char *name = piece.size ? maui_strndup(piece.text, piece.size) : maui_strdup("maintenance");

	if (!outages->names)
		outages->names = maui_intern_new();
	outage->name = maui_intern_add(outages->names, name);
	free(name);
}

static bool is_maintenance(struct maui_table_piece flags)
{
	struct maui_table_piece item;

	if (!flags.text)
		return true;
	while (maui_table_item(&flags, ',', &item))
		if (maui_equals(item.text, item.size, "MAINT"))
			return true;
	return false;
}

/* When the node of an event can be used again. */
static int64_t end_of_event(const struct maui_replay_outages *outages,
			    const struct maui_table *table, const struct maui_replay_outage *outage)
{
	struct maui_table_piece state = table->value[STATE];
	enum maui_node_use use = maui_node_use(maui_node_state(state.text, state.size));
	int64_t delay = maui_node_delay(use, &outages->timeouts);

	/* How long a reboot took is what the row says. */
	if (use == MAUI_NODE_REBOOTS || delay < 0 || delay >= outage->end - outage->begin)
		return outage->end;
	return outage->begin + delay;
}

/* An outage of no time is none. */
static void add_unplanned(struct maui_replay_outages *outages, const struct maui_table *table,
			  struct maui_replay_outage *outage)
{
	int64_t end = end_of_event(outages, table, outage);
	bool usable = end == outage->begin;

	outages->usable += usable;
	outages->shortened += !usable && end < outage->end;
	outage->end = end;
	if (usable)
		outages->node_count = outage->first;
	else
		outages_add(outages, outage);
}

static void take_row(void *context, const struct maui_table *table)
{
	struct reading *reading = context;
	struct maui_replay_outages *outages = reading->outages;
	struct maui_replay_outage outage = {.planned = !table->value[STATE].text,
					    .first = outages->node_count};

	if (!table->value[NODES].size || !is_maintenance(table->value[FLAGS]) ||
	    !maui_table_time(table, BEGIN, &outage.begin) ||
	    !maui_table_time(table, END, &outage.end) || outage.begin == MAUI_REPLAY_UNKNOWN)
		return;
	if (outage.end == MAUI_REPLAY_UNKNOWN)
		outage.end = MAUI_REPLAY_FOREVER;
	if (outage.end <= outage.begin)
		return;
	take_nodes(reading, table);
	outage.count = (uint32_t)(outages->node_count - outage.first);
	if (!outage.count)
		return;
	if (!outage.planned) {
		add_unplanned(outages, table, &outage);
		return;
	}
	take_name(outages, table->value[NAME], &outage);
	outages_add(outages, &outage);
}

int maui_replay_outages_read(struct maui_replay_outages *outages,
			     const struct maui_replay_nodes *nodes, const char *text, size_t size,
			     const struct maui_replay_complaints *complaints)
{
	struct reading reading = {outages, nodes};
	struct maui_table table = {.columns = columns,
				   .column_count = COLUMNS,
				   .complaints = complaints,
				   .bad_lines = &outages->bad_lines};

	return maui_table_read(&table, text, size, take_row, &reading);
}

void maui_replay_outages_add(struct maui_replay_outages *outages, int64_t begin, int64_t end,
			     uint32_t node)
{
	struct maui_replay_outage outage = {
		.begin = begin, .end = end, .first = outages->node_count, .count = 1};

	add_node(outages, node);
	outages_add(outages, &outage);
}

void maui_replay_outages_clear(struct maui_replay_outages *outages)
{
	free(outages->list);
	free(outages->nodes);
	maui_intern_free(outages->names);
}
