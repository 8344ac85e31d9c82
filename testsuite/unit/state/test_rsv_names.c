/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of our reservations: found, kept in order, written, and read back or refused as a
 * whole.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/state/rsv_names.h"
#include "testsuite/fuzz/state_file.h"

#define FIRST_LINE "slurm-maui reservations 1\n"

static struct maui_rsv_names known;
static char *text;
static size_t size;

static void setup(void)
{
	known = (struct maui_rsv_names){0};
	text = NULL;
}

static void teardown(void)
{
	maui_rsv_names_clear(&known);
	free(text);
}

TestSuite(rsv_names, .init = setup, .fini = teardown);

static void expect_order(const struct maui_rsv_names *of)
{
	for (size_t i = 1; i < of->count; i++)
		cr_assert_lt(strcmp(of->names[i - 1]->name, of->names[i]->name), 0, "%s, %s",
			     of->names[i - 1]->name, of->names[i]->name);
}

/* ---- names ---- */

Test(rsv_names, nothing_is_known_at_first)
{
	cr_expect_null(maui_rsv_names_find(&known, "a.inf"));
	cr_expect_null(maui_rsv_names_find(&known, ""));
	maui_rsv_names_drop(&known, "a.inf");
	cr_expect_eq(known.count, 0);
}

Test(rsv_names, what_is_added_is_found)
{
	static const char *const names[] = {"m.inf",      "a.inf", "z.20260101", "m.20260101",
					    "m.20251231", "M.inf", "m",          "m.inf2"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct maui_rsv_name *one = maui_rsv_names_add(&known, names[i]);

		cr_assert_not_null(one);
		cr_expect_str_eq(one->name, names[i]);
		cr_expect(!one->used && !one->spent);
		one->used = i % 2;
		one->spent = i % 3 == 0;
		expect_order(&known);
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct maui_rsv_name *one = maui_rsv_names_find(&known, names[i]);

		cr_assert_not_null(one, "%s", names[i]);
		cr_expect_eq(one->used, i % 2 == 1, "%s", names[i]);
		cr_expect_eq(one->spent, i % 3 == 0, "%s", names[i]);
	}
	cr_expect_null(maui_rsv_names_find(&known, "m.in"));
	cr_expect_null(maui_rsv_names_find(&known, "m.inff"));
	cr_expect_null(maui_rsv_names_find(&known, "m.INF"));
}

Test(rsv_names, adding_twice_finds_the_first_with_what_is_known_of_it)
{
	maui_rsv_names_add(&known, "a.inf")->used = true;
	cr_expect(maui_rsv_names_add(&known, "a.inf")->used);
	cr_expect_eq(known.count, 1);
}

Test(rsv_names, dropped_names_are_gone_and_others_stay)
{
	maui_rsv_names_add(&known, "a.inf");
	maui_rsv_names_add(&known, "b.inf")->spent = true;
	maui_rsv_names_add(&known, "c.inf")->used = true;
	maui_rsv_names_drop(&known, "nobody.inf");
	maui_rsv_names_drop(&known, "a.inf");
	cr_expect_null(maui_rsv_names_find(&known, "a.inf"));
	cr_expect(maui_rsv_names_find(&known, "b.inf")->spent);
	cr_expect(maui_rsv_names_find(&known, "c.inf")->used);
	/* by its own text, which is freed with it */
	maui_rsv_names_drop(&known, known.names[1]->name);
	cr_expect_null(maui_rsv_names_find(&known, "c.inf"));
	maui_rsv_names_drop(&known, known.names[0]->name);
	cr_expect_eq(known.count, 0);
	/* and a name that comes back starts over */
	cr_expect_not(maui_rsv_names_add(&known, "b.inf")->spent);
}

static const struct name_case {
	const char *name;
	bool right;
} name_cases[] = {
	{"a.inf", true},
	{"x", true},
	{"\xc3\xa4.inf", true},
	{"a.b.c.20260101", true},
	{"#.inf", true},
	{"end", true},
	{"", false},
	{" ", false},
	{"a b.inf", false},
	{"a\n.inf", false},
	{"a\t.inf", false},
	{"a\r.inf", false},
	{"a,b.inf", false},
	{"a=b.inf", false},
	{"a\"b.inf", false},
	{" a.inf", false},
	{"a.inf ", false},
};

Test(rsv_names, names_that_cannot_be_written_are_not_known)
{
	for (size_t i = 0; i < sizeof(name_cases) / sizeof(*name_cases); i++)
		cr_expect_eq(maui_rsv_names_add(&known, name_cases[i].name) != NULL,
			     name_cases[i].right, "\"%s\"", name_cases[i].name);
}

Test(rsv_names, a_name_has_its_bound)
{
	char name[MAUI_SR_INSTANCE_SIZE + 1];
	struct maui_rsv_names again = {0};

	memset(name, 'n', sizeof(name));
	name[MAUI_SR_INSTANCE_SIZE] = '\0';
	cr_expect_null(maui_rsv_names_add(&known, name));
	cr_expect_null(maui_rsv_names_find(&known, name));
	name[MAUI_SR_INSTANCE_SIZE - 1] = '\0';
	cr_expect_not_null(maui_rsv_names_add(&known, name));
	maui_rsv_names_format(&known, &text, &size);
	cr_assert_eq(maui_rsv_names_parse(text, size, &again, NULL), 0);
	cr_expect_not_null(maui_rsv_names_find(&again, name));
	maui_rsv_names_clear(&again);
}

