/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles SRCFG and the administrative reservations separately, joins them in
 * one list, and finds a reservation by the name of an instance.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/rsv_policy.h"

#include <stdlib.h>
#include <string.h>

#include "common/policy/reservation/sr_window.h"
#include "common/queue/names.h"
#include "common/util/intern.h"
#include "common/util/memory.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/reservation/rsv_numbers.h"
#include "plugins/engine/runtime/logged.h"
#include "plugins/engine/runtime/runtime.h"

/* Compiled; the previous version is kept for anyone still reading it. */
struct compiled_lines {
	struct maui_sr_settings *settings, *older;
	struct maui_intern *names; /* of the list, in its order, starting at 1 */
};

ENGINE_GUARDED static struct {
	const struct maui_policy *policy; /* only compared */
	struct compiled_lines standing, administrative;
	struct maui_sr *list, *older; /* both, concatenated */
	size_t count, standing_count;
	bool named;
	uint64_t generation;
	/* For the administrative ones. */
	struct maui_config *config;
	struct maui_sr_once *once;
	size_t once_count;
} compiled;

static void log_problems(const struct maui_sr_settings *settings)
{
	const struct maui_problem *problems;
	size_t count = maui_sr_problems(settings, &problems);

	for (size_t i = 0; i < count && i < MAX_PROBLEMS_LOGGED; i++) {
		const struct maui_problem *problem = &problems[i];

		if (problem->severity == MAUI_ERROR)
			error("maui: %s:%u:%u: error: %s", problem->origin.file,
			      problem->origin.line, problem->origin.column, problem->text);
		else
			info("maui: %s:%u:%u: warning: %s", problem->origin.file,
			     problem->origin.line, problem->origin.column, problem->text);
	}
	if (count > MAX_PROBLEMS_LOGGED)
		info("maui: %zu more problems with SRCFG: run `maui check`",
		     count - MAX_PROBLEMS_LOGGED);
}

static struct maui_intern *intern_names(const struct maui_sr_settings *settings)
{
	struct maui_intern *names = maui_intern_new();
	const struct maui_sr *list;
	size_t count = maui_sr_list(settings, &list);

	for (size_t i = 0; i < count; i++)
		maui_intern_add(names, list[i].name);
	return names;
}

static void rsv_policy_replace(struct compiled_lines *lines, struct maui_sr_settings *settings)
{
	maui_sr_settings_free(lines->older);
	lines->older = lines->settings;
	lines->settings = settings;
	maui_intern_free(lines->names);
	lines->names = intern_names(settings);
}

ENGINE_LOCKED static void compile_administrative(void)
{
	struct maui_limit_names names = rsv_numbers_names();
	struct maui_sr_settings *settings = NULL;
	struct maui_error why = {""};

	if (compiled.config &&
	    maui_sr_settings_compile_once(compiled.config, compiled.once, compiled.once_count,
					  &names, &settings, &why))
		error("maui: %s: no job gets into an administrative reservation", why.text);
	rsv_policy_replace(&compiled.administrative, settings);
}

/* Make one list of the two. */
ENGINE_LOCKED static void join(void)
{
	const struct maui_sr *standing, *administrative;
	size_t first = maui_sr_list(compiled.standing.settings, &standing);
	size_t second = maui_sr_list(compiled.administrative.settings, &administrative);
	struct maui_sr *list = maui_calloc(first + second + 1, sizeof(*list));

	if (first)
		memcpy(list, standing, first * sizeof(*list));
	if (second)
		memcpy(list + first, administrative, second * sizeof(*list));
	free(compiled.older);
	compiled.older = compiled.list;
	compiled.list = list;
	compiled.standing_count = first;
	compiled.count = first + second;
	compiled.generation++;
}

ENGINE_LOCKED static void bind_policy(struct maui_policy *policy,
				      const struct maui_principals *principals)
{
	struct maui_limit_names names = maui_names_configured(in_force.names);
	struct maui_sr_settings *settings;

	engine_assert_locked();
	settings = maui_sr_settings_compile(policy->config, &names);
	if (principals && compiled.policy != policy) {
		log_problems(settings);
		compiled.policy = policy;
	}
	rsv_policy_replace(&compiled.standing, settings);
	compile_administrative();
	join();
	compiled.named = principals;
}

void rsv_policy_once(struct maui_config *config, struct maui_sr_once *once, size_t count)
{
	maui_config_unref(compiled.config); /* the settings hold their own references */
	free(compiled.once);
	compiled.config = config;
	compiled.once = once;
	compiled.once_count = count;
	compile_administrative();
	join();
}

bool rsv_policy_known(void)
{
	return compiled.named && compiled.list && compiled.standing.settings &&
	       compiled.standing.names && compiled.administrative.names &&
	       compiled.count == compiled.standing_count + compiled.once_count;
}

size_t rsv_policy_list(const struct maui_sr **ret_list)
{
	bool known = rsv_policy_known() && !engine_is_disabled();

	*ret_list = known ? compiled.list : NULL;
	return known ? compiled.count : 0;
}

const struct maui_config *rsv_policy_config(const struct maui_sr *sr)
{
	return sr->period == MAUI_SR_ONCE ? compiled.config : in_force_config();
}

ENGINE_LOCKED static uint32_t find_administrative(const char *name)
{
	uint32_t number, found = maui_sr_once_parse(name, &number)
					 ? maui_intern_find(compiled.administrative.names, name)
					 : 0;

	return found ? (uint32_t)compiled.standing_count + found - 1 : UINT32_MAX;
}

uint32_t rsv_policy_find(const char *instance, int64_t *ret_date)
{
	char name[MAUI_SR_INSTANCE_SIZE];
	size_t size = maui_sr_instance_parse(instance, ret_date);
	uint32_t found = 0;

	if (!rsv_policy_known() || engine_is_disabled())
		return UINT32_MAX;
	if (!size) {
		*ret_date = 0;
		return find_administrative(instance);
	}
	if (size < sizeof(name)) {
		memcpy(name, instance, size);
		name[size] = '\0';
		found = maui_intern_find(compiled.standing.names, name);
	}
	return found ? found - 1 : UINT32_MAX;
}

bool rsv_policy_has(const char *name)
{
	return rsv_policy_known() && !engine_is_disabled() &&
	       (maui_intern_find(compiled.standing.names, name) ||
		maui_intern_find(compiled.administrative.names, name));
}

void rsv_policy_switch(void)
{
	compiled.generation++;
}

uint64_t rsv_policy_generation(void)
{
	return compiled.generation;
}

const struct module rsv_policy_module = {.bind = bind_policy};
