/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last names and numbers known: set, found, written, and read back or refused as a whole. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/state/known_names.h"

static struct maui_known_names *known;

static void setup(void)
{
	known = maui_known_names_new();
	cr_assert_not_null(known);
}

static void teardown(void)
{
	maui_known_names_free(known);
}

TestSuite(known_names, .init = setup, .fini = teardown);

/* Written and read back. */
static struct maui_known_names *again(void)
{
	struct maui_known_names *read = NULL;
	struct maui_error error = {""};
	size_t size = 0;
	char *text = NULL;

	maui_known_names_format(&known, &text, &size);
	cr_assert_eq(maui_known_names_parse(text, size, &read, &error), 0, "%s", error.text);
	free(text);
	return read;
}

Test(known_names, nothing_is_known_at_first)
{
	uint32_t number = 7;

	cr_expect_not(maui_known_names_number(known, MAUI_USER, "bob", &number));
	cr_expect_null(maui_known_names_name(known, MAUI_USER, 1005));
	cr_expect_not(maui_known_names_drop_number(known, MAUI_USER, "bob"));
	cr_expect_eq(number, 7);
}

Test(known_names, any_name_survives_the_file)
{
	static const char *const names[] = {"bob",          "domain users", "DOM\\alice",
					    "#4",           "1001",         "0104test",
					    " blank first", "a@b",          "J\xc3\xbcrgen"};
	struct maui_known_names *read;
	uint32_t number;

	for (uint32_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		cr_expect(maui_known_names_set_number(known, MAUI_USER, names[i], i));
		cr_expect(maui_known_names_set_name(known, MAUI_GROUP, 50 + i, names[i]));
	}
	read = again();
	for (uint32_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		cr_expect(maui_known_names_number(read, MAUI_USER, names[i], &number), "%s",
			  names[i]);
		cr_expect_eq(number, i);
		cr_expect_str_eq(maui_known_names_name(read, MAUI_GROUP, 50 + i), names[i]);
		cr_expect_null(maui_known_names_name(read, MAUI_USER, i));
	}
	maui_known_names_free(read);
}

Test(known_names, the_name_of_a_number_gives_it_to_the_name)
{
	struct maui_known_names *read;
	uint32_t number;

	cr_expect(maui_known_names_set_name(known, MAUI_USER, 1005, "bob"));
	cr_expect(maui_known_names_set_number(known, MAUI_USER, "alias", 1005));
	cr_expect_not(maui_known_names_set_number(known, MAUI_USER, "bob", 1005), "it has it");
	read = again();
	cr_expect(maui_known_names_number(read, MAUI_USER, "bob", &number) && number == 1005);
	cr_expect(maui_known_names_number(read, MAUI_USER, "alias", &number) && number == 1005);
	cr_expect_str_eq(maui_known_names_name(read, MAUI_USER, 1005), "bob");
	maui_known_names_free(read);
}

Test(known_names, a_number_with_another_owner_is_not_given_back)
{
	struct maui_known_names *read;
	uint32_t number;

	maui_known_names_set_name(known, MAUI_USER, 1005, "bob");
	cr_expect(maui_known_names_drop_number(known, MAUI_USER, "bob"));
	cr_expect(maui_known_names_set_name(known, MAUI_USER, 1005, "carol"));
	read = again();
	cr_expect_not(maui_known_names_number(read, MAUI_USER, "bob", &number));
	cr_expect(maui_known_names_number(read, MAUI_USER, "carol", &number) && number == 1005);
	maui_known_names_free(read);
}

Test(known_names, what_no_line_can_hold_is_not_kept)
{
	char longest[MAUI_KNOWN_NAME_SIZE], longer[MAUI_KNOWN_NAME_SIZE + 1];

	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	cr_expect(maui_known_names_set_number(known, MAUI_USER, longest, 1));
	cr_expect_not(maui_known_names_set_number(known, MAUI_USER, longer, 1));
	cr_expect_not(maui_known_names_set_number(known, MAUI_USER, "", 1));
	cr_expect_not(maui_known_names_set_number(known, MAUI_USER, "a\nb", 1));
	cr_expect_not(maui_known_names_set_number(known, MAUI_USER, "none", UINT32_MAX));
	cr_expect_not(maui_known_names_set_name(known, MAUI_USER, UINT32_MAX, "none"));
	maui_known_names_free(again());
}
