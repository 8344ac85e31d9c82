/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Divides the gaps of a plan on nodes, and keeps them in the order of their begins and ends. */
#include "common/replay/plan/site_gaps.h"

#include <stdlib.h>
#include <string.h>

#include "common/replay/plan/site_times.h"
#include "common/replay/plan/site_words.h"
#include "common/util/grow.h"
#include "common/util/search.h"

static int compare_begins(const void *key, const void *element)
{
	int64_t a = *(const int64_t *)key, b = ((const struct site_gap *)element)->from;

	return a < b ? -1 : a > b;
}

static int compare_ends(const void *key, const void *element)
{
	int64_t a = *(const int64_t *)key, b = ((const struct site_gap *)element)->until;

	return a < b ? -1 : a > b;
}

/* ---- in order ---- */

static void site_gaps_insert(struct site_gap_list *list, size_t at, const struct site_gap *gap)
{
	list->gaps = maui_grow(list->gaps, list->count + 1, &list->room, sizeof(*list->gaps));
	memmove(&list->gaps[at + 1], &list->gaps[at], (list->count++ - at) * sizeof(*list->gaps));
	list->gaps[at] = *gap;
}

static void site_gaps_append(struct site_gaps *gaps, const struct site_gap *gap)
{
	struct site_gap_list *begins = &gaps->begins, *ends = &gaps->ends;

	site_gaps_insert(begins,
			 maui_lower_bound(&gap->from, begins->gaps, begins->count,
					  sizeof(*begins->gaps), compare_begins),
			 gap);
	if (gap->until != INT64_MAX)
		site_gaps_insert(ends,
				 maui_lower_bound(&gap->until, ends->gaps, ends->count,
						  sizeof(*ends->gaps), compare_ends),
				 gap);
}

static void remove_end(struct site_gaps *gaps, const struct site_gap *gap)
{
	struct site_gap_list *ends = &gaps->ends;
	size_t at;

	if (gap->until == INT64_MAX)
		return;
	at = maui_lower_bound(&gap->until, ends->gaps, ends->count, sizeof(*ends->gaps),
			      compare_ends);
	while (ends->gaps[at].first != gap->first)
		at++;
	memmove(&ends->gaps[at], &ends->gaps[at + 1], (--ends->count - at) * sizeof(*ends->gaps));
}

/* ---- pieces ---- */

/* Its words are its own, so that no two gaps have the same first one. Unless nobody can use it. */
static void add_piece(struct site_gaps *gaps, const struct site_gap *gap, const uint64_t *set,
		      bool common, int64_t from, int64_t until)
{
	struct site_gap piece = {.from = from, .until = until, .first = gaps->sets.count};
	struct site_gap_list *pieces = &gaps->pieces;

	if (from > gaps->last || until <= from || until - from <= gaps->shortest)
		return;
	piece.count = site_words_pick(&gaps->sets, gap->first, gap->count, set, common);
	if (piece.count)
		site_gaps_insert(pieces, pieces->count, &piece);
}

void site_gaps_keep(struct site_gaps *gaps, const uint64_t *set, int64_t begin, int64_t end)
{
	struct site_gap_list *begins = &gaps->begins;
	size_t kept = 0;

	gaps->pieces.count = 0;
	for (size_t i = 0; i < begins->count; i++) {
		struct site_gap gap = begins->gaps[i];

		if (gap.from >= end || gap.until <= begin ||
		    !site_words_meet(set, &gaps->sets.words[gap.first], gap.count)) {
			begins->gaps[kept++] = gap;
			continue;
		}
		remove_end(gaps, &gap);
		add_piece(gaps, &gap, set, true, gap.from, begin);
		add_piece(gaps, &gap, set, false, gap.from, gap.until);
		add_piece(gaps, &gap, set, true, end, gap.until);
	}
	begins->count = kept;
	for (size_t i = 0; i < gaps->pieces.count; i++)
		site_gaps_append(gaps, &gaps->pieces.gaps[i]);
}

/* ---- all of it ---- */

void site_gaps_open(struct site_gaps *gaps, const uint64_t *all, size_t words, int64_t now,
		    int64_t shortest, int64_t last)
{
	struct site_gap gap = {.from = now, .until = INT64_MAX};

	gaps->begins.count = gaps->ends.count = gaps->changes.count = gaps->sets.count = 0;
	gaps->shortest = shortest;
	gaps->last = last;
	for (uint32_t i = 0; i < words; i++)
		if (all[i])
			site_words_append(&gaps->sets, &(struct site_word){all[i], i}, 1);
	gap.count = (uint32_t)gaps->sets.count;
	site_gaps_append(gaps, &gap);
}

bool site_gaps_change(struct site_gaps *gaps, int64_t time)
{
	return site_times_add(&gaps->changes, time);
}

void site_gaps_clear(struct site_gaps *gaps)
{
	free(gaps->begins.gaps);
	free(gaps->ends.gaps);
	free(gaps->pieces.gaps);
	free(gaps->sets.words);
	site_times_clear(&gaps->changes);
}
