/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list of reservations sorted by name, their records in the file `setres`,
 * and their conversion to SRCFG lines.
 */
#include "common/state/admin_rsv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/memory.h"
#include "common/util/search.h"

#define LINE_SIZE 160 /* bytes of a line without its name and attributes, at most */

static void free_one(struct maui_admin_rsv *one)
{
	free(one->attributes);
	free(one);
}

static void clear_rsvs(void *state)
{
	struct maui_admin_rsvs *once = state;

	for (size_t i = 0; i < once->count; i++)
		free_one(once->list[i]);
	free(once->list);
	*once = (struct maui_admin_rsvs){0};
}

static int by_name(const void *name, const void *element)
{
	return strcmp(name, (*(const struct maui_admin_rsv *const *)element)->name);
}

/* The index of the first name not before this one. */
static size_t place_of(const struct maui_admin_rsvs *once, const char *name)
{
	return maui_lower_bound(name, once->list, once->count, sizeof(*once->list), by_name);
}

struct maui_admin_rsv *maui_admin_rsvs_find(const struct maui_admin_rsvs *once, const char *name)
{
	size_t at = place_of(once, name);

	return at < once->count && !strcmp(once->list[at]->name, name) ? once->list[at] : NULL;
}

/* ---- what can be written, and read as a line of maui.cfg ---- */

static bool is_name(const char *name)
{
	uint32_t number;

	if (strlen(name) > MAUI_SR_NAME_MAX || !maui_sr_once_parse(name, &number))
		return false;
	for (const char *at = name; *at; at++)
		if ((unsigned char)*at <= ' ' || *at == 0x7f || strchr(",=\"'/\\#[]", *at))
			return false;
	return true;
}

/* No comment, no quotes, nothing that ends or continues a line. */
static bool is_text(const char *attributes)
{
	size_t size = strlen(attributes);

	if (!size || size > MAUI_ADMIN_RSVS_MAX_ATTRIBUTES)
		return false;
	for (const char *at = attributes; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f || strchr("#\"'", *at))
			return false;
	return attributes[0] != ' ' && attributes[size - 1] != ' ' && attributes[size - 1] != '\\';
}

static bool is_sound(const struct maui_admin_rsv *one)
{
	return is_name(one->name) && one->start >= 0 && one->start < one->end &&
	       one->end <= MAUI_SR_FOREVER && one->made >= 0 &&
	       one->made <= MAUI_STATE_LAST_SECOND && is_text(one->attributes);
}

/* ---- the list ---- */

static size_t size_of(const struct maui_admin_rsvs *once)
{
	size_t size = LINE_SIZE + MAUI_STATETEXT_END_SIZE;

	for (size_t i = 0; i < once->count; i++)
		size += LINE_SIZE + MAUI_SR_INSTANCE_SIZE + strlen(once->list[i]->attributes);
	return size;
}

static void make_room(struct maui_admin_rsvs *once)
{
	once->list = maui_grow(once->list, once->count + 1, &once->room, sizeof(*once->list));
}

struct maui_admin_rsv *maui_admin_rsv_copy(const struct maui_admin_rsv *one)
{
	struct maui_admin_rsv *copy = maui_malloc(1, sizeof(*copy));

	*copy = *one;
	copy->attributes = maui_strdup(one->attributes);
	return copy;
}

/* It is not there yet, and its text is sound. */
static void admin_rsv_insert(struct maui_admin_rsvs *once, const struct maui_admin_rsv *one)
{
	size_t at = place_of(once, one->name);
	struct maui_admin_rsv *copy;

	make_room(once);
	copy = maui_admin_rsv_copy(one);
	memmove(&once->list[at + 1], &once->list[at], (once->count++ - at) * sizeof(*once->list));
	once->list[at] = copy;
}

int maui_admin_rsvs_add(struct maui_admin_rsvs *once, const struct maui_admin_rsv *one)
{
	if (!is_sound(one))
		return -EINVAL;
	if (maui_admin_rsvs_find(once, one->name))
		return -EEXIST;
	if (once->count == MAUI_ADMIN_RSVS_MAX ||
	    size_of(once) + LINE_SIZE + MAUI_SR_INSTANCE_SIZE + strlen(one->attributes) >
		    MAUI_ADMIN_RSVS_MAX_SIZE)
		return -ENOSPC;
	admin_rsv_insert(once, one);
	return 0;
}

void maui_admin_rsvs_drop(struct maui_admin_rsvs *once, const char *name)
{
	size_t at = place_of(once, name);
	struct maui_admin_rsv *found = maui_admin_rsvs_find(once, name);

	if (!found)
		return;
	memmove(&once->list[at], &once->list[at + 1], (--once->count - at) * sizeof(*once->list));
	free_one(found);
}

/* ---- the file ---- */

