/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A configuration as one text: everything that was read, in that order, with the include lines
 * disabled. An included file is read as if it stood at the end, so the text means the same.
 */
#ifndef MAUI_CONFIG_FLAT_H
#define MAUI_CONFIG_FLAT_H

#include <stddef.h>

#include "common/config/config.h"

struct maui_flat {
	struct maui_reader from; /* does the actual reading */
	char *text;              /* malloc'ed; the caller frees it. NULL: nothing yet */
	size_t size;
};

/* A reader that keeps what it reads, as much as a configuration may have. flat must outlive it. */
struct maui_reader maui_flat_reader(struct maui_flat *flat);

#endif
