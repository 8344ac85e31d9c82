/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/policy/in_force.h"

#include <errno.h>

struct in_force in_force;

int in_force_allocate(void)
{
	if (!in_force.names)
		in_force.names = names_new();
	return in_force.names ? 0 : -ENOMEM;
}

/* Set once, before any of this is asked. */
LOCK_NOT_FOLLOWED struct names *in_force_names(void)
{
	return in_force.names;
}

/* Without the mutex in the engine's thread. */
LOCK_NOT_FOLLOWED const struct maui_config *in_force_config(void)
{
	return in_force.policy->config;
}
