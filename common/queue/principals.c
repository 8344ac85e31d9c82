/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resolves the users and groups that maui.cfg names, and ADMIN1 to ADMIN3,
 * through a struct maui_principals_service. Sorts them for bsearch().
 */
#include "common/queue/principals.h"

#include <stdlib.h>
#include <string.h>

#include "common/config/default_name.h"
#include "common/policy/limits/limits.h"
#include "common/policy/reservation/sr_settings.h"
#include "common/util/arena.h"
#include "common/util/grow.h"
#include "common/util/intern.h"
#include "common/util/memory.h"

struct principal {
	uint32_t number;
	const char *name;
	enum maui_answer answer;
};

struct maui_principals {
	/* MAUI_USER, MAUI_GROUP */
	struct principal *list[2]; /* those with a number, sorted by it */
	size_t count[2];
	struct principal *by_name[2]; /* all of them, sorted by name */
	size_t name_count[2];
	size_t unanswered[2];
	struct {
		uint32_t uid;
		int level;
	} * admins;
	size_t admin_count;
	bool admin_unanswered;
	bool all_may_look;        /* ADMIN3 ALL */
	struct maui_arena *names; /* their texts */
};

static int by_number(const void *a, const void *b)
{
	uint32_t x = ((const struct principal *)a)->number;
	uint32_t y = ((const struct principal *)b)->number;

	return (x > y) - (x < y);
}

static int by_principal_name(const void *a, const void *b)
{
	return strcmp(((const struct principal *)a)->name, ((const struct principal *)b)->name);
}

static bool is_unanswered(enum maui_answer answer)
{
	return answer == MAUI_ANSWER_KEPT || answer == MAUI_ANSWER_NOT_NOW;
}

/* Names to look up. */
struct wanted_names {
	const char **name[2];
	size_t count[2], room[2];
	struct maui_intern *ids;
	struct maui_arena *arena; /* for the names */
};

static void principals_want(struct wanted_names *wanted, enum maui_credential type,
			    const char *text)
{
	wanted->name[type] = maui_grow(wanted->name[type], wanted->count[type] + 1,
				       &wanted->room[type], sizeof(*wanted->name[type]));
	wanted->name[type][wanted->count[type]++] =
		maui_arena_text(wanted->arena, text, strlen(text));
}

static void want_section(struct wanted_names *wanted, const struct maui_config *config,
			 enum maui_credential type)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(config, maui_credential_section(type), &objects);

	for (size_t i = 0; i < count; i++)
		if (!maui_is_default(maui_object_name(objects[i])))
			principals_want(wanted, type, maui_object_name(objects[i]));
}

/* The names in limits and reservations. Any ids will do, as long as each name has its own. */
static uint32_t want_named(void *context, enum maui_credential type, const char *name)
{
	struct wanted_names *wanted = context;
	uint32_t id = maui_intern_add(wanted->ids, name);

	if (type == MAUI_USER || type == MAUI_GROUP)
		principals_want(wanted, type, name);
	return id;
}

