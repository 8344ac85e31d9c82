/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as maui.cfg spells them, whatever the locale. */
#ifndef MAUI_UTIL_DECIMAL_H
#define MAUI_UTIL_DECIMAL_H

#include <stdint.h>

/*
 * A whole number as strtol reads it with base 0: 10, -10, 0x10, 010 (= 8). *ret_rest points behind
 * it. 0, -EINVAL where text does not begin with a number, -ERANGE where it has more than 64 bits.
 */
int maui_integer_parse(const char *text, int64_t *ret_value, const char **ret_rest);

/*
 * A decimal number: 10, -.5, 1.5e3. No hexadecimal forms, no NaN, nothing infinite: -ERANGE where
 * the value is.
 */
int maui_real_parse(const char *text, double *ret_value, const char **ret_rest);

#endif
