/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocates from zeroed chunks of 4 KB, doubling to 256 KB. Each allocation
 * takes the next aligned bytes of the newest chunk.
 */
#include "common/util/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"

#define FIRST_CHUNK 4096u
#define LAST_CHUNK  262144u /* chunks double in size up to here */

struct chunk {
	struct chunk *next;
	size_t used, size; /* of bytes */
	alignas(max_align_t) unsigned char bytes[];
};

struct maui_arena {
	struct chunk *chunks; /* the newest first */
	size_t next_size, total;
};

struct maui_arena *maui_arena_new(void)
{
	struct maui_arena *arena = maui_calloc(1, sizeof(*arena));

	arena->next_size = FIRST_CHUNK;
	return arena;
}

struct maui_arena *maui_arena_free(struct maui_arena *arena)
{
	if (!arena)
		return NULL;
	for (struct chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(arena);
	return NULL;
}

static struct chunk *add_chunk(struct maui_arena *arena, size_t needed)
{
	size_t size = needed > arena->next_size ? needed : arena->next_size;
	struct chunk *chunk;

	if (size > SIZE_MAX - sizeof(*chunk))
		maui_memory_short(SIZE_MAX);
	chunk = maui_calloc(1, sizeof(*chunk) + size);
	chunk->size = size;
	chunk->next = arena->chunks;
	arena->chunks = chunk;
	arena->total += sizeof(*chunk) + size;
	if (arena->next_size < LAST_CHUNK)
		arena->next_size *= 2;
	return chunk;
}

/* size bytes, aligned to alignment. */
static void *arena_take(struct maui_arena *arena, size_t size, size_t alignment)
{
	struct chunk *chunk = arena->chunks;
	size_t start = chunk ? (chunk->used + alignment - 1) / alignment * alignment : 0;

	if (!chunk || start > chunk->size || size > chunk->size - start) {
		chunk = add_chunk(arena, size);
		start = 0;
	}
	chunk->used = start + size;
	return chunk->bytes + start;
}

void *maui_arena_alloc(struct maui_arena *arena, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		maui_memory_short(SIZE_MAX);
	return arena_take(arena, bytes ? bytes : 1, alignof(max_align_t));
}

char *maui_arena_text(struct maui_arena *arena, const char *text, size_t size)
{
	char *copy;

	if (size == SIZE_MAX)
		maui_memory_short(SIZE_MAX);
	copy = arena_take(arena, size + 1, 1);
	return memcpy(copy, text, size); /* the NUL is there: chunks are zeroed */
}

size_t maui_arena_size(const struct maui_arena *arena)
{
	return arena->total;
}
