/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nearly valid lines of maui.cfg, made up from the tables of names and words. */
#ifndef MAUI_FUZZ_CFG_LINES_H
#define MAUI_FUZZ_CFG_LINES_H

#include <stddef.h>

#include "testsuite/fuzz/dice.h"

/* A text, truncated when it is full. */
struct scrap {
	char text[512];
	size_t size;
};

/* ATTR=value, a value alone, and a whole line without its newline, each appended to the scrap. */
void add_pair(struct dice *dice, struct scrap *scrap);
void add_value(struct dice *dice, struct scrap *scrap);
void add_line(struct dice *dice, struct scrap *scrap);

/* The name of a file that such lines include. */
const char *some_file(struct dice *dice);

#endif
