/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/state/rsv_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/state/first_lines.h"
#include "common/state/text.h"
#include "common/util/grow.h"
#include "common/util/search.h"
#include "common/util/text.h"

#define USED      1
#define SPENT     2
#define CANCELLED 4
#define FLAGS     (USED | SPENT | CANCELLED)

#define CHAINS 8192u /* a power of two */

void maui_rsv_names_clear(struct maui_rsv_names *known)
{
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

static struct maui_rsv_name *find(const struct maui_rsv_names *known, const char *name,
				  uint32_t hash)
{
	struct maui_rsv_name *at = known->chains ? known->chains[hash % CHAINS] : NULL;

	while (at && (at->hash != hash || strcmp(at->name, name) != 0))
		at = at->next;
	return at;
}

struct maui_rsv_name *maui_rsv_names_find(const struct maui_rsv_names *known, const char *name)
{
	return find(known, name, hash_of(name));
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

/* What Slurm's own commands and our file can name. */
static bool is_speakable(const char *name)
{
	size_t size = strcspn(name, " \t\r\n\",=");

	return size && !name[size] && size < MAUI_SR_INSTANCE_SIZE;
}

struct maui_rsv_name *maui_rsv_names_add(struct maui_rsv_names *known, const char *name)
{
	uint32_t hash = hash_of(name);
	struct maui_rsv_name **names, *found = find(known, name, hash);
	size_t at;

	if (found)
		return found;
	if (!is_speakable(name) || known->count == MAUI_RSV_NAMES_MAX_NAMES)
		return NULL;
	names = maui_grow(known->names, known->count + 1, &known->room, sizeof(*names));
	if (!names)
		return NULL;
	known->names = names;
	if (!known->chains)
		known->chains = calloc(CHAINS, sizeof(*known->chains));
	found = known->chains ? calloc(1, sizeof(*found)) : NULL;
	if (!found)
		return NULL;
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

/* "reservation FLAGS NAME" */
static int parse_line(struct maui_statetext_words words, void *context, const char **why)
{
	char name[MAUI_SR_INSTANCE_SIZE];
	struct maui_rsv_name *added;
	int64_t flags;

	(void)why;
	if (!maui_statetext_word(&words, "reservation") ||
	    !maui_statetext_number(&words, 0, FLAGS, &flags) ||
	    !maui_statetext_rest(&words, name, sizeof(name)))
		return -EINVAL;
	added = maui_rsv_names_add(context, name);
	if (!added)
		return -EINVAL;
	added->used = flags & USED;
	added->spent = flags & SPENT;
	added->cancelled = flags & CANCELLED;
	return 0;
}

int maui_rsv_names_parse(const char *text, size_t size, struct maui_rsv_names *ret_known,
			 struct maui_error *error)
{
	struct maui_rsv_names known = {0};
	int rc = maui_statetext_parse(text, size, MAUI_FIRST_LINE_RESERVATIONS, parse_line, &known,
				      error);

	if (rc)
		maui_rsv_names_clear(&known);
	else
		*ret_known = known;
	return rc;
}

int maui_rsv_names_format(const struct maui_rsv_names *known, char **ret_text, size_t *ret_size)
{
	size_t line = sizeof("reservation 7 ") + MAUI_SR_INSTANCE_SIZE;
	char *text = malloc((known->count + 2) * line + MAUI_STATETEXT_END_SIZE), *at = text;

	if (!text)
		return -ENOMEM;
	at += sprintf(at, "%s", MAUI_FIRST_LINE_RESERVATIONS);
	for (size_t i = 0; i < known->count; i++)
		at += sprintf(at, "reservation %d %s\n",
			      (known->names[i]->used ? USED : 0) |
				      (known->names[i]->spent ? SPENT : 0) |
				      (known->names[i]->cancelled ? CANCELLED : 0),
			      known->names[i]->name);
	*ret_text = text;
	*ret_size = maui_statetext_seal(text, (size_t)(at - text));
	return 0;
}
