/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "common/util/intern.h"

Test(intern, numbers_names_from_1_in_the_order_of_their_arrival)
{
	struct maui_intern *intern = maui_intern_new();

	cr_assert_not_null(intern);
	cr_expect_eq(maui_intern_count(intern), 0);
	cr_expect_eq(maui_intern_add(intern, "alice"), 1);
	cr_expect_eq(maui_intern_add(intern, "bob"), 2);
	cr_expect_eq(maui_intern_add(intern, "alice"), 1);
	cr_expect_eq(maui_intern_count(intern), 2);
	maui_intern_free(intern);
}

Test(intern, does_not_find_what_was_never_added)
{
	struct maui_intern *intern = maui_intern_new();

	cr_expect_eq(maui_intern_find(intern, "alice"), 0);
	maui_intern_add(intern, "alice");
	cr_expect_eq(maui_intern_find(intern, "alice"), 1);
	cr_expect_eq(maui_intern_find(intern, "Alice"), 0, "names are case-sensitive");
	cr_expect_eq(maui_intern_find(intern, "alic"), 0);
	cr_expect_eq(maui_intern_find(intern, ""), 0);
	cr_expect_eq(maui_intern_count(intern), 1, "finding adds nothing");
	maui_intern_free(intern);
}

Test(intern, has_no_name_for_numbers_that_were_never_given)
{
	struct maui_intern *intern = maui_intern_new();

	maui_intern_add(intern, "alice");
	cr_expect_null(maui_intern_name(intern, 0));
	cr_expect_str_eq(maui_intern_name(intern, 1), "alice");
	cr_expect_null(maui_intern_name(intern, 2));
	cr_expect_null(maui_intern_name(intern, UINT32_MAX));
	maui_intern_free(intern);
}

Test(intern, keeps_a_copy_of_the_name)
{
	struct maui_intern *intern = maui_intern_new();
	char name[] = "alice";

	maui_intern_add(intern, name);
	memset(name, 'x', sizeof(name) - 1);
	cr_expect_str_eq(maui_intern_name(intern, 1), "alice");
	maui_intern_free(intern);
}

Test(intern, takes_the_empty_name_and_very_long_ones)
{
	struct maui_intern *intern = maui_intern_new();
	static char name[100000];

	memset(name, 'a', sizeof(name) - 1);
	cr_expect_eq(maui_intern_add(intern, ""), 1);
	cr_expect_eq(maui_intern_add(intern, name), 2);
	cr_expect_eq(maui_intern_find(intern, ""), 1);
	cr_expect_eq(maui_intern_find(intern, name), 2);
	cr_expect_str_eq(maui_intern_name(intern, 2), name);
	maui_intern_free(intern);
}

Test(intern, grows_and_keeps_every_number_and_every_name_where_it_is)
{
	struct maui_intern *intern = maui_intern_new();
	const char *first;
	char name[32];

	maui_intern_add(intern, "name-1");
	first = maui_intern_name(intern, 1);
	for (uint32_t i = 2; i <= 50000; i++) {
		snprintf(name, sizeof(name), "name-%u", i);
		cr_assert_eq(maui_intern_add(intern, name), i);
	}
	cr_expect_eq(maui_intern_count(intern), 50000);
	for (uint32_t i = 1; i <= 50000; i++) {
		snprintf(name, sizeof(name), "name-%u", i);
		cr_assert_eq(maui_intern_find(intern, name), i);
		cr_assert_str_eq(maui_intern_name(intern, i), name);
	}
	cr_expect_eq(maui_intern_name(intern, 1), first, "the text does not move");
	maui_intern_free(intern);
}

Test(intern, is_freed_like_any_pointer)
{
	cr_expect_null(maui_intern_free(NULL));
	cr_expect_null(maui_intern_free(maui_intern_new()));
}
