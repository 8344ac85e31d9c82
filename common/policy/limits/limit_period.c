/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes a period's windows around the present, when it next begins or ends,
 * and whether two periods overlap within a week.
 */
#include "common/policy/limits/limit_period.h"

#include "common/policy/limits/limits_private.h"
#include "common/util/time/calendar.h"

#define LOOK_BACK  2 /* windows before this one: they may end later than they should recur */
#define LOOK_AHEAD 9 /* windows from this one on: a day of each week, and the next */

struct window {
	int64_t start, end; /* epoch seconds; empty if its day is not one of DAYS */
};

/* The index-th window from the present day or week on. */
static struct window window_of(const struct maui_period *period, int64_t today, int64_t index)
{
	int64_t day = period->weekly ? today - maui_day_of_week(today) + 7 * index : today + index;

	if (!period->weekly && !(period->days >> maui_day_of_week(day) & 1))
		return (struct window){0, 0};
	return (struct window){maui_clock_instant(day, period->start),
			       maui_clock_instant(day, period->end)};
}

bool limit_period_holds(const struct maui_period *period, int64_t now, int64_t *ret_until)
{
	int64_t today = maui_clock_at(now).day, begins = INT64_MAX, ends = now;

	/* In the order of their starts: a window that follows without a gap is the same period. */
	for (int64_t i = -LOOK_BACK; i < LOOK_AHEAD; i++) {
		struct window window = window_of(period, today, i);

		if (window.start >= window.end || window.end <= ends)
			continue;
		if (window.start <= ends)
			ends = window.end;
		else if (window.start < begins)
			begins = window.start;
	}
	if (ends <= now)
		*ret_until = begins;
	else /* one window after the other: always */
		*ret_until =
			window_of(period, today, LOOK_AHEAD - 1).end == ends ? INT64_MAX : ends;
	return ends > now;
}

/* The window that begins in the day-th day of a week, in seconds after the week's beginning. */
static struct window window_in_week(const struct maui_period *period, int64_t day)
{
	int64_t begins = day * MAUI_DAY_SECONDS;

	if (period->weekly ? day != 0 : !(period->days >> day & 1))
		return (struct window){0, 0};
	return (struct window){begins + period->start, begins + period->end};
}

/* One may reach into the next week, where the other has begun anew. */
static bool windows_overlap(struct window a, struct window b)
{
	for (int64_t week = -1; week <= 1; week++) {
		int64_t shift = week * 7 * MAUI_DAY_SECONDS;

		if (a.start < b.end + shift && b.start + shift < a.end)
			return true;
	}
	return false;
}

bool limit_periods_overlap(const struct maui_period *a, const struct maui_period *b)
{
	for (int64_t i = 0; i < 7; i++)
		for (int64_t k = 0; k < 7; k++) {
			struct window of_a = window_in_week(a, i), of_b = window_in_week(b, k);

			if (of_a.start < of_a.end && of_b.start < of_b.end &&
			    windows_overlap(of_a, of_b))
				return true;
		}
	return false;
}

/* The number of the first of them that begins or ends; 0: none ever does. */
static unsigned int first_change(const struct maui_limits *limits, struct limit_period period)
{
	unsigned int first = 0;

	for (uint32_t rest = period.mask; rest; rest &= rest - 1) {
		unsigned int i = (unsigned int)__builtin_ctz(rest);
		int64_t before = first ? limits->period_until[first - 1] : MAUI_LIMITS_ALWAYS;

		if (limits->period_until[i] < before)
			first = i + 1;
	}
	return first;
}

int64_t limit_period_until(const struct maui_limits *limits, struct limit_period period)
{
	unsigned int first = first_change(limits, period);

	return first ? limits->period_until[first - 1] : MAUI_LIMITS_ALWAYS;
}

const char *limit_period_next(const struct maui_limits *limits, struct limit_period period,
			      bool *ret_begins)
{
	unsigned int first = first_change(limits, period);

	*ret_begins = first && !(limits->periods_in_force >> (first - 1) & 1);
	return first ? limits->period_names[first - 1] : NULL;
}

const char *limit_period_name(const struct maui_limits *limits, struct limit_period period)
{
	return period.in_force ? limits->period_names[period.in_force - 1] : NULL;
}
