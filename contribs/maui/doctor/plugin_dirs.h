/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PluginDir, where Slurm searches the directories in order for a plugin, and takes the first that
 * has it. */
#ifndef MAUI_PLUGIN_DIRS_H
#define MAUI_PLUGIN_DIRS_H

#include <limits.h>
#include <stdbool.h>

#include "contribs/maui/doctor/plugin_file.h"

/* Calls back with each directory, in order. */
void plugin_dirs_each(const char *plugin_dir, void (*see)(const char *directory, void *context),
		      void *context);

/* The file that Slurm would load: its path and what it says. 0; -ENOENT: no directory has it;
 * otherwise as plugin_file_read(). */
int plugin_dirs_find(const char *plugin_dir, const char *file, char path[PATH_MAX],
		     struct plugin_file *ret_plugin, struct maui_error *error);

/*
 * Which Slurm is installed there, judged by one of its own plugins that all releases have; 0: none.
 */
uint32_t plugin_dirs_slurm(const char *plugin_dir);

/*
 * The file of the slurmctld of that Slurm: in sbin below one of the directories that its plugins are
 * in (/usr/sbin for /usr/lib/slurm). False: this host has none.
 */
bool plugin_dirs_slurmctld(const char *plugin_dir, char path[PATH_MAX]);

/* PluginDir without the directories that have plugins of ours alone. */
void plugin_dirs_stock(const char *plugin_dir, char *ret_list, size_t size);

#endif
