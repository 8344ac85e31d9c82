/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads what `scontrol show reservation` prints, with or without -o: KEY=VALUE words; one begins
 * with ReservationName. Lines of single cores begin with NodeName, and a Comment has blanks.
 */
#include "common/import/import_resv.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "common/util/text.h"

#define FIRST   "ReservationName"
#define NOTHING "No reservations in the system"

struct resv_reading {
	struct maui_import_resvs *resvs;
	struct maui_import_lines lines;
};

void maui_import_resvs_begin(struct maui_import_resvs *ret_resvs)
{
	*ret_resvs = (struct maui_import_resvs){.arena = maui_arena_new()};
}

void maui_import_resvs_clear(struct maui_import_resvs *resvs)
{
	maui_arena_free(resvs->arena);
	free(resvs->list);
	*resvs = (struct maui_import_resvs){0};
}

static void resv_new(struct resv_reading *reading, const char *name)
{
	struct maui_import_resvs *resvs = reading->resvs;

	if (!maui_import_is_name(name))
		maui_import_complain(&reading->lines, name, "maui.cfg cannot have this name");
	resvs->list = maui_grow(resvs->list, resvs->count + 1, &resvs->room, sizeof(*resvs->list));
	resvs->list[resvs->count++] = (struct maui_import_resv){.name = name};
}

static void resv_take_word(struct resv_reading *reading, const char *key, const char *value)
{
	struct maui_import_resv *resv = &reading->resvs->list[reading->resvs->count - 1];
	const struct {
		const char *key, **value;
	} kept[] = {
		{"StartTime", &resv->start},   {"EndTime", &resv->end},
		{"Nodes", &resv->nodes},       {"Flags", &resv->flags},
		{"Users", &resv->users},       {"Groups", &resv->groups},
		{"Accounts", &resv->accounts}, {"Licenses", &resv->licenses},
		{"QOS", &resv->qos},           {"AllowedPartitions", &resv->partitions},
	};

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		if (!strcasecmp(kept[i].key, key) && *value && strcmp(value, "(null)") != 0)
			*kept[i].value = value;
	resv->cores |= !strcasecmp(key, "CoreIDs");
}

/* The word at *at, which moves behind it. False: what is left of the line is not words. */
static bool resv_next(struct resv_reading *reading, char **at)
{
	char *key = *at, *sign = strchr(key, '='), *end = key + strcspn(key, " \t\r");

	if (!strncasecmp(key, "Comment=", strlen("Comment=")))
		return false;
	if (!sign || sign > end || sign == key) {
		maui_import_complain(&reading->lines, key, "this is not KEY=VALUE");
		return false;
	}
	*at = *end ? end + 1 : end;
	*sign = *end = '\0';
	if (!strcasecmp(key, FIRST))
		resv_new(reading, sign + 1);
	else if (!reading->resvs->count)
		maui_import_complain(&reading->lines, key, "a reservation begins with " FIRST "=");
	else
		resv_take_word(reading, key, sign + 1);
	return !reading->lines.wrong;
}

static void resv_take_line(void *context, char *line)
{
	struct resv_reading *reading = context;
	char *at = line;

	if (!strncmp(line, NOTHING, strlen(NOTHING)))
		return;
	do {
		while (maui_is_blank(*at))
			at++;
	} while (*at && resv_next(reading, &at));
}

int maui_import_read_resvs(struct maui_import_resvs *resvs, const char *path, const char *text,
			   size_t size, const struct maui_import_complaints *complaints)
{
	struct resv_reading reading = {.resvs = resvs,
				       .lines = {.complaints = complaints, .path = path}};

	maui_import_each_line(&reading.lines, resvs->arena, text, size, resv_take_line, &reading);
	return reading.lines.wrong ? -EINVAL : 0;
}
