/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the new size of an array, with overflow checks, and calls
 * maui_realloc().
 */
#include "common/util/grow.h"

#include <stdint.h>
#include <string.h>

#include "common/util/memory.h"

#define FIRST_ROOM 16

static size_t grow_larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

void *maui_grow_larger(void *array, size_t wanted, size_t *room, size_t size)
{
	const size_t most = SIZE_MAX / size;
	size_t new_room;

	if (wanted > most)
		maui_memory_short(SIZE_MAX);
	new_room =
		grow_larger(wanted, *room <= most / 2 ? grow_larger(*room * 2, FIRST_ROOM) : most);
	if (new_room > most)
		new_room = most;
	array = maui_realloc(array, new_room, size);
	*room = new_room;
	return array;
}

void *maui_grow_zeroed(void *array, size_t wanted, size_t *room, size_t size)
{
	size_t before = *room;
	char *grown = maui_grow(array, wanted, room, size);

	if (*room > before)
		memset(grown + before * size, 0, (*room - before) * size);
	return grown;
}
