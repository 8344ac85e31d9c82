/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's own select/cons_tres, which does the work. It is found in a later directory of PluginDir.
 */
#ifndef MAUI_SELECT_INNER_H
#define MAUI_SELECT_INNER_H

#include "plugins/compat/select_api.h"

/* Its calls; all of them are set from a successful inner_load() until inner_unload(). */
extern slurm_select_ops_t inner;

/*
 * SLURM_ERROR with an error line if there is no usable one. own_name: the plugin_name by which
 * copies of the wrapper are recognized and skipped.
 */
int inner_load(const char *own_name);
void inner_unload(void);

#endif
