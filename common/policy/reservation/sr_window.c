/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the window of the n-th DAY or WEEK period in local time. Writes and
 * parses names of instances, NAME.YYYYMMDD or NAME.inf.
 */
#include "common/policy/reservation/sr_window.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/util/time/calendar.h"
#include "common/util/text.h"

#define WEEK         (7 * MAUI_DAY_SECONDS)
#define MOST_PERIODS INT64_C(100000) /* either way: beyond that the calendar makes no sense */

/* The day on which the index-th period begins. */
static int64_t first_day(const struct maui_sr *sr, int64_t index, int64_t today)
{
	if (sr->period == MAUI_SR_DAY)
		return today + index;
	return today - maui_day_of_week(today) + 7 * index;
}

/* The end, by the clock, counted from the beginning of the period. */
static int64_t end_of(const struct maui_sr *sr, int64_t day)
{
	if (sr->end > 0)
		return sr->end;
	if (sr->period == MAUI_SR_WEEK)
		return WEEK;
	/* For daily ones, WENDTIME ends the day that it falls on: D-RSV-12. */
	if (sr->week_end > 0 && sr->week_end / MAUI_DAY_SECONDS == maui_day_of_week(day))
		return sr->week_end % MAUI_DAY_SECONDS;
	return MAUI_DAY_SECONDS;
}

/* For daily ones: whether the day, or what is left of it, is among the requested ones. */
static bool day_counts(const struct maui_sr *sr, int64_t index, int64_t day,
		       const struct maui_clock *clock)
{
	int64_t week_time = maui_day_of_week(day) * MAUI_DAY_SECONDS;

	if (index == 0)
		week_time += clock->seconds;
	if (!(sr->days >> maui_day_of_week(day) & 1))
		return false;
	return sr->week_end <= 0 || sr->week_end >= week_time;
}

/* When all of its periods are over. */
static int64_t end_of_all(const struct maui_sr *sr)
{
	return sr->until && sr->until < MAUI_SR_FOREVER ? sr->until : MAUI_SR_FOREVER;
}

static enum maui_sr_need sr_window_forever(const struct maui_sr *sr, int64_t index, int64_t now,
					   struct maui_sr_window *window)
{
	if (index != 0 || (sr->until && now >= sr->until))
		return MAUI_SR_NOT_NEEDED;
	*window = (struct maui_sr_window){.end = end_of_all(sr), .from = now > 0 ? now : 0};
	return window->from < window->end ? MAUI_SR_WANTED : MAUI_SR_EMPTY;
}

static enum maui_sr_need only_one(const struct maui_sr *sr, int64_t index, int64_t now,
				  struct maui_sr_window *window)
{
	if (index != 0 || now >= sr->end)
		return MAUI_SR_NOT_NEEDED;
	*window = (struct maui_sr_window){.start = sr->start,
					  .end = sr->end < MAUI_SR_FOREVER ? sr->end
									   : MAUI_SR_FOREVER,
					  .from = now > sr->start ? now : sr->start};
	return window->from < window->end ? MAUI_SR_WANTED : MAUI_SR_EMPTY;
}

enum maui_sr_need maui_sr_window(const struct maui_sr *sr, int64_t index, int64_t now,
				 struct maui_sr_window *ret_window)
{
	struct maui_clock clock = maui_clock_at(now);
	struct maui_sr_window window = {0};
	int64_t day, end;

	*ret_window = window;
	if (sr->period == MAUI_SR_INFINITY)
		return sr_window_forever(sr, index, now, ret_window);
	if (sr->period == MAUI_SR_ONCE)
		return only_one(sr, index, now, ret_window);
	if (index > MOST_PERIODS || index < -MOST_PERIODS)
		return MAUI_SR_NOT_NEEDED;
	day = first_day(sr, index, clock.day);
	ret_window->date = window.date = maui_day_to_date(day);
	if (sr->period == MAUI_SR_DAY && !day_counts(sr, index, day, &clock))
		return MAUI_SR_NOT_NEEDED;
	end = end_of(sr, day);
	window.start = maui_clock_instant(day, sr->start);
	window.end = maui_clock_instant(day, end);
	if (window.end > end_of_all(sr))
		window.end = end_of_all(sr);
	if ((index <= 0 && now > window.end) || (sr->until && window.start >= sr->until))
		return MAUI_SR_NOT_NEEDED;
	window.from = now > window.start ? now : window.start;
	*ret_window = window;
	return window.from < window.end ? MAUI_SR_WANTED : MAUI_SR_EMPTY;
}

int64_t maui_sr_index(const struct maui_sr *sr, int64_t date, int64_t now)
{
	int64_t today = maui_clock_at(now).day, day;

	if (sr->period == MAUI_SR_INFINITY || sr->period == MAUI_SR_ONCE || !date)
		return sr->period != MAUI_SR_DAY && sr->period != MAUI_SR_WEEK && !date ? 0
											: INT64_MIN;
	day = maui_day_from_date(date);
	if (day == INT64_MIN)
		return INT64_MIN;
	if (sr->period == MAUI_SR_DAY)
		return day - today;
	day -= first_day(sr, 0, today);
	return day % 7 ? INT64_MIN : day / 7;
}

const char *maui_sr_instance_name(const char *sr_name, int64_t date,
				  char text[MAUI_SR_INSTANCE_SIZE])
{
	if (date)
		snprintf(text, MAUI_SR_INSTANCE_SIZE, "%.*s.%08" PRId64, (int)MAUI_SR_NAME_MAX,
			 sr_name, date);
	else
		snprintf(text, MAUI_SR_INSTANCE_SIZE, "%.*s.inf", (int)MAUI_SR_NAME_MAX, sr_name);
	return text;
}

const char *maui_sr_name_at(const struct maui_sr *sr, int64_t date,
			    char text[MAUI_SR_INSTANCE_SIZE])
{
	if (sr->period != MAUI_SR_ONCE)
		return maui_sr_instance_name(sr->name, date, text);
	snprintf(text, MAUI_SR_INSTANCE_SIZE, "%s", sr->name);
	return text;
}

size_t maui_sr_once_parse(const char *name, uint32_t *ret_number)
{
	const char *dot = strrchr(name, '.');
	uint32_t number = 0;
	size_t digits = dot ? strlen(dot + 1) : 0;

	if (!digits || dot == name || digits > 7 || (dot[1] == '0' && digits > 1))
		return 0;
	for (const char *at = dot + 1; *at; at++) {
		if (!maui_is_digit(*at))
			return 0;
		number = number * 10 + (uint32_t)(*at - '0');
	}
	*ret_number = number;
	return (size_t)(dot - name);
}

size_t maui_sr_instance_parse(const char *name, int64_t *ret_date)
{
	const char *dot = strrchr(name, '.');
	int64_t date = 0;

	if (!dot || dot == name)
		return 0;
	if (strcmp(dot, ".inf") != 0) {
		if (strlen(dot) != 9)
			return 0;
		for (const char *at = dot + 1; *at; at++) {
			if (!maui_is_digit(*at))
				return 0;
			date = date * 10 + (*at - '0');
		}
		if (!date || maui_day_from_date(date) == INT64_MIN)
			return 0;
	}
	*ret_date = date;
	return (size_t)(dot - name);
}
