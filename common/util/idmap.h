/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers to numbers: uids to interned ids, job ids to slots. A key is any 32-bit number, a value
 * is never 0.
 */
#ifndef MAUI_UTIL_IDMAP_H
#define MAUI_UTIL_IDMAP_H

#include <stdint.h>

struct maui_idmap {
	struct maui_idmap_slot {
		uint32_t key, value; /* value 0: free */
	} * slots;
	uint32_t slot_count; /* 0 or a power of two */
	uint32_t count;
};

/* A zeroed struct is an empty map. */
void maui_idmap_clear(struct maui_idmap *map);

/* 0 if the key is not in the map. O(1). */
uint32_t maui_idmap_find(const struct maui_idmap *map, uint32_t key);

/* Add or replace. O(1) amortised. */
void maui_idmap_set(struct maui_idmap *map, uint32_t key, uint32_t value);

/* Forget a key; nothing happens if it is not there. O(1). */
void maui_idmap_remove(struct maui_idmap *map, uint32_t key);

#endif
