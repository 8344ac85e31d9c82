/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From bytes to logical lines: comments removed, continued lines joined, every byte's origin known.
 * The rules, D-CFG-17:
 *   - '#' begins a comment anywhere, even inside quotes; nothing escapes it;
 *   - a backslash and the blanks after it, the end of the line included, are blanks: the next line
 *     is joined. (A backslash before anything else, as in HOSTLIST=n\.1, is kept, with a warning:
 *     in the original it is a blank);
 *   - '#INCLUDE file', in upper case, is not a comment: the file is read after everything else.
 */
#ifndef MAUI_CONFIG_LEXER_H
#define MAUI_CONFIG_LEXER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/config/text/problems.h"

#define MAUI_LINE_LIMIT 65536u /* bytes of a logical line */

/* Where a physical line's bytes are in a logical one. */
struct maui_segment {
	size_t offset;
	unsigned int line, column;
};

struct maui_line {
	char *text; /* NUL-terminated */
	size_t size, room;
	struct maui_segment *segments; /* at least one */
	size_t segment_count, segment_room;
	bool too_long;    /* it was cut, and must not be used */
	bool has_comment; /* something was removed at a '#' */
};

/* A file that #INCLUDE names, as written. */
struct maui_include {
	const char *path; /* in the problems' arena */
	struct maui_origin origin;
};

struct maui_lexer {
	const char *file; /* for origins */
	const char *text;
	size_t size, at;
	size_t line_start; /* offset of the physical line's first byte */
	unsigned int line_number;
	struct maui_problems *problems;
	struct maui_line line;
	struct maui_include *includes; /* found so far in this file */
	size_t include_count, include_room;
};

/*
 * Whether this is text: free of NUL and other control bytes. If not, one error says where it is
 * not, and none of it should be read.
 */
bool maui_text_check(const char *file, const char *text, size_t size,
		     struct maui_problems *problems);

/* Start at the beginning of a text, which must stay in memory. */
void maui_lexer_begin(struct maui_lexer *lexer, const char *file, const char *text, size_t size,
		      struct maui_problems *problems);
/* Read the next logical line into lexer->line. False at the end of the text. */
bool maui_lexer_next(struct maui_lexer *lexer);
void maui_lexer_end(struct maui_lexer *lexer);

/* Where the byte at an offset of the line is in the file. */
struct maui_origin maui_lexer_origin(const struct maui_lexer *lexer, size_t offset);

#endif
