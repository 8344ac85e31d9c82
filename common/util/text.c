/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparison in any case, FNV-1a, UTF-8 validation, and excerpts of arbitrary
 * text for messages.
 */
#include "common/util/text.h"

#include <string.h>

bool maui_equals(const char *text, size_t size, const char *word)
{
	for (size_t i = 0; i < size; i++)
		if (!word[i] || maui_upper(text[i]) != maui_upper(word[i]))
			return false;
	return !word[size];
}

bool maui_begins(const char *text, const char *prefix)
{
	for (; *prefix; text++, prefix++)
		if (maui_upper(*text) != maui_upper(*prefix))
			return false;
	return true;
}

uint32_t maui_hash(uint32_t seed, const void *bytes, size_t size, bool fold)
{
	const char *at = bytes;

	for (size_t i = 0; i < size; i++)
		seed = (seed ^ (unsigned char)(fold ? maui_upper(at[i]) : at[i])) * 16777619u;
	return seed;
}

/*
 * The length of the UTF-8 sequence here, 0 if it is not valid. Overlong forms and surrogates are
 * not.
 */
static size_t utf8_length(const unsigned char *at, size_t size)
{
	static const struct {
		unsigned char mask, lead;
		uint32_t least;
	} forms[] = {{0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};

	for (size_t extra = 1; extra <= 3; extra++) {
		uint32_t code = at[0] & (unsigned char)~forms[extra - 1].mask;

		if ((at[0] & forms[extra - 1].mask) != forms[extra - 1].lead)
			continue;
		if (size <= extra)
			return 0;
		for (size_t i = 1; i <= extra; i++) {
			if ((at[i] & 0xc0) != 0x80)
				return 0;
			code = code << 6 | (at[i] & 0x3f);
		}
		return code >= forms[extra - 1].least && code <= 0x10ffff &&
				       (code < 0xd800 || code > 0xdfff) && code > 0x9f
			       ? extra + 1
			       : 0;
	}
	return 0;
}

size_t maui_printable_character(const char *text, size_t size)
{
	const unsigned char *at = (const unsigned char *)text;

	return *at >= ' ' && *at < 0x7f ? 1 : utf8_length(at, size);
}

size_t maui_printable_size(const char *text, size_t size)
{
	size_t used = 0, length;

	while (used < size && (length = maui_printable_character(text + used, size - used)))
		used += length;
	return used;
}

const char *maui_excerpt(const char *text, size_t size, char buffer[MAUI_EXCERPT_SIZE])
{
	size_t used = 0;

	for (size_t i = 0, step; i < size; i += step) {
		size_t length = maui_printable_character(text + i, size - i);

		step = length ? length : 1;
		if (used + step + sizeof("...") > MAUI_EXCERPT_SIZE) {
			memcpy(buffer + used, "...", 3);
			used += 3;
			break;
		}
		if (length)
			memcpy(buffer + used, text + i, length);
		else
			buffer[used] = '?';
		used += step;
	}
	buffer[used] = '\0';
	return buffer;
}

void maui_make_printable(char *text)
{
	size_t size = strlen(text);

	for (size_t i = 0; (i += maui_printable_size(text + i, size - i)) < size;)
		text[i++] = '?';
}
