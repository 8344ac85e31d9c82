/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dates as maui.cfg and the commands take them: YYYY-MM-DD, with a time YYYY-MM-DD_HH:MM:SS. */
#ifndef MAUI_UTIL_DATE_H
#define MAUI_UTIL_DATE_H

#include <stdint.h>

#include "common/util/error.h"

#define MAUI_DATE_FORM "YYYY-MM-DD or YYYY-MM-DD_HH:MM:SS"

/* As clocks in the local time zone show it. */
struct maui_date {
	int64_t day;     /* since 1970-01-01, as in calendar.h */
	int64_t seconds; /* after midnight; -1: only a day is given */
};

/* The year is from 1971 to 3000. 0, or -EINVAL with what is wrong in the text. */
int maui_date_parse(const char *text, struct maui_date *ret_date, struct maui_error *error);

/* YYYY-MM, of the same years: the first day of the month. 0, or -EINVAL with what is wrong. */
int maui_month_parse(const char *text, int64_t *ret_day, struct maui_error *error);

/* The first day of the month that a day is in, or of one that is so many months later. */
int64_t maui_month_first(int64_t day, int months);

/*
 * Epoch seconds of the first second after the date: of a day, the next midnight; of a time, itself.
 * Positive. If clocks show a time twice, the first counts.
 */
int64_t maui_date_end(const struct maui_date *date);

#endif
