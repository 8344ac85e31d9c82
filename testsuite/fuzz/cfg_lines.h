/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of maui.cfg that are nearly right, made up from the tables of names and words. */
#ifndef MAUI_FUZZ_CFG_LINES_H
#define MAUI_FUZZ_CFG_LINES_H

#include <stddef.h>

#include "testsuite/fuzz/dice.h"

/* A text that is cut where there is no more room. */
struct scrap {
	char text[512];
	size_t size;
};

/* ATTR=value, a value alone, and a whole line without its newline, each added to the scrap. */
void add_pair(struct dice *dice, struct scrap *scrap);
void add_value(struct dice *dice, struct scrap *scrap);
void add_line(struct dice *dice, struct scrap *scrap);

/* The name of a file that such lines include. */
const char *some_file(struct dice *dice);

#endif
