/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls slurmctld's own checks: validate_operator(), compat_is_coordinator(),
 * and thread_id_save of slurmctld_config for the controller in charge.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/authority.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"

bool authority_in_charge(void)
{
	return !compat_shuts_down() && slurmctld_config.thread_id_save;
}

bool authority_is_operator(uid_t uid)
{
	return validate_operator(uid);
}

bool authority_coordinates(uid_t uid, const char *account)
{
	/* Slurm's interface takes a char *, and only reads it. */
	char *name = account ? maui_strdup(account) : NULL;
	bool coordinates = name && compat_is_coordinator(uid, name);

	free(name);
	return coordinates;
}
