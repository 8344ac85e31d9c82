/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/compat.h"

#include "plugins/engine/rsv_policy.h"

#include "common/policy/sr_lacks.h"
#include "plugins/engine/names.h"
#include "plugins/engine/state.h"

static struct {
	const struct policy *policy; /* to be told from another, nothing else */
	struct maui_sr_settings *settings, *older;
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
	in_force.named = principals;
	in_force.generation++;
}

bool rsv_policy_known(void)
{
	return in_force.named && in_force.settings;
}

size_t rsv_policy_list(const struct maui_sr **ret_list)
{
	return maui_sr_list(in_force.named ? in_force.settings : NULL, ret_list);
}

uint64_t rsv_policy_generation(void)
{
	return in_force.generation;
}
