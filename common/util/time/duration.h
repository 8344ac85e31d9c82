/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Maui's durations: [[[DD:]HH:]MM:]SS. D-CFG-5. */
#ifndef MAUI_UTIL_DURATION_H
#define MAUI_UTIL_DURATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAUI_INFINITY INT64_C(2140000000) /* seconds: the original's "forever" */

/*
 * A duration in seconds. Without ':' it is whole seconds, as strtol reads them with base 0, or
 * INFINITY (in any case). With ':' it is two to four fields, right-aligned as in the manual's
 * grammar; as the original reads two fields as HH:MM, two fields set *ret_ambiguous, so that the
 * caller can say so. As in the original, fields are not range-checked and empty ones are skipped.
 * *ret_rest points after what was read and any blanks that follow: the caller decides whether
 * anything left there is an error. Returns 0, -EINVAL if text does not begin with a number, -ERANGE
 * beyond +-2^53 seconds.
 */
int maui_duration_parse(const char *text, int64_t *ret_seconds, bool *ret_ambiguous,
			const char **ret_rest);

#define MAUI_DURATION_SIZE 32

/*
 * The original's output form: [-][DD:]HH:MM:SS, "00:MM:SS" below one hour, "H:MM:SS" below ten, two
 * blanks and INFINITY from 100 days. Returns text.
 */
const char *maui_duration_format(int64_t seconds, char text[MAUI_DURATION_SIZE]);

#endif
