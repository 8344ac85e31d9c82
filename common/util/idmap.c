/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Open addressing with linear probing, at most half full; removal closes the gap, so there are no
 * tombstones.
 */
#include "common/util/idmap.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"

/* Neighbouring job ids and uids must not make long runs: multiply by 2^32 / golden ratio and keep
 * the upper bits. */
static uint32_t idmap_home(const struct maui_idmap *map, uint32_t key)
{
	return (uint32_t)((key * UINT64_C(2654435769)) >> 8) & (map->slot_count - 1);
}

static struct maui_idmap_slot *find_slot(const struct maui_idmap *map, uint32_t key)
{
	uint32_t at = idmap_home(map, key);

	while (map->slots[at].value && map->slots[at].key != key)
		at = (at + 1) & (map->slot_count - 1);
	return &map->slots[at];
}

static void idmap_grow(struct maui_idmap *map)
{
	struct maui_idmap bigger = {.slot_count = map->slot_count ? map->slot_count * 2 : 64};

	bigger.slots = maui_calloc(bigger.slot_count, sizeof(*bigger.slots));
	for (uint32_t at = 0; at < map->slot_count; at++)
		if (map->slots[at].value)
			*find_slot(&bigger, map->slots[at].key) = map->slots[at];
	bigger.count = map->count;
	free(map->slots);
	*map = bigger;
}

void maui_idmap_clear(struct maui_idmap *map)
{
	free(map->slots);
	memset(map, 0, sizeof(*map));
}

uint32_t maui_idmap_find(const struct maui_idmap *map, uint32_t key)
{
	return map->count ? find_slot(map, key)->value : 0;
}

void maui_idmap_set(struct maui_idmap *map, uint32_t key, uint32_t value)
{
	struct maui_idmap_slot *slot;

	if ((map->count + 1) * 2 > map->slot_count)
		idmap_grow(map);
	slot = find_slot(map, key);
	if (!slot->value)
		map->count++;
	*slot = (struct maui_idmap_slot){.key = key, .value = value};
}

void maui_idmap_remove(struct maui_idmap *map, uint32_t key)
{
	uint32_t mask = map->slot_count - 1, gap, at;
	struct maui_idmap_slot *slot;

	if (!map->count)
		return;
	slot = find_slot(map, key);
	if (!slot->value)
		return;
	gap = (uint32_t)(slot - map->slots);
	for (at = (gap + 1) & mask; map->slots[at].value; at = (at + 1) & mask) {
		/* An entry may move into the gap unless its home lies after the gap. */
		if (((at - idmap_home(map, map->slots[at].key)) & mask) >= ((at - gap) & mask)) {
			map->slots[gap] = map->slots[at];
			gap = at;
		}
	}
	map->slots[gap].value = 0;
	map->count--;
}
