/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two hash tables with linear probing, of objects and of their values, in the
 * configuration's arena. maui_config_freeze() sorts each object's values.
 */
#include "common/config/objects.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/text.h"

#define FIRST_SLOTS 64u

struct maui_config *maui_config_new(void)
{
	struct maui_arena *arena = maui_arena_new();
	struct maui_config *config = maui_arena_alloc(arena, 1, sizeof(*config));

	atomic_init(&config->references, 1);
	config->arena = arena;
	return config;
}

static uint32_t hash_object(enum maui_section section, const char *name, size_t size)
{
	return maui_hash(MAUI_HASH_SEED ^ (uint32_t)section * 0x9e3779b1u, name, size, false);
}

/* The slot of an object, or the free one where it would go. */
static struct maui_object **object_slot(const struct maui_config *config, enum maui_section section,
					const char *name, size_t size)
{
	size_t mask = config->object_slot_count - 1;

	for (size_t at = hash_object(section, name, size) & mask;; at = (at + 1) & mask) {
		struct maui_object *object = config->object_slots[at];

		if (!object || (object->section == section && strlen(object->name) == size &&
				!memcmp(object->name, name, size)))
			return &config->object_slots[at];
	}
}

/*
 * Keep the slots at most half full. The old slots stay in the arena: each set is half of the next.
 */
static void grow_object_slots(struct maui_config *config)
{
	struct maui_object **old = config->object_slots;
	size_t old_count = config->object_slot_count;
	size_t count = old_count ? old_count * 2 : FIRST_SLOTS;

	if ((config->object_count + 1) * 2 <= old_count)
		return;
	config->object_slots = maui_arena_alloc(config->arena, count, sizeof(*old));
	config->object_slot_count = count;
	for (size_t i = 0; i < old_count; i++)
		if (old[i])
			*object_slot(config, old[i]->section, old[i]->name, strlen(old[i]->name)) =
				old[i];
}

static void list_object(struct maui_config *config, const struct maui_object *object)
{
	struct maui_object_list *list = &config->sections[object->section];

	if (list->count == list->room) {
		size_t room = list->room ? list->room * 2 : 16;
		const struct maui_object **objects =
			maui_arena_alloc(config->arena, room, sizeof(*objects));

		if (list->count)
			memcpy(objects, list->objects, list->count * sizeof(*objects));
		list->objects = objects;
		list->room = room;
	}
	list->objects[list->count++] = object;
}

struct maui_object *maui_config_find(const struct maui_config *config, enum maui_section section,
				     const char *name, size_t size)
{
	return config->object_slot_count ? *object_slot(config, section, name, size) : NULL;
}

int maui_config_add_object(struct maui_config *config, enum maui_section section, const char *name,
			   size_t size, struct maui_origin origin, struct maui_object **ret_object)
{
	struct maui_object *object = maui_config_find(config, section, name, size);

	if (object) {
		*ret_object = object;
		return 0;
	}
	if (config->object_count >= MAUI_OBJECTS_LIMIT)
		return -E2BIG;
	object = maui_arena_alloc(config->arena, 1, sizeof(*object));
	grow_object_slots(config);
	object->section = section;
	object->origin = origin;
	object->name = maui_arena_text(config->arena, name, size);
	list_object(config, object);
	*object_slot(config, section, name, size) = object;
	config->object_count++;
	*ret_object = object;
	return 0;
}

static bool same_dimension(const struct maui_value *a, const struct maui_value *b)
{
	if (a->has_dimension != b->has_dimension || a->gres != b->gres || a->period != b->period)
		return false;
	if (!a->has_dimension)
		return true;
	return a->dimension == b->dimension && !a->dimension_name == !b->dimension_name &&
	       (!a->dimension_name || !strcmp(a->dimension_name, b->dimension_name));
}

static uint32_t hash_entry(const struct maui_object *object, const struct maui_value *value)
{
	uint32_t hash = hash_object(object->section, object->name, strlen(object->name));

	hash = (hash ^ value->key->key) * 16777619u;
	hash = (hash ^ value->gres) * 16777619u;
	hash = (hash ^ value->period) * 16777619u;
	if (value->has_dimension)
		hash = (hash ^ (1u + value->dimension)) * 16777619u;
	if (value->has_dimension && value->dimension_name)
		hash = maui_hash(hash, value->dimension_name, strlen(value->dimension_name), false);
	return hash;
}

static struct maui_entry **entry_slot(const struct maui_config *config,
				      const struct maui_object *object,
				      const struct maui_value *value)
{
	size_t mask = config->entry_slot_count - 1;

	for (size_t at = hash_entry(object, value) & mask;; at = (at + 1) & mask) {
		struct maui_entry *entry = config->entry_slots[at];

		if (!entry || (entry->object == object && entry->value.key == value->key &&
			       same_dimension(&entry->value, value)))
			return &config->entry_slots[at];
	}
}

static void grow_entry_slots(struct maui_config *config)
{
	struct maui_entry **old = config->entry_slots;
	size_t old_count = config->entry_slot_count;
	size_t count = old_count ? old_count * 2 : FIRST_SLOTS;

	if ((config->entry_count + 1) * 2 <= old_count)
		return;
	config->entry_slots = maui_arena_alloc(config->arena, count, sizeof(*old));
	config->entry_slot_count = count;
	for (size_t i = 0; i < old_count; i++)
		if (old[i])
			*entry_slot(config, old[i]->object, &old[i]->value) = old[i];
}

