/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds loaded plugins with dl_iterate_phdr() and reads plugin_name,
 * plugin_type and plugin_version of those with "Maui" in their name.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/api/engine.h"
#include "plugins/engine/service/loaded.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/report/json.h"
#include "common/util/memory.h"

#define MAX_FILES 64

/* The library is no Slurm plugin; this is its substitute for plugin_version, which doctor reads,
 * too. */
const uint32_t maui_engine_slurm_version = SLURM_VERSION_NUMBER;

/* Files that may be our plugins, by their names. They are asked what they are later, not under the
 * loader's lock. */
struct files {
	char *path[MAX_FILES];
	size_t count;
};

static int note_file(struct dl_phdr_info *object, size_t size, void *context)
{
	static const char *const kinds[] = {"priority_", "select_", "job_submit_", "preempt_"};
	const char *slash = object->dlpi_name ? strrchr(object->dlpi_name, '/') : NULL;
	struct files *files = context;

	(void)size;
	for (size_t i = 0; slash && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strncmp(slash + 1, kinds[i], strlen(kinds[i])) && files->count < MAX_FILES)
			files->path[files->count++] = maui_strdup(object->dlpi_name);
	return 0;
}

static void loaded_add(struct json_object *list, const char *type, const char *version,
		       const char *path)
{
	struct json_object *one = json_make_object();

	json_set_text(one, "type", type);
	json_set_text(one, "slurm_version", version);
	json_set_text(one, "path", path);
	json_append(list, one);
}

/* Ours have Maui in their names. */
static void add_plugin(struct json_object *list, const char *path)
{
	void *plugin = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	const char *name = plugin ? dlsym(plugin, "plugin_name") : NULL;
	const char *type = plugin ? dlsym(plugin, "plugin_type") : NULL;
	const uint32_t *number = plugin ? dlsym(plugin, "plugin_version") : NULL;
	char version[32];

	if (name && type && number && strstr(name, "Maui")) {
		snprintf(version, sizeof(version), "%02u.%02u.%u", SLURM_VERSION_MAJOR(*number),
			 SLURM_VERSION_MINOR(*number), SLURM_VERSION_MICRO(*number));
		loaded_add(list, type, version, path);
	}
	if (plugin)
		dlclose(plugin);
}

struct json_object *loaded_plugins(void)
{
	struct json_object *list = json_make_array();
	struct files files = {.count = 0};
	Dl_info ours;

	dl_iterate_phdr(note_file, &files);
	for (size_t i = 0; i < files.count; i++) {
		add_plugin(list, files.path[i]);
		free(files.path[i]);
	}
	if (dladdr(&maui_engine_slurm_version, &ours) && ours.dli_fname)
		loaded_add(list, "libslurm_maui", SLURM_VERSION_STRING, ours.dli_fname);
	return list;
}
