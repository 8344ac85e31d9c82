/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/policy/fairshare/usage_decay.h"

/* A zone given by its rules needs no zone files. */
static void use_zone(void)
{
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
}

TestSuite(usage_decay, .init = use_zone);

static int64_t at(const char *text)
{
	struct tm day = {.tm_isdst = -1};

	cr_assert_not_null(strptime(text, "%Y-%m-%d %H:%M:%S", &day), "%s", text);
	return mktime(&day);
}

Test(usage_decay, half_is_left_after_a_half_life)
{
	cr_expect_float_eq(maui_usage_decay(3600, 3600), 0.5, 1e-12);
	cr_expect_float_eq(maui_usage_decay(3600, 7200), 0.25, 1e-12);
	cr_expect_float_eq(maui_usage_decay(3600, 1), pow(0.5, 1.0 / 3600), 1e-12);
}

Test(usage_decay, many_short_steps_are_one_long_step)
{
	double left = 1;

	for (int step = 0; step < 600; step++)
		left *= maui_usage_decay(86400, 300);
	cr_expect_float_eq(left, maui_usage_decay(86400, 180000), 1e-9);
}

Test(usage_decay, nothing_fades_without_a_half_life_or_when_no_time_has_passed)
{
	cr_expect_eq(maui_usage_decay(0, 1000000), 1);
	cr_expect_eq(maui_usage_decay(3600, 0), 1);
	cr_expect_eq(maui_usage_decay(3600, -50), 1);
}

Test(usage_decay, a_very_long_time_leaves_nothing_but_no_nonsense)
{
	cr_expect_eq(maui_usage_decay(60, INT64_MAX), 0);
}

static const struct {
	enum maui_usage_reset period;
	const char *last, *next;
} resets[] = {
	{MAUI_USAGE_RESET_DAILY, "2026-11-21 09:00:00", "2026-11-22 00:00:00"},
	{MAUI_USAGE_RESET_DAILY, "2026-11-21 00:00:00", "2026-11-22 00:00:00"},
	{MAUI_USAGE_RESET_DAILY, "2026-12-31 23:59:59", "2027-01-01 00:00:00"},
	{MAUI_USAGE_RESET_DAILY, "2026-03-29 00:30:00", "2026-03-30 00:00:00"},  /* 23 hours */
	{MAUI_USAGE_RESET_DAILY, "2026-10-25 00:30:00", "2026-10-26 00:00:00"},  /* 25 hours */
	{MAUI_USAGE_RESET_WEEKLY, "2026-11-21 09:00:00", "2026-11-22 00:00:00"}, /* a Saturday */
	{MAUI_USAGE_RESET_WEEKLY, "2026-11-22 00:00:00", "2026-11-29 00:00:00"},
	{MAUI_USAGE_RESET_WEEKLY, "2026-12-29 12:00:00", "2027-01-03 00:00:00"},
	{MAUI_USAGE_RESET_MONTHLY, "2026-01-31 09:00:00", "2026-02-01 00:00:00"},
	{MAUI_USAGE_RESET_MONTHLY, "2026-12-01 00:00:00", "2027-01-01 00:00:00"},
	{MAUI_USAGE_RESET_QUARTERLY, "2026-01-01 00:00:00", "2026-04-01 00:00:00"},
	{MAUI_USAGE_RESET_QUARTERLY, "2026-06-30 23:00:00", "2026-07-01 00:00:00"},
	{MAUI_USAGE_RESET_QUARTERLY, "2026-09-30 23:59:59", "2026-10-01 00:00:00"},
	{MAUI_USAGE_RESET_QUARTERLY, "2026-11-21 09:00:00", "2027-01-01 00:00:00"},
	{MAUI_USAGE_RESET_YEARLY, "2026-01-01 00:00:00", "2027-01-01 00:00:00"},
	{MAUI_USAGE_RESET_YEARLY, "2028-02-29 12:00:00", "2029-01-01 00:00:00"},
};

Test(usage_decay, usage_is_reset_when_the_next_period_begins)
{
	for (size_t i = 0; i < sizeof(resets) / sizeof(resets[0]); i++)
		cr_expect_eq(maui_usage_next_reset(resets[i].period, at(resets[i].last)),
			     at(resets[i].next), "after %s", resets[i].last);
}

Test(usage_decay, without_a_period_there_is_no_reset)
{
	cr_expect_eq(maui_usage_next_reset(MAUI_USAGE_RESET_NONE, 1000), INT64_MAX);
}

Test(usage_decay, the_next_reset_is_later_whatever_the_last)
{
	for (int64_t last = at("2026-01-01 00:00:00"); last < at("2027-01-02 00:00:00");
	     last += 1799)
		for (int period = MAUI_USAGE_RESET_DAILY; period <= MAUI_USAGE_RESET_YEARLY;
		     period++)
			cr_assert_gt(maui_usage_next_reset(period, last), last);
}
