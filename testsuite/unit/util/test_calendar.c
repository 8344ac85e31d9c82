/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <time.h>

#include "common/util/time/calendar.h"

#define HOUR INT64_C(3600)

static void set_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

Test(calendar, instants)
{
	static const struct {
		const char *zone;
		int64_t date, seconds, when;
	} cases[] = {
		{"UTC", 20231114, 22 * HOUR + 13 * 60 + 20, 1700000000},
		{"UTC", 19700101, 0, 0},
		{"UTC", 19691231, 86399, -1},
		{"UTC", 20231113, 86400, 1699920000},
		{"UTC", 20231115, -86400, 1699920000},
		{"Asia/Kolkata", 20231115, 0, 1699986600},
		/* Clocks go forward: 9:00 is 9:00, 2:30 does not exist, a day has 23 hours. */
		{"Europe/Berlin", 20240331, 0, 1711839600},
		{"Europe/Berlin", 20240331, 9 * HOUR, 1711868400},
		{"Europe/Berlin", 20240331, 2 * HOUR - 1, 1711846799},
		{"Europe/Berlin", 20240331, 2 * HOUR, 1711846800},
		{"Europe/Berlin", 20240331, 2 * HOUR + 1800, 1711846800},
		{"Europe/Berlin", 20240331, 3 * HOUR, 1711846800},
		{"Europe/Berlin", 20240401, 0, 1711839600 + 23 * HOUR},
		/* Back: 2:30 occurs twice, a day has 25 hours. */
		{"Europe/Berlin", 20241027, 0, 1729980000},
		{"Europe/Berlin", 20241027, 2 * HOUR + 1800, 1729980000 + 9000},
		{"Europe/Berlin", 20241027, 3 * HOUR, 1729980000 + 4 * HOUR},
		{"Europe/Berlin", 20241028, 0, 1729980000 + 25 * HOUR},
		/* Half an hour, at 2:00. */
		{"Australia/Lord_Howe", 20241006, 2 * HOUR + 900, 1728142200},
		{"Australia/Lord_Howe", 20241006, 2 * HOUR + 1800, 1728142200},
		{"Australia/Lord_Howe", 20241007, 0, 1728219600},
		/* At midnight: the day begins at 1:00. */
		{"America/Sao_Paulo", 20181104, 0, 1541300400},
		{"America/Sao_Paulo", 20181104, 3600, 1541300400},
		/* A day that does not exist. */
		{"Pacific/Apia", 20111230, 3600, 1325239200},
		{"Pacific/Apia", 20111231, 0, 1325239200},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_zone(cases[i].zone);
		cr_expect_eq(
			maui_clock_instant(maui_day_from_date(cases[i].date), cases[i].seconds),
			cases[i].when, "case %zu: %lld", i,
			(long long)maui_clock_instant(maui_day_from_date(cases[i].date),
						      cases[i].seconds));
	}
}

/* What clocks show at an instant leads back to it, or to the first time that they showed it. */
Test(calendar, there_and_back)
{
	static const char *const zones[] = {
		"UTC",          "Europe/Berlin",    "America/New_York",
		"Asia/Kolkata", "Pacific/Auckland", "Australia/Lord_Howe",
		"Pacific/Apia", "America/St_Johns"};

	for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
		set_zone(zones[i]);
		for (int64_t when = 1300000000; when < 1400000000; when += 12347) {
			struct maui_clock clock = maui_clock_at(when);
			int64_t back = maui_clock_instant(clock.day, clock.seconds);
			struct maui_clock again = maui_clock_at(back);

			cr_assert(clock.seconds >= 0 && clock.seconds < MAUI_DAY_SECONDS);
			cr_assert(back <= when && when - back <= 3600, "%s %lld", zones[i],
				  (long long)when);
			cr_assert(again.day == clock.day && again.seconds == clock.seconds);
		}
	}
}

Test(calendar, dates)
{
	cr_expect_eq(maui_day_of_week(0), 4);
	cr_expect_eq(maui_day_of_week(-1), 3);
	cr_expect_eq(maui_day_of_week(maui_day_from_date(20240331)), 0);
	cr_expect_eq(maui_day_to_date(maui_day_from_date(20240229)), 20240229);
	for (const int64_t *date =
		     (const int64_t[]){20230229, 20231301, 20230100, -1, INT64_C(999999999999), 0};
	     *date; date++)
		cr_expect_eq(maui_day_from_date(*date), INT64_MIN, "%lld", (long long)*date);
}

Test(calendar, far_out)
{
	set_zone("Europe/Berlin");
	maui_clock_at(INT64_MAX);
	maui_clock_at(INT64_MIN);
	maui_clock_instant(INT64_MAX, INT64_MAX);
	maui_clock_instant(INT64_MIN, INT64_MIN);
	maui_day_to_date(INT64_MAX);
}

/* The C library agrees, from year 1 to 8300. */
Test(calendar, dates_are_those_of_the_c_library)
{
	for (int64_t day = -719162; day < 2311400; day += 13) {
		time_t instant = (time_t)(day * MAUI_DAY_SECONDS);
		int64_t date;
		struct tm tm;

		cr_assert_not_null(gmtime_r(&instant, &tm));
		date = (tm.tm_year + INT64_C(1900)) * 10000 + (tm.tm_mon + 1) * 100 + tm.tm_mday;
		cr_assert_eq(maui_day_to_date(day), date, "%lld: %lld", (long long)date,
			     (long long)maui_day_to_date(day));
		cr_assert_eq(maui_day_from_date(date), day, "%lld", (long long)date);
	}
}

Test(calendar, there_are_as_many_days_in_a_month_as_its_dates_say)
{
	static const int64_t last[] = {20230131, 20230228, 20240229, 20230331, 20230430, 19000228,
				       20000229, 20230630, 20230930, 20231130, 20231231};

	for (size_t i = 0; i < sizeof(last) / sizeof(last[0]); i++) {
		cr_expect_neq(maui_day_from_date(last[i]), INT64_MIN, "%lld", (long long)last[i]);
		cr_expect_eq(maui_day_from_date(last[i] + 1), INT64_MIN, "%lld",
			     (long long)last[i]);
	}
}
