/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_INNER_PLUGIN_PATH_H
#define MAUI_INNER_PLUGIN_PATH_H

/*
 * The next file of that name in the directories of PluginDir, in order; NULL if there is none left.
 * *rest is where to continue, initially slurm_conf.plugindir. Free with xfree().
 */
char *plugin_path_next(const char **rest, const char *name);

#endif
