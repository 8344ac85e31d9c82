/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open addressing with linear probing; the table is kept at most half full, and names are never
 * removed. */
#include "common/util/intern.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"

struct maui_intern {
	uint32_t *slots;     /* ids; 0 = free */
	uint32_t slot_count; /* a power of two */
	char **names;        /* by id; names[0] is NULL */
	uint32_t *hashes;    /* by id */
	uint32_t count;
	uint32_t room; /* allocated elements of names and hashes */
};

/* FNV-1a: short keys, no state, spreads well enough for linear probing. */
static uint32_t hash_name(const char *name)
{
	uint32_t hash = 2166136261u;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return hash;
}

struct maui_intern *maui_intern_new(void)
{
	struct maui_intern *intern = maui_calloc(1, sizeof(*intern));

	intern->slot_count = 64;
	intern->room = 32;
	intern->slots = maui_calloc(intern->slot_count, sizeof(*intern->slots));
	intern->names = maui_calloc(intern->room, sizeof(*intern->names));
	intern->hashes = maui_calloc(intern->room, sizeof(*intern->hashes));
	return intern;
}

struct maui_intern *maui_intern_free(struct maui_intern *intern)
{
	if (!intern)
		return NULL;
	for (uint32_t id = 1; id <= intern->count; id++)
		free(intern->names[id]);
	free(intern->names);
	free(intern->hashes);
	free(intern->slots);
	free(intern);
	return NULL;
}

/* The slot that holds the name, or the free one where it would go. */
static uint32_t *find_slot(const struct maui_intern *intern, const char *name, uint32_t hash)
{
	uint32_t mask = intern->slot_count - 1;

	for (uint32_t at = hash & mask;; at = (at + 1) & mask) {
		uint32_t id = intern->slots[at];

		if (!id || (intern->hashes[id] == hash && !strcmp(intern->names[id], name)))
			return &intern->slots[at];
	}
}

static void grow_slots(struct maui_intern *intern)
{
	uint32_t slot_count = intern->slot_count * 2, mask = slot_count - 1;
	uint32_t *slots = maui_calloc(slot_count, sizeof(*slots));

	for (uint32_t id = 1; id <= intern->count; id++) {
		uint32_t at = intern->hashes[id] & mask;

		while (slots[at])
			at = (at + 1) & mask;
		slots[at] = id;
	}
	free(intern->slots);
	intern->slots = slots;
	intern->slot_count = slot_count;
}

static void grow_names(struct maui_intern *intern)
{
	uint32_t room = intern->room * 2;

	intern->names = maui_realloc(intern->names, room, sizeof(*intern->names));
	intern->hashes = maui_realloc(intern->hashes, room, sizeof(*intern->hashes));
	intern->room = room;
}

uint32_t maui_intern_find(const struct maui_intern *intern, const char *name)
{
	return *find_slot(intern, name, hash_name(name));
}

uint32_t maui_intern_add(struct maui_intern *intern, const char *name)
{
	uint32_t hash = hash_name(name), id = *find_slot(intern, name, hash);

	if (id)
		return id;
	if (intern->count + 1 == intern->room)
		grow_names(intern);
	if ((intern->count + 1) * 2 > intern->slot_count)
		grow_slots(intern);
	id = ++intern->count;
	intern->names[id] = maui_strdup(name);
	intern->hashes[id] = hash;
	*find_slot(intern, name, hash) = id;
	return id;
}

const char *maui_intern_name(const struct maui_intern *intern, uint32_t id)
{
	return id <= intern->count ? intern->names[id] : NULL;
}

uint32_t maui_intern_count(const struct maui_intern *intern)
{
	return intern->count;
}
