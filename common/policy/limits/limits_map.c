/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hash table of pairs of credentials with linear probing, at most half full.
 * Its slots and keys double when it grows.
 */
#include "common/policy/limits/limits_map.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"

#define FIRST_SLOTS 64
#define MAX_SLOTS   (UINT32_C(1) << 30)

void limit_map_clear(struct limit_map *map)
{
	free(map->slots);
	free(map->keys);
	*map = (struct limit_map){0};
}

uint32_t limit_map_find(const struct limit_map *map, uint64_t key)
{
	return limit_map_end(map, limit_map_hash(key), key);
}

/* Into the first free slot from its home on. */
static void limits_map_place(struct limit_map_slot *slots, uint32_t slot_count,
			     struct limit_map_slot slot)
{
	uint32_t i = slot.hash & (slot_count - 1);

	while (slots[i].number)
		i = (i + 1) & (slot_count - 1);
	slots[i] = slot;
}

/* Half of the slots may be used: there is room for as many keys, and one for number 0. */
static uint32_t key_room(uint32_t slot_count)
{
	return slot_count / 2 + 1;
}

static void limits_map_grow(struct limit_map *map)
{
	uint32_t slot_count = map->slot_count ? map->slot_count * 2 : FIRST_SLOTS;
	struct limit_map_slot *slots;

	if (map->slot_count >= MAX_SLOTS)
		maui_memory_short(SIZE_MAX);
	map->keys = maui_realloc(map->keys, key_room(slot_count), sizeof(*map->keys));
	slots = maui_calloc(slot_count, sizeof(*slots));
	for (uint32_t i = 0; i < map->slot_count; i++)
		if (map->slots[i].number)
			limits_map_place(slots, slot_count, map->slots[i]);
	free(map->slots);
	map->slots = slots;
	map->slot_count = slot_count;
}

void limit_map_add(struct limit_map *map, uint64_t key)
{
	if (map->count >= map->slot_count / 2)
		limits_map_grow(map);
	map->count++;
	map->keys[map->count] = key;
	limits_map_place(map->slots, map->slot_count,
			 (struct limit_map_slot){limit_map_hash(key), map->count});
}

void limit_map_copy(const struct limit_map *map, struct limit_map *ret_copy)
{
	*ret_copy = (struct limit_map){0};
	if (!map->count)
		return;
	ret_copy->slots = maui_malloc(map->slot_count, sizeof(*map->slots));
	ret_copy->keys = maui_calloc(key_room(map->slot_count), sizeof(*map->keys));
	memcpy(ret_copy->slots, map->slots, map->slot_count * sizeof(*map->slots));
	memcpy(ret_copy->keys + 1, map->keys + 1, map->count * sizeof(*map->keys));
	ret_copy->slot_count = map->slot_count;
	ret_copy->count = map->count;
}