Test(rsv_names, there_is_a_most_of_them_and_it_fits_into_a_file)
{
	struct maui_rsv_names again = {0};
	char name[MAUI_SR_INSTANCE_SIZE];

	for (int i = 0; i < MAUI_RSV_NAMES_MAX_NAMES; i++) {
		/* as long as names can be */
		snprintf(name, sizeof(name), "%0*d", MAUI_SR_INSTANCE_SIZE - 1, i);
		cr_assert_not_null(maui_rsv_names_add(&known, name));
	}
	cr_expect_null(maui_rsv_names_add(&known, "one-more.inf"));
	cr_expect_not_null(maui_rsv_names_add(&known, name), "it is there already");
	maui_rsv_names_format(&known, &text, &size);
	cr_expect_leq(size, MAUI_RSV_NAMES_MAX_SIZE);
	cr_assert_eq(maui_rsv_names_parse(text, size, &again, NULL), 0);
	cr_expect_eq(again.count, MAUI_RSV_NAMES_MAX_NAMES);
	expect_order(&again);
	maui_rsv_names_clear(&again);
}

/* ---- text ---- */

static void write_sample(void)
{
	maui_rsv_names_add(&known, "night.20260101")->used = true;
	maui_rsv_names_add(&known, "debug.inf");
	maui_rsv_names_add(&known, "gone.inf")->cancelled = true;
	maui_rsv_names_add(&known, "once.20260102")->spent = true;
	maui_rsv_names_add(&known, "once.20260101")->used = true;
	maui_rsv_names_find(&known, "once.20260101")->spent = true;
	maui_rsv_names_format(&known, &text, &size);
}

Test(rsv_names, what_was_written_is_read)
{
	struct maui_rsv_names again = {0};
	struct maui_error error = {""};

	write_sample();
	cr_assert_eq(maui_rsv_names_parse(text, size, &again, &error), 0, "%s", error.text);
	cr_expect_eq(again.count, 5);
	cr_expect(maui_rsv_names_find(&again, "gone.inf")->cancelled);
	cr_expect_not(maui_rsv_names_find(&again, "once.20260102")->cancelled);
	cr_expect(maui_rsv_names_find(&again, "night.20260101")->used);
	cr_expect(maui_rsv_names_find(&again, "once.20260102")->spent);
	cr_expect_not(maui_rsv_names_find(&again, "once.20260102")->used);
	cr_expect_not(maui_rsv_names_find(&again, "debug.inf")->used);
	maui_rsv_names_clear(&again);
}

/* Reads a file of these lines with a valid last line. */
static int read_lines(const char *lines, size_t length, struct maui_rsv_names *into,
		      struct maui_error *error)
{
	size_t at = strlen(FIRST_LINE);
	char *content = malloc(length + 128);
	int rc;

	cr_assert_not_null(content);
	memcpy(content, FIRST_LINE, at);
	memcpy(content + at, lines, length);
	at += length;
	content[at++] = '\n';
	at += (size_t)last_line(content + at, 80, content, at);
	rc = maui_rsv_names_parse(content, at, into, error);
	free(content);
	return rc;
}

Test(rsv_names, a_name_in_a_file_has_its_bound)
{
	char line[MAUI_SR_INSTANCE_SIZE + 64];

	for (int more = 0; more < 2; more++) {
		int length = snprintf(line, sizeof(line), "reservation 0 %0*d",
				      MAUI_SR_INSTANCE_SIZE - 1 + more, 7);

		cr_expect_eq(read_lines(line, (size_t)length, &known, NULL), more ? -EINVAL : 0);
	}
}

Test(rsv_names, a_file_of_too_many_names_is_refused)
{
	char *lines = malloc((MAUI_RSV_NAMES_MAX_NAMES + 1) * 40), *at = lines;
	struct maui_error error = {""};

	cr_assert_not_null(lines);
	for (int i = 0; i <= MAUI_RSV_NAMES_MAX_NAMES; i++)
		at += sprintf(at, "reservation 0 %05d.inf\n", i);
	cr_expect_eq(read_lines(lines, (size_t)(at - lines) - 1, &known, &error), -EINVAL);
	cr_expect_str_eq(error.text, "line 20002 is not understood");
	cr_expect_eq(known.count, 0);
	free(lines);
}

/* Whatever has been added and dropped since. */
Test(rsv_names, a_name_has_a_place_in_the_order)
{
	char name[32];

	cr_expect_eq(maui_rsv_names_place(&known, "a.inf"), 0);
	for (int i = 0; i < 20000; i += 3) {
		snprintf(name, sizeof(name), "%d.inf", i);
		cr_assert_not_null(maui_rsv_names_add(&known, name));
		if (i % 500 == 0)
			cr_expect_gt(maui_rsv_names_place(&known, name), 0);
	}
	for (int i = 0; i < 20000; i += 7) {
		snprintf(name, sizeof(name), "%d.inf", i);
		maui_rsv_names_drop(&known, name);
		cr_assert_null(maui_rsv_names_find(&known, name));
		cr_assert_eq(maui_rsv_names_place(&known, name), 0);
	}
	for (size_t i = 0; i < known.count; i++) {
		cr_assert_eq(maui_rsv_names_find(&known, known.names[i]->name), known.names[i]);
		cr_assert_eq(maui_rsv_names_place(&known, known.names[i]->name), i + 1);
	}
}
