/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the decay by exp2() and the next reset by localtime_r() and
 * mktime().
 */
#include "common/policy/fairshare/usage_decay.h"

#include <float.h>
#include <math.h>
#include <time.h>

double maui_usage_decay(int64_t half_life, int64_t seconds)
{
	if (half_life <= 0 || seconds <= 0)
		return 1;
	return exp2(-(double)seconds / (double)half_life);
}

double maui_usage_decay_stock(int64_t half_life, int64_t seconds)
{
	double left;

	if (half_life <= 0 || seconds <= 0)
		return 1;
	left = pow(1 - 0.693 / (double)half_life, (double)seconds);
	return left < DBL_MIN ? DBL_MIN : left;
}

/*
 * Move to the first day of the next period; mktime() normalizes days into months, and months into
 * years.
 */
static void usage_decay_advance(enum maui_usage_reset period, struct tm *day)
{
	if (period == MAUI_USAGE_RESET_DAILY) {
		day->tm_mday++;
		return;
	}
	if (period == MAUI_USAGE_RESET_WEEKLY) {
		day->tm_mday += 7 - day->tm_wday;
		return;
	}
	day->tm_mday = 1;
	if (period == MAUI_USAGE_RESET_MONTHLY)
		day->tm_mon++;
	else if (period == MAUI_USAGE_RESET_QUARTERLY)
		day->tm_mon += 3 - day->tm_mon % 3;
	else
		day->tm_mon = 12;
}

int64_t maui_usage_next_reset(enum maui_usage_reset period, int64_t last)
{
	time_t next, from = (time_t)last;
	struct tm day;

	if (period == MAUI_USAGE_RESET_NONE || !localtime_r(&from, &day))
		return INT64_MAX;
	usage_decay_advance(period, &day);
	day.tm_hour = day.tm_min = day.tm_sec = 0;
	day.tm_isdst = -1;
	next = mktime(&day);
	return next > from ? next : INT64_MAX;
}
