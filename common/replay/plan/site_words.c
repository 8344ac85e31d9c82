/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets as lists of words. */
#include "common/replay/plan/site_words.h"

#include <string.h>

#include "common/util/grow.h"

void site_words_reserve(struct site_words *sets, size_t more)
{
	sets->words =
		maui_grow(sets->words, sets->count + more + 1, &sets->room, sizeof(*sets->words));
}

void site_words_append(struct site_words *sets, const struct site_word *words, size_t count)
{
	site_words_reserve(sets, count);
	memcpy(&sets->words[sets->count], words, count * sizeof(*words));
	sets->count += count;
}

uint32_t site_words_pick(struct site_words *sets, size_t first, uint32_t count,
			 const uint64_t *other, bool common)
{
	size_t begin = sets->count;

	site_words_reserve(sets, count);
	for (size_t i = first; i < first + count; i++) {
		struct site_word word = sets->words[i];

		word.bits &= common ? other[word.at] : ~other[word.at];
		if (word.bits)
			sets->words[sets->count++] = word;
	}
	return (uint32_t)(sets->count - begin);
}
