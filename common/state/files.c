/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of all state files, and the row of the file `disabled`. */
#include "common/state/files.h"

#include <stddef.h>
#include <string.h>

#include "common/state/admin_rsv.h"
#include "common/state/idle_charges.h"
#include "common/state/jobs.h"
#include "common/state/known_names.h"
#include "common/state/node_usage.h"
#include "common/state/reclaims.h"
#include "common/state/rsv_names.h"
#include "common/state/triggers.h"

const struct maui_state_file maui_disabled_file = {
	.name = "disabled",
	.version = 1,
	.limit = 4096,
	.presence = true,
	.waits = "whether the engine is disabled stays as it was; at the start limits hold, and "
		 "reservations stay as they are",
};

const struct maui_state_file *const maui_state_files[] = {
	&maui_disabled_file,   &maui_idle_charges_file,
	&maui_jobstate_file,   &maui_known_names_file,
	&maui_node_usage_file, &maui_reclaims_file,
	&maui_rsv_names_file,  &maui_admin_rsvs_file,
	&maui_fired_file,      NULL,
};

const struct maui_state_file *maui_state_file_find(const char *name)
{
	for (const struct maui_state_file *const *file = maui_state_files; *file; file++)
		if (!strcmp((*file)->name, name))
			return *file;
	return NULL;
}
