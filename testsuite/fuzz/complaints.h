/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the fuzz targets of readers of lines: each complaint has a place in the text. */
#ifndef MAUI_FUZZ_COMPLAINTS_H
#define MAUI_FUZZ_COMPLAINTS_H

#include <string.h>

#include "common/replay/trace/trace.h"
#include "testsuite/fuzz/require.h"

struct text {
	const char *bytes;
	size_t size;
};

static inline void bad_line(void *context, uint32_t line, uint32_t column, const char *why)
{
	const struct text *text = context;
	const char *at = text->bytes, *end = at + text->size, *stop;

	REQUIRE(line >= 1 && column >= 1 && *why);
	for (; line > 1; line--) {
		stop = memchr(at, '\n', (size_t)(end - at));
		REQUIRE(stop);
		at = stop + 1;
	}
	stop = memchr(at, '\n', (size_t)(end - at));
	REQUIRE(column <= (size_t)((stop ? stop : end) - at) + 1);
}

#endif
