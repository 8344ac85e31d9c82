/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/rsv_dues.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/engine/statetext.h"

#define FIRST_LINE   "slurm-maui idle 1\n"
#define NUMBERS_SIZE 96 /* "idle account " and three numbers */

void rsv_dues_clear(struct rsv_dues *dues)
{
	maui_arena_free(dues->names);
	free(dues->list);
	*dues = (struct rsv_dues){0};
}

/* What a line can hold. */
static bool is_sound(const struct rsv_due *due)
{
	size_t size = strlen(due->name);

	return size && size < RSV_DUES_NAME_SIZE && !memchr(due->name, '\n', size) &&
	       due->type < MAUI_CREDENTIALS && due->from >= 0 && due->to > due->from &&
	       due->to <= RSV_DUES_MAX_TIME && due->cost > 0 && due->cost <= RSV_DUES_MAX_COST;
}

static bool make_room(struct rsv_dues *dues)
{
	size_t room = dues->room ? dues->room * 2 : 64;
	struct rsv_due *grown;

	if (!dues->names)
		dues->names = maui_arena_new();
	if (!dues->names || dues->count < dues->room)
		return dues->names;
	grown = realloc(dues->list, room * sizeof(*grown));
	if (!grown)
		return false;
	dues->list = grown;
	dues->room = room;
	return true;
}

int rsv_dues_add(struct rsv_dues *dues, const struct rsv_due *due)
{
	const char *name;

	if (!is_sound(due))
		return -EINVAL;
	if (dues->count == RSV_DUES_MAX)
		return -ENOSPC;
	if (!make_room(dues))
		return -ENOMEM;
	name = maui_arena_text(dues->names, due->name, strlen(due->name));
	if (!name)
		return -ENOMEM;
	dues->list[dues->count] = *due;
	dues->list[dues->count++].name = name;
	return 0;
}

static bool take_type(struct statetext_words *words, enum maui_credential *ret_type)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		if (statetext_word(words, maui_credential_name(type))) {
			*ret_type = type;
			return true;
		}
	return false;
}

/* "idle TYPE FROM TO COST NAME" */
static int parse_line(struct statetext_words words, void *context, const char **why)
{
	char name[RSV_DUES_NAME_SIZE];
	struct rsv_due due = {.name = name};
	size_t size;
	int rc;

	(void)why;
	if (!statetext_word(&words, "idle ") || !take_type(&words, &due.type) ||
	    !statetext_number(&words, 0, RSV_DUES_MAX_TIME, &due.from) ||
	    !statetext_number(&words, 0, RSV_DUES_MAX_TIME, &due.to) ||
	    !statetext_number(&words, 1, RSV_DUES_MAX_COST, &due.cost) || words.at == words.end ||
	    *words.at != ' ')
		return -EINVAL;
	size = (size_t)(words.end - words.at) - 1;
	if (size >= sizeof(name) || memchr(words.at, '\0', size + 1))
		return -EINVAL;
	memcpy(name, words.at + 1, size);
	name[size] = '\0';
	rc = rsv_dues_add(context, &due);
	return rc == -ENOMEM ? rc : (rc ? -EINVAL : 0);
}

int rsv_dues_parse(const char *text, size_t size, struct rsv_dues *ret_dues,
		   struct maui_error *error)
{
	struct rsv_dues dues = {0};
	int rc = statetext_parse(text, size, FIRST_LINE, parse_line, &dues, error);

	if (rc)
		rsv_dues_clear(&dues);
	else
		*ret_dues = dues;
	return rc;
}

int rsv_dues_format(const struct rsv_dues *dues, char **ret_text, size_t *ret_size)
{
	size_t room = sizeof(FIRST_LINE) + STATETEXT_END_SIZE;
	char *text, *at;

	for (size_t i = 0; i < dues->count; i++)
		room += NUMBERS_SIZE + strlen(dues->list[i].name);
	text = at = malloc(room);
	if (!text)
		return -ENOMEM;
	at += sprintf(at, "%s", FIRST_LINE);
	for (size_t i = 0; i < dues->count; i++) {
		const struct rsv_due *due = &dues->list[i];

		at += sprintf(at, "idle %s %" PRId64 " %" PRId64 " %" PRId64 " %s\n",
			      maui_credential_name(due->type), due->from, due->to, due->cost,
			      due->name);
	}
	*ret_text = text;
	*ret_size = statetext_seal(text, (size_t)(at - text));
	return 0;
}
