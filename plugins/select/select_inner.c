/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Searches PluginDir for a select_cons_tres.so that is not a copy of this
 * wrapper, and loads its calls into `inner`.
 */
#include "plugins/select/select_inner.h"

#include <dlfcn.h>

#include "src/common/run_in_daemon.h"

#include "plugins/inner/inner_file.h"
#include "plugins/inner/inner_variable.h"
#include "plugins/inner/plugin_path.h"

#define WHO COMPAT_SELECT_TYPE " of Maui"

slurm_select_ops_t inner;
static void *handle;

#define SYMBOL(type, name, member, parameters, arguments)                                          \
	{"select_p_" #name, offsetof(slurm_select_ops_t, member)},
static const struct inner_symbol symbols[] = {
	{"plugin_id", offsetof(slurm_select_ops_t, plugin_id)},
	COMPAT_SELECT_FORWARDED(SYMBOL) COMPAT_SELECT_HOOKED(SYMBOL)};
#undef SYMBOL

/*
 * A copy of the wrapper (this one, or another in PluginDir) would in turn look for an inner one,
 * and find us.
 */
static bool is_wrapper(const char *path, const char *own_name)
{
	void *file = dlopen(path, RTLD_LAZY);
	const char *name;
	bool same;

	if (!file)
		return false; /* loading it will report why */
	name = dlsym(file, "plugin_name");
	same = name && strcmp(name, own_name) == 0;
	dlclose(file);
	return same;
}

static bool select_inner_load(const char *path)
{
	handle = inner_file_load(path, WHO, symbols, ARRAY_SIZE(symbols), &inner, sizeof(inner));
	return handle;
}

int inner_load(const char *own_name)
{
	const char *rest = slurm_conf.plugindir;
	char *path;

	while ((path = plugin_path_next(&rest, INNER_FILE_NAME))) {
		bool loaded = !is_wrapper(path, own_name) && select_inner_load(path);

		if (loaded && running_in_slurmctld()) /* debug() is not for all clients */
			debug(WHO ": the work is done by %s", path);
		xfree(path);
		if (loaded)
			return SLURM_SUCCESS;
	}
	error(WHO ": no usable " INNER_FILE_NAME
		  " of Slurm's own in PluginDir=%s, so this plugin cannot work",
	      slurm_conf.plugindir);
	return SLURM_ERROR;
}

void inner_unload(void)
{
	inner_file_end(handle);
	handle = NULL;
}

bool inner_bind(const char *name, void *variable, void *replacement)
{
	return handle && inner_variable_bind(handle, name, variable, replacement);
}
