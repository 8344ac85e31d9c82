/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What gzip, xz or zstd have compressed: once or more, one behind the other. */
#ifndef MAUI_REPLAY_DECOMPRESS_H
#define MAUI_REPLAY_DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>

struct plain_text {
	char *bytes; /* malloc'ed; without a NUL behind them */
	size_t size;
};

/* As its first bytes say. */
bool is_compressed(const void *bytes, size_t size);

/*
 * NULL, or why not: damaged, not complete, more than most bytes. The caller frees the bytes in any
 * case.
 */
const char *decompress(const void *bytes, size_t size, size_t most, struct plain_text *ret_text);

#endif
