/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as maui.cfg spells them, whatever the locale. */
#ifndef MAUI_UTIL_DECIMAL_H
#define MAUI_UTIL_DECIMAL_H

#include <stdint.h>

/*
 * A whole number as strtol reads it with base 0: 10, -10, 0x10, 010 (= 8). *ret_rest points after
 * it. 0; -EINVAL if text does not begin with a number; -ERANGE if it does not fit in 64 bits.
 */
int maui_integer_parse(const char *text, int64_t *ret_value, const char **ret_rest);

/*
 * A decimal number: 10, -.5, 1.5e3. No hexadecimal, NaN or infinity; -ERANGE if the value would be
 * infinite.
 */
int maui_real_parse(const char *text, double *ret_value, const char **ret_rest);

#endif
