/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "common/util/keysort.h"

#define MOST 9000

static struct maui_keysort_entry entries[MOST], scratch[MOST];

/* Few different keys, so that many are equal; or all bits at random. */
static void fill(size_t count, uint64_t mask, unsigned int levels)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t key =
			(uint64_t)random() << 42 ^ (uint64_t)random() << 21 ^ (uint64_t)random();

		entries[i] = (struct maui_keysort_entry){key & mask, (uint32_t)i,
							 (uint32_t)random() % levels};
	}
}

static void expect_sorted(size_t count, unsigned int seed)
{
	static unsigned char seen[MOST];

	memset(seen, 0, sizeof(seen));
	for (size_t i = 0; i < count; i++) {
		const struct maui_keysort_entry *a = &entries[i - !!i], *b = &entries[i];

		seen[b->index]++;
		cr_assert(a->level < b->level ||
				  (a->level == b->level &&
				   (a->key < b->key || (a->key == b->key && a->index <= b->index))),
			  "%zu of %zu, seed %u", i, count, seed);
	}
	for (size_t i = 0; i < count; i++)
		cr_assert_eq(seen[i], 1);
}

Test(keysort, any_number_of_entries_is_sorted_and_equal_ones_keep_their_order)
{
	static const size_t counts[] = {0, 1, 2, 47, 48, 49, 300, 4095, 4096, MOST};
	static const uint64_t masks[] = {UINT64_MAX, 0, 7, UINT64_C(0xff) << 56,
					 UINT64_C(0x10000000001)};
	static const unsigned int levels[] = {1, 6, 256};
	unsigned int seed = 42;

	srandom(seed);
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++)
		for (size_t m = 0; m < sizeof(masks) / sizeof(masks[0]); m++)
			for (size_t l = 0; l < sizeof(levels) / sizeof(levels[0]); l++) {
				fill(counts[c], masks[m], levels[l]);
				maui_keysort(entries, scratch, counts[c]);
				expect_sorted(counts[c], seed);
			}
}

Test(keysort, keys_of_numbers_sort_as_the_numbers_do)
{
	static const double numbers[] = {-INFINITY, -1e300, -2, -1, -1e-300, 0,
					 1e-300,    .5,     1,  2,  1e300,   INFINITY};

	for (size_t i = 1; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		cr_expect_lt(maui_keysort_real(numbers[i - 1]), maui_keysort_real(numbers[i]));
		cr_expect_gt(maui_keysort_descending(numbers[i - 1]),
			     maui_keysort_descending(numbers[i]));
	}
	cr_expect_eq(maui_keysort_real(-0.0), maui_keysort_real(0.0));
	cr_expect_eq(maui_keysort_descending(-0.0), maui_keysort_descending(0.0));
	cr_expect_gt(maui_keysort_real(NAN), maui_keysort_real(INFINITY));
	cr_expect_gt(maui_keysort_descending(NAN), maui_keysort_descending(-INFINITY));
}
