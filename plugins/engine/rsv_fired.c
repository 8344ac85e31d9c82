/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/rsv_fired.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/engine/statetext.h"

#define FIRST_LINE "slurm-maui triggers 1\n"
#define ALL_EVENTS ((1u << (MAUI_SR_EVENTS - 1)) - 1)
#define MAX_TIME   INT64_C(253402300799)

void rsv_fired_clear(struct rsv_fired *fired)
{
	free(fired->list);
	*fired = (struct rsv_fired){0};
}

/* The place of the first name that does not come before this one. */
static size_t place_of(const struct rsv_fired *fired, const char *name)
{
	size_t low = 0, high = fired->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(fired->list[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct rsv_fired_one *rsv_fired_find(const struct rsv_fired *fired, const char *name)
{
	size_t at = place_of(fired, name);

	return at < fired->count && !strcmp(fired->list[at].name, name) ? &fired->list[at] : NULL;
}

static bool is_speakable(const char *name)
{
	size_t size = strcspn(name, " \t\r\n\",=");

	return size && !name[size] && size < MAUI_SR_INSTANCE_SIZE;
}

static bool make_room(struct rsv_fired *fired)
{
	size_t room = fired->room ? fired->room * 2 : 16;
	void *grown;

	if (fired->count < fired->room)
		return true;
	grown = realloc(fired->list, room * sizeof(*fired->list));
	if (!grown)
		return false;
	fired->list = grown;
	fired->room = room;
	return true;
}

struct rsv_fired_one *rsv_fired_add(struct rsv_fired *fired, const char *name)
{
	size_t at = place_of(fired, name);
	struct rsv_fired_one *found = rsv_fired_find(fired, name);

	if (found)
		return found;
	if (!is_speakable(name) || fired->count == RSV_FIRED_MAX || !make_room(fired))
		return NULL;
	found = &fired->list[at];
	memmove(found + 1, found, (fired->count++ - at) * sizeof(*found));
	*found = (struct rsv_fired_one){.made = 0};
	memcpy(found->name, name, strlen(name) + 1);
	return found;
}

bool rsv_fired_tidy(struct rsv_fired *fired, int64_t now)
{
	size_t kept = 0, count = fired->count;

	for (size_t i = 0; i < count; i++) {
		const struct rsv_fired_one *one = &fired->list[i];

		if (one->there || now - RSV_FIRED_REMEMBERED - one->offset < one->end)
			fired->list[kept++] = *one;
	}
	fired->count = kept;
	return kept < count;
}

unsigned int rsv_fired_bit(enum maui_sr_event event)
{
	return event > MAUI_SR_ON_NOTHING && event < MAUI_SR_EVENTS ? 1u << (event - 1) : 0;
}

static int64_t begin_of(const struct rsv_fired_one *one, enum maui_sr_event event)
{
	switch (event) {
	case MAUI_SR_ON_CREATE:
		return one->made;
	case MAUI_SR_ON_START:
	case MAUI_SR_ON_MINLOAD: /* of a window that has begun before, its rest */
		return one->made > one->start ? one->made : one->start;
	case MAUI_SR_ON_END:
		return one->end < MAUI_SR_FOREVER ? one->end : INT64_MAX;
	default:
		return INT64_MAX;
	}
}

int64_t rsv_fired_when(const struct rsv_fired_one *one, const struct maui_sr_trigger *trigger)
{
	int64_t begin = begin_of(one, trigger->event), when;

	if (begin == INT64_MAX || (one->fired & rsv_fired_bit(trigger->event)))
		return INT64_MAX;
	when = begin + trigger->offset;
	/* Of an instance that has ended by then nothing begins. */
	return trigger->event == MAUI_SR_ON_END || when < one->end ? when : INT64_MAX;
}

/* ---- text ---- */

/* "trigger FIRED MADE START END NAME" */
static int parse_line(struct statetext_words words, void *context, const char **why)
{
	char name[MAUI_SR_INSTANCE_SIZE];
	struct rsv_fired_one *added;
	int64_t fired, made, start, end;
	size_t size;

	(void)why;
	if (!statetext_word(&words, "trigger") ||
	    !statetext_number(&words, 0, ALL_EVENTS, &fired) ||
	    !statetext_number(&words, 0, MAX_TIME, &made) ||
	    !statetext_number(&words, 0, MAX_TIME, &start) ||
	    !statetext_number(&words, 0, MAX_TIME, &end) || words.at == words.end ||
	    *words.at != ' ')
		return -EINVAL;
	size = (size_t)(words.end - words.at) - 1;
	if (size >= sizeof(name) || memchr(words.at, '\0', size + 1))
		return -EINVAL;
	memcpy(name, words.at + 1, size);
	name[size] = '\0';
	added = rsv_fired_add(context, name);
	if (!added)
		return -EINVAL;
	added->fired = (unsigned int)fired;
	added->made = made;
	added->start = start;
	added->end = end;
	return 0;
}

int rsv_fired_parse(const char *text, size_t size, struct rsv_fired *ret_fired,
		    struct maui_error *error)
{
	struct rsv_fired fired = {0};
	int rc = statetext_parse(text, size, FIRST_LINE, parse_line, &fired, error);

	if (rc)
		rsv_fired_clear(&fired);
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

int rsv_fired_format(const struct rsv_fired *fired, char **ret_text, size_t *ret_size)
{
	size_t line = 96 + MAUI_SR_INSTANCE_SIZE;
	char *text = malloc((fired->count + 2) * line + STATETEXT_END_SIZE), *at = text;

	if (!text)
		return -ENOMEM;
	at += sprintf(at, "%s", FIRST_LINE);
	for (size_t i = 0; i < fired->count; i++) {
		const struct rsv_fired_one *one = &fired->list[i];

		at += sprintf(at, "trigger %u %" PRId64 " %" PRId64 " %" PRId64 " %s\n", one->fired,
			      bounded(one->made), bounded(one->start), bounded(one->end),
			      one->name);
	}
	*ret_text = text;
	*ret_size = statetext_seal(text, (size_t)(at - text));
	return 0;
}
