/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "common/util/pages.h"

#define LARGE ((size_t)2 << 20)

static bool is_zero(const char *array, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (array[i])
			return false;
	return true;
}

Test(pages, an_array_is_zeroed_and_its_own)
{
	static const struct {
		size_t bytes, mapped;
	} cases[] = {
		{0, 0},
		{1, 0},
		{LARGE / 2 - 1, 0},
		{LARGE / 2, LARGE},
		{LARGE, LARGE},
		{LARGE - 1, LARGE},
		{LARGE + 1, 2 * LARGE},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t bytes = cases[i].bytes;
		char *one = maui_pages_new(bytes, 1), *other = maui_pages_new(bytes, 1);

		cr_expect_eq(maui_pages_mapped(), 2 * cases[i].mapped, "%zu bytes", bytes);
		cr_expect(is_zero(one, bytes) && is_zero(other, bytes), "%zu bytes", bytes);
		memset(one, 1, bytes);
		cr_expect(is_zero(other, bytes), "%zu bytes", bytes);
		if (cases[i].mapped)
			cr_expect_eq((uintptr_t)one % LARGE, 0, "%zu bytes", bytes);
		maui_pages_free(one, bytes, 1);
		memset(other, 1, bytes);
		maui_pages_free(other, bytes, 1);
		cr_expect_eq(maui_pages_mapped(), 0, "%zu bytes", bytes);
	}
}

Test(pages, taking_those_of_a_new_array_leaves_it_zeroed)
{
	char *array = maui_pages_new(LARGE / 8, 8);

	maui_pages_take(array, LARGE);
	maui_pages_take(NULL, LARGE);
	cr_expect(is_zero(array, LARGE));
	maui_pages_free(array, LARGE / 8, 8);
	maui_pages_free(NULL, LARGE, 1);
	cr_expect_eq(maui_pages_mapped(), 0);
}

Test(pages, memory_that_there_cannot_be_ends_the_process, .exit_code = 1)
{
	maui_pages_new(SIZE_MAX / 4, 1);
}

Test(pages, a_size_that_overflows_ends_the_process, .exit_code = 1)
{
	maui_pages_new(SIZE_MAX / 4, 8);
}
