/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles the attributes in each QOS's QFLAGS for each new policy, and adds
 * those that x=FLAGS in the job's comment names.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/rsv_attributes.h"

#include "common/policy/reservation/job_attributes.h"
#include "common/queue/names.h"
#include "plugins/engine/policy/in_force.h"

ENGINE_GUARDED static struct maui_job_attributes *attributes;

ENGINE_LOCKED static void bind_policy(struct maui_policy *policy,
				      const struct maui_principals *principals)
{
	struct maui_limit_names names = maui_names_configured(in_force.names);

	(void)principals;
	engine_assert_locked();
	maui_job_attributes_free(attributes);
	attributes = maui_job_attributes_compile(policy->config, &names);
}

uint32_t rsv_attributes_of(const char *comment, uint32_t qos)
{
	return maui_job_attributes(attributes, qos, comment);
}

const struct module rsv_attributes_module = {.bind = bind_policy};
