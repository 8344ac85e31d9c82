/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/compat.h"

#include "plugins/engine/rsv_policy.h"

#include <string.h>

#include "common/policy/sr_lacks.h"
#include "common/policy/sr_window.h"
#include "common/util/intern.h"
#include "plugins/engine/names.h"
#include "plugins/engine/state.h"

static struct {
	const struct policy *policy; /* to be told from another, nothing else */
	struct maui_sr_settings *settings, *older;
	struct maui_intern *names; /* of the list, in its order, from 1 on */
	bool named;
	uint64_t generation;
} in_force;

static uint32_t id_of(void *context, enum maui_credential type, const char *name)
{
	return names_of_configured(context, type, name);
}

static void log_problems(const struct maui_sr_settings *settings)
{
	const struct maui_problem *problems;
	size_t count = maui_sr_problems(settings, &problems);

	for (size_t i = 0; i < count; i++) {
		const struct maui_problem *problem = &problems[i];

		if (problem->severity == MAUI_ERROR)
			error("maui: %s:%u:%u: error: %s", problem->origin.file,
			      problem->origin.line, problem->origin.column, problem->text);
		else
			info("maui: %s:%u:%u: warning: %s", problem->origin.file,
			     problem->origin.line, problem->origin.column, problem->text);
	}
}

static void log_lacks(const struct maui_sr_settings *settings, const struct policy *policy)
{
	struct maui_sr_lack lacks[MAUI_SR_LACKS];
	const struct maui_sr *list;
	size_t count = maui_sr_list(settings, &list);

	for (size_t i = 0; i < count; i++) {
		size_t lack_count = maui_sr_lacks(policy->config, &list[i], lacks);

		for (size_t k = 0; k < lack_count; k++)
			info("maui: %s:%u:%u: warning: SRCFG[%s]: %s", lacks[k].origin.file,
			     lacks[k].origin.line, lacks[k].origin.column, list[i].name,
			     lacks[k].text);
	}
}

/* NULL when memory is short. */
static struct maui_intern *intern_names(const struct maui_sr_settings *settings)
{
	struct maui_intern *names = maui_intern_new();
	const struct maui_sr *list;
	size_t count = maui_sr_list(settings, &list);

	for (size_t i = 0; names && i < count; i++)
		if (maui_intern_add(names, list[i].name) != i + 1)
			names = maui_intern_free(names);
	return names;
}

void rsv_policy_bind(const struct policy *policy, const struct principals *principals)
{
	struct maui_limit_names names = {id_of, engine.names};
	struct maui_sr_settings *settings = NULL;
	struct maui_error why = {""};

	if (maui_sr_settings_compile(policy->config, &names, &settings, &why))
		error("maui: %s: no job gets into a standing reservation", why.text);
	if (principals && in_force.policy != policy) {
		log_problems(settings);
		log_lacks(settings, policy);
		in_force.policy = policy;
	}
	maui_sr_settings_free(in_force.older);
	in_force.older = in_force.settings;
	in_force.settings = settings;
	maui_intern_free(in_force.names);
	in_force.names = intern_names(settings);
	in_force.named = principals;
	in_force.generation++;
}

bool rsv_policy_known(void)
{
	return in_force.named && in_force.settings && in_force.names;
}

size_t rsv_policy_list(const struct maui_sr **ret_list)
{
	return maui_sr_list(rsv_policy_known() ? in_force.settings : NULL, ret_list);
}

uint32_t rsv_policy_find(const char *instance, int64_t *ret_date)
{
	char name[MAUI_SR_INSTANCE_SIZE];
	size_t size = maui_sr_instance_parse(instance, ret_date);
	uint32_t found = 0;

	if (size && size < sizeof(name) && rsv_policy_known()) {
		memcpy(name, instance, size);
		name[size] = '\0';
		found = maui_intern_find(in_force.names, name);
	}
	return found ? found - 1 : UINT32_MAX;
}

bool rsv_policy_has(const char *name)
{
	return rsv_policy_known() && maui_intern_find(in_force.names, name);
}

uint64_t rsv_policy_generation(void)
{
	return in_force.generation;
}
