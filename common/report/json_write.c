/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies printable UTF-8 in runs and escapes each other character. json_write()
 * applies this to json-c's text and adds a newline.
 */
#include "common/report/json_write.h"

#include <stdlib.h>

#include "common/util/memory.h"
#include "common/util/text.h"

#define REPLACEMENT 0xfffdu

/* Of a character that is not printable. *ret_size: its bytes. */
static unsigned int code_of(const char *text, size_t size, size_t *ret_size)
{
	unsigned char first = (unsigned char)text[0];
	unsigned char second = size > 1 ? (unsigned char)text[1] : 0;

	*ret_size = 1;
	if (first < ' ' || first == 0x7f)
		return first;
	if (first != 0xc2 || second < 0x80 || second > 0x9f)
		return REPLACEMENT;
	*ret_size = 2;
	return second;
}

static void write_unprintable(const char *text, size_t size, size_t *ret_size, FILE *file)
{
	fprintf(file, "\\u%04x", code_of(text, size, ret_size));
}

void maui_json_write_string(const char *text, size_t size, FILE *file)
{
	size_t first = 0, at = 0;

	while (at < size) {
		bool special = text[at] == '"' || text[at] == '\\';
		size_t length = maui_printable_character(text + at, size - at);

		if (length && !special) {
			at += length;
			continue;
		}
		fwrite_unlocked(text + first, 1, at - first, file);
		if (special)
			fprintf(file, "\\%c", text[at]);
		else
			write_unprintable(text + at, size - at, &length, file);
		at += length;
		first = at;
	}
	fwrite_unlocked(text + first, 1, size - first, file);
}

/* json-c escapes ASCII's control characters; other bytes that are not ASCII stand in strings
 * alone. */
static void write_line(const char *json, size_t size, FILE *file)
{
	while (size) {
		size_t length = maui_printable_size(json, size);

		fwrite_unlocked(json, 1, length, file);
		json += length;
		size -= length;
		if (!size)
			return;
		write_unprintable(json, size, &length, file);
		json += length;
		size -= length;
	}
}

void json_write(struct json_object *value, FILE *file)
{
	size_t size;
	const char *json = json_object_to_json_string_length(
		value, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &size);

	if (!json)
		maui_memory_short(0);
	write_line(json, size, file);
	putc('\n', file);
}

char *json_line(struct json_object *value, size_t *ret_size)
{
	char *text = NULL;
	FILE *file = open_memstream(&text, ret_size);

	if (!file)
		maui_memory_short(0);
	json_write(value, file);
	if (fclose(file))
		maui_memory_short(0);
	return text;
}
