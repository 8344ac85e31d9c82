/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses clock and date fields with bounds and defaults from the present, and
 * calls maui_clock_instant_after().
 */
#include "common/util/time/when.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "common/util/time/calendar.h"
#include "common/util/time/duration.h"
#include "common/util/text.h"

#define FORM "[HH[:MM[:SS]]][_MO[/DD[/YY]]] or +[[[DD:]HH:]MM:]SS"

/* A number and its bounds. */
struct field {
	const char *name;
	int64_t min, max, value;
};

static int when_refuse(const char *text, struct maui_error *error)
{
	return maui_error_set(error, EINVAL, "'%.100s' is not a time: write " FORM, text);
}

/* The digits at *at, four at most, within the field's bounds. */
static int read_field(const char **at, const char *text, struct field *field,
		      struct maui_error *error)
{
	int64_t value = 0;
	int digits = 0;

	for (; maui_is_digit(**at) && digits < 5; ++*at, digits++)
		value = value * 10 + (**at - '0');
	if (!digits || digits > 4)
		return when_refuse(text, error);
	if (value < field->min || value > field->max)
		return maui_error_set(error, EINVAL,
				      "'%.100s' is not a time: %s is a number from %d to %d", text,
				      field->name, (int)field->min, (int)field->max);
	field->value = value;
	return 0;
}

/* Fields with something between them, as many as there are. */
static int read_fields(const char **at, const char *text, char between, struct field *fields,
		       size_t count, struct maui_error *error)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < count; i++) {
		rc = read_field(at, text, &fields[i], error);
		if (rc || **at != between)
			return rc;
		++*at;
	}
	return rc ? rc : when_refuse(text, error); /* something follows the last one */
}

static int64_t full_year(int64_t year)
{
	if (year < 97)
		return year + 2000;
	return year < 1900 ? year + 1900 : year;
}

/* The day of a date, INT64_MIN if there is no such day. */
static int64_t day_of(const struct field date[3])
{
	return maui_day_from_date(full_year(date[2].value) * 10000 + date[0].value * 100 +
				  date[1].value);
}

static int read_clock(const char *text, int64_t now, int64_t after, int64_t *ret_instant,
		      struct maui_error *error)
{
	struct maui_clock present = maui_clock_at(now);
	int64_t today = maui_day_to_date(present.day), day = present.day;
	struct field time[3] = {{"the hour", 0, 24, present.seconds / 3600},
				{"the minute", 0, 59, 0},
				{"the second", 0, 59, 0}};
	struct field date[3] = {{"the month", 1, 12, 1},
				{"the day", 1, 31, 1},
				{"the year", 0, 9999, today / 10000}};
	const char *at = text;
	int rc = 0;

	if (*at != '_')
		rc = read_fields(&at, text, ':', time, 3, error);
	if (!rc && *at == '_') {
		after = INT64_MIN; /* of a day that is named, the first */
		at++;
		rc = read_fields(&at, text, '/', date, 3, error);
		day = day_of(date);
	}
	if (rc)
		return rc;
	if (*at)
		return when_refuse(text, error);
	if (day == INT64_MIN)
		return maui_error_set(error, EINVAL, "'%.100s' is not a time: there is no such day",
				      text);
	*ret_instant = maui_clock_instant_after(
		day, time[0].value * 3600 + time[1].value * 60 + time[2].value, after);
	return 0;
}

int maui_when_parse(const char *text, int64_t now, int64_t after, struct maui_when *ret_when,
		    struct maui_error *error)
{
	struct maui_when when = {.kind = MAUI_WHEN_AT};
	const char *rest = "";
	int64_t seconds = 0;
	bool ambiguous = false;
	int rc = 0;

	if (!strcasecmp(text, "NOW")) {
		when.kind = MAUI_WHEN_NOW;
	} else if (!strcasecmp(text, "OFF") || !strcasecmp(text, "INFINITY")) {
		when.kind = MAUI_WHEN_NEVER;
	} else if (*text == '+') {
		when.kind = MAUI_WHEN_IN;
		if (!maui_is_digit(text[1]) ||
		    maui_duration_parse(text + 1, &seconds, &ambiguous, &rest) || *rest)
			rc = when_refuse(text, error);
	} else {
		rc = read_clock(text, now, after, &seconds, error);
	}
	if (rc)
		return rc;
	when.seconds = seconds;
	when.ambiguous = ambiguous;
	*ret_when = when;
	return 0;
}
