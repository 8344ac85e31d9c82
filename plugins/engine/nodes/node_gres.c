/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums the GRES units that active jobs hold on each node, and clears nodes
 * where the job's units would exceed MAXGRES.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/nodes/node_gres.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"
#include "plugins/engine/nodes/node_use.h"
#include "plugins/engine/slurm/gres_chosen.h"
#include "plugins/engine/slurm/gres_given.h"
#include "plugins/engine/slurm/jobrec.h"

struct node_gres_held {
	uint64_t changes; /* as of which it was counted */
	uint64_t units[]; /* by node, and by the number of the table's GRES */
};

/* ---- what jobs hold ---- */

static void add_units(const struct noderec_gres *gres, uint64_t *units, uint32_t plugin_id,
		      uint32_t type_id, uint64_t amount)
{
	for (uint32_t i = 0; i < gres->count; i++)
		if (gres_id_covers(&gres->names[i], plugin_id, type_id))
			units[i] = maui_gres_plus(units[i], amount);
}

static uint64_t *units_of(const struct node_table *table, uint32_t node)
{
	return &table->held->units[(size_t)node * table->gres.count];
}

static void add_given(void *context, uint32_t node, uint32_t plugin_id, uint32_t type_id,
		      uint64_t amount)
{
	const struct node_table *table = context;

	if (node < table->count)
		add_units(&table->gres, units_of(table, node), plugin_id, type_id, amount);
}

static void take_given(void *context, uint32_t node, uint32_t plugin_id, uint32_t type_id,
		       uint64_t amount)
{
	const struct node_table *table = context;
	const struct noderec_gres *gres = &table->gres;

	for (uint32_t i = 0; node < table->count && i < gres->count; i++)
		if (gres_id_covers(&gres->names[i], plugin_id, type_id))
			units_of(table, node)[i] -= MIN(units_of(table, node)[i], amount);
}

static int count_job(job_record_t *job, void *context)
{
	if (jobrec_is_active(job))
		gres_given_each(job, add_given, context);
	return 0;
}

static bool is_counted(const struct node_table *table)
{
	return table->held && table->held->changes == node_use_changes();
}

void node_gres_begins(struct node_table *table, const job_record_t *job)
{
	if (is_counted(table) && jobrec_is_active(job))
		gres_given_each(job, add_given, table);
}

void node_gres_ends(struct node_table *table, const job_record_t *job)
{
	if (is_counted(table))
		gres_given_each(job, take_given, table);
}

/* By number of GRES. */
static const uint64_t *held_on(struct node_table *table, uint32_t node)
{
	size_t size = sizeof(*table->held->units) * table->count * table->gres.count;
	bool counted = is_counted(table);

	if (!table->held)
		table->held = maui_malloc(1, sizeof(*table->held) + size);
	if (!counted) {
		memset(table->held->units, 0, size);
		jobrec_each(count_job, table);
		table->held->changes = node_use_changes();
	}
	return units_of(table, node);
}

/* ---- what a job takes of one node ---- */

typedef void (*read_amounts_t)(const job_record_t *job, uint32_t node, gres_chosen_found found,
			       void *context);

struct taken {
	const struct noderec_gres *gres;
	uint64_t units[MAUI_GRES_NAMES];
};

static void add_taken(void *context, uint32_t plugin_id, uint32_t type_id, uint64_t amount)
{
	struct taken *taken = context;

	add_units(taken->gres, taken->units, plugin_id, type_id, amount);
}

/* A job that takes none of a GRES is not held up by its limit. */
static bool is_over(struct node_table *table, const job_record_t *job, uint32_t node,
		    read_amounts_t read)
{
	const struct maui_node_limits *limits = &table->rows[node].settings->limits;
	struct taken taken = {.gres = &table->gres};
	const uint64_t *held;

	read(job, node, add_taken, &taken);
	for (size_t i = 0; i < limits->gres_count; i++) {
		unsigned int gres = limits->gres[i].gres;
		int64_t hard = limits->gres[i].limit.hard;

		if (hard <= 0 || !taken.units[gres])
			continue;
		held = held_on(table, node);
		if (maui_gres_plus(held[gres], taken.units[gres]) > (uint64_t)hard)
			return true;
	}
	return false;
}

/* ---- all nodes ---- */

static bool is_limited(const struct node_table *table, uint32_t node)
{
	return table->rows[node].there && table->rows[node].settings->limits.gres_count;
}

void node_gres_apply(struct node_table *table, const job_record_t *job, bitstr_t *nodes)
{
	for (uint32_t i = 0; i < table->count; i++)
		if (bit_test(nodes, i) && is_limited(table, i) &&
		    is_over(table, job, i, gres_least_on))
			bit_clear(nodes, i);
}

bool node_gres_may_hold(struct node_table *table, const job_record_t *job, bitstr_t *nodes,
			bitstr_t *candidates)
{
	bool may = true;

	for (uint32_t i = 0; i < table->count; i++)
		if (bit_test(nodes, i) && is_limited(table, i) &&
		    is_over(table, job, i, gres_chosen_on)) {
			bit_clear(candidates, i);
			may = false;
		}
	return may;
}
