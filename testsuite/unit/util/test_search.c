/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>

#include "common/util/search.h"

static int compare(const void *key, const void *element)
{
	const int a = *(const int *)key, b = *(const int *)element;

	return a < b ? -1 : a > b;
}

Test(search, it_is_the_number_of_those_before_the_key)
{
	static const int sorted[] = {-3, 1, 1, 1, 2, 7, 7, 90};
	const size_t most = sizeof(sorted) / sizeof(sorted[0]);

	for (size_t count = 0; count <= most; count++)
		for (int key = -5; key < 95; key++) {
			size_t before = 0;

			while (before < count && sorted[before] < key)
				before++;
			cr_expect_eq(maui_lower_bound(&key, sorted, count, sizeof(int), compare),
				     before, "%d of %zu", key, count);
		}
}
