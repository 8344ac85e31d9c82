/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses [[[DD:]HH:]MM:]SS of an option by maui_duration_parse(), with a NOTE
 * on two fields, which Maui reads as hours and minutes.
 */
#include "contribs/maui/lib/duration_option.h"

#include "common/util/time/duration.h"

int duration_read(const struct cli *cli, const char *label, const char *text, int64_t least,
		  int64_t *ret_seconds)
{
	bool ambiguous = false;
	const char *rest;

	if (maui_duration_parse(text, ret_seconds, &ambiguous, &rest) || *rest ||
	    *ret_seconds < least)
		return fail_usage(cli, "%s is not a time: [[[DD:]HH:]MM:]SS", text);
	if (ambiguous)
		note("%s%s is read as minutes and seconds; the original reads hours and minutes: "
		     "write three fields",
		     label, text);
	return EXIT_OK;
}
