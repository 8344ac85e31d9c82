/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A configuration as one text: all that was read, in that order, with the include lines disarmed.
 * An included file is read as if it stood at the end, so that the sum means the same.
 */
#ifndef MAUI_CONFIG_FLAT_H
#define MAUI_CONFIG_FLAT_H

#include <stddef.h>

#include "common/config/config.h"

struct maui_flat {
	struct maui_reader from; /* who really reads */
	char *text;              /* malloc'ed; the caller's to free. NULL: nothing yet */
	size_t size;
};

/* A reader that keeps what it reads. flat must outlive it. */
struct maui_reader maui_flat_reader(struct maui_flat *flat);

#endif
