/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/util/extension.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

struct find_case {
	const char *comment, *key, *value; /* NULL: it is not there */
};

static const struct find_case find_cases[] = {
	{"x=NALLOCPOLICY:FASTEST", "NALLOCPOLICY", "FASTEST"},
	{"x=nallocpolicy=FASTEST", "NALLOCPOLICY", "FASTEST"},
	{"X=NALLOCPOLICY(FASTEST)", "NALLOCPOLICY", "FASTEST"},
	{"x=PREF(FEATURE:FAST, FEATURE:TAPE);NALLOCPOLICY:LOCAL for bob", "NALLOCPOLICY", "LOCAL"},
	{"x=PREF(FEATURE:FAST, FEATURE:TAPE);NALLOCPOLICY:LOCAL", "PREF",
	 "FEATURE:FAST, FEATURE:TAPE"},
	{"my own words x=QOS:high", "QOS", "high"},
	{"x=QOS:high x=PREF:fast", "PREF", "fast"},
	{"x=;;QOS:high;", "QOS", "high"},
	{"x=QOS:", "QOS", ""},
	{"x=QOS()", "QOS", ""},
	{"x=QOS:a;QOS:b", "QOS", "a"},
	{"x=PREF(fast", "PREF", "fast"},
	{"x=PREF(", "PREF", ""},
	{"x=PREF((a);QOS:b", "QOS", NULL}, /* everything is inside the parenthesis */
	{"x=QOSX:high", "QOS", NULL},
	{"x=QO", "QOS", NULL},
	{"x=QOS", "QOS", NULL},
	{"QOS:high", "QOS", NULL},
	{"max=QOS:high", "QOS", NULL}, /* no "x=" */
	{"x", "QOS", NULL},
	{"", "QOS", NULL},
	{NULL, "QOS", NULL},
};

Test(extension, finds_the_value_of_a_key)
{
	for (size_t i = 0; i < sizeof(find_cases) / sizeof(*find_cases); i++) {
		const struct find_case *given = &find_cases[i];
		struct maui_piece value = {NULL, 0};
		bool found = maui_extension_find(given->comment, given->key, &value);

		cr_expect_eq(found, given->value != NULL, "%s", given->comment);
		if (found && given->value)
			cr_expect(value.size == strlen(given->value) &&
					  !strncmp(value.text, given->value, value.size),
				  "%s: '%.*s'", given->comment, (int)value.size, value.text);
	}
}

struct same_case {
	const char *one, *other;
	bool same;
};

static const struct same_case same_cases[] = {
	{NULL, NULL, true},
	{NULL, "my own words", true},
	{"my own words", "others", true},
	{"x=QOS:high", "x=PREF(fast);QOS=high", true},
	{"x=QOS:", "x=QOS()", true},
	{"x=QOS:high", "x=QOS:highest", false},
	{"x=QOS:high", "x=QOS:nigh", false},
	{"x=QOS:high", "x=PREF(fast)", false},
	{"x=QOS:", NULL, false},
};

Test(extension, compares_what_two_comments_say)
{
	for (size_t i = 0; i < sizeof(same_cases) / sizeof(*same_cases); i++) {
		const struct same_case *given = &same_cases[i];

		cr_expect_eq(maui_extension_same(given->one, given->other, "QOS"), given->same,
			     "%s, %s", given->one, given->other);
		cr_expect_eq(maui_extension_same(given->other, given->one, "QOS"), given->same,
			     "%s, %s", given->other, given->one);
	}
}

struct feature_case {
	const char *value, *names;
};

static const struct feature_case feature_cases[] = {
	{"FEATURE:FAST,FEATURE:TAPE", "FAST TAPE "},
	{"fast, tape", "fast tape "},
	{"feature=fast", "fast "},
	{",, fast ,,", "fast "},
	{"FEATURE:", ""},
	{"FEATURE:,tape", "tape "},
	{"", ""},
};

Test(extension, names_the_features_of_a_preference)
{
	for (size_t i = 0; i < sizeof(feature_cases) / sizeof(*feature_cases); i++) {
		const struct feature_case *given = &feature_cases[i];
		struct maui_piece rest = {given->value, strlen(given->value)}, name;
		char names[100] = "";

		while (maui_extension_next_feature(&rest, &name))
			snprintf(names + strlen(names), sizeof(names) - strlen(names), "%.*s ",
				 (int)name.size, name.text);
		cr_expect_str_eq(names, given->names, "%s", given->value);
	}
}
