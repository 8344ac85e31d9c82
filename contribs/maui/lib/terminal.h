/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Standard output: what is not printable becomes '?' (printable_stream.h). On a terminal lines fit
 * its width, and colour marks what matters; anywhere else, as in a pipe, they are unchanged.
 *
 * A line with columns, that is with two blanks in a row behind its first word, is cut where the
 * terminal ends, with a '>' in its last column; any other one goes on in the next line, at a blank,
 * as far to the right as it began.
 */
#ifndef MAUI_TERMINAL_H
#define MAUI_TERMINAL_H

#include <stdio.h>

enum mark {
	MARK_END,
	MARK_TITLE, /* bold */
	MARK_GOOD,
	MARK_WARN,
	MARK_BAD,
};

/* Once, before anything is printed. COLUMNS in the environment overrides the terminal's width. */
void terminal_begin(void);
/* Once, after everything is. 0, or -1 with errno: some of it could not be written. */
int terminal_end(void);

/* Lines stay unchanged from here on: --wide, and JSON. */
void terminal_wide(void);

/* The sequence that begins a mark, or with MARK_END ends it, on standard output or error: ""
 * without colours, as with NO_COLOR and TERM=dumb, and before the first terminal_begin(). */
const char *mark(enum mark mark);
const char *error_mark(enum mark mark);

#endif
