/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts by the first value and then by the second, counts ties as runs of equal
 * neighbours, and merges by the second value.
 */
#include "common/util/kendall.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/keysort.h"
#include "common/util/memory.h"

static uint64_t kendall_key(int64_t value)
{
	return (uint64_t)value ^ UINT64_C(1) << 63;
}

static uint64_t kendall_pairs(uint64_t count)
{
	return count % 2 ? (count - 1) / 2 * count : count / 2 * (count - 1);
}

/* Pairs of equal neighbours' runs; values is sorted. also: NULL, or those that
 * must be equal, too. */
static uint64_t kendall_ties(const uint64_t *values, const uint64_t *also, size_t count)
{
	uint64_t ties = 0, run = 1;

	for (size_t i = 1; i < count; i++) {
		if (values[i] == values[i - 1] && (!also || also[i] == also[i - 1])) {
			ties += run++;
			continue;
		}
		run = 1;
	}
	return ties;
}

/* Sorts values, and returns how many exchanges of neighbours that takes. */
static uint64_t kendall_sort(uint64_t *values, uint64_t *scratch, size_t count)
{
	size_t left = count / 2, i = 0, j = left, at = 0;
	uint64_t exchanges;

	if (count < 2)
		return 0;
	exchanges = kendall_sort(values, scratch, left) +
		    kendall_sort(values + left, scratch, count - left);
	while (i < left && j < count) {
		if (values[j] < values[i]) {
			exchanges += left - i;
			scratch[at++] = values[j++];
		} else {
			scratch[at++] = values[i++];
		}
	}
	while (i < left)
		scratch[at++] = values[i++];
	memcpy(values, scratch, at * sizeof(*values));
	return exchanges;
}

/* By the first value, those that are equal there by the second. */
static void kendall_order(const int64_t *first, const int64_t *second, size_t count,
			  uint64_t *ret_first, uint64_t *ret_second)
{
	struct maui_keysort_entry *entries = maui_calloc(count + 1, sizeof(*entries)),
				  *scratch = maui_calloc(count + 1, sizeof(*scratch));

	for (size_t i = 0; i < count; i++)
		entries[i] = (struct maui_keysort_entry){.key = kendall_key(second[i]),
							 .index = (uint32_t)i};
	maui_keysort(entries, scratch, count);
	for (size_t i = 0; i < count; i++)
		entries[i].key = kendall_key(first[entries[i].index]);
	maui_keysort(entries, scratch, count);
	for (size_t i = 0; i < count; i++) {
		ret_first[i] = entries[i].key;
		ret_second[i] = kendall_key(second[entries[i].index]);
	}
	free(scratch);
	free(entries);
}

void maui_kendall(const int64_t *first, const int64_t *second, size_t count,
		  struct maui_kendall *ret_kendall)
{
	struct maui_kendall kendall = {.pairs = count ? kendall_pairs(count) : 0};
	uint64_t *by_first = maui_calloc(count + 1, sizeof(*by_first)),
		 *by_second = maui_calloc(count + 1, sizeof(*by_second));
	uint64_t apart_first, apart_second;

	kendall_order(first, second, count, by_first, by_second);
	kendall.tied_first = kendall_ties(by_first, NULL, count);
	kendall.tied_both = kendall_ties(by_first, by_second, count);
	kendall.other = kendall_sort(by_second, by_first, count);
	kendall.tied_second = kendall_ties(by_second, NULL, count);
	kendall.same = kendall.pairs - kendall.tied_first - kendall.tied_second +
		       kendall.tied_both - kendall.other;
	apart_first = kendall.pairs - kendall.tied_first;
	apart_second = kendall.pairs - kendall.tied_second;
	kendall.defined = apart_first && apart_second;
	if (kendall.defined)
		kendall.tau = ((double)kendall.same - (double)kendall.other) /
			      sqrt((double)apart_first * (double)apart_second);
	free(by_second);
	free(by_first);
	*ret_kendall = kendall;
}
