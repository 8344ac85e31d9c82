/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Insertion sort below 48 elements. Above, a radix sort from the lowest digit,
 * of 8 or 11 bits, that skips digits without differences.
 */
#include "common/util/keysort.h"

#include <stdbool.h>

#define FEW       48   /* from here on, counting digits pays off */
#define MANY      4096 /* from here on, fewer but longer digits do */
#define MOST_BITS 11
#define KEY_BITS  64

static bool keysort_before(const struct maui_keysort_entry *a, const struct maui_keysort_entry *b)
{
	return a->level != b->level ? a->level < b->level : a->key < b->key;
}

static void keysort_insert(struct maui_keysort_entry *entries, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct maui_keysort_entry entry = entries[i];
		size_t at = i;

		for (; at && keysort_before(&entry, &entries[at - 1]); at--)
			entries[at] = entries[at - 1];
		entries[at] = entry;
	}
}

/* The bits in which keys differ, and those in which levels do. */
static uint64_t find_differences(const struct maui_keysort_entry *entries, size_t count,
				 uint32_t *ret_level)
{
	uint64_t key = 0;
	uint32_t level = 0;

	for (size_t i = 1; i < count; i++) {
		key |= entries[i].key ^ entries[0].key;
		level |= entries[i].level ^ entries[0].level;
	}
	*ret_level = level;
	return key;
}

/* Copy from one array to the other in the order of one digit: bits of the key, or the level. */
static void sort_digit(const struct maui_keysort_entry *from, struct maui_keysort_entry *to,
		       size_t count, unsigned int shift, unsigned int bits)
{
	uint32_t places[1u << MOST_BITS], place = 0;
	const uint32_t mask = (1u << bits) - 1;
	const bool level = shift >= KEY_BITS;

	memset(places, 0, sizeof(*places) << bits);
	for (size_t i = 0; i < count; i++)
		places[(level ? from[i].level : (uint32_t)(from[i].key >> shift)) & mask]++;
	for (uint32_t value = 0; value <= mask; value++) {
		uint32_t here = places[value];

		places[value] = place;
		place += here;
	}
	for (size_t i = 0; i < count; i++)
		to[places[(level ? from[i].level : (uint32_t)(from[i].key >> shift)) & mask]++] =
			from[i];
}

void maui_keysort(struct maui_keysort_entry *entries, struct maui_keysort_entry *scratch,
		  size_t count)
{
	const unsigned int bits = count < MANY ? 8 : MOST_BITS;
	struct maui_keysort_entry *from = entries, *to = scratch, *swap;
	uint64_t differences;
	uint32_t levels;

	if (count < FEW) {
		keysort_insert(entries, count);
		return;
	}
	differences = find_differences(entries, count, &levels);
	for (unsigned int shift = 0; shift < KEY_BITS + bits; shift += bits) {
		/*
		 * Most keys differ in few digits: the others need no work. The last digit is the
		 * level.
		 */
		if (shift >= KEY_BITS ? !levels : !(differences >> shift & ((1u << bits) - 1)))
			continue;
		sort_digit(from, to, count, shift, shift < KEY_BITS ? bits : 8);
		swap = from;
		from = to;
		to = swap;
	}
	if (from != entries)
		memcpy(entries, from, count * sizeof(*entries));
}
