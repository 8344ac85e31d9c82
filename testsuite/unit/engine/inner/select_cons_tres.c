/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands for Slurm's own plugin, which our select plugin wraps: it loads, and does nothing. */
#include "plugins/compat/select_api.h"

#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT const char plugin_name[] = "a stand-in";
EXPORT const char plugin_type[] = "select/cons_tres";
EXPORT const uint32_t plugin_version = SLURM_VERSION_NUMBER;
EXPORT const uint32_t plugin_id = SELECT_PLUGIN_CONS_TRES;

EXPORT int init(void);

int init(void)
{
	return SLURM_SUCCESS;
}

#define REFUSE(type, name, member, parameters, arguments)                                          \
	EXPORT type select_p_##name parameters;                                                    \
	type select_p_##name parameters                                                            \
	{                                                                                          \
		abort();                                                                           \
	}
COMPAT_SELECT_FORWARDED(REFUSE)
COMPAT_SELECT_HOOKED(REFUSE)
