/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times as setres takes them, against the calendar of the C library. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/util/time/when.h"

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

	cr_assert_eq(maui_when_parse(text, NOW, NOW, &when, &error), 0, "%s: %s", text, error.text);
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

struct repeated {
	const char *zone;
	int64_t now;
	const char *text;
	int64_t after; /* of an end: the start; 0: now */
	int64_t expected;
};

/* The hour from 2:00 to 3:00 comes twice in Berlin, from 1:00 in New York; half an hour from 1:30
 * on Lord Howe Island. */
static const struct repeated repeated[] = {
	/* 2026-10-25: 2:00 is 1792886400 and 1792890000 */
	{"Europe/Berlin", 1792882800, "2:45", 0, 1792889100}, /* at 1:00 */
	{"Europe/Berlin", 1792888200, "2:45", 0, 1792889100}, /* at the first 2:30 */
	{"Europe/Berlin", 1792888200, "2:30", 0, 1792888200}, /* now */
	{"Europe/Berlin", 1792888200, "2:15", 0, 1792890900}, /* the next one */
	{"Europe/Berlin", 1792891800, "2:45", 0, 1792892700}, /* at the second 2:30 */
	{"Europe/Berlin", 1792891800, "2:15", 0, 1792890900}, /* it has passed twice */
	{"Europe/Berlin", 1792891800, "2", 0, 1792890000},
	{"Europe/Berlin", 1792891800, "3", 0, 1792893600},
	{"Europe/Berlin", 1792891800, "1:30", 0, 1792884600}, /* it comes once, and has passed */
	{"Europe/Berlin", 1792891800, "2:45_10/25/26", 0, 1792889100}, /* with a date the first */
	{"Europe/Berlin", 1792888200, "2:45", 1792890900, 1792892700}, /* after a start at 2:15 */
	{"Europe/Berlin", 1792882800, "2:15", 1792889100, 1792890900}, /* from 2:45 to 2:15 */
	/* 2026-11-01: 1:00 is 1793509200 and 1793512800 */
	{"America/New_York", 1793511000, "1:45", 0, 1793511900},
	{"America/New_York", 1793514600, "1:45", 0, 1793515500},
	{"America/New_York", 1793514600, "1:15", 0, 1793513700},
	/* 2026-04-05: 1:30 is 1775313000 and 1775314800 */
	{"Australia/Lord_Howe", 1775313600, "1:45", 0, 1775313900},
	{"Australia/Lord_Howe", 1775315400, "1:45", 0, 1775315700},
	{"Australia/Lord_Howe", 1775315400, "1:15", 0, 1775312100},
	{"Asia/Kolkata", 1792891800, "2:45", 0, 1792876500},
};

Test(when, of_a_time_that_comes_twice_the_next)
{
	for (size_t i = 0; i < sizeof(repeated) / sizeof(repeated[0]); i++) {
		const struct repeated *given = &repeated[i];
		struct maui_when when;

		set_zone(given->zone);
		cr_assert_eq(maui_when_parse(given->text, given->now,
					     given->after ? given->after : given->now, &when, NULL),
			     0);
		cr_expect_eq(when.seconds, given->expected, "%zu: %s: %lld, not %lld", i,
			     given->text, (long long)when.seconds, (long long)given->expected);
	}
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
		cr_assert_eq(maui_when_parse(cases[i].text, NOW, NOW, &when, NULL), 0, "%s",
			     cases[i].text);
		cr_expect_eq(when.kind, MAUI_WHEN_IN);
		cr_expect_eq(when.seconds, cases[i].seconds, "%s", cases[i].text);
		cr_expect_eq(when.ambiguous, cases[i].ambiguous, "%s", cases[i].text);
	}
}

Test(when, words)
{
	struct maui_when when;

	cr_assert_eq(maui_when_parse("now", NOW, NOW, &when, NULL), 0);
	cr_expect_eq(when.kind, MAUI_WHEN_NOW);
	cr_assert_eq(maui_when_parse("OFF", NOW, NOW, &when, NULL), 0);
	cr_expect_eq(when.kind, MAUI_WHEN_NEVER);
	cr_assert_eq(maui_when_parse("Infinity", NOW, NOW, &when, NULL), 0);
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
		int rc = maui_when_parse(cases[i].text, NOW, NOW, &when, &error);

		cr_expect_eq(rc, -EINVAL, "%s", cases[i].text);
		cr_expect_eq(when.seconds, 77);
		cr_expect_not_null(strstr(error.text, cases[i].why), "%s: %s", cases[i].text,
				   error.text);
	}
}
