/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Standard output on a terminal: lines fit its width, and colour marks what matters. Anywhere else,
 * as in a pipe, the text is what was printed.
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

/* Once, before anything is printed. COLUMNS in the environment stands for the terminal's width. */
void terminal_begin(void);
/* Once, after all is. 0, or -1 with errno: some of it could not be written. */
int terminal_end(void);

/* Lines as they come from here on: --wide, and JSON. */
void terminal_wide(void);

/* What begins a mark, and MARK_END what ends it, on standard output or error: "" where there are no
 * colours. NO_COLOR and TERM=dumb say so, too. Before the first terminal_begin() there are none. */
const char *mark(enum mark mark);
const char *error_mark(enum mark mark);

#endif
