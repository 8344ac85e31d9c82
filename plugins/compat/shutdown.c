/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads slurmctld_config.shutdown_time for code that includes base.h, which
 * does not declare it.
 */
#include "plugins/compat/compat.h"

bool compat_shuts_down(void)
{
	return slurmctld_config.shutdown_time;
}
