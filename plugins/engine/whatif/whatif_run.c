/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies the queue with whatif_collect(), resolves the other policy's users and
 * groups, and compares both policies with maui_whatif_judge().
 */
#include "plugins/engine/whatif/whatif_run.h"

#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/policy/principals_ask.h"
#include "plugins/engine/whatif/whatif_collect.h"

/* The ids of the policy in force, guarded by the mutex. */
static uint32_t id_of(void *context, enum maui_credential type, const char *name)
{
	uint32_t id;

	engine_lock();
	id = maui_names_of_configured(context, type, name);
	engine_unlock();
	return id;
}

const char *whatif_run(struct maui_whatif *whatif, struct maui_policy *policy)
{
	struct maui_limit_names today = {id_of, in_force_names()};
	struct maui_principals *principals;
	const char *wrong;

	*whatif = (struct maui_whatif){.then.policy = policy};
	wrong = whatif_collect(policy, &whatif->facts);
	if (wrong)
		return wrong;
	principals = principals_resolve(policy->config, PRINCIPALS_FOREIGN, NULL);
	return maui_whatif_judge(whatif, principals, &today) ? "a job cannot be counted" : NULL;
}
