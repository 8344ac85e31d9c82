/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points in time as Maui's commands take them: [HH[:MM[:SS]]][_MO[/DD[/YY]]] by the clocks of the
 * local time zone, +[[[DD:]HH:]MM:]SS from now, NOW, and OFF or INFINITY. D-SRV-5.
 *
 * Without an hour it is the present hour; without minutes and seconds these are 0; without a date
 * it is today, so that a time of day that has passed is in the past; of one that comes twice, where
 * clocks go back, it is the next, and with a date the first. Without a day it is the first of the
 * month, without a year the present year. YY below 97 is in this century, other YY below 1900 in the
 * last.
 */
#ifndef MAUI_UTIL_WHEN_H
#define MAUI_UTIL_WHEN_H

#include <stdbool.h>
#include <stdint.h>

#include "common/util/error.h"

enum maui_when_kind {
	MAUI_WHEN_NOW,
	MAUI_WHEN_IN, /* that many seconds from now */
	MAUI_WHEN_AT, /* epoch seconds */
	MAUI_WHEN_NEVER,
};

struct maui_when {
	enum maui_when_kind kind;
	int64_t seconds; /* of IN and AT */
	bool ambiguous;  /* two fields after '+', which the original reads as HH:MM; here MM:SS */
};

/*
 * after: when to look from for a time of day that comes twice: now, and for an end the start. 0, or
 * -EINVAL with what is wrong in the text.
 */
int maui_when_parse(const char *text, int64_t now, int64_t after, struct maui_when *ret_when,
		    struct maui_error *error);

#endif
