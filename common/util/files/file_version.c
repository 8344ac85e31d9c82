/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses format and version from the first two lines of a state file or FS
 * file, and compares them with the known ones.
 */
#include "common/util/files/file_version.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "common/util/text.h"

#define OURS       "slurm-maui "
#define VERSION    "# Version: "
#define MOST       INT64_C(999999999)
#define FAIRSHARES 2

/* How a fairshare file begins, in both dialects. */
static const char *const fairshare[FAIRSHARES] = {"# Fairshare Data File", "# FS Data File"};

/* A format by what stands before its version, and that version; size 0: none of ours. */
struct stated {
	const char *format;
	size_t size;
	int64_t version;
};

static bool begins_with(const char *text, size_t size, const char *word)
{
	return size >= strlen(word) && maui_equals(text, strlen(word), word);
}

/* Digits alone, without a leading 0; otherwise 0. */
static int64_t file_version_number(const char *at, size_t size)
{
	int64_t value = 0;

	for (size_t i = 0; i < size; i++) {
		if (!maui_is_digit(at[i]) || (at[i] == '0' && !value))
			return 0;
		value = value * 10 + (at[i] - '0');
		if (value > MOST)
			return 0;
	}
	return value;
}

/* "slurm-maui jobs 1" */
static struct stated state_line(const char *line, size_t size)
{
	const char *blank = memrchr(line, ' ', size);
	size_t words = (size_t)(blank - line) + 1;

	return (struct stated){line, words, file_version_number(line + words, size - words)};
}

/* The line after the first one says it, or this is version 1. */
static struct stated fairshare_line(const char *next, const char *end)
{
	const char *newline = memchr(next, '\n', (size_t)(end - next));
	size_t size = newline ? (size_t)(newline - next) : 0;
	int64_t version = 0;

	if (begins_with(next, size, VERSION))
		version = file_version_number(next + strlen(VERSION), size - strlen(VERSION));
	return (struct stated){fairshare[0], strlen(fairshare[0]), version ? version : 1};
}

static struct stated file_version_find(const char *text, size_t size)
{
	const char *newline = memchr(text, '\n', size);
	size_t line = newline ? (size_t)(newline - text) : 0;

	if (line >= strlen(OURS) && !memcmp(text, OURS, strlen(OURS)))
		return state_line(text, line);
	for (int i = 0; i < FAIRSHARES; i++)
		if (begins_with(text, line, fairshare[i]))
			return fairshare_line(newline + 1, text + size);
	return (struct stated){text, 0, 0};
}

int64_t maui_file_version(const char *text, size_t size)
{
	return file_version_find(text, size).version;
}

static bool same_format(const struct stated *a, const struct stated *b)
{
	return a->size == b->size && !memcmp(a->format, b->format, a->size);
}

bool maui_file_version_reads(const char *text, size_t size, const char *known, size_t known_size)
{
	struct stated theirs = file_version_find(text, size),
		      ours = file_version_find(known, known_size);

	return theirs.version && theirs.version <= ours.version && same_format(&theirs, &ours);
}

int maui_file_version_refuse(const char *text, size_t size, const char *known, size_t known_size,
			     struct maui_error *error)
{
	struct stated theirs = file_version_find(text, size),
		      ours = file_version_find(known, known_size);

	if (!ours.version || theirs.version <= ours.version || !same_format(&theirs, &ours))
		return 0;
	return maui_error_set(error, ENOTSUP,
			      "a later Slurm-Maui wrote it: it has version %" PRId64
			      " of its format, and this one reads %" PRId64,
			      theirs.version, ours.version);
}
