/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's own select/cons_tres, which does the work. Up to 24.11 it is found in
 * a later directory of PluginDir than ours.
 */
#ifndef MAUI_SELECT_INNER_H
#define MAUI_SELECT_INNER_H

#include "plugins/compat/select_api.h"

/* Its calls; all of them are set from a successful inner_load() until inner_unload(). */
extern slurm_select_ops_t inner;

#define INNER_FILE_NAME "select_cons_tres.so" /* up to 24.11 ours has the same name */

/*
 * SLURM_ERROR with an error line if there is no usable one. own_name: the plugin_name by which
 * copies of the wrapper are recognized and skipped.
 */
int inner_load(const char *own_name);
void inner_unload(void);

/* inner_variable_bind() of it. */
bool inner_bind(const char *name, void *variable, void *replacement);

#endif
