/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits NAME:TYPE and hashes both parts with Slurm's gres_build_id(). */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/gres_id.h"

#include <stdio.h>
#include <string.h>

#include "common/util/slurm/gres.h"

struct gres_id gres_id_of(const char *name)
{
	struct gres_id id = {0};
	char copy[MAUI_GRES_NAME_SIZE], *type;

	snprintf(copy, sizeof(copy), "%s", name);
	type = strchr(copy, ':');
	if (type) {
		*type++ = '\0';
		id.typed = true;
		id.type_id = gres_build_id(type);
	}
	id.plugin_id = gres_build_id(copy);
	return id;
}
