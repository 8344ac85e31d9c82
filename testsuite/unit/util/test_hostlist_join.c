/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names joined to an expression, and the same names from it again. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/slurm/hostlist.h"
#include "common/util/slurm/hostlist_join.h"

#define MOST 16

static const struct {
	const char *names, *text;
} cases[] = {
	{"", ""},
	{"n1", "n1"},
	{"n2 n1", "n[1-2]"},
	{"n3 n1 n2 n7 n1", "n[1-3,7]"},
	{"n1 n1", "n1"},
	{"login login", "login"},
	{"login n02 n01", "login,n[01-02]"},
	{"n08 n09 n10 n11", "n[08-11]"},
	{"n8 n9 n10", "n[8-10]"},
	{"n99 n100", "n[99-100]"},
	{"n099 n100", "n[099-100]"},
	{"n09 n9 n10", "n[9,09-10]"},
	{"n1 n01", "n[1,01]"},
	{"r1n1 r1n2 r2n1", "r1n[1-2],r2n1"},
	{"1 2", "[1-2]"},
	{"n1.a n2.a", "n1.a,n2.a"},
	{"n n1", "n,n1"},
	{"n123456789 n123456790", "n123456789,n123456790"},
	{"n00000009 n00000010", "n[00000009-00000010]"},
};

/* The number of different names. */
static size_t split(char *text, const char **names)
{
	size_t count = 0;

	for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
		names[count++] = word;
	cr_assert_leq(count, MOST);
	return count;
}

static size_t different(const char *const *names, size_t count)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++) {
		size_t j = 0;

		while (strcmp(names[j], names[i]) != 0)
			j++;
		found += j == i;
	}
	return found;
}

struct search {
	const char *const *names;
	size_t count;
};

static int find(void *context, const char *name)
{
	const struct search *search = context;

	for (size_t i = 0; i < search->count; i++)
		if (!strcmp(search->names[i], name))
			return 0;
	return -1;
}

Test(hostlist_join, names_become_an_expression_and_names_again)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *words = strdup(cases[i].names), *text;
		const char *names[MOST];
		size_t count = split(words, names), again = 0;
		const struct search search = {names, count};
		struct maui_error error;

		text = maui_hostlist_join(names, count);
		cr_expect_str_eq(text, cases[i].text, "%s: %s", cases[i].names, text);
		if (count) {
			cr_expect_eq(maui_hostlist_expand(text, find, (void *)&search, &again, NULL,
							  &error),
				     0);
			cr_expect_eq(again, different(names, count), "%s", text);
		}
		free(text);
		free(words);
	}
}
