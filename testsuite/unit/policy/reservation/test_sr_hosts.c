/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/policy/reservation/sr_hosts.h"

static const char *const nodes[] = {"n1", "n2", "n10", "n21", "login", "node1", "Node02", "a.b"};
#define NODES 8

struct hosts_case {
	const char *list;   /* items separated by blanks */
	const char *marked; /* 'x' and '.' by node */
	const char *kinds; /* of the items: - none, A all, E exact, R range, X expression, P part */
};

static const struct hosts_case cases[] = {
	{"n1", "x.......", "E"},
	{"n1 n10 n1", "x.x.....", "EEE"},
	{"N1", "x.x.....", "P"}, /* no such node: a case-insensitive expression */
	{"^N1$", "x.......", "X"},
	{"n[1-3]", "xx......", "R"},
	{"n[1-2,21]", "xx.x....", "R"},
	{"node[1,02]", ".....x..", "R"},
	{"n[50-60]", "........", "-"}, /* a range of missing nodes is not an expression */
	{"n[0-9]+", "xxxx....", "X"},
	{"n[0-9]+$", "xxxx....", "X"},
	{"^n(1|2)$", "xx......", "X"},
	{"n", "xxxxxxx.", "P"},
	{"a.b", ".......x", "E"},
	{"n.1", "...x....", "X"},
	{"node.*", ".....xx.", "X"},
	{"all", "xxxxxxxx", "A"},
	{"[ALL]", "xxxxxxxx", "A"},
	{"nosuch", "........", "-"},
	{"nosuch login", "....x...", "-E"},
};

static void ignore(void *context, size_t item, const char *why)
{
	++*(size_t *)context;
}

static size_t split(char *text, const char *items[16])
{
	size_t count = 0;
	char *rest, *word;

	for (word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		items[count++] = word;
	return count;
}

Test(sr_hosts, cases)
{
	static const char letters[] = "-AERXP";
	struct maui_node_names *names = maui_node_names_new(nodes, NODES);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_sr_host_use uses[16];
		struct maui_sr_hosts *hosts = NULL;
		char copy[128], marked[NODES + 1] = "", kinds[17] = "";
		const char *items[16];
		bool listed[NODES];
		size_t refused = 0, count;
		uint32_t found = 0;

		snprintf(copy, sizeof(copy), "%s", cases[i].list);
		count = split(copy, items);
		cr_assert_eq(maui_sr_hosts_compile(items, count, ignore, &refused, &hosts, NULL),
			     0);
		cr_expect_eq(refused, 0, "%s", cases[i].list);
		found = maui_sr_hosts_match(hosts, names, listed, uses);
		for (size_t n = 0; n < NODES; n++) {
			marked[n] = listed[n] ? 'x' : '.';
			found -= listed[n];
		}
		for (size_t n = 0; n < count; n++)
			kinds[n] = letters[uses[n].kind];
		cr_expect_eq(found, 0);
		cr_expect_str_eq(marked, cases[i].marked, "%s: %s", cases[i].list, marked);
		cr_expect_str_eq(kinds, cases[i].kinds, "%s: %s", cases[i].list, kinds);
		maui_sr_hosts_free(hosts);
	}
	maui_node_names_free(names);
}

Test(sr_hosts, uses)
{
	static const char *const items[] = {"n[1-3,30]", "N1", "n1", "ALL", "nosuch"};
	static const uint32_t nodes_of[] = {2, 2, 1, NODES, 0};
	struct maui_node_names *names = maui_node_names_new(nodes, NODES);
	struct maui_sr_hosts *hosts = NULL;
	struct maui_sr_host_use uses[5];
	bool listed[NODES];

	cr_assert_eq(maui_sr_hosts_compile(items, 5, NULL, NULL, &hosts, NULL), 0);
	cr_expect_eq(maui_sr_hosts_match(hosts, names, listed, uses), NODES);
	for (size_t i = 0; i < 5; i++) {
		cr_expect_eq(uses[i].nodes, nodes_of[i], "%s", items[i]);
		cr_expect_eq(uses[i].missing, i == 0 ? 2 : 0, "%s", items[i]);
		cr_expect_eq(uses[i].example, i == 1 ? 2 : UINT32_MAX, "%s", items[i]);
	}
	cr_expect_str_eq(maui_sr_hosts_item(hosts, 1), "N1");
	maui_sr_hosts_free(hosts);
	/* All but those of the first three items. */
	cr_assert_eq(maui_sr_hosts_compile(items, 3, NULL, NULL, &hosts, NULL), 0);
	cr_expect_eq(maui_sr_hosts_exclude(hosts, names, listed), NODES - 3);
	cr_expect(!listed[maui_node_names_find(names, "n1")]);
	cr_expect_eq(maui_sr_hosts_exclude(NULL, names, listed), NODES - 3);
	maui_sr_hosts_free(hosts);
	maui_node_names_free(names);
}

