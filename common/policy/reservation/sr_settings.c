/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls sr_read() for each SRCFG object, or for each reservation of setres, and
 * owns the resulting list and its problems.
 */
#include "common/policy/reservation/sr_settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/reservation/sr_read.h"
#include "common/util/arena.h"
#include "common/util/memory.h"

struct maui_sr_settings {
	struct maui_config *config;
	struct maui_arena *arena;
	struct maui_sr *list;
	size_t count;
	struct maui_problem *problems;
	size_t problem_count;
};

/* once: one for each of them, or NULL. */
static void sr_settings_read_all(struct maui_sr_settings *settings, const struct maui_sr_once *once,
				 const struct maui_limit_names *names)
{
	const char *files[] = {maui_config_path(settings->config)};
	struct sr_reading reading = {
		.config = settings->config,
		.names = names,
		.problems = {.arena = settings->arena, .files = files, .file_count = 1}};
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(settings->config, MAUI_SRCFG, &objects);

	settings->list = maui_arena_alloc(settings->arena, count, sizeof(*settings->list));
	for (size_t i = 0; i < count; i++) {
		reading.object = objects[i];
		reading.sr = &settings->list[i];
		reading.once = once ? &once[i] : NULL;
		settings->count++;
		sr_read(&reading);
	}
	maui_problems_finish(&reading.problems, &settings->problems, &settings->problem_count);
}

static struct maui_sr_settings *sr_settings_compile(struct maui_config *config,
						    const struct maui_sr_once *once,
						    const struct maui_limit_names *names)
{
	struct maui_sr_settings *settings = maui_calloc(1, sizeof(*settings));

	settings->config = maui_config_ref(config);
	settings->arena = maui_arena_new();
	sr_settings_read_all(settings, once, names);
	return settings;
}

struct maui_sr_settings *maui_sr_settings_compile(struct maui_config *config,
						  const struct maui_limit_names *names)
{
	return sr_settings_compile(config, NULL, names);
}

int maui_sr_settings_compile_once(struct maui_config *config, const struct maui_sr_once *once,
				  size_t count, const struct maui_limit_names *names,
				  struct maui_sr_settings **ret_settings, struct maui_error *error)
{
	const struct maui_object *const *objects;
	size_t found = maui_config_objects(config, MAUI_SRCFG, &objects);

	if (found != count)
		return maui_error_set(error, EINVAL, "%s: %zu reservations instead of %zu",
				      maui_config_path(config), found, count);
	*ret_settings = sr_settings_compile(config, once, names);
	return 0;
}

struct maui_sr_settings *maui_sr_settings_free(struct maui_sr_settings *settings)
{
	if (!settings)
		return NULL;
	for (size_t i = 0; i < settings->count; i++) {
		maui_acl_free(settings->list[i].acl);
		maui_sr_hosts_free(settings->list[i].hosts);
		maui_sr_hosts_free(settings->list[i].excluded);
	}
	maui_arena_free(settings->arena);
	maui_config_unref(settings->config);
	free(settings);
	return NULL;
}

size_t maui_sr_list(const struct maui_sr_settings *settings, const struct maui_sr **ret_list)
{
	*ret_list = settings ? settings->list : NULL;
	return settings ? settings->count : 0;
}

const struct maui_sr *maui_sr_find(const struct maui_sr_settings *settings, const char *name)
{
	for (size_t i = 0; settings && i < settings->count; i++)
		if (!strcmp(settings->list[i].name, name))
			return &settings->list[i];
	return NULL;
}

size_t maui_sr_problems(const struct maui_sr_settings *settings,
			const struct maui_problem **ret_problems)
{
	*ret_problems = settings ? settings->problems : NULL;
	return settings ? settings->problem_count : 0;
}

enum maui_nodealloc_policy maui_sr_allocation_policy(const struct maui_config *config,
						     const struct maui_sr *sr)
{
	return maui_nodealloc_policy_of(config, sr->partition);
}
