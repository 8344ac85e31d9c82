/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the command prints, in pieces of any size: printable text passes, and '?' is for the rest. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "contribs/maui/lib/printable_stream.h"

static const char *const marks[] = {"\033[0m", "\033[31m", NULL};

static const struct {
	const char *text, *printed;
} texts[] = {
	{"plain\n\ttext\n", "plain\n\ttext\n"},
	{"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80\n",
	 "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80\n"},
	{"caf\xe9 \xe9", "caf? ?"},
	{"\xe2\x82x\xe2\xe2\x82\xac", "??x?\xe2\x82\xac"},
	{"a\xc2\x9b\x9bz\x7f\r\v", "a???z???"},
	{"\033[31mred\033[0m", "\033[31mred\033[0m"},
	{"\033[31x\033[2J\033]0;t\a", "?[31x?[2J?]0;t?"},
	{"\033[0\033[0m\033", "?[0\033[0m?"},
	{"\xf0\x9f\x98", "???"},
	{"\xc0\x80\xed\xa0\x80", "?????"},
};

/* Writes pieces of this size; malloc'ed. */
static char *printed(const char *text, size_t piece)
{
	char *result = NULL;
	size_t size, left = strlen(text);
	FILE *real = open_memstream(&result, &size), *file;

	cr_assert(real);
	file = printable_stream(real, marks);
	cr_assert(file);
	setvbuf(file, NULL, _IONBF, 0);
	for (; left; left -= piece, text += piece) {
		piece = piece < left ? piece : left;
		cr_assert_eq(fwrite(text, 1, piece, file), piece);
	}
	cr_assert_eq(fclose(file), 0);
	cr_assert_eq(fclose(real), 0);
	return result;
}

Test(printable_stream, what_is_not_printable_is_a_question_mark)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		for (size_t piece = 1; piece < 20; piece++) {
			char *text = printed(texts[i].text, piece);

			cr_expect_str_eq(text, texts[i].printed, "case %zu in pieces of %zu", i,
					 piece);
			free(text);
		}
}

Test(printable_stream, a_stream_that_cannot_be_written_says_so)
{
	FILE *full = fopen("/dev/full", "we"), *file;

	cr_assert(full);
	file = printable_stream(full, marks);
	cr_assert(file);
	fputs("text", file);
	cr_expect_neq(fclose(file), 0);
	fclose(full);
}
