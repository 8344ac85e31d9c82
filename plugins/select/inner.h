/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's own select/cons_tres, which does the work. It is found in a later directory of PluginDir.
 */
#ifndef MAUI_SELECT_INNER_H
#define MAUI_SELECT_INNER_H

#include "plugins/compat/select_api.h"

/* Its calls; all of them are there once inner_load() has succeeded, and until inner_unload(). */
extern slurm_select_ops_t inner;

/*
 * SLURM_ERROR if there is none that can be used, with an error line. own_name: the plugin_name by
 * which copies of the wrapper are known, and left out.
 */
int inner_load(const char *own_name);
void inner_unload(void);

#endif
