/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles QLIST and QDEF whenever a policy is bound, and keeps the previous
 * lists for the iteration under way.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/qos.h"

#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/qos_records.h"

/* The previous one is kept until the next change: an iteration may still be using it. */
ENGINE_GUARDED static struct maui_qos_access *lists, *older;

ENGINE_LOCKED static void bind_policy(struct maui_policy *policy,
				      const struct maui_principals *principals)
{
	struct maui_limit_names names = maui_names_configured(in_force.names);

	(void)principals;
	engine_assert_locked();
	maui_qos_access_free(older);
	older = lists;
	lists = maui_qos_access_compile(policy->config, &names);
}

bool qos_acts(void)
{
	return lists && !engine.disabled;
}

const struct maui_qos_access *qos_lists(void)
{
	return lists;
}

uint32_t qos_find(uint32_t slurm_qos)
{
	uint32_t qos = qos_records_seen(slurm_qos);

	if (qos || !slurm_qos)
		return qos;
	engine_unlock();
	qos_records_lock();
	engine_lock();
	qos = qos_records_now(slurm_qos, in_force.names);
	qos_records_unlock();
	return qos;
}

uint32_t qos_default(const uint32_t credential[MAUI_CREDENTIALS])
{
	return maui_qos_default(lists, credential);
}

bool qos_refuses(const uint32_t credential[MAUI_CREDENTIALS], struct maui_qos_verdict *ret_verdict)
{
	return !engine.disabled &&
	       !maui_qos_allowed(lists, credential, credential[MAUI_QOS], ret_verdict);
}

const struct module qos_module = {.bind = bind_policy};
