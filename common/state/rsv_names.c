/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list of reservations sorted by name, with hash chains for look-ups, and
 * their records in the file `reservations`.
 */
#include "common/state/rsv_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/memory.h"
#include "common/util/search.h"
#include "common/util/text.h"

#define CHAINS 8192u /* a power of two */

static void clear_names(void *state)
{
	struct maui_rsv_names *known = state;

	for (size_t i = 0; i < known->count; i++)
		free(known->names[i]);
	free(known->names);
	free(known->chains);
	*known = (struct maui_rsv_names){0};
}

static int by_name(const void *name, const void *element)
{
	return strcmp(name, (*(const struct maui_rsv_name *const *)element)->name);
}

/* The index of the first name not before this one. */
static size_t place_of(const struct maui_rsv_names *known, const char *name)
{
	return maui_lower_bound(name, known->names, known->count, sizeof(*known->names), by_name);
}

static uint32_t hash_of(const char *name)
{
	return maui_hash(MAUI_HASH_SEED, name, strlen(name), false);
}

static struct maui_rsv_name *rsv_names_find(const struct maui_rsv_names *known, const char *name,
					    uint32_t hash)
{
	struct maui_rsv_name *at = known->chains ? known->chains[hash % CHAINS] : NULL;

	while (at && (at->hash != hash || strcmp(at->name, name) != 0))
		at = at->next;
	return at;
}

struct maui_rsv_name *maui_rsv_names_find(const struct maui_rsv_names *known, const char *name)
{
	return rsv_names_find(known, name, hash_of(name));
}

uint32_t maui_rsv_names_place(struct maui_rsv_names *known, const char *name)
{
	const struct maui_rsv_name *found;

	for (size_t i = 0; known->moved && i < known->count; i++)
		known->names[i]->place = (uint32_t)i + 1;
	known->moved = false;
	found = maui_rsv_names_find(known, name);
	return found ? found->place : 0;
}

bool maui_rsv_name_is_sound(const char *name)
{
	size_t size = strcspn(name, " \t\r\n\",=");

	return size && !name[size] && size < MAUI_SR_INSTANCE_SIZE;
}

struct maui_rsv_name *maui_rsv_names_add(struct maui_rsv_names *known, const char *name)
{
	uint32_t hash = hash_of(name);
	struct maui_rsv_name *found = rsv_names_find(known, name, hash);
	size_t at;

	if (found)
		return found;
	if (!maui_rsv_name_is_sound(name) || known->count == MAUI_RSV_NAMES_MAX_NAMES)
		return NULL;
	known->names =
		maui_grow(known->names, known->count + 1, &known->room, sizeof(*known->names));
	if (!known->chains)
		known->chains = maui_calloc(CHAINS, sizeof(*known->chains));
	found = maui_calloc(1, sizeof(*found));
	memcpy(found->name, name, strlen(name) + 1);
	found->hash = hash;
	found->next = known->chains[hash % CHAINS];
	known->chains[hash % CHAINS] = found;
	at = place_of(known, name);
	memmove(&known->names[at + 1], &known->names[at],
		(known->count++ - at) * sizeof(*known->names));
	known->names[at] = found;
	known->moved = true;
	return found;
}

void maui_rsv_names_drop(struct maui_rsv_names *known, const char *name)
{
	struct maui_rsv_name *found = maui_rsv_names_find(known, name), **link;
	size_t at;

	if (!found)
		return;
	link = &known->chains[found->hash % CHAINS];
	while (*link != found)
		link = &(*link)->next;
	*link = found->next;
	known->moved = true;
	at = place_of(known, name);
	memmove(&known->names[at], &known->names[at + 1],
		(--known->count - at) * sizeof(*known->names));
	free(found);
}

/* ---- the file ---- */

static const struct maui_field name_fields[] = {
	MAUI_FLAG("FLAGS", struct maui_rsv_name, used, 1),
	MAUI_FLAG("FLAGS", struct maui_rsv_name, spent, 2),
	MAUI_FLAG("FLAGS", struct maui_rsv_name, cancelled, 4),
	MAUI_TEXT("NAME", REST, struct maui_rsv_name, name),
};
static const struct maui_record records[] = {MAUI_RECORD("reservation", name_fields)};

static int take_name(void *known, struct maui_state_line *line)
{
	const struct maui_rsv_name *one = line->members;
	struct maui_rsv_name *added = maui_rsv_names_add(known, one->name);

	if (!added)
		return -EINVAL;
	added->used = one->used;
	added->spent = one->spent;
	added->cancelled = one->cancelled;
	return 0;
}

const struct maui_state_file maui_rsv_names_file = {
	.name = "reservations",
	.version = 1,
	.limit = MAUI_RSV_NAMES_MAX_SIZE,
	MAUI_STATE_RECORDS(records),
	MAUI_STATE_LIST(struct maui_rsv_names, names, struct maui_rsv_name),
	.by_pointer = true,
	.take = take_name,
	.clear = clear_names,
	.lost = "reservations that look like Maui's are taken for Maui's, and those with SINGLEUSE "
		"are made once more",
	.kept = "reservations that look like Maui's are taken for Maui's, and none is made",
	.waits = "reservations stay as they are, none is made, and nobody gets into those that "
		 "look like Maui's",
	.forgets = "which reservations are Maui's, and standing reservations stay as they are",
};
