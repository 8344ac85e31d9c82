/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Characters and words of maui.cfg: ASCII, whatever the locale. Texts for output
 * keep valid UTF-8. */
#ifndef MAUI_UTIL_TEXT_H
#define MAUI_UTIL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline char maui_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* Blanks separate words within a line; ' ' never gets here and is included for completeness. */
static inline bool maui_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool maui_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* What names of parameters and attributes consist of. */
static inline bool maui_is_name(char c)
{
	return maui_is_digit(c) || (maui_upper(c) >= 'A' && maui_upper(c) <= 'Z') || c == '_' ||
	       c == '.';
}

/* Whether the size bytes at text are word, in any case. */
bool maui_equals(const char *text, size_t size, const char *word);
/* Whether text begins with prefix, in any case. */
bool maui_begins(const char *text, const char *prefix);

/* FNV-1a of size bytes; fold: the same in upper and lower case. */
uint32_t maui_hash(uint32_t seed, const void *bytes, size_t size, bool fold);
#define MAUI_HASH_SEED 2166136261u

/*
 * The bytes of the printable character here, of at most size > 0; 0: a control character (those of
 * Unicode's C1 are), or invalid UTF-8, as are overlong forms and surrogates. And the bytes of all
 * such characters up to the first that is not printable.
 */
size_t maui_printable_character(const char *text, size_t size);
size_t maui_printable_size(const char *text, size_t size);

#define MAUI_EXCERPT_SIZE 80

/*
 * The beginning of an arbitrary text, for a message: unprintable bytes and invalid UTF-8 become
 * '?', and "..." stands for the rest. Returns buffer.
 */
const char *maui_excerpt(const char *text, size_t size, char buffer[MAUI_EXCERPT_SIZE]);

/* Make a whole message printable in the same way, in place. */
void maui_make_printable(char *text);

#endif
