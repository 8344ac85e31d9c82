/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/util/keysort.h"

#include <stdbool.h>

#define DIGIT_BITS 8
#define VALUES     256 /* of a digit */
#define KEY_DIGITS 8
#define DIGITS     (KEY_DIGITS + 1) /* the last one is the level */
#define FEW        48               /* from here on counting digits pays */

static bool before(const struct maui_keysort_entry *a, const struct maui_keysort_entry *b)
{
	return a->level != b->level ? a->level < b->level : a->key < b->key;
}

static void insert(struct maui_keysort_entry *entries, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct maui_keysort_entry entry = entries[i];
		size_t at = i;

		for (; at && before(&entry, &entries[at - 1]); at--)
			entries[at] = entries[at - 1];
		entries[at] = entry;
	}
}

static unsigned int digit_of(const struct maui_keysort_entry *entry, unsigned int digit)
{
	return digit == KEY_DIGITS ? (uint8_t)entry->level
				   : (uint8_t)(entry->key >> (digit * DIGIT_BITS));
}

void maui_keysort(struct maui_keysort_entry *entries, struct maui_keysort_entry *scratch,
		  size_t count)
{
	struct maui_keysort_entry *from = entries, *to = scratch, *swap;
	uint32_t counts[DIGITS][VALUES];

	if (count < FEW) {
		insert(entries, count);
		return;
	}
	memset(counts, 0, sizeof(counts));
	for (size_t i = 0; i < count; i++)
		for (unsigned int digit = 0; digit < DIGITS; digit++)
			counts[digit][digit_of(&entries[i], digit)]++;
	for (unsigned int digit = 0; digit < DIGITS; digit++) {
		uint32_t *places = counts[digit], place = 0;

		/* All have the same digit: most keys differ in few. */
		if (places[digit_of(&from[0], digit)] == count)
			continue;
		for (unsigned int value = 0; value < VALUES; value++) {
			uint32_t here = places[value];

			places[value] = place;
			place += here;
		}
		for (size_t i = 0; i < count; i++)
			to[places[digit_of(&from[i], digit)]++] = from[i];
		swap = from;
		from = to;
		to = swap;
	}
	if (from != entries)
		memcpy(entries, from, count * sizeof(*entries));
}
