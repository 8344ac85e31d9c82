/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A text that `maui import` reads, and faults in it. */
#ifndef MAUI_IMPORT_TEXT_H
#define MAUI_IMPORT_TEXT_H

#include <stddef.h>

#include "common/import/import_each_line.h"

/* What is read, and what it is called where it has a fault. text is malloc'ed; NULL: there is none. */
struct import_text {
	const char *name;
	char *text;
	size_t size;
};

/* A file's text; path is its name, too. EXIT_OK, or says what is wrong. */
int import_text_read(const char *path, struct import_text *ret_text);

/* Complain of faults with their places. */
extern const struct maui_import_complaints import_complaints;

#endif
