/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scans integers of base 8, 10 or 16 with overflow checks. Reads real numbers
 * by strtod_l() in the C locale.
 */
#include "common/util/decimal.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/util/memory.h"

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

static const char *skip_blanks(const char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

int maui_integer_parse(const char *text, int64_t *ret_value, const char **ret_rest)
{
	bool negative = false, overflow = false;
	int64_t value = 0;
	int base = 10;
	const char *at, *digits;

	if (!text)
		return -EINVAL;
	at = skip_blanks(text);
	if (*at == '-' || *at == '+')
		negative = *at++ == '-';
	if (at[0] == '0' && (at[1] | 0x20) == 'x' && digit_value(at[2]) < 16) {
		base = 16;
		at += 2;
	} else if (*at == '0') {
		base = 8;
	}
	for (digits = at; digit_value(*at) < base; at++) {
		int digit = negative ? -digit_value(*at) : digit_value(*at);

		overflow = overflow || __builtin_mul_overflow(value, base, &value) ||
			   __builtin_add_overflow(value, digit, &value);
	}
	if (at == digits)
		return -EINVAL;
	if (overflow)
		return -ERANGE;
	*ret_value = value;
	if (ret_rest)
		*ret_rest = at;
	return 0;
}

/* The end of the decimal number here; the same place if there is none. */
static const char *scan_real(const char *start)
{
	const char *at = start, *exponent;
	bool digits = false;

	if (*at == '-' || *at == '+')
		at++;
	for (; digit_value(*at) < 10; at++)
		digits = true;
	if (*at == '.')
		for (at++; digit_value(*at) < 10; at++)
			digits = true;
	if (!digits)
		return start;
	if (*at != 'e' && *at != 'E')
		return at;
	exponent = at + 1;
	if (*exponent == '-' || *exponent == '+')
		exponent++;
	if (digit_value(*exponent) >= 10)
		return at;
	while (digit_value(*exponent) < 10)
		exponent++;
	return exponent;
}

int maui_real_parse(const char *text, double *ret_value, const char **ret_rest)
{
	const char *start, *end, *digits;
	locale_t locale;
	double value;

	if (!text)
		return -EINVAL;
	start = skip_blanks(text);
	end = scan_real(start);
	if (end == start)
		return -EINVAL;
	/* "0x10": the number is the 0 before the x, but strtod would read on. */
	digits = *start == '-' || *start == '+' ? start + 1 : start;
	if (digits[0] == '0' && (digits[1] | 0x20) == 'x') {
		value = 0;
	} else {
		locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
		if (!locale)
			maui_memory_short(sizeof(*locale));
		value = strtod_l(start, NULL, locale);
		freelocale(locale);
	}
	if (!isfinite(value))
		return -ERANGE;
	*ret_value = value;
	if (ret_rest)
		*ret_rest = end;
	return 0;
}
