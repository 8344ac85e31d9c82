/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_GROW_OR_EXIT_H
#define MAUI_GROW_OR_EXIT_H

#include "common/util/grow.h"
#include "contribs/maui/lib/command.h"

/* As maui_grow(); out of memory, the command ends, as text.h says. */
static inline void *grow_or_exit(void *list, size_t count, size_t *room, size_t size)
{
	void *grown = maui_grow(list, count, room, size);

	if (!grown)
		exit_out_of_memory();
	return grown;
}

#endif
