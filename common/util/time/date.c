/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Matches YYYY-MM-DD_HH:MM:SS and YYYY-MM digit by digit, checks the day by
 * maui_day_from_date(), and adds months to a day.
 */
#include "common/util/time/date.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/util/time/calendar.h"
#include "common/util/text.h"

#define FIRST_YEAR 1971 /* so that its instants are positive in each time zone */
#define LAST_YEAR  3000 /* calendar.h has each day until then */

/* Whether text begins with the form, in which '9' stands for any digit. */
static bool has_form(const char *text, const char *form)
{
	for (; *form; form++, text++)
		if (*form == '9' ? !maui_is_digit(*text) : *text != *form)
			return false;
	return true;
}

static int64_t date_digits(const char *text, size_t count)
{
	int64_t number = 0;

	for (size_t i = 0; i < count; i++)
		number = number * 10 + (text[i] - '0');
	return number;
}

int maui_date_parse(const char *text, struct maui_date *ret_date, struct maui_error *error)
{
	static const char day_form[] = "9999-99-99", time_form[] = "_99:99:99";
	const char *time = text + sizeof(day_form) - 1;
	struct maui_date date = {.seconds = -1};
	int64_t year;

	if (!has_form(text, day_form) ||
	    (*time && (!has_form(time, time_form) || time[sizeof(time_form) - 1])))
		return maui_error_set(error, EINVAL,
				      "'%.100s' is not a date: write " MAUI_DATE_FORM, text);
	year = date_digits(text, 4);
	if (year < FIRST_YEAR || year > LAST_YEAR)
		return maui_error_set(error, EINVAL,
				      "'%.100s' is not a date: the year is from %d to %d", text,
				      FIRST_YEAR, LAST_YEAR);
	date.day = maui_day_from_date(year * 10000 + date_digits(text + 5, 2) * 100 +
				      date_digits(text + 8, 2));
	if (date.day == INT64_MIN)
		return maui_error_set(error, EINVAL, "'%.100s' is not a date: there is no such day",
				      text);
	if (*time) {
		int64_t hour = date_digits(time + 1, 2), minute = date_digits(time + 4, 2),
			second = date_digits(time + 7, 2);

		if (hour > 23 || minute > 59 || second > 59)
			return maui_error_set(error, EINVAL,
					      "'%.100s' is not a date: there is no such time",
					      text);
		date.seconds = hour * 3600 + minute * 60 + second;
	}
	*ret_date = date;
	return 0;
}

int maui_month_parse(const char *text, int64_t *ret_day, struct maui_error *error)
{
	static const char form[] = "9999-99";
	int64_t year, day = INT64_MIN;

	if (has_form(text, form) && !text[sizeof(form) - 1]) {
		year = date_digits(text, 4);
		if (year >= FIRST_YEAR && year <= LAST_YEAR)
			day = maui_day_from_date(year * 10000 + date_digits(text + 5, 2) * 100 + 1);
	}
	if (day == INT64_MIN)
		return maui_error_set(error, EINVAL,
				      "'%.100s' is not a month: write YYYY-MM, from %d on", text,
				      FIRST_YEAR);
	*ret_day = day;
	return 0;
}

int64_t maui_month_first(int64_t day, int months)
{
	int64_t date = maui_day_to_date(day);
	int64_t month = date / 10000 * 12 + date / 100 % 100 - 1 + months;

	return maui_day_from_date(month / 12 * 10000 + (month % 12 + 1) * 100 + 1);
}

int64_t maui_date_end(const struct maui_date *date)
{
	return date->seconds < 0 ? maui_clock_instant(date->day + 1, 0)
				 : maui_clock_instant(date->day, date->seconds);
}
