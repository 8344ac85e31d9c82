/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses up to four fields between colons, INFINITY, or one integer. Formats a
 * duration as the original, from 100 days on as INFINITY.
 */
#include "common/util/time/duration.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <strings.h>

#include "common/util/decimal.h"
#include "common/util/text.h"

#define SECONDS_LIMIT (INT64_C(1) << 53) /* a double holds every whole number up to this */
#define FORMAT_LIMIT  INT64_C(8640000)   /* 100 days: from here the original prints INFINITY */
#define FORMAT_FLOOR                                                                               \
	INT64_C(-864000) /* and from here down -INFINITY; ten days, as in the original */

static const char *skip_blanks(const char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

/* The digits at *at, decimal even with a leading 0. The value stops growing one above the limit. */
static int64_t scan_field(const char **at)
{
	int64_t value = 0;

	for (; maui_is_digit(**at); (*at)++) {
		value = value * 10 + (**at - '0');
		if (value > SECONDS_LIMIT)
			value = SECONDS_LIMIT + 1;
	}
	return value;
}

/* Fields separated by ':', skipping empty ones. Returns how many there were (up to 4). */
static int scan_fields(const char **at, int64_t fields[4])
{
	int count = 0;

	for (;;) {
		const char *next = *at;

		while (*next == ':')
			next++;
		if (!maui_is_digit(*next)) {
			*at = next;
			return count;
		}
		if (count == 4)
			return count;
		*at = next;
		fields[count++] = scan_field(at);
		if (**at != ':')
			return count;
	}
}

/* The last field is seconds, as fields are right-aligned. False if the sum is out of range. */
static bool fields_to_seconds(const int64_t fields[4], int count, int64_t *ret_seconds)
{
	static const int64_t units[4] = {86400, 3600, 60, 1};
	int64_t seconds = 0;

	for (int i = 0; i < count; i++) {
		int64_t unit = units[4 - count + i];

		if (fields[i] > SECONDS_LIMIT / unit)
			return false;
		seconds += fields[i] * unit;
		if (seconds > SECONDS_LIMIT)
			return false;
	}
	*ret_seconds = seconds;
	return true;
}

/* Whether the digits here are the first of several fields. */
static bool has_fields(const char *at)
{
	while (maui_is_digit(*at))
		at++;
	return *at == ':';
}

/* Two to four fields separated by ':'; the sign before them has been read. */
static int parse_fields(const char **at, bool negative, int64_t *ret_seconds, bool *ret_ambiguous)
{
	int64_t fields[4], seconds;
	int count = scan_fields(at, fields);

	if (count == 0)
		return -EINVAL;
	if (!fields_to_seconds(fields, count, &seconds))
		return -ERANGE;
	*ret_seconds = negative ? -seconds : seconds;
	*ret_ambiguous = count < 3;
	return 0;
}

int maui_duration_parse(const char *text, int64_t *ret_seconds, bool *ret_ambiguous,
			const char **ret_rest)
{
	bool signed_number, ambiguous = false;
	int64_t seconds = MAUI_INFINITY;
	const char *at;
	int rc = 0;

	if (!text)
		return -EINVAL;
	at = skip_blanks(text);
	signed_number = *at == '-' || *at == '+';
	if (!strncasecmp(at, "INFINITY", 8)) {
		at += 8;
	} else if (has_fields(at + signed_number)) {
		bool negative = *at == '-';

		at += signed_number;
		rc = parse_fields(&at, negative, &seconds, &ambiguous);
	} else {
		rc = maui_integer_parse(at, &seconds, &at);
	}
	if (rc == 0 && (seconds > SECONDS_LIMIT || seconds < -SECONDS_LIMIT))
		rc = -ERANGE;
	if (rc)
		return rc;
	*ret_seconds = seconds;
	if (ret_ambiguous)
		*ret_ambiguous = ambiguous;
	if (ret_rest)
		*ret_rest = skip_blanks(at);
	return 0;
}

const char *maui_duration_format(int64_t seconds, char text[MAUI_DURATION_SIZE])
{
	const char *sign = seconds < 0 ? "-" : "";
	int64_t left, days, hours;

	if (seconds >= FORMAT_LIMIT || seconds <= FORMAT_FLOOR) {
		snprintf(text, MAUI_DURATION_SIZE, "%10s", seconds < 0 ? "-INFINITY" : "INFINITY");
		return text;
	}
	left = seconds < 0 ? -seconds : seconds;
	days = left / 86400;
	hours = left / 3600 % 24;
	if (days)
		snprintf(text, MAUI_DURATION_SIZE,
			 "%s%" PRId64 ":%02" PRId64 ":%02" PRId64 ":%02" PRId64, sign, days, hours,
			 left / 60 % 60, left % 60);
	else /* the original writes no leading zero, but 00 below one hour */
		snprintf(text, MAUI_DURATION_SIZE, "%s%s%" PRId64 ":%02" PRId64 ":%02" PRId64, sign,
			 hours ? "" : "0", hours, left / 60 % 60, left % 60);
	return text;
}
