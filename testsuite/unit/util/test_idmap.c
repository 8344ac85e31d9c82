/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/util/idmap.h"

Test(idmap, an_empty_map_has_nothing_and_forgets_nothing)
{
	struct maui_idmap map = {0};

	cr_expect_eq(maui_idmap_find(&map, 0), 0);
	maui_idmap_remove(&map, 0);
	maui_idmap_clear(&map);
	cr_expect_eq(map.count, 0);
}

Test(idmap, every_32_bit_number_is_a_key)
{
	struct maui_idmap map = {0};

	maui_idmap_set(&map, 0, 1);
	maui_idmap_set(&map, UINT32_MAX, 2);
	cr_expect_eq(maui_idmap_find(&map, 0), 1);
	cr_expect_eq(maui_idmap_find(&map, UINT32_MAX), 2);
	maui_idmap_set(&map, 0, 3);
	cr_expect_eq(maui_idmap_find(&map, 0), 3);
	cr_expect_eq(map.count, 2);
	maui_idmap_clear(&map);
}

/* Against a plain array, with so few keys that runs collide and gaps close all the time. */
Test(idmap, agrees_with_an_array_whatever_is_set_and_removed)
{
	enum { KEYS = 500 };
	unsigned int start = (unsigned int)time(NULL), seed = start;
	struct maui_idmap map = {0};
	uint32_t model[KEYS] = {0};

	for (int step = 0; step < 200000; step++) {
		uint32_t index = (uint32_t)rand_r(&seed) % KEYS, key = index * 64 * 1024;

		if (rand_r(&seed) % 3) {
			model[index] = (uint32_t)rand_r(&seed) + 1;
			maui_idmap_set(&map, key, model[index]);
		} else {
			model[index] = 0;
			maui_idmap_remove(&map, key);
		}
		index = (uint32_t)rand_r(&seed) % KEYS;
		cr_assert_eq(maui_idmap_find(&map, index * 64 * 1024), model[index],
			     "seed %u, step %d", start, step);
	}
	maui_idmap_clear(&map);
}
