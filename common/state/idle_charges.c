/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/state/idle_charges.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/state/first_lines.h"
#include "common/state/text.h"
#include "common/util/grow.h"

#define NUMBERS_SIZE 96 /* "idle account " and three numbers */

void maui_idle_charges_clear(struct maui_idle_charges *charges)
{
	maui_arena_free(charges->names);
	free(charges->list);
	*charges = (struct maui_idle_charges){0};
}

/* What a line can hold. */
static bool is_sound(const struct maui_idle_charge *charge)
{
	size_t size = strlen(charge->name);

	return size && size < MAUI_IDLE_CHARGES_NAME_SIZE && !memchr(charge->name, '\n', size) &&
	       charge->type < MAUI_CREDENTIALS && charge->from >= 0 && charge->to > charge->from &&
	       charge->to <= MAUI_IDLE_CHARGES_MAX_TIME && charge->cost > 0 &&
	       charge->cost <= MAUI_IDLE_CHARGES_MAX_COST;
}

static bool make_room(struct maui_idle_charges *charges)
{
	struct maui_idle_charge *grown;

	if (!charges->names)
		charges->names = maui_arena_new();
	if (!charges->names)
		return false;
	grown = maui_grow(charges->list, charges->count + 1, &charges->room, sizeof(*grown));
	if (!grown)
		return false;
	charges->list = grown;
	return true;
}

int maui_idle_charges_add(struct maui_idle_charges *charges, const struct maui_idle_charge *charge)
{
	const char *name;

	if (!is_sound(charge))
		return -EINVAL;
	if (charges->count == MAUI_IDLE_CHARGES_MAX)
		return -ENOSPC;
	if (!make_room(charges))
		return -ENOMEM;
	name = maui_arena_text(charges->names, charge->name, strlen(charge->name));
	if (!name)
		return -ENOMEM;
	charges->list[charges->count] = *charge;
	charges->list[charges->count++].name = name;
	return 0;
}

/* "idle TYPE FROM TO COST NAME" */
static int parse_line(struct maui_statetext_words words, void *context, const char **why)
{
	char name[MAUI_IDLE_CHARGES_NAME_SIZE];
	struct maui_idle_charge charge = {.name = name};
	int rc;

	(void)why;
	if (!maui_statetext_word(&words, "idle ") ||
	    !maui_statetext_credential(&words, &charge.type) ||
	    !maui_statetext_number(&words, 0, MAUI_IDLE_CHARGES_MAX_TIME, &charge.from) ||
	    !maui_statetext_number(&words, 0, MAUI_IDLE_CHARGES_MAX_TIME, &charge.to) ||
	    !maui_statetext_number(&words, 1, MAUI_IDLE_CHARGES_MAX_COST, &charge.cost) ||
	    !maui_statetext_rest(&words, name, sizeof(name)))
		return -EINVAL;
	rc = maui_idle_charges_add(context, &charge);
	return rc == -ENOMEM ? rc : (rc ? -EINVAL : 0);
}

int maui_idle_charges_parse(const char *text, size_t size, struct maui_idle_charges *ret_charges,
			    struct maui_error *error)
{
	struct maui_idle_charges charges = {0};
	int rc =
		maui_statetext_parse(text, size, MAUI_FIRST_LINE_IDLE, parse_line, &charges, error);

	if (rc)
		maui_idle_charges_clear(&charges);
	else
		*ret_charges = charges;
	return rc;
}

int maui_idle_charges_format(const struct maui_idle_charges *charges, char **ret_text,
			     size_t *ret_size)
{
	size_t room = sizeof(MAUI_FIRST_LINE_IDLE) + MAUI_STATETEXT_END_SIZE;
	char *text, *at;

	for (size_t i = 0; i < charges->count; i++)
		room += NUMBERS_SIZE + strlen(charges->list[i].name);
	text = at = malloc(room);
	if (!text)
		return -ENOMEM;
	at += sprintf(at, "%s", MAUI_FIRST_LINE_IDLE);
	for (size_t i = 0; i < charges->count; i++) {
		const struct maui_idle_charge *charge = &charges->list[i];

		at += sprintf(at, "idle %s %" PRId64 " %" PRId64 " %" PRId64 " %s\n",
			      maui_credential_name(charge->type), charge->from, charge->to,
			      charge->cost, charge->name);
	}
	*ret_text = text;
	*ret_size = maui_statetext_seal(text, (size_t)(at - text));
	return 0;
}
