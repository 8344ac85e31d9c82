/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What libFuzzer does to a maui.cfg: its own changes of bytes, and changes of lines, attributes and
 * values.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "testsuite/fuzz/cfg_lines.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* A file that may grow up to max. */
struct text {
	char *at;
	size_t size, max;
};

/* Some bytes of it. */
struct span {
	size_t begin, end;
};

static void replace(struct text *text, struct span span, const char *with, size_t size)
{
	if (text->size - (span.end - span.begin) + size > text->max)
		return;
	memmove(text->at + span.begin + size, text->at + span.end, text->size - span.end);
	memcpy(text->at + span.begin, with, size);
	text->size += size - (span.end - span.begin);
}

/* Some line with its newline. */
static struct span some_line(struct dice *dice, const struct text *text)
{
	struct span span = {.begin = roll(dice, text->size)};

	while (span.begin && text->at[span.begin - 1] != '\n')
		span.begin--;
	for (span.end = span.begin; span.end < text->size;)
		if (text->at[span.end++] == '\n')
			break;
	return span;
}

/* A random word of a line, delimited by blanks; after_sign: for ATTR=value only the value. */
static struct span some_word(struct dice *dice, const struct text *text, bool after_sign)
{
	static const char blanks[] = " \t\n";
	struct span span = {.begin = roll(dice, text->size)};

	while (span.begin && !strchr(blanks, text->at[span.begin - 1]))
		span.begin--;
	for (span.end = span.begin;
	     span.end < text->size && text->at[span.end] && !strchr(blanks, text->at[span.end]);)
		span.end++;
	for (size_t at = span.begin; after_sign && at < span.end; at++)
		if (text->at[at] == '=') {
			span.begin = at + 1;
			break;
		}
	return span;
}

static void insert_line(struct dice *dice, struct text *text)
{
	struct span line = some_line(dice, text);
	struct scrap scrap = {.size = 0};

	if (roll(dice, 4))
		line.end = line.begin;
	add_line(dice, &scrap);
	scrap.text[scrap.size++] = '\n';
	replace(text, line, scrap.text, scrap.size);
}

/* Copied over another one, or deleted. */
static void move_line(struct dice *dice, struct text *text)
{
	struct span line = some_line(dice, text), to = some_line(dice, text);
	struct scrap scrap;

	scrap.size = line.end - line.begin;
	if (scrap.size > sizeof(scrap.text))
		return;
	memcpy(scrap.text, text->at + line.begin, scrap.size);
	if (!roll(dice, 3))
		scrap.size = 0;
	if (roll(dice, 2))
		to.end = to.begin;
	replace(text, to, scrap.text, scrap.size);
}

static void change_value(struct dice *dice, struct text *text)
{
	struct scrap scrap = {.size = 0};

	add_value(dice, &scrap);
	replace(text, some_word(dice, text, true), scrap.text, scrap.size);
}

static void change_pair(struct dice *dice, struct text *text)
{
	struct span word = some_word(dice, text, false);
	struct scrap scrap = {.size = 0};

	if (roll(dice, 2)) { /* insert it */
		word.begin = word.end;
		scrap.text[scrap.size++] = ' ';
	}
	add_pair(dice, &scrap);
	replace(text, word, scrap.text, scrap.size);
}

/* A file that may be included, with one line. */
static void append_file(struct dice *dice, struct text *text)
{
	const char *name = some_file(dice);
	struct scrap scrap = {.text = "\xff", .size = 1};

	memcpy(scrap.text + 1, name, strlen(name));
	scrap.size += strlen(name);
	scrap.text[scrap.size++] = '\n';
	add_line(dice, &scrap);
	replace(text, (struct span){text->size, text->size}, scrap.text, scrap.size);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	static void (*const changes[])(struct dice * dice, struct text * text) = {
		insert_line,  insert_line, insert_line, move_line,   change_value,
		change_value, change_pair, change_pair, append_file,
	};
	const size_t count = sizeof(changes) / sizeof(changes[0]);
	struct dice dice = dice_of(seed);
	struct text text = {.at = (char *)data, .size = size, .max = max_size};
	size_t which;

	which = roll(&dice, count + 4);
	if (which >= count)
		return LLVMFuzzerMutate(data, size, max_size);
	for (size_t times = 1 + roll(&dice, 3); times; times--)
		changes[which](&dice, &text);
	return text.size;
}
