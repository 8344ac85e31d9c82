/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>

#include "common/util/list.h"

/* The items, each in brackets. */
static const char *items(const char *list, const char *separators, char text[64])
{
	struct maui_item item;
	size_t used = 0;

	*text = '\0';
	while (maui_list_next(&list, separators, &item))
		used += (size_t)snprintf(text + used, 64 - used, "[%.*s]", (int)item.size,
					 item.text);
	return text;
}

Test(list, items)
{
	static const struct {
		const char *list, *separators, *items;
	} cases[] = {
		{NULL, ",", ""},
		{"", ",", ""},
		{"a", ",", "[a]"},
		{"a,bc,d", ",", "[a][bc][d]"},
		{"a,,b", ",", "[a][][b]"},
		{"a,", ",", "[a]"},
		{",", ",", "[]"},
		{",a", ",", "[][a]"},
		{"a b, c", ",", "[a b][ c]"},
		{"a&b,c|d", "&,|", "[a][b][c][d]"},
		{"a:b", ",", "[a:b]"},
	};
	char text[64];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_str_eq(items(cases[i].list, cases[i].separators, text), cases[i].items,
				 "%s: %s", cases[i].list, text);
}

Test(list, what_is_left_stands_behind_the_separator)
{
	const char *list = "a:2,b";
	struct maui_item item;

	cr_assert(maui_list_next(&list, ",", &item));
	cr_expect_str_eq(list, "b");
	cr_assert(maui_list_next(&list, ",", &item));
	cr_expect_str_eq(list, "");
	cr_expect_not(maui_list_next(&list, ",", &item));
	cr_expect(maui_item_is(item, "b"), "an item that is not there leaves the last one");
}

Test(list, has)
{
	static const struct {
		const char *list, *word;
		bool has;
	} cases[] = {
		{NULL, "a", false},    {"", "a", false},       {"a", "a", true},
		{"ab,a", "a", true},   {"ab,abc", "a", false}, {"a,b", "ab", false},
		{"a,b", "a,b", false}, {"A", "a", false},      {"a,,b", "", true},
		{"a,", "", false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(maui_list_has(cases[i].list, cases[i].word), cases[i].has, "%s: %s",
			     cases[i].list, cases[i].word);
}

Test(list, value)
{
	static const struct {
		const char *list, *key, *value; /* NULL: it is not there */
	} cases[] = {
		{NULL, "key", NULL},         {"", "key", NULL},
		{"key", "key", NULL},        {"key=", "key", ""},
		{"key=1", "key", "1"},       {"a=1,KEY=2,b", "key", "2"},
		{"key=1,key=2", "key", "1"}, {"akey=1,key2=3", "key", NULL},
		{"key=a=b,c", "key", "a=b"},
	};
	struct maui_item value;
	char text[8];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool found = maui_list_value(cases[i].list, cases[i].key, &value);

		cr_expect_eq(found, cases[i].value != NULL, "%s", cases[i].list);
		if (found && cases[i].value)
			cr_expect_str_eq(maui_item_copy(value, text, sizeof(text)), cases[i].value,
					 "%s: %s", cases[i].list, text);
	}
}

Test(list, what_does_not_fit_is_cut)
{
	static const struct {
		size_t room;
		const char *between, *list, *copy;
	} cases[] = {
		{1, ", ", "", ""},
		{2, ", ", "a", "a"},
		{4, ",", "ab,", "abc"},
		{6, ", ", "ab, c", "abcde"},
		{20, ", ", "ab, c, def", "abcdef"},
	};
	static const struct maui_item item = {"abcdef,g", 6};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[20] = "", copy[20];

		maui_list_add(text, cases[i].room, cases[i].between, "ab");
		maui_list_add(text, cases[i].room, cases[i].between, "c");
		maui_list_add(text, cases[i].room, cases[i].between, "def");
		cr_expect_str_eq(text, cases[i].list, "%zu: %s", cases[i].room, text);
		maui_item_copy(item, copy, cases[i].room);
		cr_expect_str_eq(copy, cases[i].copy, "%zu: %s", cases[i].room, copy);
	}
}
