/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/select/inner.h"

#include <dlfcn.h>

#include "src/common/run_in_daemon.h"

#include "plugins/select/plugin_path.h"

#define FILE_NAME "select_cons_tres.so" /* ours has the same */

slurm_select_ops_t inner;
static void *handle;

struct symbol {
	const char *name;
	size_t offset; /* of its pointer in slurm_select_ops_t */
};

#define SYMBOL(type, name, member, parameters, arguments)                                          \
	{"select_p_" #name, offsetof(slurm_select_ops_t, member)},
static const struct symbol symbols[] = {{"plugin_id", offsetof(slurm_select_ops_t, plugin_id)},
					COMPAT_SELECT_FORWARDED(SYMBOL)
						COMPAT_SELECT_HOOKED(SYMBOL)};
#undef SYMBOL

/* A copy of the wrapper (this one, or another in PluginDir) would look for an inner one in its turn, and find us. */
static bool is_wrapper(const char *path, const char *own_name)
{
	void *file = dlopen(path, RTLD_LAZY);
	const char *name;
	bool same;

	if (!file)
		return false; /* loading it will tell why */
	name = dlsym(file, "plugin_name");
	same = name && strcmp(name, own_name) == 0;
	dlclose(file);
	return same;
}

/* The first symbol that the plugin lacks, or NULL. */
static const char *missing_symbol(void *file, slurm_select_ops_t *ret_ops)
{
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		void *address = dlsym(file, symbols[i].name);

		if (!address)
			return symbols[i].name;
		memcpy((char *)ret_ops + symbols[i].offset, &address, sizeof(address));
	}
	return NULL;
}

/* Why it cannot be used, or NULL. */
static const char *objection(void *file, slurm_select_ops_t *ret_ops)
{
	const uint32_t *version = dlsym(file, "plugin_version");

	if (!version || *version != SLURM_VERSION_NUMBER)
		return "version of Slurm that it shares with this plugin";
	return missing_symbol(file, ret_ops);
}

/* 0 if it has none. */
static int call(void *file, const char *name)
{
	int (*function)(void);
	void *address = dlsym(file, name);

	if (!address)
		return 0;
	memcpy(&function, &address, sizeof(function));
	return function();
}

/* What plugin_load_from_file() does. Programs that link libslurm.so and not libslurmfull.so have no such function. */
static bool load(const char *path)
{
	void *file = dlopen(path, RTLD_LAZY);
	slurm_select_ops_t ops = {0};
	const char *missing;

	if (!file) {
		error("select/cons_tres of Maui: %s", dlerror());
		return false;
	}
	missing = objection(file, &ops);
	if (missing)
		error("select/cons_tres of Maui: %s has no %s, so it is not used", path, missing);
	if (missing || call(file, "init") != SLURM_SUCCESS) {
		dlclose(file);
		return false;
	}
	handle = file;
	inner = ops;
	return true;
}

int inner_load(const char *own_name)
{
	const char *rest = slurm_conf.plugindir;
	char *path;

	while ((path = plugin_path_next(&rest, FILE_NAME))) {
		bool loaded = !is_wrapper(path, own_name) && load(path);

		if (loaded && running_in_slurmctld()) /* debug() is not for all clients */
			debug("select/cons_tres of Maui: the work is done by %s", path);
		xfree(path);
		if (loaded)
			return SLURM_SUCCESS;
	}
	error("select/cons_tres of Maui: no usable " FILE_NAME
	      " of Slurm's own in PluginDir=%s, so this plugin cannot work",
	      slurm_conf.plugindir);
	return SLURM_ERROR;
}

/* The file stays, as with plugin_unload(). */
void inner_unload(void)
{
	if (handle)
		call(handle, "fini");
	handle = NULL;
}
