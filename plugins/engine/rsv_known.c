/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/rsv_known.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/engine/statetext.h"

#define FIRST_LINE "slurm-maui reservations 1\n"
#define USED       1
#define SPENT      2
#define CANCELLED  4
#define FLAGS      (USED | SPENT | CANCELLED)

void rsv_known_clear(struct rsv_known *known)
{
	for (size_t i = 0; i < known->count; i++)
		free(known->names[i]);
	free(known->names);
	*known = (struct rsv_known){0};
}

/* The place of the first name that does not come before this one. */
static size_t place_of(const struct rsv_known *known, const char *name)
{
	size_t low = 0, high = known->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(known->names[middle]->name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct rsv_known_name *rsv_known_find(const struct rsv_known *known, const char *name)
{
	size_t at = place_of(known, name);

	return at < known->count && !strcmp(known->names[at]->name, name) ? known->names[at] : NULL;
}

/* What Slurm's own commands, and our file, can speak of. */
static bool is_speakable(const char *name)
{
	size_t size = strcspn(name, " \t\r\n\",=");

	return size && !name[size] && size < MAUI_SR_INSTANCE_SIZE;
}

struct rsv_known_name *rsv_known_add(struct rsv_known *known, const char *name)
{
	size_t at = place_of(known, name);
	struct rsv_known_name *found = rsv_known_find(known, name);

	if (found)
		return found;
	if (!is_speakable(name) || known->count == RSV_KNOWN_MAX_NAMES)
		return NULL;
	if (known->count == known->room) {
		size_t room = known->room ? known->room * 2 : 64;
		void *grown = realloc(known->names, room * sizeof(*known->names));

		if (!grown)
			return NULL;
		known->names = grown;
		known->room = room;
	}
	found = calloc(1, sizeof(*found));
	if (!found)
		return NULL;
	memcpy(found->name, name, strlen(name) + 1);
	memmove(&known->names[at + 1], &known->names[at],
		(known->count++ - at) * sizeof(*known->names));
	known->names[at] = found;
	return found;
}

void rsv_known_drop(struct rsv_known *known, const char *name)
{
	size_t at = place_of(known, name);
	struct rsv_known_name *found = rsv_known_find(known, name);

	if (!found)
		return;
	memmove(&known->names[at], &known->names[at + 1],
		(--known->count - at) * sizeof(*known->names));
	free(found);
}

/* "reservation FLAGS NAME" */
static int parse_line(struct statetext_words words, void *context, const char **why)
{
	char name[MAUI_SR_INSTANCE_SIZE];
	struct rsv_known_name *added;
	size_t size;
	int64_t flags;

	(void)why;
	if (!statetext_word(&words, "reservation") || !statetext_number(&words, 0, FLAGS, &flags) ||
	    words.at == words.end || *words.at != ' ')
		return -EINVAL;
	size = (size_t)(words.end - words.at) - 1;
	if (size >= sizeof(name) || memchr(words.at, '\0', size + 1))
		return -EINVAL;
	memcpy(name, words.at + 1, size);
	name[size] = '\0';
	added = rsv_known_add(context, name);
	if (!added)
		return -EINVAL;
	added->used = flags & USED;
	added->spent = flags & SPENT;
	added->cancelled = flags & CANCELLED;
	return 0;
}

int rsv_known_parse(const char *text, size_t size, struct rsv_known *ret_known,
		    struct maui_error *error)
{
	struct rsv_known known = {0};
	int rc = statetext_parse(text, size, FIRST_LINE, parse_line, &known, error);

	if (rc)
		rsv_known_clear(&known);
	else
		*ret_known = known;
	return rc;
}

int rsv_known_format(const struct rsv_known *known, char **ret_text, size_t *ret_size)
{
	size_t line = sizeof("reservation 7 ") + MAUI_SR_INSTANCE_SIZE;
	char *text = malloc((known->count + 2) * line + STATETEXT_END_SIZE), *at = text;

	if (!text)
		return -ENOMEM;
	at += sprintf(at, "%s", FIRST_LINE);
	for (size_t i = 0; i < known->count; i++)
		at += sprintf(at, "reservation %d %s\n",
			      (known->names[i]->used ? USED : 0) |
				      (known->names[i]->spent ? SPENT : 0) |
				      (known->names[i]->cancelled ? CANCELLED : 0),
			      known->names[i]->name);
	*ret_text = text;
	*ret_size = statetext_seal(text, (size_t)(at - text));
	return 0;
}
