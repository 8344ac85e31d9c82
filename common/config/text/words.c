/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the next word of a line and splits it into name, brackets, operator (=,
 * +=, <= and so on) and value; removes quotes.
 */
#include "common/config/text/words.h"

#include <stdint.h>
#include <string.h>

#include "common/util/text.h"

size_t maui_skip_blanks(const char *line, size_t size, size_t at)
{
	while (at < size && maui_is_blank(line[at]))
		at++;
	return at;
}

struct maui_span maui_span_trim(const char *line, struct maui_span span)
{
	while (span.start < span.end && maui_is_blank(line[span.start]))
		span.start++;
	while (span.end > span.start && maui_is_blank(line[span.end - 1]))
		span.end--;
	return span;
}

/* blank: what becomes of a blank in quotes. */
static size_t words_unquote(const char *text, size_t size, char blank, char *buffer)
{
	size_t used = 0;
	char quote = '\0';

	for (size_t i = 0; i < size; i++) {
		if (quote ? text[i] == quote : text[i] == '"' || text[i] == '\'')
			quote = quote ? '\0' : text[i];
		else
			buffer[used++] = quote && text[i] == ' ' ? blank : text[i];
	}
	return used;
}

size_t maui_unquote(const char *text, size_t size, char *buffer)
{
	return words_unquote(text, size, ' ', buffer);
}

size_t maui_unquote_names(const char *text, size_t size, char *buffer)
{
	return words_unquote(text, size, MAUI_QUOTED_BLANK, buffer);
}

size_t maui_bracket_end(const char *line, size_t size, size_t bracket)
{
	size_t close = SIZE_MAX;

	for (size_t at = bracket; at < size && line[at] != '=' && !maui_is_blank(line[at]); at++)
		if (line[at] == ']')
			close = at;
	return close;
}

/* The name that a word begins with, and, if an '=' is behind them, the brackets after it. */
static void read_name(const char *line, size_t size, struct maui_word *word)
{
	size_t at = word->all.start, close;

	while (at < size && maui_is_name(line[at]))
		at++;
	word->name = (struct maui_span){word->all.start, at};
	if (!maui_span_size(word->name) || at == size || line[at] != '[')
		return;
	close = maui_bracket_end(line, size, at);
	if (close == SIZE_MAX || close + 1 == size || line[close + 1] != '=')
		return;
	word->dimension = (struct maui_span){at + 1, close};
	word->has_dimension = true;
}

static void find_end(const char *line, size_t size, struct maui_word *word)
{
	size_t at = word->has_dimension ? word->dimension.end : word->all.start;
	char quote = '\0';

	for (; at < size && (quote || !maui_is_blank(line[at])); at++) {
		if (quote) {
			quote = line[at] == quote ? '\0' : quote;
		} else if (line[at] == '"' || line[at] == '\'') {
			quote = line[at];
			word->quote = at;
		}
	}
	word->unclosed = quote;
	word->all.end = at;
}

/* The length of the operator here; 0 if there is none. */
static size_t operation_length(const char *at, size_t size)
{
	static const char *const operations[] = {
		"+=", "-=", "<=", ">=", "==", "!=", "=", "<", ">", NULL};

	for (const char *const *operation = operations; *operation; operation++)
		if (maui_equals(at, size < strlen(*operation) ? size : strlen(*operation),
				*operation))
			return strlen(*operation);
	/* PRIORITY-10: the original reads it as PRIORITY=10. */
	return size > 1 && (*at == '-' || *at == '+') && maui_is_digit(at[1]);
}

static void take_apart(const char *line, struct maui_word *word)
{
	size_t at = word->name.end, end = word->all.end;
	size_t length;

	if (!maui_span_size(word->name))
		return;
	if (at < end && line[at] == '[' && !word->has_dimension) {
		const char *close = memchr(line + at, ']', end - at);

		if (!close)
			return;
		word->dimension = (struct maui_span){at + 1, close - line};
		word->has_dimension = true;
	}
	if (word->has_dimension)
		at = word->dimension.end + 1;
	length = operation_length(line + at, end - at);
	if (!length)
		return;
	word->operation = (struct maui_span){at, at + length};
	word->value = (struct maui_span){at + length, end};
	word->pair = true;
}

bool maui_word_next(const char *line, size_t size, size_t offset, struct maui_word *ret_word)
{
	struct maui_word word = {.all.start = maui_skip_blanks(line, size, offset)};

	if (word.all.start >= size)
		return false;
	read_name(line, size, &word);
	find_end(line, size, &word);
	take_apart(line, &word);
	*ret_word = word;
	return true;
}