/* Append one more line's items to those of earlier lines. */
static void join_lists(struct maui_config *config, struct maui_entry *entry,
		       const struct maui_value *value)
{
	size_t count = entry->value.list_size, total = count + value->list_size;

	if (total > entry->list_room) {
		const char **list = maui_arena_alloc(config->arena, total * 2, sizeof(*list));

		if (count)
			memcpy(list, entry->value.list, count * sizeof(*list));
		entry->list = list;
		entry->list_room = total * 2;
	}
	if (value->list_size)
		memcpy(entry->list + count, value->list, value->list_size * sizeof(*value->list));
	entry->value = *value;
	entry->value.list = entry->list;
	entry->value.list_size = total;
}

/* The entry for a value's object, key and dimension, created if it is new. */
static int make_entry(struct maui_config *config, struct maui_object *object,
		      const struct maui_value *value, struct maui_entry **ret_entry)
{
	struct maui_entry *entry;

	if (config->entry_count >= MAUI_VALUES_LIMIT)
		return -E2BIG;
	entry = maui_arena_alloc(config->arena, 1, sizeof(*entry));
	*entry_slot(config, object, value) = entry;
	config->entry_count++;
	entry->value = *value;
	entry->object = object;
	entry->next = object->entries;
	object->entries = entry;
	object->entry_count++;
	*ret_entry = entry;
	return 0;
}

int maui_config_set(struct maui_config *config, struct maui_object *object,
		    const struct maui_value *value, struct maui_entry **ret_entry)
{
	struct maui_entry *entry;
	int rc = 0;

	grow_entry_slots(config);
	entry = *entry_slot(config, object, value);
	if (!entry)
		rc = make_entry(config, object, value, &entry);
	else if (value->key->cumulative)
		join_lists(config, entry, value);
	else
		entry->value = *value;
	if (!rc)
		entry->value.order = ++config->values_read;
	*ret_entry = entry;
	return rc;
}

struct maui_entry *maui_object_entry(const struct maui_config *config,
				     const struct maui_object *object, enum maui_key key)
{
	const struct maui_value value = {.key = maui_key_info(key)};

	return config->entry_slot_count ? *entry_slot(config, object, &value) : NULL;
}

int maui_config_add_gres(struct maui_config *config, const char *name, size_t size,
			 unsigned int *ret_number)
{
	unsigned int number = 0;

	while (number < config->gres_count && (strlen(config->gres[number]) != size ||
					       memcmp(config->gres[number], name, size) != 0))
		number++;
	*ret_number = number + 1;
	if (number < config->gres_count)
		return 0;
	if (number == MAUI_GRES_NAMES)
		return -E2BIG;
	config->gres[config->gres_count++] = maui_arena_text(config->arena, name, size);
	return 0;
}

int maui_config_add_period(struct maui_config *config, const char *name, size_t size,
			   unsigned int *ret_number)
{
	unsigned int number = 0;

	while (number < config->period_count &&
	       (strlen(config->periods[number].name) != size ||
		memcmp(config->periods[number].name, name, size) != 0))
		number++;
	*ret_number = number + 1;
	if (number < config->period_count)
		return 0;
	if (number == MAUI_PERIODS)
		return -E2BIG;
	config->periods[config->period_count++].name = maui_arena_text(config->arena, name, size);
	return 0;
}

static int compare_periods(const struct maui_value *a, const struct maui_value *b)
{
	return (a->period > b->period) - (a->period < b->period);
}

/* By key, then by GRES, then the plain value, then by dimension, then the general entry, then by name;
 * of each of these first the one of no period. */
static int compare_values(const void *left, const void *right)
{
	const struct maui_value *a = *(const struct maui_value *const *)left;
	const struct maui_value *b = *(const struct maui_value *const *)right;
	int order;

	if (a->key != b->key)
		return a->key->key < b->key->key ? -1 : 1;
	if (a->gres != b->gres)
		return a->gres < b->gres ? -1 : 1;
	if (a->has_dimension != b->has_dimension)
		return a->has_dimension ? 1 : -1;
	if (a->dimension != b->dimension)
		return a->dimension < b->dimension ? -1 : 1;
	if (!a->dimension_name || !b->dimension_name)
		order = !!a->dimension_name - !!b->dimension_name;
	else
		order = strcmp(a->dimension_name, b->dimension_name);
	return order ? order : compare_periods(a, b);
}

static void freeze_object(struct maui_config *config, struct maui_object *object)
{
	object->values =
		maui_arena_alloc(config->arena, object->entry_count, sizeof(*object->values));
	for (const struct maui_entry *entry = object->entries; entry; entry = entry->next)
		if (!entry->removed)
			object->values[object->value_count++] = &entry->value;
	if (object->value_count)
		qsort(object->values, object->value_count, sizeof(*object->values), compare_values);
}

/* Whether one of the policies' parameters is set for this index: RMCFG[base] makes no partition. */
static bool names_partition(const struct maui_object *object)
{
	for (size_t i = 0; i < object->value_count; i++)
		if (object->values[i]->key->area != MAUI_AREA_SLURM)
			return *object->name;
	return false;
}

void maui_config_freeze(struct maui_config *config)
{
	const struct maui_object_list *parameters = &config->sections[MAUI_PARAMETERS];

	for (size_t i = 0; i < config->object_slot_count; i++)
		if (config->object_slots[i])
			freeze_object(config, config->object_slots[i]);
	config->indices =
		maui_arena_alloc(config->arena, parameters->count, sizeof(*config->indices));
	for (size_t i = 0; i < parameters->count; i++)
		if (names_partition(parameters->objects[i]))
			config->indices[config->index_count++] = parameters->objects[i]->name;
}
