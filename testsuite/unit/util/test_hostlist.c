/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/util/slurm/hostlist.h"

struct names {
	char text[1024];
	size_t used, stop_after;
};

static int add(void *context, const char *name)
{
	struct names *names = context;

	names->used +=
		(size_t)snprintf(names->text + names->used, sizeof(names->text) - names->used,
				 "%s%s", names->used ? " " : "", name);
	return names->stop_after && !--names->stop_after ? -ECANCELED : 0;
}

static const struct {
	const char *text, *names;
} good[] = {
	{"node1", "node1"},
	{"node[1-3]", "node1 node2 node3"},
	{"node[01-03,20]", "node01 node02 node03 node20"},
	{"node[08-11]", "node08 node09 node10 node11"},
	{"node[8-11]", "node8 node9 node10 node11"},
	{"node[098-101]", "node098 node099 node100 node101"},
	{"n[0]", "n0"},
	{"n[00]", "n00"},
	{"n[7,007]", "n7 n007"},
	{"r[1-2]n[1-2]", "r1n1 r1n2 r2n1 r2n2"},
	{"[1-2]x[3,5]y", "1x3y 1x5y 2x3y 2x5y"},
	{"a,b[1-2],c", "a b1 b2 c"},
	{"n[1,1]", "n1 n1"},
	{"n[1-2][3-4]", "n13 n14 n23 n24"},
	{"n[999999999]", "n999999999"},
	{"node-1.example_2", "node-1.example_2"},
};

Test(hostlist, ranges_become_names_with_their_zeros)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct names names = {0};
		size_t count = 0, spaces = 1;

		cr_expect_eq(maui_hostlist_expand(good[i].text, add, &names, &count, NULL, NULL), 0,
			     "%s", good[i].text);
		cr_expect_str_eq(names.text, good[i].names, "%s: %s", good[i].text, names.text);
		for (const char *at = good[i].names; *at; at++)
			spaces += *at == ' ';
		cr_expect_eq(count, spaces, "%s: %zu", good[i].text, count);
	}
}

static const struct {
	const char *text;
	int rc;
	size_t column;
	const char *says;
} bad[] = {
	{"", -EINVAL, 1, "a name is missing"},
	{"a,", -EINVAL, 3, "a name is missing"},
	{",a", -EINVAL, 1, "a name is missing"},
	{"a,,b", -EINVAL, 3, "a name is missing"},
	{"n[", -EINVAL, 3, "']' is missing"},
	{"n[1", -EINVAL, 4, "']' is missing"},
	{"n[1-", -EINVAL, 5, "']' is missing"},
	{"n[1,", -EINVAL, 5, "']' is missing"},
	{"n[]", -EINVAL, 3, "a number belongs here"},
	{"n[a]", -EINVAL, 3, "a number belongs here"},
	{"n[-1]", -EINVAL, 3, "a number belongs here"},
	{"n[1-x]", -EINVAL, 5, "a number belongs here"},
	{"n[1 -2]", -EINVAL, 4, "belongs here"},
	{"n[1-2-3]", -EINVAL, 6, "belongs here"},
	{"n[5-1]", -EINVAL, 5, "ends before it begins"},
	{"n[1-016]", -EINVAL, 5, "same number of digits"},
	{"n1]", -EINVAL, 3, "'[' is missing"},
	{"n[1]]", -EINVAL, 5, "'[' is missing"},
	{"n[[1]]", -EINVAL, 3, "a number belongs here"},
	{"n 1", -EINVAL, 2, "no blanks"},
	{"n[1234567890]", -EINVAL, 3, "too many digits"},
	{"n[1-999999999]", -E2BIG, 2, "too many names in this range"},
	{"n[1-65537]", -E2BIG, 2, "too many names in this range"},
	{"a[1-300]b[1-300]", -E2BIG, 10, "too many names in this range"},
	{"a[1-65536],b", -E2BIG, 12, "too many names in this list"},
	{"[1][1][1][1][1][1][1][1][1]", -E2BIG, 25, "too many brackets"},
};

Test(hostlist, what_is_wrong_is_told_with_its_column_and_nothing_is_given)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct names names = {0};
		struct maui_error error = {""};
		size_t column = 0, count = 77;
		int rc = maui_hostlist_expand(bad[i].text, add, &names, &count, &column, &error);

		cr_expect_eq(rc, bad[i].rc, "'%s': %d", bad[i].text, rc);
		cr_expect_eq(column, bad[i].column, "'%s': column %zu", bad[i].text, column);
		cr_expect(strstr(error.text, bad[i].says), "'%s': %s", bad[i].text, error.text);
		cr_expect_eq(names.used, 0, "'%s'", bad[i].text);
		cr_expect_eq(count, 77, "'%s'", bad[i].text);
	}
}

Test(hostlist, the_limit_itself_is_allowed)
{
	size_t count = 0;

	cr_expect_eq(maui_hostlist_expand("a[1-256]b[1-256]", NULL, NULL, &count, NULL, NULL), 0);
	cr_expect_eq(count, MAUI_HOSTLIST_LIMIT);
}

Test(hostlist, too_many_ranges_and_too_long_a_name_are_refused)
{
	static char text[3 * MAUI_HOSTLIST_RANGES + 16] = "n[";
	char name[MAUI_HOSTLIST_NAME + 1];
	size_t column = 0;

	for (size_t i = 0; i <= MAUI_HOSTLIST_RANGES; i++)
		memcpy(text + 2 + 2 * i, "1,", 3);
	strcpy(text + strlen(text) - 1, "]");
	cr_expect_eq(maui_hostlist_expand(text, NULL, NULL, NULL, &column, NULL), -E2BIG);
	cr_expect_eq(column, 2);
	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	cr_expect_eq(maui_hostlist_expand(name, NULL, NULL, NULL, &column, NULL), -E2BIG);
}

Test(hostlist, a_taker_that_has_enough_ends_it)
{
	struct names names = {.stop_after = 2};

	cr_expect_eq(maui_hostlist_expand("n[1-5],m", add, &names, NULL, NULL, NULL), -ECANCELED);
	cr_expect_str_eq(names.text, "n1 n2");
}

Test(hostlist, brackets_and_commas_make_an_expression)
{
	cr_expect(maui_hostlist_is_range("n[1-2]"));
	cr_expect(maui_hostlist_is_range("a,b"));
	cr_expect(maui_hostlist_is_range("a]"));
	cr_expect_not(maui_hostlist_is_range("node-01.x"));
	cr_expect_not(maui_hostlist_is_range(""));
	cr_expect_not(maui_hostlist_is_range(NULL));
	cr_expect_eq(maui_hostlist_expand(NULL, NULL, NULL, NULL, NULL, NULL), -EINVAL);
}
