/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Binary search in sorted arrays. */
#ifndef MAUI_UTIL_SEARCH_H
#define MAUI_UTIL_SEARCH_H

#include <stddef.h>

/*
 * The number of elements before a key, which is where its first element is or would go. compare is
 * as for bsearch(): the key comes first.
 */
static inline __attribute__((always_inline)) size_t
maui_lower_bound(const void *key, const void *array, size_t count, size_t size,
		 int (*compare)(const void *key, const void *element))
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(key, (const char *)array + middle * size) > 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
