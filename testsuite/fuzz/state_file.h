/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last line of a state file (contribs/doc/state-files.md), for tests that make one. */
#ifndef MAUI_FUZZ_STATE_FILE_H
#define MAUI_FUZZ_STATE_FILE_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "testsuite/fuzz/require.h"

/* The format's checksum, implemented a second time. */
static inline int last_line(char *line, size_t room, const char *text, size_t size)
{
	uint64_t sum = UINT64_C(14695981039346656037);
	size_t lines = 0;

	for (size_t i = 0; i < size; i++) {
		sum ^= (unsigned char)text[i];
		sum *= UINT64_C(1099511628211);
		lines += text[i] == '\n';
	}
	return snprintf(line, room, "end %zu %016" PRIx64 "\n", lines, sum);
}

#endif
