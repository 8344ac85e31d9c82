/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/state/admin_rsv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/state/first_lines.h"
#include "common/state/text.h"
#include "common/util/grow.h"
#include "common/util/search.h"

#define ANY_FEATURE 1
#define RECOVERED   2
#define LINE_SIZE   160 /* bytes of a line without its name and attributes, at most */
#define LAST_SECOND INT64_C(253402300799)

static void free_one(struct maui_admin_rsv *one)
{
	free(one->attributes);
	free(one);
}

void maui_admin_rsvs_clear(struct maui_admin_rsvs *once)
{
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
	       one->end <= MAUI_SR_FOREVER && one->made >= 0 && one->made <= LAST_SECOND &&
	       is_text(one->attributes);
}

/* ---- the list ---- */

static size_t size_of(const struct maui_admin_rsvs *once)
{
	size_t size = LINE_SIZE + MAUI_STATETEXT_END_SIZE;

	for (size_t i = 0; i < once->count; i++)
		size += LINE_SIZE + MAUI_SR_INSTANCE_SIZE + strlen(once->list[i]->attributes);
	return size;
}

static int make_room(struct maui_admin_rsvs *once)
{
	void *grown = maui_grow(once->list, once->count + 1, &once->room, sizeof(*once->list));

	if (!grown)
		return -ENOMEM;
	once->list = grown;
	return 0;
}

struct maui_admin_rsv *maui_admin_rsv_copy(const struct maui_admin_rsv *one)
{
	struct maui_admin_rsv *copy = malloc(sizeof(*copy));

	if (!copy)
		return NULL;
	*copy = *one;
	copy->attributes = strdup(one->attributes);
	if (copy->attributes)
		return copy;
	free(copy);
	return NULL;
}

