/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine, from the plugin's side: it is opened by path, and only in
 * slurmctld, as up to Slurm 24.11 every client command loads the plugin.
 */
#ifndef MAUI_SELECT_ENGINE_LINK_H
#define MAUI_SELECT_ENGINE_LINK_H

#include "plugins/engine/api/select.h"

/*
 * Look for libslurm_maui.so in PluginDir. If it cannot be used, one error line says so; that is not
 * a failure.
 */
void engine_link_open(void);

/* NULL without an engine: then nodes are Slurm's own choice. */
const struct maui_engine_select *engine_link(void);

#endif
