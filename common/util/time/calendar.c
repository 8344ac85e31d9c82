/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds an instant by the UTC offsets a day before and after it. Converts days
 * to YYYYMMDD numbers and back by arithmetic.
 */
#include "common/util/time/calendar.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

/* Distant times are clamped to those whose year the C library can represent. */
#define FARTHEST INT64_C(200000000000)

static int64_t in_range(int64_t when)
{
	if (when > FARTHEST)
		return FARTHEST;
	return when < -FARTHEST ? -FARTHEST : when;
}

/* Local time minus UTC. */
static int64_t offset_at(int64_t when)
{
	time_t instant = (time_t)in_range(when);
	struct tm tm;

	return localtime_r(&instant, &tm) ? tm.tm_gmtoff : 0;
}

static int64_t floor_days(int64_t seconds)
{
	int64_t days = seconds / MAUI_DAY_SECONDS;

	return seconds % MAUI_DAY_SECONDS < 0 ? days - 1 : days;
}

struct maui_clock maui_clock_at(int64_t when)
{
	int64_t local = in_range(when) + offset_at(when);
	int64_t day = floor_days(local);

	return (struct maui_clock){day, local - day * MAUI_DAY_SECONDS};
}

static bool calendar_shows(int64_t when, int64_t local)
{
	return when + offset_at(when) == local;
}

/* When the clocks change between two instants. */
static int64_t find_change(int64_t before, int64_t after)
{
	int64_t offset = offset_at(before);

	while (after - before > 1) {
		int64_t middle = before + (after - before) / 2;

		if (offset_at(middle) == offset)
			before = middle;
		else
			after = middle;
	}
	return after;
}

int64_t maui_clock_instant_after(int64_t day, int64_t seconds, int64_t after)
{
	int64_t local = in_range(in_range(day) * MAUI_DAY_SECONDS + in_range(seconds));
	/* No zone is a day off UTC: the offset of a day earlier is the one before the change. */
	int64_t early = local - offset_at(local - MAUI_DAY_SECONDS);
	int64_t late = local - offset_at(local + MAUI_DAY_SECONDS);

	if (early == late)
		return early;
	if (calendar_shows(early, local) && calendar_shows(late, local))
		return (early < late) == (after <= (early < late ? early : late)) ? early : late;
	if (calendar_shows(early, local))
		return early;
	if (calendar_shows(late, local))
		return late;
	return early < late ? find_change(early, late) : find_change(late, early);
}

int64_t maui_clock_instant(int64_t day, int64_t seconds)
{
	return maui_clock_instant_after(day, seconds, INT64_MIN);
}

unsigned int maui_day_of_week(int64_t day)
{
	return (unsigned int)(((day + 4) % 7 + 7) % 7); /* 1970-01-01 was a Thursday */
}

/*
 * The Gregorian calendar in numbers, as every name of an instance needs it. Years begin in March:
 * the day that a leap year has more is then the last one of all, and the months before it repeat.
 */
#define DAYS_IN_400  INT64_C(146097)
#define MARCH_1_0000 INT64_C(719468) /* days from then to 1970-01-01 */

/* Days from March 1 to the first of a month; 0 is March. */
static int64_t days_before(int64_t month)
{
	return (153 * month + 2) / 5;
}

static int64_t days_of_years(int64_t years)
{
	return years * 365 + years / 4 - years / 100 + years / 400;
}

int64_t maui_day_to_date(int64_t day)
{
	int64_t since = in_range(in_range(day) * MAUI_DAY_SECONDS) / MAUI_DAY_SECONDS;
	int64_t eras, year, month;

	since += MARCH_1_0000;
	eras = since < 0 ? (since + 1) / DAYS_IN_400 - 1 : since / DAYS_IN_400;
	since -= eras * DAYS_IN_400;
	year = (since - since / 1460 + since / 36524 - since / (DAYS_IN_400 - 1)) / 365;
	since -= days_of_years(year);
	month = (5 * since + 2) / 153;
	year += eras * 400 + (month >= 10);
	return year * 10000 + (month < 10 ? month + 3 : month - 9) * 100 + since -
	       days_before(month) + 1;
}

int64_t maui_day_from_date(int64_t date)
{
	int64_t year = date / 10000, month = date / 100 % 100, day;

	if (date < 0 || date > INT64_C(99991231) || month < 1 || month > 12)
		return INT64_MIN;
	month = month < 3 ? month + 9 : month - 3;
	year -= month >= 10;
	day = (year < 0 ? -366 : days_of_years(year)) + days_before(month) + date % 100 - 1 -
	      MARCH_1_0000;
	return maui_day_to_date(day) == date ? day : INT64_MIN;
}
