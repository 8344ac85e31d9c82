/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/state/triggers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/state/first_lines.h"
#include "common/state/text.h"
#include "common/util/grow.h"
#include "common/util/search.h"

#define ALL_EVENTS ((1u << (MAUI_SR_EVENTS - 1)) - 1)
#define MAX_TIME   INT64_C(253402300799)

void maui_fired_clear(struct maui_fired *fired)
{
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

static bool is_speakable(const char *name)
{
	size_t size = strcspn(name, " \t\r\n\",=");

	return size && !name[size] && size < MAUI_SR_INSTANCE_SIZE;
}

static bool make_room(struct maui_fired *fired)
{
	void *grown = maui_grow(fired->list, fired->count + 1, &fired->room, sizeof(*fired->list));

	if (!grown)
		return false;
	fired->list = grown;
	return true;
}

struct maui_fired_trigger *maui_fired_add(struct maui_fired *fired, const char *name)
{
	size_t at = place_of(fired, name);
	struct maui_fired_trigger *found = maui_fired_find(fired, name);

	if (found)
		return found;
	if (!is_speakable(name) || fired->count == MAUI_FIRED_MAX || !make_room(fired))
		return NULL;
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

/* ---- text ---- */

/* "trigger FIRED MADE START END NAME" */
static int parse_line(struct maui_statetext_words words, void *context, const char **why)
{
	char name[MAUI_SR_INSTANCE_SIZE];
	struct maui_fired_trigger *added;
	int64_t fired, made, start, end;

	(void)why;
	if (!maui_statetext_word(&words, "trigger") ||
	    !maui_statetext_number(&words, 0, ALL_EVENTS, &fired) ||
	    !maui_statetext_number(&words, 0, MAX_TIME, &made) ||
	    !maui_statetext_number(&words, 0, MAX_TIME, &start) ||
	    !maui_statetext_number(&words, 0, MAX_TIME, &end) ||
	    !maui_statetext_rest(&words, name, sizeof(name)))
		return -EINVAL;
	added = maui_fired_add(context, name);
	if (!added)
		return -EINVAL;
	added->fired = (unsigned int)fired;
	added->made = made;
	added->start = start;
	added->end = end;
	return 0;
}

int maui_fired_parse(const char *text, size_t size, struct maui_fired *ret_fired,
		     struct maui_error *error)
{
	struct maui_fired fired = {0};
	int rc = maui_statetext_parse(text, size, MAUI_FIRST_LINE_TRIGGERS, parse_line, &fired,
				      error);

	if (rc)
		maui_fired_clear(&fired);
	else
		*ret_fired = fired;
	return rc;
}

static int64_t bounded(int64_t time)
{
	if (time < 0)
		return 0;
	return time > MAX_TIME ? MAX_TIME : time;
}

int maui_fired_format(const struct maui_fired *fired, char **ret_text, size_t *ret_size)
{
	size_t line = 96 + MAUI_SR_INSTANCE_SIZE;
	char *text = malloc((fired->count + 2) * line + MAUI_STATETEXT_END_SIZE), *at = text;

	if (!text)
		return -ENOMEM;
	at += sprintf(at, "%s", MAUI_FIRST_LINE_TRIGGERS);
	for (size_t i = 0; i < fired->count; i++) {
		const struct maui_fired_trigger *one = &fired->list[i];

		at += sprintf(at, "trigger %u %" PRId64 " %" PRId64 " %" PRId64 " %s\n", one->fired,
			      bounded(one->made), bounded(one->start), bounded(one->end),
			      one->name);
	}
	*ret_text = text;
	*ret_size = maui_statetext_seal(text, (size_t)(at - text));
	return 0;
}
