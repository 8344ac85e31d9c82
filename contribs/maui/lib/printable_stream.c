/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A FILE of fopencookie(). Its write function holds back the last bytes of a
 * write if they begin a UTF-8 character or a colour sequence.
 */
#include "contribs/maui/lib/printable_stream.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"
#include "common/util/text.h"

struct printable {
	FILE *real;
	const char *const *passed;
	char held[PRINTABLE_SEQUENCE + 1]; /* the beginning of what the next write() may complete */
	size_t held_size;
};

/* Of a sequence, line feed or tab at text; 0: there is none. */
static size_t passed_size(const struct printable *stream, const char *text, size_t size)
{
	if (*text == '\n' || *text == '\t')
		return 1;
	for (const char *const *one = stream->passed; *one; one++)
		if (size >= strlen(*one) && !memcmp(text, *one, strlen(*one)))
			return strlen(*one);
	return 0;
}

static size_t announced_size(unsigned char lead)
{
	return lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1;
}

/* Whether all of text is the beginning of a character, or of a sequence. */
static bool is_begun(const struct printable *stream, const char *text, size_t size)
{
	for (const char *const *one = stream->passed; *one; one++)
		if (size < strlen(*one) && !memcmp(text, *one, size))
			return true;
	if (size >= announced_size((unsigned char)*text))
		return false;
	for (size_t i = 1; i < size; i++)
		if (((unsigned char)text[i] & 0xc0) != 0x80)
			return false;
	return true;
}

/* Returns how much of text is written; the rest is begun. */
static size_t put_printable(const struct printable *stream, const char *text, size_t size)
{
	size_t first = 0, at = 0, passes;

	while ((at += maui_printable_size(text + at, size - at)) < size) {
		passes = passed_size(stream, text + at, size - at);
		at += passes;
		if (passes)
			continue;
		if (is_begun(stream, text + at, size - at))
			break;
		fwrite(text + first, 1, at - first, stream->real);
		fputc('?', stream->real);
		first = ++at;
	}
	fwrite(text + first, 1, at - first, stream->real);
	return at;
}

static void put_held(struct printable *stream, char byte)
{
	size_t done;

	stream->held[stream->held_size++] = byte;
	done = put_printable(stream, stream->held, stream->held_size);
	stream->held_size -= done;
	memmove(stream->held, stream->held + done, stream->held_size);
}

static ssize_t write_printable(void *cookie, const char *text, size_t size)
{
	struct printable *stream = cookie;
	size_t at = 0;

	while (at < size && stream->held_size)
		put_held(stream, text[at++]);
	at += put_printable(stream, text + at, size - at);
	if (at < size) {
		stream->held_size = size - at;
		memcpy(stream->held, text + at, stream->held_size);
	}
	return fflush(stream->real) || ferror(stream->real) ? 0 : (ssize_t)size;
}

static int close_printable(void *cookie)
{
	struct printable *stream = cookie;
	FILE *real = stream->real;

	for (size_t i = 0; i < stream->held_size; i++)
		fputc('?', real);
	free(stream);
	return fflush(real) || ferror(real) ? -1 : 0;
}

FILE *printable_stream(FILE *real, const char *const *passed)
{
	struct printable *stream = maui_malloc(1, sizeof(*stream));
	FILE *file;

	*stream = (struct printable){.real = real, .passed = passed};
	file = fopencookie(
		stream, "w",
		(cookie_io_functions_t){.write = write_printable, .close = close_printable});
	if (!file)
		free(stream);
	return file;
}