/* It is not there yet, and its text is sound. */
static int insert(struct maui_admin_rsvs *once, const struct maui_admin_rsv *one)
{
	size_t at = place_of(once, one->name);
	struct maui_admin_rsv *copy;

	if (make_room(once))
		return -ENOMEM;
	copy = maui_admin_rsv_copy(one);
	if (!copy)
		return -ENOMEM;
	memmove(&once->list[at + 1], &once->list[at], (once->count++ - at) * sizeof(*once->list));
	once->list[at] = copy;
	return 0;
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
	return insert(once, one);
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

/* A word up to the next blank, and that blank; false if it does not fit. */
static bool take_name(struct maui_statetext_words *words, char name[MAUI_SR_INSTANCE_SIZE])
{
	const char *at = words->at, *blank;
	size_t size;

	if (at == words->end || *at != ' ')
		return false;
	at++;
	blank = memchr(at, ' ', (size_t)(words->end - at));
	if (!blank)
		return false;
	size = (size_t)(blank - at);
	if (size >= MAUI_SR_INSTANCE_SIZE)
		return false;
	memcpy(name, at, size);
	name[size] = '\0';
	words->at = blank + 1;
	return true;
}

static bool take_numbers(struct maui_statetext_words *words, struct maui_admin_rsv *one)
{
	int64_t flags, uid, limit, start, end, made;

	if (!maui_statetext_number(words, 0, ANY_FEATURE | RECOVERED, &flags) ||
	    !maui_statetext_number(words, 0, MAUI_SR_FOREVER, &start) ||
	    !maui_statetext_number(words, 0, MAUI_SR_FOREVER, &end) ||
	    !maui_statetext_number(words, 0, LAST_SECOND, &made) ||
	    !maui_statetext_number(words, 0, UINT32_MAX, &uid) ||
	    !maui_statetext_number(words, 0, UINT32_MAX, &limit))
		return false;
	one->start = start;
	one->end = end;
	one->made = made;
	one->uid = (uint32_t)uid;
	one->task_limit = (uint32_t)limit;
	one->any_feature = flags & ANY_FEATURE;
	one->recovered = flags & RECOVERED;
	return true;
}

/* "setres FLAGS START END MADE UID LIMIT NAME ATTRIBUTES" */
static int parse_line(struct maui_statetext_words words, void *context, const char **why)
{
	struct maui_admin_rsvs *once = context;
	struct maui_admin_rsv one = {.name = ""};
	int rc = -EINVAL;

	if (!maui_statetext_word(&words, "setres") || !take_numbers(&words, &one) ||
	    !take_name(&words, one.name) || memchr(words.at, '\0', (size_t)(words.end - words.at)))
		return -EINVAL;
	one.attributes = strndup(words.at, (size_t)(words.end - words.at));
	if (!one.attributes)
		return -ENOMEM;
	if (!is_sound(&one) || maui_admin_rsvs_find(once, one.name))
		*why = "is not a reservation, or its name was there before";
	else if (once->count == MAUI_ADMIN_RSVS_MAX)
		*why = "is one too many";
	else
		rc = insert(once, &one);
	free(one.attributes);
	return rc;
}

int maui_admin_rsvs_parse(const char *text, size_t size, struct maui_admin_rsvs *ret_once,
			  struct maui_error *error)
{
	struct maui_admin_rsvs once = {0};
	int rc = maui_statetext_parse(text, size, MAUI_FIRST_LINE_SETRES, parse_line, &once, error);

	if (rc)
		maui_admin_rsvs_clear(&once);
	else
		*ret_once = once;
	return rc;
}

int maui_admin_rsvs_format(const struct maui_admin_rsvs *once, char **ret_text, size_t *ret_size)
{
	char *text = malloc(size_of(once)), *at = text;

	if (!text)
		return -ENOMEM;
	at += sprintf(at, "%s", MAUI_FIRST_LINE_SETRES);
	for (size_t i = 0; i < once->count; i++) {
		const struct maui_admin_rsv *one = once->list[i];

		at += sprintf(at,
			      "setres %d %" PRId64 " %" PRId64 " %" PRId64 " %" PRIu32 " %" PRIu32
			      " %s %s\n",
			      (one->any_feature ? ANY_FEATURE : 0) |
				      (one->recovered ? RECOVERED : 0),
			      one->start, one->end, one->made, one->uid, one->task_limit, one->name,
			      one->attributes);
	}
	*ret_text = text;
	*ret_size = maui_statetext_seal(text, (size_t)(at - text));
	return 0;
}

/* ---- as maui.cfg ---- */

static char *lines_of(const struct maui_admin_rsvs *once, size_t *ret_size)
{
	char *text = malloc(size_of(once)), *at = text;

	for (size_t i = 0; text && i < once->count; i++)
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
	struct maui_sr_once *settings = calloc(once->count + 1, sizeof(*settings));

	for (size_t i = 0; settings && i < once->count; i++)
		settings[i] = (struct maui_sr_once){once->list[i]->start, once->list[i]->end,
						    once->list[i]->task_limit,
						    once->list[i]->any_feature};
	return settings;
}

int maui_admin_rsvs_config(const struct maui_admin_rsvs *once, struct maui_config **ret_config,
			   struct maui_sr_once **ret_settings, struct maui_error *error)
{
	struct maui_config *config = NULL;
	struct maui_sr_once *settings;
	size_t size = 0;
	char *text = lines_of(once, &size);
	int rc;

	if (!text)
		return maui_error_set(error, ENOMEM, "out of memory");
	rc = maui_config_parse(MAUI_ADMIN_RSVS_ORIGIN, text, size, NULL, &config, error);
	free(text);
	if (rc)
		return rc;
	rc = check_objects(once, config, error);
	settings = rc ? NULL : settings_of(once);
	if (!rc && !settings)
		rc = maui_error_set(error, ENOMEM, "out of memory");
	if (rc) {
		maui_config_unref(config);
		return rc;
	}
	*ret_config = config;
	*ret_settings = settings;
	return 0;
}
