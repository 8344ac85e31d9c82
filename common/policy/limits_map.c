/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/limits_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 64
#define MAX_SLOTS   (UINT32_C(1) << 30)

void limit_map_clear(struct limit_map *map)
{
	free(map->slots);
	*map = (struct limit_map){0};
}

/* The key's slot, or the free one where it belongs. */
static struct limit_map_slot *slot_of(const struct limit_map *map, uint64_t key)
{
	uint32_t i = limit_map_slot_of(map, key);

	while (map->slots[i].value && map->slots[i].key != key)
		i = (i + 1) & (map->slot_count - 1);
	return &map->slots[i];
}

uint32_t limit_map_find(const struct limit_map *map, uint64_t key)
{
	return map->count ? slot_of(map, key)->value : 0;
}

static int grow(struct limit_map *map)
{
	struct limit_map larger = {.slot_count =
					   map->slot_count ? map->slot_count * 2 : FIRST_SLOTS,
				   .count = map->count};

	if (map->slot_count >= MAX_SLOTS)
		return -ENOMEM;
	larger.slots = calloc(larger.slot_count, sizeof(*larger.slots));
	if (!larger.slots)
		return -ENOMEM;
	for (uint32_t i = 0; i < map->slot_count; i++)
		if (map->slots[i].value)
			*slot_of(&larger, map->slots[i].key) = map->slots[i];
	free(map->slots);
	*map = larger;
	return 0;
}

int limit_map_add(struct limit_map *map, uint64_t key, uint32_t value)
{
	if (map->count >= map->slot_count / 2 && grow(map))
		return -ENOMEM;
	*slot_of(map, key) = (struct limit_map_slot){key, value};
	map->count++;
	return 0;
}

int limit_map_copy(const struct limit_map *map, struct limit_map *ret_copy)
{
	struct limit_map copy = *map;

	*ret_copy = (struct limit_map){0};
	if (map->slot_count) {
		copy.slots = calloc(map->slot_count, sizeof(*copy.slots));
		if (!copy.slots)
			return -ENOMEM;
		memcpy(copy.slots, map->slots, map->slot_count * sizeof(*copy.slots));
	}
	*ret_copy = copy;
	return 0;
}
