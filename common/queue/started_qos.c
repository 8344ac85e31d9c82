/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list of runs indexed by job ID. After each walk over Slurm's jobs, entries
 * of jobs that it did not meet are dropped.
 */
#include "common/queue/started_qos.h"

#include <stdbool.h>
#include <stdlib.h>

#include "common/util/grow.h"

void maui_started_qos_clear(struct maui_started_qos_table *table)
{
	maui_idmap_clear(&table->by_job);
	free(table->list);
	*table = (struct maui_started_qos_table){.walk = table->walk};
}

static struct maui_started_qos *started_qos_find(const struct maui_started_qos_table *table,
						 uint32_t job_id)
{
	uint32_t place = maui_idmap_find(&table->by_job, job_id);

	return place ? &table->list[place - 1] : NULL;
}

/* Whether the entry is of this run, and its record still names the QOS that it named then. */
static bool holds_for(const struct maui_started_qos *entry, int64_t started, uint32_t recorded)
{
	return entry && entry->started == started &&
	       (!entry->recorded || entry->recorded == recorded);
}

/* Find or add. */
static struct maui_started_qos *entry_of(struct maui_started_qos_table *table, uint32_t job_id)
{
	struct maui_started_qos *entry = started_qos_find(table, job_id);

	if (entry)
		return entry;
	table->list = maui_grow(table->list, table->count + 1, &table->room, sizeof(*table->list));
	maui_idmap_set(&table->by_job, job_id, (uint32_t)table->count + 1);
	return &table->list[table->count++];
}

void maui_started_qos_restore(struct maui_started_qos_table *table,
			      const struct maui_started_qos *one)
{
	struct maui_started_qos *entry = started_qos_find(table, one->job_id);

	if (entry && entry->started != one->started)
		return;
	entry = entry_of(table, one->job_id);
	*entry = (struct maui_started_qos){.job_id = one->job_id,
					   .qos = one->qos,
					   .started = one->started,
					   .seen = table->walk};
}

bool maui_started_qos_see(struct maui_started_qos_table *table, uint32_t job_id, int64_t started,
			  uint32_t recorded)
{
	struct maui_started_qos *entry = started_qos_find(table, job_id);

	if (holds_for(entry, started, recorded)) {
		entry->recorded = recorded;
		entry->seen = table->walk;
		return false;
	}
	entry = entry_of(table, job_id);
	*entry = (struct maui_started_qos){job_id, recorded, recorded, started, table->walk};
	return true;
}

uint32_t maui_started_qos_of(const struct maui_started_qos_table *table, uint32_t job_id,
			     int64_t started, uint32_t recorded)
{
	const struct maui_started_qos *entry = started_qos_find(table, job_id);

	return holds_for(entry, started, recorded) ? entry->qos : recorded;
}

void maui_started_qos_begin(struct maui_started_qos_table *table)
{
	table->walk++;
}

static void started_qos_drop(struct maui_started_qos_table *table, size_t place)
{
	struct maui_started_qos *last = &table->list[table->count - 1];

	maui_idmap_remove(&table->by_job, table->list[place].job_id);
	if (last != &table->list[place]) {
		table->list[place] = *last;
		maui_idmap_set(&table->by_job, last->job_id, (uint32_t)place + 1);
	}
	table->count--;
}

void maui_started_qos_forget(struct maui_started_qos_table *table, uint32_t job_id)
{
	struct maui_started_qos *entry = started_qos_find(table, job_id);

	if (entry)
		started_qos_drop(table, (size_t)(entry - table->list));
}

size_t maui_started_qos_end(struct maui_started_qos_table *table)
{
	size_t before = table->count;

	for (size_t i = table->count; i-- > 0;)
		if (table->list[i].seen < table->walk)
			started_qos_drop(table, i);
	return before - table->count;
}
