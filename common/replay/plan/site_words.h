/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of processors or nodes as those of their words that are not 0. */
#ifndef MAUI_REPLAY_SITE_WORDS_H
#define MAUI_REPLAY_SITE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct site_word {
	uint64_t bits;
	uint32_t at;
};

/* One set, or several one after another. */
struct site_words {
	struct site_word *words;
	size_t count, room;
};

/* Room for as many words more. */
void site_words_reserve(struct site_words *sets, size_t more);
void site_words_append(struct site_words *sets, const struct site_word *words, size_t count);
/* Append what a set in there has in common with another one or, without, has beside it. Returns how
 * many words that are. */
uint32_t site_words_pick(struct site_words *sets, size_t first, uint32_t count,
			 const uint64_t *other, bool common);

static inline void site_words_put(uint64_t *set, const struct site_word *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		set[words[i].at] |= words[i].bits;
}

static inline void site_words_drop(uint64_t *set, const struct site_word *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		set[words[i].at] &= ~words[i].bits;
}

static inline bool site_words_meet(const uint64_t *set, const struct site_word *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (set[words[i].at] & words[i].bits)
			return true;
	return false;
}

#endif
