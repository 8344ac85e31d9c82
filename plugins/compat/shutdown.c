/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/compat.h"

bool compat_shuts_down(void)
{
	return slurmctld_config.shutdown_time;
}
