/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds libslurm_maui.so beside priority_maui.so, or else in PluginDir. Opens
 * it if no other copy is loaded and its Slurm and interface versions match.
 */
#include "plugins/compat/select_api.h"

#include "plugins/select/engine_link.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>

#include "plugins/inner/plugin_path.h"

#define FILE_NAME   "libslurm_maui.so"
#define WHO         COMPAT_SELECT_TYPE " of Maui"
#define CONSEQUENCE "nodes are Slurm's own choice"

static const struct maui_engine_select *engine;

struct search {
	struct stat wanted;
	bool another; /* another file of that name is loaded */
};

static int look_at_object(struct dl_phdr_info *object, size_t size, void *context)
{
	struct search *search = context;
	const char *name = strrchr(object->dlpi_name, '/');
	struct stat file;

	(void)size;
	if (!name || strcmp(name + 1, FILE_NAME) != 0)
		return 0;
	search->another = stat(object->dlpi_name, &file) != 0 ||
			  file.st_dev != search->wanted.st_dev ||
			  file.st_ino != search->wanted.st_ino;
	return search->another;
}

/* It cannot be linked for that, as it is opened by path. */
static bool is_for_this_slurm(void *library)
{
	const uint32_t *built = dlsym(library, "maui_engine_slurm_version");

	return maui_engine_was_built_for_us(built ? *built : 0, WHO);
}

/* Two engines in one process would each have their own policy, threads and files. */
static bool another_is_loaded(const char *path)
{
	struct search search = {0};

	if (stat(path, &search.wanted) != 0)
		return false; /* dlopen() will report why */
	dl_iterate_phdr(look_at_object, &search);
	return search.another;
}

static const struct maui_engine_select *open_engine(const char *path)
{
	const struct maui_engine_select *found;
	void *library;

	if (another_is_loaded(path)) {
		error(WHO ": another " FILE_NAME " than %s is already loaded; " CONSEQUENCE, path);
		return NULL;
	}
	library = dlopen(path, RTLD_NOW);
	if (!library) {
		error(WHO ": %s; " CONSEQUENCE, dlerror());
		return NULL;
	}
	if (!is_for_this_slurm(library)) {
		dlclose(library);
		return NULL;
	}
	/* Stays open: the engine has threads. */
	found = dlsym(library, MAUI_ENGINE_SELECT_SYMBOL);
	if (!found || found->version != MAUI_ENGINE_SELECT_VERSION) {
		error(WHO ": %s does not match this plugin's version "
			  "(interface %u, wanted %u); " CONSEQUENCE,
		      path, found ? found->version : 0, MAUI_ENGINE_SELECT_VERSION);
		return NULL;
	}
	verbose(WHO ": nodes are ranked by %s", path);
	return found;
}

/*
 * The one next to the priority_maui.so that Slurm uses, if there is one. Not simply the first: as
 * the dynamic linker identifies libraries by name, whichever is loaded first is the only one, and
 * priority/maui cannot run with a foreign one.
 */
static char *find_engine(void)
{
	const char *rest = slurm_conf.plugindir;
	char *priority = plugin_path_next(&rest, "priority_maui.so"), *path;

	if (priority) {
		*strrchr(priority, '/') = '\0';
		rest = priority;
	} else {
		rest = slurm_conf.plugindir;
	}
	path = plugin_path_next(&rest, FILE_NAME);
	xfree(priority);
	return path;
}

void engine_link_open(void)
{
	char *path = find_engine();

	if (path)
		engine = open_engine(path);
	else
		error(WHO ": no " FILE_NAME " in PluginDir=%s; " CONSEQUENCE, slurm_conf.plugindir);
	xfree(path);
	if (engine)
		engine->loaded();
}

const struct maui_engine_select *engine_link(void)
{
	return engine;
}
