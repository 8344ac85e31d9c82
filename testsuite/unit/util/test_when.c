/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times as setres takes them, against the calendar of the C library. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/util/when.h"

#define NOW INT64_C(1700050530) /* Wednesday 2023-11-15, 12:15:30 UTC */

static void set_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

static int64_t local(int year, int month, int day, int hour, int minute, int second)
{
	struct tm tm = {.tm_year = year - 1900,
			.tm_mon = month - 1,
			.tm_mday = day,
			.tm_hour = hour,
			.tm_min = minute,
			.tm_sec = second,
			.tm_isdst = -1};

	return mktime(&tm);
}

static void expect_at(const char *text, int64_t expected)
{
	struct maui_error error = {""};
	struct maui_when when;

	cr_assert_eq(maui_when_parse(text, NOW, &when, &error), 0, "%s: %s", text, error.text);
	cr_expect_eq(when.kind, MAUI_WHEN_AT, "%s", text);
	cr_expect_eq(when.seconds, expected, "%s: %lld, not %lld", text, (long long)when.seconds,
		     (long long)expected);
	cr_expect_not(when.ambiguous);
}

static void expect_all(void)
{
	struct tm now;
	time_t seconds = NOW;
	int year, month, day;

	localtime_r(&seconds, &now);
	year = now.tm_year + 1900;
	month = now.tm_mon + 1;
	day = now.tm_mday;
	expect_at("9", local(year, month, day, 9, 0, 0));
	expect_at("14:05", local(year, month, day, 14, 5, 0));
	expect_at("14:05:06", local(year, month, day, 14, 5, 6));
	expect_at("00:00:00", local(year, month, day, 0, 0, 0));
	expect_at("24", local(year, month, day + 1, 0, 0, 0));
	expect_at("8:30_12/24", local(year, 12, 24, 8, 30, 0));
	expect_at("8_12", local(year, 12, 1, 8, 0, 0));
	expect_at("_12/24", local(year, 12, 24, now.tm_hour, 0, 0));
	expect_at("8:30:01_2/29/24", local(2024, 2, 29, 8, 30, 1));
	expect_at("0_1/2/96", local(2096, 1, 2, 0, 0, 0));
	expect_at("0_1/2/97", local(1997, 1, 2, 0, 0, 0));
	expect_at("0_1/2/2031", local(2031, 1, 2, 0, 0, 0));
	expect_at("0_1/2/124", local(2024, 1, 2, 0, 0, 0));
}

Test(when, clocks_of_several_zones)
{
	static const char *const zones[] = {"UTC", "America/New_York", "Asia/Kolkata",
					    "Pacific/Auckland", "Europe/Berlin"};

	for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
		set_zone(zones[i]);
		expect_all();
	}
}

/* For a time that occurs twice the first, for a skipped one the change: calendar.h. */
Test(when, days_of_a_change)
{
	set_zone("Europe/Berlin");
	expect_at("2:30_10/29/23", INT64_C(1698539400));
	expect_at("2:30_3/26/23", INT64_C(1679792400));
	expect_at("9_3/26/23", INT64_C(1679814000));
}

Test(when, from_now_on)
{
	static const struct {
		const char *text;
		int64_t seconds;
		bool ambiguous;
	} cases[] = {{"+0", 0, false},         {"+90", 90, false},
		     {"+5:30", 330, true},     {"+1:00:00", 3600, false},
		     {"+0:10:00", 600, false}, {"+2:01:00:00", 176400, false}};
	struct maui_when when;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cr_assert_eq(maui_when_parse(cases[i].text, NOW, &when, NULL), 0, "%s",
			     cases[i].text);
		cr_expect_eq(when.kind, MAUI_WHEN_IN);
		cr_expect_eq(when.seconds, cases[i].seconds, "%s", cases[i].text);
		cr_expect_eq(when.ambiguous, cases[i].ambiguous, "%s", cases[i].text);
	}
}

Test(when, words)
{
	struct maui_when when;

	cr_assert_eq(maui_when_parse("now", NOW, &when, NULL), 0);
	cr_expect_eq(when.kind, MAUI_WHEN_NOW);
	cr_assert_eq(maui_when_parse("OFF", NOW, &when, NULL), 0);
	cr_expect_eq(when.kind, MAUI_WHEN_NEVER);
	cr_assert_eq(maui_when_parse("Infinity", NOW, &when, NULL), 0);
	cr_expect_eq(when.kind, MAUI_WHEN_NEVER);
}

Test(when, what_is_no_time_is_refused_with_a_reason)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{"", "write ["},
		{"+", "write ["},
		{"+x", "write ["},
		{"+-5", "write ["},
		{"+5x", "write ["},
		{"+INFINITY", "write ["},
		{"soon", "write ["},
		{"25", "the hour is a number from 0 to 24"},
		{"12:60", "the minute is"},
		{"12:00:60", "the second is"},
		{"12:", "write ["},
		{"12::1", "write ["},
		{"12:00:00:00", "write ["},
		{"1700000000", "write ["},
		{"8_", "write ["},
		{"8_13/1", "the month is a number from 1 to 12"},
		{"8_0/1", "the month is"},
		{"8_1/32", "the day is"},
		{"8_2/30", "there is no such day"},
		{"8_2/29/23", "there is no such day"},
		{"8_1/2/3/4", "write ["},
		{"8_1/2/23 ", "write ["},
		{"8 _1/2", "write ["},
		{"-1:00:00", "write ["},
		{"8_1/2/99999", "write ["},
	};

	set_zone("UTC");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_when when = {.seconds = 77};
		struct maui_error error = {""};
		int rc = maui_when_parse(cases[i].text, NOW, &when, &error);

		cr_expect_eq(rc, -EINVAL, "%s", cases[i].text);
		cr_expect_eq(when.seconds, 77);
		cr_expect_not_null(strstr(error.text, cases[i].why), "%s: %s", cases[i].text,
				   error.text);
	}
}