static void principals_want_all(struct wanted_names *wanted, struct maui_config *config)
{
	struct maui_limit_names named = {want_named, wanted};

	want_section(wanted, config, MAUI_USER);
	want_section(wanted, config, MAUI_GROUP);
	wanted->ids = maui_intern_new();
	maui_limits_free(maui_limits_compile(config, &named, 0));
	maui_sr_settings_free(maui_sr_settings_compile(config, &named));
	maui_intern_free(wanted->ids);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Each once. */
static void sort_wanted(struct wanted_names *wanted, enum maui_credential type)
{
	const char **name = wanted->name[type];
	size_t count = 0;

	if (wanted->count[type])
		qsort(name, wanted->count[type], sizeof(*name), by_text);
	for (size_t i = 0; i < wanted->count[type]; i++)
		if (!count || strcmp(name[count - 1], name[i]) != 0)
			name[count++] = name[i];
	wanted->count[type] = count;
}

static void principals_resolve_type(struct maui_principals *principals, struct wanted_names *wanted,
				    enum maui_credential type,
				    const struct maui_principals_service *service)
{
	struct principal *list = maui_calloc(wanted->count[type] + 1, sizeof(*list));
	struct principal *by_name = maui_calloc(wanted->count[type] + 1, sizeof(*list));

	principals->by_name[type] = by_name;
	principals->list[type] = list;
	sort_wanted(wanted, type);
	for (size_t i = 0; i < wanted->count[type]; i++) {
		struct principal *one = &by_name[principals->name_count[type]++];

		one->name = wanted->name[type][i];
		one->answer = service->number(service->context, type, one->name, &one->number);
		principals->unanswered[type] += is_unanswered(one->answer);
		if (maui_answer_has_number(one->answer))
			list[principals->count[type]++] = *one;
		else if (one->answer == MAUI_ANSWER_NONE && service->unknown)
			service->unknown(service->context, type, one->name);
	}
	qsort(list, principals->count[type], sizeof(*list), by_number);
}

static void resolve_names(struct maui_principals *principals, struct maui_config *config,
			  const struct maui_principals_service *service)
{
	struct wanted_names wanted = {.arena = principals->names};

	principals_want_all(&wanted, config);
	principals_resolve_type(principals, &wanted, MAUI_USER, service);
	principals_resolve_type(principals, &wanted, MAUI_GROUP, service);
	free(wanted.name[MAUI_USER]);
	free(wanted.name[MAUI_GROUP]);
}

static void resolve_admins(struct maui_principals *principals, const struct maui_config *config,
			   const struct maui_principals_service *service)
{
	static const enum maui_key keys[] = {MAUI_KEY_ADMIN1, MAUI_KEY_ADMIN2, MAUI_KEY_ADMIN3};
	size_t room = 0;

	for (size_t level = 0; level < 3; level++) {
		const struct maui_value *value = maui_config_get(config, keys[level], NULL);

		room += value ? value->list_size : 0;
	}
	principals->admins = maui_calloc(room + 1, sizeof(*principals->admins));
	for (size_t level = 0; level < 3; level++) {
		const struct maui_value *value = maui_config_get(config, keys[level], NULL);

		for (size_t i = 0; value && i < value->list_size; i++) {
			enum maui_answer answer;
			uint32_t uid;

			if (keys[level] == MAUI_KEY_ADMIN3 && !strcasecmp(value->list[i], "ALL")) {
				principals->all_may_look = true;
				continue;
			}
			answer = service->number(service->context, MAUI_USER, value->list[i], &uid);
			principals->admin_unanswered |= is_unanswered(answer);
			if (!maui_answer_has_number(answer))
				continue;
			principals->admins[principals->admin_count].uid = uid;
			principals->admins[principals->admin_count++].level = (int)level + 1;
		}
	}
}

struct maui_principals *maui_principals_new(struct maui_config *config,
					    const struct maui_principals_service *service)
{
	struct maui_principals *principals = maui_calloc(1, sizeof(*principals));

	principals->names = maui_arena_new();
	resolve_names(principals, config, service);
	resolve_admins(principals, config, service);
	return principals;
}

struct maui_principals *maui_principals_free(struct maui_principals *principals)
{
	if (!principals)
		return NULL;
	for (int type = MAUI_USER; type <= MAUI_GROUP; type++) {
		free(principals->list[type]);
		free(principals->by_name[type]);
	}
	free(principals->admins);
	maui_arena_free(principals->names);
	free(principals);
	return NULL;
}

const char *maui_principals_name(const struct maui_principals *principals,
				 enum maui_credential type, uint32_t number)
{
	struct principal key = {.number = number}, *found;

	if (!principals)
		return NULL;
	found = bsearch(&key, principals->list[type], principals->count[type], sizeof(key),
			by_number);
	return found ? found->name : NULL;
}

static const struct principal *find_name(const struct maui_principals *principals,
					 enum maui_credential type, const char *name)
{
	struct principal key = {.name = name};

	return principals ? bsearch(&key, principals->by_name[type], principals->name_count[type],
				    sizeof(key), by_principal_name)
			  : NULL;
}

enum maui_answer maui_principals_number(const struct maui_principals *principals,
					enum maui_credential type, const char *name,
					uint32_t *ret_number)
{
	const struct principal *found = find_name(principals, type, name);

	if (!found)
		return MAUI_ANSWER_NONE;
	if (maui_answer_has_number(found->answer))
		*ret_number = found->number;
	return found->answer;
}

bool maui_principals_lack(const struct maui_principals *principals, enum maui_credential type)
{
	return principals && principals->count[type] < principals->name_count[type];
}

bool maui_principals_has(const struct maui_principals *principals, enum maui_credential type,
			 const char *name)
{
	return find_name(principals, type, name);
}

size_t maui_principals_unanswered(const struct maui_principals *principals,
				  enum maui_credential type)
{
	return principals ? principals->unanswered[type] : 0;
}

void maui_principals_each_unanswered(
	const struct maui_principals *principals, enum maui_credential type,
	void (*see)(void *context, const char *name, enum maui_answer answer), void *context)
{
	for (size_t i = 0; principals && i < principals->name_count[type]; i++)
		if (is_unanswered(principals->by_name[type][i].answer))
			see(context, principals->by_name[type][i].name,
			    principals->by_name[type][i].answer);
}

bool maui_principals_admin_unanswered(const struct maui_principals *principals)
{
	return principals && principals->admin_unanswered;
}

int maui_principals_admin_level(const struct maui_principals *principals, uint32_t uid)
{
	int best = 0;

	for (size_t i = 0; principals && i < principals->admin_count; i++)
		if (principals->admins[i].uid == uid &&
		    (!best || principals->admins[i].level < best))
			best = principals->admins[i].level;
	return best;
}

bool maui_principals_all_may_look(const struct maui_principals *principals)
{
	return principals && principals->all_may_look;
}
