/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "common/util/time/calendar.h"
#include "common/util/time/date.h"

Test(date, a_day_ends_at_the_next_midnight_and_a_time_at_itself)
{
	static const struct {
		const char *zone, *text;
		int64_t end;
	} cases[] = {
		{"UTC", "2027-06-30", 1814400000},
		{"UTC", "2027-06-30_00:00:00", 1814313600},
		{"UTC", "2027-06-30_23:59:59", 1814399999},
		{"UTC", "2028-02-29", 1835481600},
		{"UTC", "3000-12-31", 32535216000},
		{"Europe/Berlin", "2027-06-30", 1814392800},
		/* Clocks go from 02:00 to 03:00, and from 03:00 back to 02:00. */
		{"Europe/Berlin", "2027-03-28_02:30:00", 1806195600},
		{"Europe/Berlin", "2027-10-31_02:30:00", 1824942600},
		{"Pacific/Kiritimati", "1971-01-01", 31660800},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_error error = {""};
		struct maui_date date;

		setenv("TZ", cases[i].zone, 1);
		tzset();
		cr_assert_eq(maui_date_parse(cases[i].text, &date, &error), 0, "%s", error.text);
		cr_expect_eq(maui_date_end(&date), cases[i].end, "%s %s: %lld", cases[i].zone,
			     cases[i].text, (long long)maui_date_end(&date));
	}
}

Test(date, what_is_not_one_is_refused)
{
	static const char *const wrong[] = {
		"",
		"2027",
		"2027-06",
		"2027-6-30",
		"27-06-30",
		"2027-06-31",
		"2027-02-29",
		"2027-00-01",
		"2027-13-01",
		"2027-06-00",
		"1970-12-31",
		"3001-01-01",
		"2027-06-30 ",
		" 2027-06-30",
		"2027/06/30",
		"2027-06-30_",
		"2027-06-30_12",
		"2027-06-30_12:00",
		"2027-06-30T12:00:00",
		"2027-06-30_24:00:00",
		"2027-06-30_12:60:00",
		"2027-06-30_12:00:60",
		"2027-06-30_12:00:000",
		"2027-06-30_12:00:00x",
		"+027-06-30",
		"06/30/2027",
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct maui_date date = {.day = 7, .seconds = 7};
		struct maui_error error = {""};

		cr_expect_eq(maui_date_parse(wrong[i], &date, &error), -EINVAL, "'%s'", wrong[i]);
		cr_expect(date.day == 7 && date.seconds == 7, "'%s'", wrong[i]);
		cr_expect_neq(*error.text, '\0', "'%s'", wrong[i]);
	}
}

Test(date, months_have_a_first_day)
{
	int64_t day;
	struct maui_error error;

	cr_assert_eq(maui_month_parse("2026-11", &day, &error), 0, "%s", error.text);
	cr_expect_eq(maui_day_to_date(day), 20261101);
	cr_expect_eq(maui_day_to_date(maui_month_first(day, 1)), 20261201);
	cr_expect_eq(maui_day_to_date(maui_month_first(day, 2)), 20270101);
	cr_expect_eq(maui_day_to_date(maui_month_first(day, -10)), 20260101);
	cr_expect_eq(maui_day_to_date(maui_month_first(day, -11)), 20251201);
	cr_expect_eq(maui_day_to_date(maui_month_first(maui_day_from_date(20240229), 0)), 20240201);
	cr_expect_eq(maui_day_to_date(maui_month_first(maui_day_from_date(20241231), 2)), 20250201);
}

Test(date, what_is_no_month_is_refused)
{
	static const char *const wrong[] = {"",        "2026",    "2026-00",  "2026-13",
					    "2026-1",  "2026-1x", "2026-11 ", "2026-11-01",
					    "1970-12", "3001-01", "26-11",    "november"};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct maui_error error = {""};
		int64_t day = 7;

		cr_expect_eq(maui_month_parse(wrong[i], &day, &error), -EINVAL, "'%s'", wrong[i]);
		cr_expect(day == 7 && *error.text, "'%s'", wrong[i]);
	}
}
