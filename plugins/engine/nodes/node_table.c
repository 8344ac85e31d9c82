/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds the table in one pass over Slurm's node records, adds NODECFG's
 * settings to each row, and sorts the list by weight and index.
 */
#include "plugins/engine/nodes/node_table.h"

#include <stdlib.h>

#include "common/util/memory.h"

struct node_table *node_table_free(struct node_table *table)
{
	if (table) {
		maui_policy_unref(table->policy);
		free(table->rows);
		free(table->list);
		free(table->held);
		free(table);
	}
	return NULL;
}

bool node_row_limited(const struct node_row *row)
{
	const struct maui_node_limits *limits = &row->settings->limits;

	return limits->jobs.hard > 0 || limits->jobs_per_user.hard > 0 || limits->procs.hard > 0 ||
	       limits->procs_per_user.hard > 0 || limits->pe_per_job > 0 || limits->load > 0 ||
	       limits->dimension_count;
}

static void fill_row(struct node_table *table, uint32_t index, const struct noderec_facts *node)
{
	table->rows[index] = (struct node_row){
		.settings = maui_node_settings(table->policy->nodes, node->name),
		.procs = node->cpus,
		.memory = (double)node->memory,
		.disk = node->disk,
		.weight = node->weight,
		.there = true,
	};
}

static int by_weight(const void *a, const void *b, void *context)
{
	const struct node_row *rows = context;
	uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;

	if (rows[first].weight != rows[second].weight)
		return rows[first].weight < rows[second].weight ? -1 : 1;
	return first < second ? -1 : first > second;
}

struct node_table *node_table_new(struct maui_policy *policy)
{
	struct node_table *table = maui_calloc(1, sizeof(*table));
	uint32_t count = noderec_count();

	table->policy = maui_policy_ref(policy);
	table->count = count;
	noderec_gres_bind(maui_node_policy_gres(policy->nodes), &table->gres);
	table->rows = maui_calloc(count + 1, sizeof(*table->rows));
	table->list = maui_calloc(count + 1, sizeof(*table->list));
	for (uint32_t i = 0; i < count; i++) {
		struct noderec_facts node;

		if (!noderec_look(i, &node))
			continue;
		fill_row(table, i, &node);
		table->limited |= node_row_limited(&table->rows[i]);
		table->gres_limited |= table->rows[i].settings->limits.gres_count > 0;
		table->list[table->listed++] = i;
	}
	qsort_r(table->list, table->listed, sizeof(*table->list), by_weight, table->rows);
	if (table->listed)
		table->weights_differ = table->rows[table->list[0]].weight !=
					table->rows[table->list[table->listed - 1]].weight;
	return table;
}
