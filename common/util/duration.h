/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maui's durations: [[[DD:]HH:]MM:]SS. D-CFG-5.
 */
#ifndef MAUI_UTIL_DURATION_H
#define MAUI_UTIL_DURATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAUI_INFINITY INT64_C(2140000000) /* seconds: the original's "for ever" */

/*
 * Seconds of a duration. Without ':' whole seconds, base 0 as strtol reads them, or INFINITY (any
 * case). With ':' two to four fields, right-aligned as the manual's grammar says; the original
 * reads two fields as HH:MM, and two fields set *ret_ambiguous, so that the caller can say so.
 * Fields are not range-checked, empty fields are skipped, as in the original. *ret_rest points
 * behind what was read (trailing blanks are skipped): the caller decides whether something left
 * there is an error. Returns 0, -EINVAL when text does not begin with a number, -ERANGE beyond
 * +-2^53 seconds.
 */
int maui_duration_parse(const char *text, int64_t *ret_seconds, bool *ret_ambiguous,
			const char **ret_rest);

#define MAUI_DURATION_SIZE 32

/*
 * The original's output form: [-][DD:]HH:MM:SS, "00:MM:SS" below one hour and "H:MM:SS" below ten,
 * two blanks and INFINITY from 100 days on. Returns text.
 */
const char *maui_duration_format(int64_t seconds, char text[MAUI_DURATION_SIZE]);

#endif
