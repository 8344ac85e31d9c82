/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

Test(grow, what_is_in_it_stays_and_the_room_doubles)
{
	uint32_t *list = NULL;
	size_t room = 0, moves = 0;

	for (uint32_t i = 0; i < 100000; i++) {
		size_t before = room;
		void *grown = maui_grow(list, i + 1, &room, sizeof(*list));

		cr_assert_not_null(grown);
		list = grown;
		list[i] = i;
		cr_assert_gt(room, i);
		cr_assert(room == before || room >= before * 2);
		moves += room != before;
	}
	for (uint32_t i = 0; i < 100000; i++)
		cr_assert_eq(list[i], i);
	cr_expect_lt(moves, 18);
	free(list);
}

Test(grow, room_for_an_index_far_away_is_made_at_once_and_is_zeros)
{
	static const size_t wanted[] = {1, 5, 1000, 1001, 70000};
	unsigned char *list = NULL;
	size_t room = 0;

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		size_t before = room;

		list = maui_grow_zeroed(list, wanted[i], &room, 1);
		cr_assert_not_null(list);
		cr_assert_geq(room, wanted[i]);
		for (size_t k = before; k < room; k++)
			cr_assert_eq(list[k], 0, "%zu", k);
		memset(list, 1, room);
	}
	for (size_t k = 0; k < room; k++)
		cr_assert_eq(list[k], 1);
	free(list);
}

Test(grow, there_is_room_already)
{
	int list[4];
	size_t room = 4;

	cr_expect_eq(maui_grow(list, 4, &room, sizeof(list[0])), (void *)list);
	cr_expect_eq(maui_grow_zeroed(list, 1, &room, sizeof(list[0])), (void *)list);
	cr_expect_eq(room, 4);
}
