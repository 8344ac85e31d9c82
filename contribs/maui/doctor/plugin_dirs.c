/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits PluginDir at colons. A directory with sched_backfill.so counts as
 * Slurm's own, and slurmctld is searched in sbin of the directories above it.
 */
#include "contribs/maui/doctor/plugin_dirs.h"

#include <dirent.h>
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

static void plugin_dirs_look(const char *directory, void *context)
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
	plugin_dirs_each(plugin_dir, plugin_dirs_look, &search);
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

	plugin_dirs_each(plugin_dir, plugin_dirs_look, &search);
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

/* The engine is no plugin, and select_cons_tres.so is ours in a directory of its own. */
static bool is_ours(const char *directory, const char *name)
{
	struct plugin_file plugin;
	struct maui_error error;
	char path[PATH_MAX];

	if (!strcmp(name, "libslurm_maui.so"))
		return true;
	return (size_t)snprintf(path, sizeof(path), "%s/%s", directory, name) < sizeof(path) &&
	       !plugin_file_read(path, &plugin, &error) && plugin_file_is_ours(&plugin);
}

static bool is_shared_object(const char *name)
{
	size_t size = strlen(name);

	return size > 3 && !strcmp(name + size - 3, ".so");
}

/* Whether it has plugins, and all of them are ours. */
static bool is_ours_alone(const char *directory)
{
	DIR *files = opendir(directory);
	struct dirent *file;
	bool any = false, alone = true;

	if (!files)
		return false;
	while (alone && (file = readdir(files)))
		if (is_shared_object(file->d_name)) {
			any = true;
			alone = is_ours(directory, file->d_name);
		}
	closedir(files);
	return any && alone;
}

struct stock {
	char *list;
	size_t used, size;
};

static void plugin_dirs_keep(const char *directory, void *context)
{
	struct stock *stock = context;
	int size;

	if (is_ours_alone(directory))
		return;
	size = snprintf(stock->list + stock->used, stock->size - stock->used, "%s%s",
			stock->used ? ":" : "", directory);
	stock->used += size > 0 && (size_t)size < stock->size - stock->used ? (size_t)size : 0;
}

void plugin_dirs_stock(const char *plugin_dir, char *ret_list, size_t size)
{
	struct stock stock = {.list = ret_list, .size = size};

	*ret_list = '\0';
	plugin_dirs_each(plugin_dir, plugin_dirs_keep, &stock);
}
