/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the fuzz targets of state files (contribs/doc/state-files.md). As no fuzzer guesses a
 * checksum, the bytes are also tried as the lines of a file with a valid last line.
 */
#ifndef MAUI_FUZZ_STATE_FILE_H
#define MAUI_FUZZ_STATE_FILE_H

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testsuite/fuzz/require.h"

/* What a parser says: read, damaged, or of a later version, D-SYS-13. */
static inline bool is_state_verdict(int rc)
{
	return rc == 0 || rc == -EINVAL || rc == -ENOTSUP;
}

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

typedef void (*state_file_try)(const char *text, size_t size);

/* The bytes as they are, and also between a first line and the matching last line. */
static inline void try_state_file(state_file_try try, const char *first, const uint8_t *data,
				  size_t size)
{
	size_t begin = strlen(first), length = begin + size;
	char *text = malloc(length + 80);

	try(size ? (const char *)data : "", size);
	REQUIRE(text);
	memcpy(text, first, begin);
	if (size)
		memcpy(text + begin, data, size);
	if (text[length - 1] != '\n')
		text[length++] = '\n';
	length += (size_t)last_line(text + length, 70, text, length);
	try(text, length);
	free(text);
}

#endif
