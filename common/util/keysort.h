/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stable radix sort of many small things by a number: its time depends on their count alone.
 * Allocates nothing.
 */
#ifndef MAUI_UTIL_KEYSORT_H
#define MAUI_UTIL_KEYSORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct maui_keysort_entry {
	uint64_t key;
	uint32_t index; /* what it stands for */
	uint32_t level; /* sorts before the key; below 256 */
};

/*
 * By level, then by key, both ascending; equal elements keep their order. scratch has count
 * elements, too.
 */
void maui_keysort(struct maui_keysort_entry *entries, struct maui_keysort_entry *scratch,
		  size_t count);

/* A key that sorts as the number does. NaN sorts after all numbers; -0 and 0 are the same. */
static inline uint64_t maui_keysort_real(double number)
{
	const uint64_t sign = UINT64_C(1) << 63;
	uint64_t bits;

	number += 0.0; /* -0 becomes 0 */
	if (number != number)
		return UINT64_MAX;
	memcpy(&bits, &number, sizeof(bits));
	return bits & sign ? ~bits : bits | sign;
}

/* The same, greatest first; NaN sorts after all numbers here, too. */
static inline uint64_t maui_keysort_descending(double number)
{
	return maui_keysort_real(-number);
}

#endif