static void keep(void *context, size_t item, const char *why)
{
	snprintf(context, 160, "%zu: %s", item, why);
}

Test(sr_hosts, refused)
{
	static const struct {
		const char *item, *why;
	} refusals[] = {
		{"n(", "0: Unmatched ( or \\("},
		{"n[1-", "0: ']' is missing"},
		{"n[1-3", "0: ']' is missing"},
		{"(a)\\1", "0: \\1, \\2, ... are not supported"},
		{"a{2000}", "0: the expression repeats too much"},
		{"((a{100}){100}){100}", "0: the expression repeats too much"},
		{"a{99999999999999999999}", "0: the expression repeats too much"},
		{"a+++++++++++", "0: the expression repeats too much"},
		{"(((((((((((a+)+)+)+)+)+)+)+)+)+)+)", "0: the expression repeats too much"},
		{"a{1,}{1,}{1,}{1,}{1,}{1,}{1,}{1,}{1,}{1,}{1,}",
		 "0: the expression repeats too much"},
		{"n[1-70000]", "0: there are too many names in this range"},
	};
	char why[160], longer[300];
	const char *item;
	struct maui_sr_hosts *hosts;

	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		*why = '\0';
		item = refusals[i].item;
		cr_assert_eq(maui_sr_hosts_compile(&item, 1, keep, why, &hosts, NULL), 0);
		cr_expect_str_eq(why, refusals[i].why, "%s: %s", item, why);
		maui_sr_hosts_free(hosts);
	}
	memset(longer, 'a', sizeof(longer));
	longer[257] = '\0';
	item = longer;
	cr_assert_eq(maui_sr_hosts_compile(&item, 1, keep, why, &hosts, NULL), 0);
	cr_expect_str_eq(why, "0: the expression is longer than 256 bytes");
	maui_sr_hosts_free(hosts);
}

/* What is exactly at a limit passes; one more does not. */
Test(sr_hosts, limits_are_the_last_that_pass)
{
	static char longest[MAUI_SR_REGEX_LENGTH + 1], longer[MAUI_SR_REGEX_LENGTH + 2];
	const struct {
		const char *items[2];
		size_t refused;
	} pairs[] = {
		{{longest, "n1"}, 0},
		{{longer, "n1"}, 1},
		{{"a{1024}", "n1"}, 0},
		{{"a{1025}", "n1"}, 1},
		{{"(a{32}){32}", "(a{32}b{32})"}, 0},
		{{"(a{32}){33}", "(a{32}b{33})"}, 2},
		{{"n[1-65535]", "m[1-1]"}, 0},
		{{"n[1-65535]", "m[1-2]"}, 1},
	};

	memset(longest, 'a', MAUI_SR_REGEX_LENGTH);
	memset(longer, 'a', MAUI_SR_REGEX_LENGTH + 1);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		struct maui_sr_hosts *hosts = NULL;
		size_t refused = 0;

		cr_assert_eq(
			maui_sr_hosts_compile(pairs[i].items, 2, ignore, &refused, &hosts, NULL),
			0);
		cr_expect_eq(refused, pairs[i].refused, "%s %s", pairs[i].items[0],
			     pairs[i].items[1]);
		maui_sr_hosts_free(hosts);
	}
}

Test(sr_hosts, bounds)
{
	static const char *items[MAUI_SR_HOSTS_ITEMS + 1];
	struct maui_sr_hosts *hosts = NULL;
	struct maui_node_names *names = maui_node_names_new(NULL, 0);
	struct maui_error error;
	size_t refused = 0;

	for (size_t i = 0; i <= MAUI_SR_HOSTS_ITEMS; i++)
		items[i] = "^a";
	cr_expect_eq(
		maui_sr_hosts_compile(items, MAUI_SR_HOSTS_ITEMS + 1, NULL, NULL, &hosts, &error),
		-E2BIG);
	cr_expect_null(hosts);
	cr_assert_eq(maui_sr_hosts_compile(items, 300, ignore, &refused, &hosts, &error), 0);
	cr_expect_eq(refused, 300 - MAUI_SR_REGEX_COUNT);
	cr_expect_eq(maui_sr_hosts_match(hosts, names, NULL, NULL), 0);
	cr_expect_eq(maui_node_names_find(names, "n"), UINT32_MAX);
	cr_expect_eq(maui_sr_hosts_count(NULL), 0);
	maui_sr_hosts_free(hosts);
	maui_node_names_free(names);
	cr_expect_null(maui_sr_hosts_free(NULL));
	cr_expect_null(maui_node_names_free(NULL));
}
