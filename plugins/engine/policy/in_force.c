/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defines in_force, allocates its name table, and binds that table to each new
 * policy and its users and groups.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/policy/in_force.h"

struct in_force in_force;

static void in_force_allocate(void)
{
	engine_assert_locked();
	if (!in_force.names)
		in_force.names = maui_names_new();
}

/* Set once, before anything asks for it. */
LOCK_NOT_FOLLOWED struct maui_names *in_force_names(void)
{
	return in_force.names;
}

/* The engine's thread needs no mutex for this. */
LOCK_NOT_FOLLOWED const struct maui_config *in_force_config(void)
{
	return in_force.policy->config;
}

LOCK_NOT_FOLLOWED const struct maui_principals *in_force_principals(void)
{
	return in_force.principals;
}

static void bind_policy(struct maui_policy *policy, const struct maui_principals *principals)
{
	engine_assert_locked();
	maui_names_bind(in_force.names, policy, principals);
}

const struct module in_force_module = {.allocate = in_force_allocate, .bind = bind_policy};
