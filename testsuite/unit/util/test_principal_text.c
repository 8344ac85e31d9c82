/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/util/principal_text.h"

#include <criterion/criterion.h>
#include <string.h>

#define NONE UINT32_MAX

Test(principal_text, names_and_numbers_are_never_the_same_text)
{
	static const struct {
		const char *name;
		uint32_t number;
		const char *text;
	} users[] = {
		{"bob", 1002, "bob"},
		{"bob", NONE, "bob"},
		{NULL, 1001, "1001"},
		{"1001", 5001, "\"1001\""},
		{"1001", NONE, "\"1001\""},
		{"1001", 1001, "1001"},
		{"007", 5001, "\"007\""},
		{"0", 5001, "\"0\""},
		{"1001x", 5001, "1001x"},
		{"4294967295", 5001, "4294967295"},
		{"99999999999999999999999", 5001, "99999999999999999999999"},
		{"-1", 5001, "-1"},
		{"+1", 5001, "+1"},
		{"\"1001\"", 5001, "\"\"1001\"\""},
		{"\"", 5001, "\"\"\""},
		{"bob\"", 5001, "bob\""},
	};
	char text[MAUI_PRINCIPAL_TEXT_SIZE];

	for (size_t i = 0; i < sizeof(users) / sizeof(*users); i++) {
		const char *written = maui_principal_text(users[i].name, users[i].number, text);
		const char *name;
		size_t size = 0;
		uint32_t number;

		cr_expect_str_eq(written, users[i].text);
		name = maui_principal_quoted(written, &size);
		if (name)
			cr_expect(strlen(users[i].name) == size &&
					  !memcmp(name, users[i].name, size),
				  "%s", written);
		else if (maui_principal_number(written, &number))
			cr_expect_eq(number, users[i].number, "%s", written);
		else
			cr_expect_str_eq(written, users[i].name);
	}
}

/* An earlier version wrote every name as it is. */
Test(principal_text, other_quotation_marks_belong_to_the_name)
{
	static const char *const names[] = {"\"bob\"", "\"", "\"\"", "\"1001", "1001\"", "\"1 \""};
	size_t size;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		cr_expect_null(maui_principal_quoted(names[i], &size), "%s", names[i]);
}

Test(principal_text, a_name_that_does_not_fit_stays_as_it_is)
{
	char name[2000], text[MAUI_PRINCIPAL_TEXT_SIZE];

	memset(name, '0', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	cr_expect_eq(maui_principal_text(name, 5001, text), name);
	name[1023] = '\0';
	cr_expect_eq(maui_principal_text(name, 5001, text), text);
	cr_expect_eq(strlen(text), 1025);
}
