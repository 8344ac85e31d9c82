/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "common/config/config.h"
#include "common/util/time/duration.h"

#define DAY INT64_C(86400)

static const struct {
	const char *text;
	int64_t seconds;
	bool ambiguous;
	const char *rest;
} good[] = {
	{"0", 0, false, ""},
	{"1", 1, false, ""},
	{"3600", 3600, false, ""},
	{"+5", 5, false, ""},
	{"-1", -1, false, ""},
	{"0x10", 16, false, ""},
	{"0X1f", 31, false, ""},
	{"010", 8, false, ""},
	{"08", 0, false, "8"}, /* octal, as in strtol */
	{"0x", 0, false, "x"},
	{"10abc", 10, false, "abc"},
	{"1.5", 1, false, ".5"},
	{"3600,7200", 3600, false, ",7200"},
	{" \t10", 10, false, ""},
	{"10 \t", 10, false, ""},
	{"10 20", 10, false, "20"},
	{"INFINITY", MAUI_INFINITY, false, ""},
	{"infinity", MAUI_INFINITY, false, ""},
	{"Infinity2", MAUI_INFINITY, false, "2"},
	{"8:00", 480, true, ""},
	{"90:00", 5400, true, ""},
	{"1::2", 62, true, ""},
	{"12:", 12, true, ""},
	{":30", 30, true, ""},
	{"08:09", 489, true, ""}, /* decimal: fields have leading zeros */
	{"0:00:00", 0, false, ""},
	{"01:02:03", 3723, false, ""},
	{"24:00:00", DAY, false, ""},
	{"99:99:99", INT64_C(99) * 3600 + INT64_C(99) * 60 + 99, false, ""},
	{"1:08:00:00", DAY + INT64_C(8) * 3600, false, ""},
	{"00:00:00:10", 10, false, ""},
	{"1::2::3", 3723, false, ""},
	{"-1:30:00", -5400, false, ""},
	{"1:00:00*", 3600, false, "*"},
	{"1:00:00,2:00:00", 3600, false, ",2:00:00"},
	{"1:2:3:4:5", DAY + INT64_C(2) * 3600 + 184, false, ":5"},
	{"1:2x:3", 62, true, "x:3"},
	{"1:-2", 1, true, "-2"},
	{"9007199254740992", INT64_C(1) << 53, false, ""},
	{"-9007199254740992", -(INT64_C(1) << 53), false, ""},
};

Test(duration_parse, reads_the_documented_grammar_right_aligned)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		int64_t seconds = -77;
		bool ambiguous = !good[i].ambiguous;
		const char *rest = NULL;

		cr_expect_eq(maui_duration_parse(good[i].text, &seconds, &ambiguous, &rest), 0,
			     "'%s'", good[i].text);
		cr_expect_eq(seconds, good[i].seconds, "'%s': %" PRId64, good[i].text, seconds);
		cr_expect_eq(ambiguous, good[i].ambiguous, "'%s'", good[i].text);
		cr_expect_str_eq(rest, good[i].rest, "'%s'", good[i].text);
	}
}

static const struct {
	const char *text;
	int rc;
} bad[] = {
	{NULL, -EINVAL},
	{"", -EINVAL},
	{" ", -EINVAL},
	{"abc", -EINVAL},
	{":", -EINVAL},
	{"::::", -EINVAL},
	{"-", -EINVAL},
	{"+-1", -EINVAL},
	{"--1", -EINVAL},
	{"- 1", -EINVAL},
	{"INFINIT", -EINVAL},
	{"-INFINITY", -EINVAL},
	{"x:10", -EINVAL},
	{"\n10", -EINVAL},
	{"9007199254740993", -ERANGE},
	{"-9007199254740993", -ERANGE},
	{"0xffffffffffffffffffffffff", -ERANGE},
	{"99999999999999999999999999999999999999", -ERANGE},
	{"1:00:99999999999999999999999999", -ERANGE},
	{"9999999999999999:00:00:00", -ERANGE},
	{"104249991374:07:36:33", -ERANGE}, /* one second beyond 2^53 */
	{"2501999792983:00:9007199254740992", -ERANGE},
};

Test(duration_parse, refuses_what_is_no_duration_and_leaves_the_outputs_alone)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		int64_t seconds = -77;
		bool ambiguous = true;
		const char *rest = "untouched";

		cr_expect_eq(maui_duration_parse(bad[i].text, &seconds, &ambiguous, &rest),
			     bad[i].rc, "'%s'", bad[i].text ? bad[i].text : "(null)");
		cr_expect_eq(seconds, -77);
		cr_expect(ambiguous);
		cr_expect_str_eq(rest, "untouched");
	}
}

Test(duration_parse, needs_no_outputs_but_the_seconds)
{
	int64_t seconds;

	cr_expect_eq(maui_duration_parse("1:00:00", &seconds, NULL, NULL), 0);
	cr_expect_eq(seconds, 3600);
}

static const struct {
	int64_t seconds;
	const char *text;
} formatted[] = {
	{0, "00:00:00"},
	{1, "00:00:01"},
	{-59, "-00:00:59"},
	{3599, "00:59:59"},
	{3600, "1:00:00"},
	{36000, "10:00:00"},
	{86399, "23:59:59"},
	{DAY, "1:00:00:00"},
	{-DAY, "-1:00:00:00"},
	{DAY + 3661, "1:01:01:01"},
	{100 * DAY - 1, "99:23:59:59"},
	{100 * DAY, "  INFINITY"},
	{MAUI_INFINITY, "  INFINITY"},
	{INT64_MAX, "  INFINITY"},
	{-10 * DAY + 1, "-9:23:59:59"},
	{-10 * DAY, " -INFINITY"},
	{INT64_MIN, " -INFINITY"},
};

Test(duration_format, writes_the_originals_form)
{
	for (size_t i = 0; i < sizeof(formatted) / sizeof(formatted[0]); i++) {
		char text[MAUI_DURATION_SIZE];

		cr_expect_eq(maui_duration_format(formatted[i].seconds, text), text);
		cr_expect_str_eq(text, formatted[i].text, "%" PRId64 ": '%s'", formatted[i].seconds,
				 text);
	}
}

Test(duration_format, is_read_back_as_the_same_number_of_seconds)
{
	unsigned int seed = (unsigned int)time(NULL);

	fprintf(stderr, "seed %u\n", seed);
	srand(seed);
	for (int i = 0; i < 100000; i++) {
		int64_t seconds = rand() % (110 * DAY) - 10 * DAY + 1, again;
		char text[MAUI_DURATION_SIZE];
		bool ambiguous;
		const char *rest;

		if (seconds >= 100 * DAY)
			continue;
		maui_duration_format(seconds, text);
		cr_assert_eq(maui_duration_parse(text, &again, &ambiguous, &rest), 0, "'%s'", text);
		cr_assert_eq(again, seconds, "'%s'", text);
		cr_assert_not(ambiguous);
		cr_assert_str_eq(rest, "");
	}
}
