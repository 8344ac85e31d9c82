/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growable arrays: they at least double, so that adding is O(1) amortised. */
#ifndef MAUI_UTIL_GROW_H
#define MAUI_UTIL_GROW_H

#include <stddef.h>

void *maui_grow_larger(void *array, size_t wanted, size_t *room, size_t size);

/*
 * Make an array with room for *room elements large enough for `wanted`, and update *room. Returns
 * where it is now. wanted is at least 1.
 */
static inline void *maui_grow(void *array, size_t wanted, size_t *room, size_t size)
{
	return wanted <= *room ? array : maui_grow_larger(array, wanted, room, size);
}

/* The same, with the new elements zeroed. */
void *maui_grow_zeroed(void *array, size_t wanted, size_t *room, size_t size);

#endif
