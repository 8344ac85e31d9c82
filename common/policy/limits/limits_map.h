/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pairs of credentials to the numbers 1, 2, ... in order of arrival. For the limits policy only. */
#ifndef MAUI_POLICY_LIMITS_MAP_H
#define MAUI_POLICY_LIMITS_MAP_H

#include <stdint.h>

/*
 * Most look-ups find nothing, and see so from the slots alone: those are small, the keys elsewhere.
 */
struct limit_map {
	struct limit_map_slot {
		uint32_t hash;
		uint32_t number; /* 0: free */
	} * slots;
	uint32_t slot_count; /* 0 or a power of two */
	uint32_t count;
	uint64_t *keys; /* by number */
};

/* A zeroed struct is an empty map. */
void limit_map_clear(struct limit_map *map);
/* 0 if the key is not in the map. O(1). */
uint32_t limit_map_find(const struct limit_map *map, uint64_t key);
/* Add a new key; its number is the resulting count. O(1) amortised. */
void limit_map_add(struct limit_map *map, uint64_t key);
void limit_map_copy(const struct limit_map *map, struct limit_map *ret_copy);

/* kind is below 64, both ids are at most 2^28. */
static inline uint64_t limit_map_key(unsigned int kind, uint32_t first, uint32_t second)
{
	return (uint64_t)kind << 58 | (uint64_t)first << 29 | second;
}

static inline unsigned int limit_map_kind(uint64_t key)
{
	return (unsigned int)(key >> 58);
}
static inline uint32_t limit_map_first(uint64_t key)
{
	return (uint32_t)(key >> 29) & ((UINT32_C(1) << 29) - 1);
}
static inline uint32_t limit_map_second(uint64_t key)
{
	return (uint32_t)key & ((UINT32_C(1) << 29) - 1);
}

/* Every bit of the key affects every bit of the hash. */
static inline uint32_t limit_map_hash(uint64_t key)
{
	key ^= key >> 29;
	key *= UINT64_C(0x9e3779b97f4a7c15);
	key ^= key >> 32;
	key *= UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(key >> 32);
}

/*
 * A look-up in two steps, so that several can wait for memory at once: the first prefetches, the
 * second finds.
 */
static inline uint32_t limit_map_begin(const struct limit_map *map, uint64_t key)
{
	uint32_t hash = limit_map_hash(key);

	if (map->count)
		__builtin_prefetch(&map->slots[hash & (map->slot_count - 1)]);
	return hash;
}

static inline uint32_t limit_map_end(const struct limit_map *map, uint32_t hash, uint64_t key)
{
	uint32_t i = hash & (map->slot_count - 1);

	if (!map->count)
		return 0;
	while (map->slots[i].number &&
	       (map->slots[i].hash != hash || map->keys[map->slots[i].number] != key))
		i = (i + 1) & (map->slot_count - 1);
	return map->slots[i].number;
}

#endif
