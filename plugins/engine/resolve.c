/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resolves users and groups with no lock held, and binds all modules to the
 * result if the same policy is still in force.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/resolve.h"

#include <time.h>

#include "plugins/engine/modules.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/policy/principals_ask.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"

/* Users come and go: seconds until names are looked up again. */
#define PRINCIPALS_LIFETIME 600

void resolve_take(struct maui_policy *policy, struct maui_principals *principals)
{
	struct maui_policy *old_policy = in_force.policy;
	struct maui_principals *old_principals = in_force.principals;

	in_force.policy = policy;
	in_force.principals = principals;
	in_force.principals_time = principals ? time(NULL) : 0; /* 0: the thread asks at once */
	modules_bind(policy, principals);
	maui_principals_free(old_principals);
	maui_policy_unref(old_policy);
}

/* Ask the name service, with no lock held. The names point into the policy's
 * configuration, so a reference to the policy is held. While the engine's
 * thread works, nobody else replaces the principals. */
static void resolve_which(enum principals_which which)
{
	struct maui_principals *principals;
	const struct maui_principals *before;
	struct maui_policy *policy;
	int64_t asked;

	engine_lock();
	policy = maui_policy_ref(in_force.policy);
	before = in_force.principals;
	asked = in_force.principals_time;
	engine_unlock();
	principals = principals_resolve(policy->config, before ? which : PRINCIPALS_READ, before);
	if (which != PRINCIPALS_LACKING)
		modules_resolve();
	engine_lock();
	if (in_force.policy == policy) {
		resolve_take(maui_policy_ref(policy), principals);
		if (which == PRINCIPALS_LACKING) /* the others are as old as they were */
			in_force.principals_time = asked;
	} else /* the engine was restarted meanwhile: these names are stale */
		maui_principals_free(principals);
	engine_unlock();
	maui_policy_unref(policy);
}

void resolve_all(void)
{
	resolve_which(PRINCIPALS_AGAIN);
}

void resolve_lacking(void)
{
	bool lacking;

	engine_lock();
	lacking = maui_principals_lack(in_force.principals, MAUI_USER) ||
		  maui_principals_lack(in_force.principals, MAUI_GROUP);
	engine_unlock();
	if (lacking)
		resolve_which(PRINCIPALS_LACKING);
}

bool resolve_is_due(void)
{
	bool old;

	engine_lock();
	old = time(NULL) - in_force.principals_time >= PRINCIPALS_LIFETIME;
	engine_unlock();
	return old || monotonic_seconds() >= principals_ask_next();
}
