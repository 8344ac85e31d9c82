/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words of a logical line: separated by blanks, except in quotes; ATTR[dimension]=VALUE is
 * split into its parts.
 */
#ifndef MAUI_CONFIG_WORDS_H
#define MAUI_CONFIG_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/util/arena.h"

/* A piece of a line: the offsets of its first byte and of the one after its last. */
struct maui_span {
	size_t start, end;
};

struct maui_word {
	struct maui_span all;
	bool unclosed; /* a quote that is never closed: the word is the rest of the line */
	size_t quote;  /* offset of that quote */
	/* For words that look like ATTR=VALUE: */
	bool pair;
	struct maui_span name, dimension, operation, value;
	bool has_dimension;
};

/*
 * The last ']' before a blank or '=', from an offset on: it closes the brackets around the name of a
 * GRES, which may have brackets and quotes, but no blank and no '='. SIZE_MAX: there is none.
 */
size_t maui_bracket_end(const char *line, size_t size, size_t bracket);

/* The next word from offset on; false at the end of the line. */
bool maui_word_next(const char *line, size_t size, size_t offset, struct maui_word *ret_word);

static inline size_t maui_span_size(struct maui_span span)
{
	return span.end - span.start;
}

/* The first offset from `at` on that is not a blank. */
size_t maui_skip_blanks(const char *line, size_t size, size_t at);
/* A span without the blanks at either end. */
struct maui_span maui_span_trim(const char *line, struct maui_span span);

/*
 * Append the size bytes at text without their quotes to a buffer with at least that much room;
 * returns the number of bytes.
 */
size_t maui_unquote(const char *text, size_t size, char *buffer);

/* The same, with MAUI_QUOTED_BLANK for each blank in quotes, which separates no names: "domain users"
 * is one. */
#define MAUI_QUOTED_BLANK '\x1f'
size_t maui_unquote_names(const char *text, size_t size, char *buffer);

#endif
