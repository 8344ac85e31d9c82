/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes JSON with unlocked stdio functions, commas between members, and its
 * own conversion of integers, which is faster than printf().
 */
#include "contribs/maui/lib/json_text.h"

#include "common/report/json_write.h"

static void json_text_put(struct json_text *text, const char *words)
{
	fputs_unlocked(words, text->file);
}

static void json_text_begin(struct json_text *text, const char *name)
{
	if (text->begun)
		putc_unlocked(',', text->file);
	text->begun = true;
	if (!name)
		return;
	putc_unlocked('"', text->file);
	json_text_put(text, name);
	json_text_put(text, "\":");
}

void json_text_open(struct json_text *text, const char *name, char bracket)
{
	json_text_begin(text, name);
	putc_unlocked(bracket, text->file);
	text->begun = false;
}

void json_text_close(struct json_text *text, char bracket)
{
	putc_unlocked(bracket, text->file);
	text->begun = true;
}

void json_text_string(struct json_text *text, const char *name, const char *value, size_t size)
{
	json_text_begin(text, name);
	putc_unlocked('"', text->file);
	maui_json_write_string(value, size, text->file);
	putc_unlocked('"', text->file);
}

/* printf() would take longer than all else that is done for a number. */
static void put_number(struct json_text *text, uint64_t number)
{
	char digits[20], *first = digits + sizeof(digits);

	do
		*--first = (char)('0' + number % 10);
	while (number /= 10);
	fwrite_unlocked(first, 1, (size_t)(digits + sizeof(digits) - first), text->file);
}

void json_text_number(struct json_text *text, const char *name, int64_t number)
{
	json_text_begin(text, name);
	if (number < 0)
		putc_unlocked('-', text->file);
	put_number(text, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

void json_text_hundredths(struct json_text *text, const char *name, uint32_t hundredths)
{
	json_text_begin(text, name);
	fprintf(text->file, "%u.%02u", hundredths / 100, hundredths % 100);
}

void json_text_flag(struct json_text *text, const char *name, bool value)
{
	json_text_begin(text, name);
	json_text_put(text, value ? "true" : "false");
}
