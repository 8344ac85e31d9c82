/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits PluginDir at colons. A directory with sched_backfill.so counts as
 * Slurm's own, and slurmctld is searched in sbin of the directories above it.
 */
#include "contribs/maui/doctor/plugin_dirs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/util/list.h"

#define SLURMS_OWN "sched_backfill.so"

void plugin_dirs_each(const char *plugin_dir, void (*see)(const char *directory, void *context),
		      void *context)
{
	char directory[PATH_MAX];
	struct maui_item item;

	while (maui_list_next(&plugin_dir, ":", &item))
		if (item.size && item.size < sizeof(directory))
			see(maui_item_copy(item, directory, sizeof(directory)), context);
}

struct search {
	const char *file;
	char *path; /* "" not found yet */
};

static void look(const char *directory, void *context)
{
	struct search *search = context;
	char path[PATH_MAX];

	if (!*search->path &&
	    (size_t)snprintf(path, sizeof(path), "%s/%s", directory, search->file) < sizeof(path) &&
	    !access(path, F_OK))
		memcpy(search->path, path, sizeof(path));
}

int plugin_dirs_find(const char *plugin_dir, const char *file, char path[PATH_MAX],
		     struct plugin_file *ret_plugin, struct maui_error *error)
{
	struct search search = {file, path};

	memset(ret_plugin, 0, sizeof(*ret_plugin));
	*path = '\0';
	plugin_dirs_each(plugin_dir, look, &search);
	if (!*path)
		return maui_error_set(error, ENOENT, "no directory of PluginDir has %s", file);
	return plugin_file_read(path, ret_plugin, error);
}

uint32_t plugin_dirs_slurm(const char *plugin_dir)
{
	struct plugin_file plugin;
	struct maui_error error;
	char path[PATH_MAX];

	return plugin_dirs_find(plugin_dir, SLURMS_OWN, path, &plugin, &error) ? 0 : plugin.version;
}

bool plugin_dirs_slurmctld(const char *plugin_dir, char path[PATH_MAX])
{
	/* Debian's has the first name; behind the second there may be an emulator. */
	static const char *const names[] = {"slurmctld-wlm", "slurmctld"};
	char plugin[PATH_MAX] = "", own[PATH_MAX];
	struct search search = {SLURMS_OWN, plugin};

	plugin_dirs_each(plugin_dir, look, &search);
	if (!*plugin || !realpath(plugin, own))
		return false;
	for (char *end = strrchr(own, '/'); end && end != own; end = strrchr(own, '/')) {
		*end = '\0';
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if ((size_t)snprintf(path, PATH_MAX, "%s/sbin/%s", own, names[i]) <
				    PATH_MAX &&
			    !access(path, F_OK))
				return true;
	}
	return false;
}

struct stock {
	char *list;
	size_t used, size;
};

static void keep(const char *directory, void *context)
{
	struct stock *stock = context;
	char path[PATH_MAX];
	int size;

	if ((size_t)snprintf(path, sizeof(path), "%s/" SLURMS_OWN, directory) >= sizeof(path) ||
	    access(path, F_OK) != 0)
		return;
	size = snprintf(stock->list + stock->used, stock->size - stock->used, "%s%s",
			stock->used ? ":" : "", directory);
	stock->used += size > 0 && (size_t)size < stock->size - stock->used ? (size_t)size : 0;
}

void plugin_dirs_stock(const char *plugin_dir, char *ret_list, size_t size)
{
	struct stock stock = {.list = ret_list, .size = size};

	*ret_list = '\0';
	plugin_dirs_each(plugin_dir, keep, &stock);
}
