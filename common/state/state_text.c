/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks a state file's first line and last, `end LINES CHECKSUM`, writes the
 * last, and parses words, numbers and names of the lines between.
 */
#include "common/state/state_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/util/files/file_version.h"

char *maui_statetext_seal_added(char *at, const struct maui_statetext_sum *sum)
{
	return at + snprintf(at, MAUI_STATETEXT_END_SIZE, "end %zu %016" PRIx64 "\n", sum->lines,
			     sum->checksum);
}

/* The last line for a text of size bytes; returns its length. */
static size_t end_line(const char *text, size_t size, char *line, size_t *ret_lines)
{
	struct maui_statetext_sum sum = MAUI_STATETEXT_NOTHING;
	const char *end = text + size;

	for (const char *at = text; (at = memchr(at, '\n', (size_t)(end - at))); at++)
		sum.lines++;
	sum.checksum = maui_statetext_checksum(sum.checksum, text, end);
	*ret_lines = sum.lines;
	return (size_t)(maui_statetext_seal_added(line, &sum) - line);
}

/* A file may have a number for each of a million jobs: sprintf() would be most of the time. */
char *maui_statetext_put_number(char *at, int64_t number)
{
	uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
	char digits[MAUI_STATETEXT_NUMBER];
	size_t size = 0;

	*at++ = ' ';
	if (number < 0)
		*at++ = '-';
	do {
		digits[sizeof(digits) - ++size] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	memcpy(at, &digits[sizeof(digits) - size], size);
	return at + size;
}

size_t maui_statetext_seal(char *text, size_t size)
{
	size_t lines;

	return size + end_line(text, size, text + size, &lines);
}

/* Where the last line begins; NULL if the text cannot be trusted. */
static const char *find_end(const char *text, size_t size, size_t *ret_lines)
{
	const char *end = text + size - 1;
	char expected[MAUI_STATETEXT_END_SIZE];
	size_t length;

	if (*end != '\n')
		return NULL;
	while (end > text && end[-1] != '\n')
		end--;
	length = end_line(text, (size_t)(end - text), expected, ret_lines);
	if (length != (size_t)(text + size - end) || memcmp(end, expected, length) != 0)
		return NULL;
	return end;
}

int maui_statetext_open(const char *text, size_t size, const char *first,
			struct maui_statetext *ret_content, struct maui_error *error)
{
	size_t length = strlen(first), lines = 0;
	const char *begin, *end;
	int rc = maui_file_version_refuse(text, size, first, length, error);

	if (rc)
		return rc;
	if (!maui_file_version_reads(text, size, first, length))
		return maui_error_set(error, EINVAL, "it does not begin with \"%.*s\"",
				      (int)length - 1, first);
	begin = (const char *)memchr(text, '\n', size) + 1; /* there is one */
	end = find_end(text, size, &lines);
	if (!end || end < begin)
		return maui_error_set(error, EINVAL, "it is cut short or damaged");
	*ret_content = (struct maui_statetext){begin, end, lines};
	return 0;
}

int maui_statetext_lines(const struct maui_statetext *content, maui_statetext_take take,
			 void *context, struct maui_error *error)
{
	size_t line = 1;

	for (const char *at = content->begin, *next; at < content->end; at = next) {
		/* there is one: the last line follows a newline */
		const char *newline = memchr(at, '\n', (size_t)(content->end - at));
		const char *why = "is not understood";
		int rc;

		next = newline + 1;
		line++;
		rc = take((struct maui_statetext_words){at, newline}, context, &why);
		if (rc)
			return maui_error_set(error, EINVAL, "line %zu %s", line, why);
	}
	return 0;
}

bool maui_statetext_word(struct maui_statetext_words *words, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(words->end - words->at) < length || memcmp(words->at, word, length) != 0)
		return false;
	words->at += length;
	return true;
}

bool maui_statetext_number(struct maui_statetext_words *words, int64_t min, int64_t max,
			   int64_t *ret_number)
{
	int64_t value = 0;
	const char *digit;

	if (words->at == words->end || *words->at != ' ')
		return false;
	for (digit = words->at + 1; digit < words->end && *digit >= '0' && *digit <= '9'; digit++) {
		value = value * 10 + (*digit - '0');
		if (value > max)
			return false;
	}
	if (digit == words->at + 1 || value < min)
		return false;
	words->at = digit;
	*ret_number = value;
	return true;
}

bool maui_statetext_credential(struct maui_statetext_words *words, enum maui_credential *ret_type)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		if (maui_statetext_word(words, maui_credential_name(type))) {
			*ret_type = type;
			return true;
		}
	return false;
}

bool maui_statetext_is_name(const char *name, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)name[i] <= ' ' || name[i] == 0x7f)
			return false;
	return length;
}

bool maui_statetext_name(struct maui_statetext_words *words, char *buffer, size_t size)
{
	const char *begin, *end;
	size_t length;

	if (words->at == words->end || *words->at != ' ')
		return false;
	begin = words->at + 1;
	end = memchr(begin, ' ', (size_t)(words->end - begin));
	if (!end)
		end = words->end;
	length = (size_t)(end - begin);
	if (length >= size || !maui_statetext_is_name(begin, length))
		return false;
	memcpy(buffer, begin, length);
	buffer[length] = '\0';
	words->at = end;
	return true;
}

bool maui_statetext_rest(const struct maui_statetext_words *words, char *buffer, size_t size)
{
	size_t length;

	if (words->at == words->end || *words->at != ' ')
		return false;
	length = (size_t)(words->end - words->at) - 1;
	if (length >= size || memchr(words->at, '\0', length + 1))
		return false;
	memcpy(buffer, words->at + 1, length);
	buffer[length] = '\0';
	return true;
}
