/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Days and times of day as clocks in the local time zone show them, by the C library's calendar;
 * the zone is the process's (TZ, /etc/localtime). Epoch seconds on one side; on the other, days
 * counted from 1970-01-01, whatever their length, and seconds as a clock shows them.
 */
#ifndef MAUI_UTIL_CALENDAR_H
#define MAUI_UTIL_CALENDAR_H

#include <stdint.h>

#define MAUI_DAY_SECONDS INT64_C(86400)

/* What clocks show at an instant. */
struct maui_clock {
	int64_t day;     /* since 1970-01-01 */
	int64_t seconds; /* of the day, 0 to 86399 */
};
struct maui_clock maui_clock_at(int64_t when);

/*
 * The instant at which clocks show the given seconds after midnight of a day; seconds may reach
 * into later or earlier days. For a time that occurs twice, the first; for one that is skipped, the
 * instant of the change. So two windows always meet if one begins when the other ends by the clock.
 */
int64_t maui_clock_instant(int64_t day, int64_t seconds);

/* The same, but for a time that occurs twice the second, if the first is before `after`. */
int64_t maui_clock_instant_after(int64_t day, int64_t seconds, int64_t after);

/* 0 Sunday to 6 Saturday. */
unsigned int maui_day_of_week(int64_t day);

/* YYYYMMDD as a number, and back; INT64_MIN for a number that is not a date. */
int64_t maui_day_to_date(int64_t day);
int64_t maui_day_from_date(int64_t date);

#endif
