/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow: at least to twice of what they have, so that adding is O(1) amortised. */
#ifndef MAUI_UTIL_GROW_H
#define MAUI_UTIL_GROW_H

#include <stddef.h>

void *maui_grow_larger(void *array, size_t wanted, size_t *room, size_t size);

/*
 * Room for so many elements in an array that has room for *room, which says afterwards how many it
 * has room for. Returns where it is now, or NULL when memory is short or there cannot be so many:
 * the array and *room are as they were then. wanted is 1 at least.
 */
static inline void *maui_grow(void *array, size_t wanted, size_t *room, size_t size)
{
	return wanted <= *room ? array : maui_grow_larger(array, wanted, room, size);
}

/* The same, and what is new is zeros. */
void *maui_grow_zeroed(void *array, size_t wanted, size_t *room, size_t size);

#endif
