/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects DEFAULT, the credentials of maui.cfg and those with jobs, then
 * copies their limits and pairs, COPY_BATCH each time it holds the mutex.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/report/credential_rows.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/config/default_name.h"
#include "common/queue/snapshot.h"
#include "common/util/memory.h"
#include "plugins/engine/limits/limits.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/runtime/runtime.h"

#define COPY_BATCH 250   /* credentials or pairs per hold of the mutex */
#define MAX_PAIRS  20000 /* of all credentials in an answer */

/* ---- who there is ---- */

/* Pending jobs, by the id of their credential: a job counts once in each class and QOS. */
static uint32_t *count_pending(const struct maui_snapshot *snapshot, enum maui_credential type)
{
	uint32_t *pending = maui_calloc(snapshot->names.count[type] + 1, sizeof(*pending));

	for (size_t at = 0; at < snapshot->count; at++)
		if (maui_snapshot_is_first(snapshot, at, type))
			pending[snapshot->jobs[at].credential[type]]++;
	return pending;
}

ENGINE_LOCKED static struct credential_row *add_row(struct credential_list *list, const char *name,
						    uint32_t id)
{
	struct credential_row *row = &list->rows[list->count];

	*row = (struct credential_row){.id = id};
	row->name = maui_arena_text(list->memory, name, strlen(name));
	if (id)
		row->number = maui_names_number(in_force.names, list->type, id);
	row->unnamed = maui_names_is_unnamed(in_force.names, list->type, id, name);
	list->count++;
	return row;
}

/* Credentials that maui.cfg names, and DEFAULT, which is always there. */
ENGINE_LOCKED static void add_named(struct credential_list *list,
				    const struct maui_object *const *objects, size_t count)
{
	struct credential_row *fallback = add_row(list, "DEFAULT", MAUI_NO_CREDENTIAL), *row;

	fallback->fallback = true;
	for (size_t i = 0; i < count; i++) {
		const char *name = maui_object_name(objects[i]);

		row = !maui_is_default(name)
			      ? add_row(list, name,
					maui_names_of_configured(in_force.names, list->type, name))
			      : fallback;
		row->object = objects[i];
	}
}

static bool is_used(const struct maui_limit_usage *usage, unsigned int type, uint32_t id)
{
	return usage && (maui_limit_usage_get(usage, type, id, MAUI_LIMIT_ACTIVE, MAUI_LIMIT_JOB) ||
			 maui_limit_usage_get(usage, type, id, MAUI_LIMIT_IDLE, MAUI_LIMIT_JOB));
}

/* Other credentials that have jobs. seen is indexed by id. */
ENGINE_LOCKED static void add_others(struct credential_list *list, const bool *seen,
				     const uint32_t *pending, uint32_t pending_count)
{
	const struct maui_limit_usage *usage = limits_act() ? limits_usage(time(NULL)) : NULL;
	uint32_t count = maui_names_count(in_force.names, list->type);
	char number[MAUI_NAMES_NUMBER_SIZE];

	for (uint32_t id = 1; id <= count; id++)
		if (!seen[id] &&
		    (is_used(usage, list->type, id) || (id <= pending_count && pending[id])))
			add_row(list, maui_names_text(in_force.names, list->type, id, number), id);
}

ENGINE_LOCKED static void collect(struct credential_list *list, const uint32_t *pending,
				  uint32_t pending_count)
{
	const struct maui_object *const *objects;
	size_t count;
	bool *seen;

	list->policy = maui_policy_ref(in_force.policy);
	count = maui_config_objects(list->policy->config, maui_credential_section(list->type),
				    &objects);
	/* Names in maui.cfg may get an id here. */
	list->rows = maui_calloc(count * 2 + maui_names_count(in_force.names, list->type) + 2,
				 sizeof(*list->rows));
	add_named(list, objects, count);
	seen = maui_calloc(maui_names_count(in_force.names, list->type) + 1, sizeof(*seen));
	for (size_t i = 0; i < list->count; i++)
		seen[list->rows[i].id] = true;
	add_others(list, seen, pending, pending_count);
	free(seen);
}

void credential_rows_collect(struct credential_list *list, enum maui_credential type,
			     const struct maui_snapshot *snapshot)
{
	uint32_t *pending = count_pending(snapshot, type);
	uint32_t pending_count = snapshot->names.count[type];

	*list = (struct credential_list){.type = type, .memory = maui_arena_new()};
	engine_lock();
	collect(list, pending, pending_count);
	engine_unlock();
	for (size_t i = 0; i < list->count; i++) {
		struct credential_row *row = &list->rows[i];

		if ((row->id || (row->fallback && type == MAUI_QOS)) && row->id <= pending_count)
			row->pending = pending[row->id];
	}
	free(pending);
}

void credential_rows_clear(struct credential_list *list)
{
	maui_policy_unref(list->policy);
	maui_arena_free(list->memory);
	free(list->rows);
}

/* ---- their limits; the mutex is held ---- */

static void add_limit(struct credential_list *list, struct credential_row *row,
		      const struct maui_limit_entry *entry, const char *second, bool second_unnamed)
{
	struct credential_limit *limit = maui_arena_alloc(list->memory, 1, sizeof(*limit));

	limit->entry = *entry;
	limit->second_unnamed = second_unnamed;
	if (entry->gres)
		limit->entry.gres = maui_arena_text(list->memory, entry->gres, strlen(entry->gres));
	if (entry->period)
		limit->entry.period =
			maui_arena_text(list->memory, entry->period, strlen(entry->period));
	if (entry->next)
		limit->entry.next = maui_arena_text(list->memory, entry->next, strlen(entry->next));
	limit->second = second;
	*row->end = limit;
	row->end = &limit->next;
}

