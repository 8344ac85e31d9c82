/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory allocated in small pieces and freed as a whole. Not thread-safe. */
#ifndef MAUI_UTIL_ARENA_H
#define MAUI_UTIL_ARENA_H

#include <stddef.h>

struct maui_arena;

struct maui_arena *maui_arena_new(void);
struct maui_arena *maui_arena_free(struct maui_arena *arena); /* accepts NULL, returns NULL */

/*
 * count elements of size bytes, zeroed, aligned for any type. A count or size of 0 gives one byte.
 */
void *maui_arena_alloc(struct maui_arena *arena, size_t count, size_t size);

/* A copy of size bytes with a NUL after them. */
char *maui_arena_text(struct maui_arena *arena, const char *text, size_t size);

/* Bytes taken from the system so far. */
size_t maui_arena_size(const struct maui_arena *arena);

#endif
