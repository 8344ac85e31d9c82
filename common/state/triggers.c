/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list of triggers sorted by instance name, the time when an event is due,
 * and their records in the file `triggers`.
 */
#include "common/state/triggers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/state/rsv_names.h"
#include "common/util/grow.h"
#include "common/util/search.h"

#define ALL_EVENTS ((1u << (MAUI_SR_EVENTS - 1)) - 1)

static void clear_fired(void *state)
{
	struct maui_fired *fired = state;

	free(fired->list);
	*fired = (struct maui_fired){0};
}

static int by_name(const void *name, const void *element)
{
	return strcmp(name, ((const struct maui_fired_trigger *)element)->name);
}

/* The index of the first name not before this one. */
static size_t place_of(const struct maui_fired *fired, const char *name)
{
	return maui_lower_bound(name, fired->list, fired->count, sizeof(*fired->list), by_name);
}

struct maui_fired_trigger *maui_fired_find(const struct maui_fired *fired, const char *name)
{
	size_t at = place_of(fired, name);

	return at < fired->count && !strcmp(fired->list[at].name, name) ? &fired->list[at] : NULL;
}

static void make_room(struct maui_fired *fired)
{
	fired->list = maui_grow(fired->list, fired->count + 1, &fired->room, sizeof(*fired->list));
}

struct maui_fired_trigger *maui_fired_add(struct maui_fired *fired, const char *name)
{
	size_t at = place_of(fired, name);
	struct maui_fired_trigger *found = maui_fired_find(fired, name);

	if (found)
		return found;
	if (!maui_rsv_name_is_sound(name) || fired->count == MAUI_FIRED_MAX)
		return NULL;
	make_room(fired);
	found = &fired->list[at];
	memmove(found + 1, found, (fired->count++ - at) * sizeof(*found));
	*found = (struct maui_fired_trigger){.made = 0};
	memcpy(found->name, name, strlen(name) + 1);
	return found;
}

bool maui_fired_tidy(struct maui_fired *fired, int64_t now)
{
	size_t kept = 0, count = fired->count;

	for (size_t i = 0; i < count; i++) {
		const struct maui_fired_trigger *one = &fired->list[i];

		if (one->there || now - MAUI_FIRED_REMEMBERED - one->offset < one->end)
			fired->list[kept++] = *one;
	}
	fired->count = kept;
	return kept < count;
}

unsigned int maui_fired_bit(enum maui_sr_event event)
{
	return event > MAUI_SR_ON_NOTHING && event < MAUI_SR_EVENTS ? 1u << (event - 1) : 0;
}

static int64_t begin_of(const struct maui_fired_trigger *one, enum maui_sr_event event)
{
	switch (event) {
	case MAUI_SR_ON_CREATE:
		return one->made;
	case MAUI_SR_ON_START:
	case MAUI_SR_ON_MINLOAD: /* if the window had already begun, the rest of it */
		return one->made > one->start ? one->made : one->start;
	case MAUI_SR_ON_END:
		return one->end < MAUI_SR_FOREVER ? one->end : INT64_MAX;
	default:
		return INT64_MAX;
	}
}

int64_t maui_fired_when(const struct maui_fired_trigger *one, const struct maui_sr_trigger *trigger)
{
	int64_t begin = begin_of(one, trigger->event), when;

	if (begin == INT64_MAX || (one->fired & maui_fired_bit(trigger->event)))
		return INT64_MAX;
	when = begin + trigger->offset;
	/* Nothing begins for an instance that has ended by then. */
	return trigger->event == MAUI_SR_ON_END || when < one->end ? when : INT64_MAX;
}

/* ---- the file ---- */

static const struct maui_field trigger_fields[] = {
	MAUI_NUMBER("FIRED", struct maui_fired_trigger, fired, 0, ALL_EVENTS),
	MAUI_TIME("MADE", struct maui_fired_trigger, made),
	MAUI_TIME("START", struct maui_fired_trigger, start),
	MAUI_TIME("END", struct maui_fired_trigger, end),
	MAUI_TEXT("NAME", REST, struct maui_fired_trigger, name),
};
static const struct maui_record records[] = {MAUI_RECORD("trigger", trigger_fields)};

static int take_trigger(void *fired, struct maui_state_line *line)
{
	const struct maui_fired_trigger *one = line->members;
	struct maui_fired_trigger *added = maui_fired_add(fired, one->name);

	if (!added)
		return -EINVAL;
	*added = *one;
	return 0;
}

const struct maui_state_file maui_fired_file = {
	.name = "triggers",
	.version = 1,
	.limit = MAUI_FIRED_MAX_SIZE,
	MAUI_STATE_RECORDS(records),
	MAUI_STATE_LIST(struct maui_fired, list, struct maui_fired_trigger),
	.take = take_trigger,
	.clear = clear_fired,
	.lost = "triggers of past events count as set off",
	.kept = "no trigger is set off",
	.waits = "no trigger is set off",
	.forgets = "which triggers have been set off, and none is set off",
};
