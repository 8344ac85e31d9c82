/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/util/calendar.h"

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

static bool shows(int64_t when, int64_t local)
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

int64_t maui_clock_instant(int64_t day, int64_t seconds)
{
	int64_t local = in_range(in_range(day) * MAUI_DAY_SECONDS + in_range(seconds));
	/* No zone is a day off UTC: the offset of a day earlier is the one before the change. */
	int64_t early = local - offset_at(local - MAUI_DAY_SECONDS);
	int64_t late = local - offset_at(local + MAUI_DAY_SECONDS);

	if (early == late)
		return early;
	if (shows(early, local) && shows(late, local))
		return early < late ? early : late;
	if (shows(early, local))
		return early;
	if (shows(late, local))
		return late;
	return early < late ? find_change(early, late) : find_change(late, early);
}

unsigned int maui_day_of_week(int64_t day)
{
	return (unsigned int)(((day + 4) % 7 + 7) % 7); /* 1970-01-01 was a Thursday */
}

int64_t maui_day_to_date(int64_t day)
{
	time_t instant = (time_t)in_range(in_range(day) * MAUI_DAY_SECONDS);
	struct tm tm;

	if (!gmtime_r(&instant, &tm))
		return 0;
	return ((int64_t)tm.tm_year + 1900) * 10000 + (int64_t)(tm.tm_mon + 1) * 100 + tm.tm_mday;
}

int64_t maui_day_from_date(int64_t date)
{
	struct tm tm = {.tm_mday = (int)(date % 100), .tm_mon = (int)(date / 100 % 100) - 1};
	int64_t day;

	if (date < 0 || date > INT64_C(99991231))
		return INT64_MIN;
	tm.tm_year = (int)(date / 10000) - 1900;
	day = floor_days(timegm(&tm));
	return maui_day_to_date(day) == date ? day : INT64_MIN;
}
