/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the rows of sinfo twice: first the nodes, then each node's partitions.
 */
#include "common/replay/nodes/sinfo.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/replay/readers/table.h"
#include "common/util/slurm/hostlist.h"
#include "common/util/text.h"

#define TEXT_SIZE 1024

enum column { NODE, CPUS, MEMORY, FEATURES, GRES, PARTITION, COLUMNS };

static const struct maui_table_column columns[COLUMNS] = {
	[NODE] = {"NODELIST", true},  [CPUS] = {"CPUS", true},
	[MEMORY] = {"MEMORY", false}, [FEATURES] = {"AVAIL_FEATURES", false},
	[GRES] = {"GRES", false},     [PARTITION] = {"PARTITION", false},
};

struct reading {
	struct maui_replay_nodes *nodes;
	bool partitions; /* the second time, when all nodes are there */
};

/* sinfo's (null) is nothing. False: it is too long. */
static bool sinfo_copy(const struct maui_table *table, enum column column, char text[TEXT_SIZE])
{
	struct maui_table_piece piece = table->value[column];

	text[0] = '\0';
	if (!piece.size || maui_equals(piece.text, piece.size, "(null)"))
		return true;
	if (piece.size >= TEXT_SIZE) {
		maui_table_complain(table, piece.text, "this is too long");
		return false;
	}
	snprintf(text, TEXT_SIZE, "%.*s", (int)piece.size, piece.text);
	return true;
}

static void add_node(struct reading *reading, const struct maui_table *table, const char *name)
{
	static const char *const none[] = {NULL};
	char features[TEXT_SIZE], gres[TEXT_SIZE];
	int64_t cpus, memory;
	struct maui_error error;

	if (maui_replay_nodes_find(reading->nodes, name) != UINT32_MAX)
		return; /* in another partition */
	if (!sinfo_copy(table, FEATURES, features) || !sinfo_copy(table, GRES, gres) ||
	    !maui_table_number(table, CPUS, none, &cpus) ||
	    !maui_table_number(table, MEMORY, none, &memory))
		return;
	if (memory == MAUI_REPLAY_UNKNOWN)
		memory = 0;
	if (cpus < 0 || cpus > MAUI_REPLAY_MAX_CPUS)
		cpus = 0; /* which is refused */
	if (maui_replay_nodes_add(reading->nodes, name, (uint32_t)cpus, memory, features, gres,
				  &error))
		maui_table_complain(table, table->begin, error.text);
}

static void add_partition(struct reading *reading, const struct maui_table *table,
			  const char *node_name)
{
	uint32_t node = maui_replay_nodes_find(reading->nodes, node_name);
	char name[TEXT_SIZE];

	if (node == UINT32_MAX || !sinfo_copy(table, PARTITION, name))
		return;
	name[strcspn(name, "*")] = '\0'; /* the default one */
	if (*name)
		maui_replay_put(maui_replay_nodes_partition(reading->nodes, name)->members, node);
}

static void take_row(void *context, const struct maui_table *table)
{
	struct reading *reading = context;
	char name[TEXT_SIZE];

	if (!sinfo_copy(table, NODE, name) || !*name)
		return;
	if (maui_hostlist_is_range(name))
		maui_table_complain(table, table->value[NODE].text, "more than one node: sinfo -N");
	else if (reading->partitions)
		add_partition(reading, table, name);
	else
		add_node(reading, table, name);
}

static void say_nothing(void *context, uint32_t line, uint32_t column, const char *text)
{
	(void)context;
	(void)line;
	(void)column;
	(void)text;
}

static int complain_of_nothing(struct maui_table *table, const char *text)
{
	if (!table->line) { /* there is not even a line */
		table->line = 1;
		table->begin = table->end = text;
	}
	maui_table_complain(table, table->end, "there is no node");
	return -EINVAL;
}

int maui_replay_sinfo_read(struct maui_replay_nodes *nodes, const char *text, size_t size,
			   const struct maui_replay_complaints *complaints, size_t *bad_lines)
{
	static const struct maui_replay_complaints once = {say_nothing, NULL};
	struct reading reading = {.nodes = nodes};
	struct maui_table table = {.columns = columns,
				   .column_count = COLUMNS,
				   .complaints = complaints,
				   .bad_lines = bad_lines};
	struct maui_table again = table;
	size_t counted = 0;
	int rc = maui_table_read(&table, text, size, take_row, &reading);

	if (rc)
		return rc;
	if (!nodes->count)
		return complain_of_nothing(&table, text);
	reading.partitions = true;
	again.complaints = &once;
	again.bad_lines = &counted;
	return maui_table_read(&again, text, size, take_row, &reading);
}