static const struct maui_field rsv_fields[] = {
	MAUI_FLAG("FLAGS", struct maui_admin_rsv, any_feature, 1),
	MAUI_FLAG("FLAGS", struct maui_admin_rsv, recovered, 2),
	MAUI_NUMBER("START", struct maui_admin_rsv, start, 0, MAUI_SR_FOREVER),
	MAUI_NUMBER("END", struct maui_admin_rsv, end, 0, MAUI_SR_FOREVER),
	MAUI_TIME("MADE", struct maui_admin_rsv, made),
	MAUI_NUMBER("UID", struct maui_admin_rsv, uid, 0, UINT32_MAX),
	MAUI_NUMBER("LIMIT", struct maui_admin_rsv, task_limit, 0, UINT32_MAX),
	MAUI_TEXT("NAME", NAME, struct maui_admin_rsv, name),
	MAUI_TEXT_AT("ATTRIBUTES", REST, struct maui_admin_rsv, attributes,
		     MAUI_ADMIN_RSVS_MAX_ATTRIBUTES + 1),
};
static const struct maui_record records[] = {MAUI_RECORD("setres", rsv_fields)};

static int take_rsv(void *once, struct maui_state_line *line)
{
	const struct maui_admin_rsvs *before = once;
	const struct maui_admin_rsv *one = line->members;

	if (is_sound(one) && !maui_admin_rsvs_find(before, one->name)) {
		if (before->count < MAUI_ADMIN_RSVS_MAX) {
			admin_rsv_insert(once, one);
			return 0;
		}
		line->why = "is one too many";
	} else {
		line->why = "is not a reservation, or its name was there before";
	}
	return -EINVAL;
}

/* An unrecognized value could be one that keeps somebody out. */
static int check_values(const void *once, struct maui_error *why)
{
	struct maui_config *config = NULL;
	struct maui_sr_once *settings = NULL;
	const struct maui_problem *problems;
	int rc = maui_admin_rsvs_config(once, &config, &settings, why);
	size_t count = rc ? 0 : maui_config_problems(config, &problems);

	for (size_t i = 0; !rc && i < count; i++)
		if (problems[i].severity == MAUI_ERROR)
			rc = maui_error_set(why, EINVAL, "%.200s", problems[i].text);
	free(settings);
	maui_config_unref(config);
	return rc;
}

const struct maui_state_file maui_admin_rsvs_file = {
	.name = "setres",
	.version = 1,
	.limit = MAUI_ADMIN_RSVS_MAX_SIZE,
	MAUI_STATE_RECORDS(records),
	MAUI_STATE_LIST(struct maui_admin_rsvs, list, struct maui_admin_rsv),
	.by_pointer = true,
	.take = take_rsv,
	.check = check_values,
	.clear = clear_rsvs,
	.lost = "administrative reservations that Slurm has stay as they are, but nobody gets in",
	.kept = "administrative reservations that Slurm has stay as they are, but nobody gets in, "
		"and none can be made",
	.waits = "administrative reservations that Slurm has stay as they are, but nobody gets in, "
		 "and none can be made or released",
	.forgets = "administrative reservations that were made, and bring back those that are over",
};

/* ---- as maui.cfg ---- */

static char *lines_of(const struct maui_admin_rsvs *once, size_t *ret_size)
{
	char *text = maui_malloc(size_of(once), 1), *at = text;

	for (size_t i = 0; i < once->count; i++)
		at += sprintf(at, "SRCFG[%s] %s\n", once->list[i]->name, once->list[i]->attributes);
	*ret_size = (size_t)(at - text);
	return text;
}

/* Whether each of them is a separate object: then they are in list order. */
static int check_objects(const struct maui_admin_rsvs *once, const struct maui_config *config,
			 struct maui_error *error)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(config, MAUI_SRCFG, &objects);

	for (size_t i = 0; i < once->count; i++)
		if (i >= count || strcmp(maui_object_name(objects[i]), once->list[i]->name) != 0)
			return maui_error_set(error, EINVAL, "%s is not a line of maui.cfg",
					      once->list[i]->name);
	return 0;
}

static struct maui_sr_once *settings_of(const struct maui_admin_rsvs *once)
{
	struct maui_sr_once *settings = maui_calloc(once->count + 1, sizeof(*settings));

	for (size_t i = 0; i < once->count; i++)
		settings[i] = (struct maui_sr_once){once->list[i]->start, once->list[i]->end,
						    once->list[i]->task_limit,
						    once->list[i]->any_feature};
	return settings;
}

int maui_admin_rsvs_config(const struct maui_admin_rsvs *once, struct maui_config **ret_config,
			   struct maui_sr_once **ret_settings, struct maui_error *error)
{
	struct maui_config *config = NULL;
	size_t size = 0;
	char *text = lines_of(once, &size);
	int rc;

	rc = maui_config_parse(MAUI_ADMIN_RSVS_ORIGIN, text, size, NULL, &config, error);
	free(text);
	if (rc)
		return rc;
	rc = check_objects(once, config, error);
	if (rc) {
		maui_config_unref(config);
		return rc;
	}
	*ret_config = config;
	*ret_settings = settings_of(once);
	return 0;
}