static void fill_row(struct credential_list *list, unsigned int type, struct credential_row *row,
		     const struct maui_limits *limits, const struct maui_limit_usage *usage)
{
	struct maui_limit_entry entries[MAUI_LIMIT_ENTRIES];
	size_t count;

	row->end = &row->limits;
	/* No job can have the others: DEFAULT, and users unknown to the system. */
	if (!row->id && !(row->fallback && type == MAUI_QOS))
		return;
	for (unsigned int metric = 0; usage && metric < MAUI_LIMIT_METRICS; metric++)
		for (unsigned int mode = 0; mode <= MAUI_LIMIT_IDLE; mode++)
			row->usage[mode][metric] =
				maui_limit_usage_get(usage, type, row->id, mode, metric);
	count = limits ? maui_limits_list(limits, usage, type, row->id, entries) : 0;
	for (size_t i = 0; i < count; i++)
		add_limit(list, row, &entries[i], NULL, false);
	count = limits ? maui_limits_list_lifted(limits, usage, type, row->id, entries) : 0;
	for (size_t i = 0; i < count; i++)
		add_limit(list, row, &entries[i], NULL, false);
}

/* The usage now in force. NULL if limits do not act, as nothing is counted then. */
ENGINE_LOCKED static const struct maui_limit_usage *current_usage(struct credential_list *list)
{
	const struct maui_limit_usage *usage = NULL;

	list->limited = maui_limits_any(limits_table(), MAUI_LIMIT_ALL_MODES);
	list->enforced = limits_act();
	if (list->enforced)
		usage = limits_usage(time(NULL));
	list->counted = usage;
	return usage;
}

ENGINE_LOCKED static void fill_rows(struct credential_list *list, size_t first, size_t end)
{
	const struct maui_limit_usage *usage = current_usage(list);

	for (size_t i = first; i < end; i++)
		fill_row(list, list->type, &list->rows[i], limits_table(), usage);
}

/* ---- and those of pairs ---- */

/* by_id: places of rows + 1. */
struct places {
	uint32_t *by_id, count;
};

ENGINE_LOCKED static void add_pair(struct credential_list *list, const struct places *places,
				   uint32_t number, const struct maui_limit_usage *usage,
				   size_t *pairs)
{
	struct maui_limit_entry entries[2 * MAUI_LIMIT_ENTRIES];
	char text[MAUI_NAMES_NUMBER_SIZE];
	unsigned int type;
	uint32_t id;
	size_t count = maui_limits_list_pair(limits_table(), usage, number, &type, &id, entries);
	const char *second;
	bool unnamed;

	count += maui_limits_list_pair_lifted(limits_table(), usage, number, &type, &id,
					      &entries[count]);
	if (!count || type != list->type || id >= places->count || !places->by_id[id])
		return;
	if (*pairs >= MAX_PAIRS) {
		list->omitted_pairs++;
		return;
	}
	++*pairs;
	second =
		maui_names_text(in_force.names, entries[0].second_type, entries[0].second_id, text);
	if (!second) /* jobs without a QOS */
		second = "DEFAULT";
	unnamed = maui_names_is_unnamed(in_force.names, entries[0].second_type,
					entries[0].second_id, second);
	second = maui_arena_text(list->memory, second, strlen(second));
	for (size_t i = 0; i < count; i++)
		add_limit(list, &list->rows[places->by_id[id] - 1], &entries[i], second, unnamed);
}

/* Starts at pair *number, which is then set to the next one, or to 0 when all are done. */
ENGINE_LOCKED static void add_pairs(struct credential_list *list, const struct places *places,
				    uint32_t *number, size_t *pairs)
{
	const struct maui_limit_usage *usage = current_usage(list);
	uint32_t count = usage ? maui_limit_usage_pairs(usage) : 0, end = *number + COPY_BATCH;

	for (; *number <= count && *number < end; ++*number)
		add_pair(list, places, *number, usage, pairs);
	if (*number > count)
		*number = 0;
}

/* ---- without the mutex ---- */

static void find_places(const struct credential_list *list, struct places *places)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->rows[i].id >= places->count)
			places->count = list->rows[i].id + 1;
	places->by_id = maui_calloc(places->count + 1, sizeof(*places->by_id));
	for (size_t i = 0; i < list->count; i++)
		if (list->rows[i].id)
			places->by_id[list->rows[i].id] = (uint32_t)i + 1;
}

static void fill_pairs(struct credential_list *list)
{
	struct places places = {0};
	size_t pairs = 0;

	find_places(list, &places);
	for (uint32_t number = 1; number;) {
		engine_lock();
		add_pairs(list, &places, &number, &pairs);
		engine_unlock();
	}
	free(places.by_id);
}

void credential_rows_fill(struct credential_list *list)
{
	list->system.id = 1;
	engine_lock();
	fill_row(list, MAUI_WHOLE_SYSTEM, &list->system, limits_table(), current_usage(list));
	engine_unlock();
	for (size_t i = 0, end; i < list->count; i = end) {
		end = i + COPY_BATCH < list->count ? i + COPY_BATCH : list->count;
		engine_lock();
		fill_rows(list, i, end);
		engine_unlock();
	}
	fill_pairs(list);
}
