/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Edit distance with swaps of neighbours, in any case. A candidate may differ
 * by one edit for every three letters, at most three.
 */
#include "common/util/nearest.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/text.h"

#define LONGEST 40 /* the longest name has 27 */

struct maui_nearest maui_nearest_begin(const char *word, size_t size)
{
	struct maui_nearest search = {.word = word, .size = size};

	/* One typo per three letters, at most three: beyond that a guess only confuses. */
	if (size >= 3 && size <= LONGEST)
		search.distance = (size / 3 < 3 ? size / 3 : 3) + 1;
	return search;
}

static unsigned int nearest_min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int least = a < b ? a : b;

	return least < c ? least : c;
}

/*
 * Insertions, deletions, substitutions, and swaps of neighbours; exact up to `bound`, beyond that
 * only known to be greater.
 */
static unsigned int edit_distance(const char *a, size_t a_size, const char *b, size_t b_size,
				  unsigned int bound)
{
	unsigned int rows[3][LONGEST + 1];
	unsigned int *before = rows[0], *last = rows[1], *row = rows[2];

	for (size_t j = 0; j <= b_size; j++)
		last[j] = j;
	for (size_t i = 1; i <= a_size; i++) {
		unsigned int least = row[0] = i, *spare = before;

		for (size_t j = 1; j <= b_size; j++) {
			bool same = maui_upper(a[i - 1]) == maui_upper(b[j - 1]);

			row[j] = nearest_min3(last[j] + 1, row[j - 1] + 1, last[j - 1] + !same);
			if (i > 1 && j > 1 && maui_upper(a[i - 1]) == maui_upper(b[j - 2]) &&
			    maui_upper(a[i - 2]) == maui_upper(b[j - 1]) &&
			    before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
			least = row[j] < least ? row[j] : least;
		}
		if (least > bound)
			return least;
		before = last;
		last = row;
		row = spare;
	}
	return last[b_size];
}

static size_t common_start(const char *a, size_t a_size, const char *b, size_t b_size)
{
	size_t size = 0;

	while (size < a_size && size < b_size && maui_upper(a[size]) == maui_upper(b[size]))
		size++;
	return size;
}

static size_t common_end(const char *a, size_t a_size, const char *b, size_t b_size)
{
	size_t size = 0;

	while (size < a_size && size < b_size &&
	       maui_upper(a[a_size - size - 1]) == maui_upper(b[b_size - size - 1]))
		size++;
	return size;
}

/*
 * Whether half of what the two do not share differs: GPUWEIGHT is not a typo of GFSWEIGHT, nor
 * MINNODE of MAXNODE, but a different word of the same pattern.
 */
static bool is_other_word(const char *a, size_t a_size, const char *b, size_t b_size,
			  unsigned int distance)
{
	size_t start = common_start(a, a_size, b, b_size), end;

	a_size -= start;
	b_size -= start;
	end = common_end(a + start, a_size, b + start, b_size);
	a_size -= end;
	b_size -= end;
	return distance > 1 && a_size && b_size &&
	       2 * (size_t)distance >= (a_size > b_size ? a_size : b_size);
}

void maui_nearest_try(struct maui_nearest *search, const char *candidate, size_t size)
{
	unsigned int distance;

	if (!search->distance || !size || size > LONGEST ||
	    (size > search->size ? size - search->size : search->size - size) >= search->distance)
		return;
	distance = edit_distance(search->word, search->size, candidate, size, search->distance);
	if (distance < search->distance &&
	    !is_other_word(search->word, search->size, candidate, size, distance)) {
		search->best = candidate;
		search->best_size = size;
		search->distance = distance;
	}
}

const char *maui_nearest_of(const char *word, size_t size, const char *const *candidates)
{
	struct maui_nearest search = maui_nearest_begin(word, size);

	for (; candidates && *candidates; candidates++)
		maui_nearest_try(&search, *candidates, strlen(*candidates));
	return search.best;
}
