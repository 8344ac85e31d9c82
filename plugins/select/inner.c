/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/select/inner.h"

#include <dlfcn.h>

#include "plugins/select/plugin_path.h"

#define FILE_NAME "select_cons_tres.so" /* ours has the same */

slurm_select_ops_t inner;
static plugin_handle_t handle = PLUGIN_INVALID_HANDLE;

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
static const char *missing_symbol(plugin_handle_t plugin, slurm_select_ops_t *ret_ops)
{
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		void *address = plugin_get_sym(plugin, symbols[i].name);

		if (!address)
			return symbols[i].name;
		memcpy((char *)ret_ops + symbols[i].offset, &address, sizeof(address));
	}
	return NULL;
}

static bool load(const char *path)
{
	plugin_handle_t plugin = PLUGIN_INVALID_HANDLE;
	slurm_select_ops_t ops = {0};
	const char *missing;

	if (plugin_load_from_file(&plugin, path) != EPLUGIN_SUCCESS)
		return false; /* it has said why */
	missing = missing_symbol(plugin, &ops);
	if (missing) {
		error("select/cons_tres of Maui: %s has no %s, so it is not used", path, missing);
		plugin_unload(plugin);
		return false;
	}
	handle = plugin;
	inner = ops;
	return true;
}

int inner_load(const char *own_name)
{
	const char *rest = slurm_conf.plugindir;
	char *path;

	while ((path = plugin_path_next(&rest, FILE_NAME))) {
		bool loaded = !is_wrapper(path, own_name) && load(path);

		if (loaded)
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

void inner_unload(void)
{
	plugin_unload(handle);
	handle = PLUGIN_INVALID_HANDLE;
}
