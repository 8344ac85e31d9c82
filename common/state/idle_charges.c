/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list of charges for idle processors of reservations, each checked when it
 * is added, and their records in the file `idle`.
 */
#include "common/state/idle_charges.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

static void clear_charges(void *state)
{
	struct maui_idle_charges *charges = state;

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
	       charge->to <= MAUI_STATE_LAST_SECOND && charge->cost > 0 &&
	       charge->cost <= MAUI_IDLE_CHARGES_MAX_COST;
}

static void make_room(struct maui_idle_charges *charges)
{
	if (!charges->names)
		charges->names = maui_arena_new();
	charges->list = maui_grow(charges->list, charges->count + 1, &charges->room,
				  sizeof(*charges->list));
}

int maui_idle_charges_add(struct maui_idle_charges *charges, const struct maui_idle_charge *charge)
{
	const char *name;

	if (!is_sound(charge))
		return -EINVAL;
	if (charges->count == MAUI_IDLE_CHARGES_MAX)
		return -ENOSPC;
	make_room(charges);
	name = maui_arena_text(charges->names, charge->name, strlen(charge->name));
	charges->list[charges->count] = *charge;
	charges->list[charges->count++].name = name;
	return 0;
}

/* ---- the file ---- */

static const struct maui_field charge_fields[] = {
	MAUI_TYPE(struct maui_idle_charge, type),
	MAUI_TIME("FROM", struct maui_idle_charge, from),
	MAUI_TIME("TO", struct maui_idle_charge, to),
	MAUI_NUMBER("COST", struct maui_idle_charge, cost, 1, MAUI_IDLE_CHARGES_MAX_COST),
	MAUI_TEXT_AT("NAME", REST, struct maui_idle_charge, name, MAUI_IDLE_CHARGES_NAME_SIZE),
};
static const struct maui_record records[] = {MAUI_RECORD("idle", charge_fields)};

static int take_charge(void *charges, struct maui_state_line *line)
{
	int rc = maui_idle_charges_add(charges, line->members);

	return rc == -ENOSPC ? -EINVAL : rc;
}

const struct maui_state_file maui_idle_charges_file = {
	.name = "idle",
	.version = 1,
	.limit = MAUI_IDLE_CHARGES_MAX_SIZE,
	MAUI_STATE_RECORDS(records),
	MAUI_STATE_LIST(struct maui_idle_charges, list, struct maui_idle_charge),
	.take = take_charge,
	.clear = clear_charges,
	.lost = "minutes of idle cycles of reservations are forgotten",
	.kept = "what it has of idle cycles of reservations is not charged",
	.waits = "what it has of idle cycles of reservations is not charged",
	.forgets = "idle cycles of reservations",
};
