/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm.conf as it was before Maui: a copy beside it, slurm.conf.before-maui, that the administrator
 * makes before its first change (install.md). Read by libslurm, with what it includes.
 */
#ifndef MAUI_SLURM_CONF_BEFORE_H
#define MAUI_SLURM_CONF_BEFORE_H

#include <stdbool.h>

#include "contribs/maui/slurm/slurm_install.h"

struct slurm_conf_before {
	char path[PATH_MAX + 16];
	bool known;
	struct slurm_install install; /* if it is */
	char why[PATH_MAX + 600];     /* if it is not */
};

void slurm_conf_before_read(const struct slurm_install *now, struct slurm_conf_before *ret_before);

#endif
