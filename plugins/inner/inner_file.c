/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads a plugin with dlopen(), checks its plugin_version, fills the table of
 * functions with dlsym(), and calls init().
 */
#include "plugins/inner/inner_file.h"

#include <dlfcn.h>
#include <string.h>

#include "plugins/compat/select_api.h"

/* The first symbol that the plugin lacks, or NULL. */
static const char *missing_symbol(void *file, const struct inner_symbol *symbols, size_t count,
				  char *table)
{
	for (size_t i = 0; i < count; i++) {
		void *address = dlsym(file, symbols[i].name);

		if (!address)
			return symbols[i].name;
		memcpy(table + symbols[i].offset, &address, sizeof(address));
	}
	return NULL;
}

/* What it lacks to be used, or NULL. */
static const char *inner_file_objection(void *file, const struct inner_symbol *symbols,
					size_t count, char *table)
{
	const uint32_t *version = dlsym(file, "plugin_version");

	if (!version || *version != SLURM_VERSION_NUMBER)
		return "version of Slurm that it shares with this plugin";
	return missing_symbol(file, symbols, count, table);
}

/* 0 if it has none. */
static int inner_file_call(void *file, const char *name)
{
	int (*function)(void);
	void *address = dlsym(file, name);

	if (!address)
		return 0;
	memcpy(&function, &address, sizeof(function));
	return function();
}

void *inner_file_load(const char *path, const char *who, const struct inner_symbol *symbols,
		      size_t count, void *ret_ops, size_t size)
{
	void *file = dlopen(path, RTLD_LAZY);
	const char *missing;
	char *table;

	if (!file) {
		error("%s: %s", who, dlerror());
		return NULL;
	}
	table = xmalloc(size);
	missing = inner_file_objection(file, symbols, count, table);
	if (missing)
		error("%s: %s has no %s, so it is not used", who, path, missing);
	if (missing || inner_file_call(file, "init") != SLURM_SUCCESS) {
		dlclose(file);
		file = NULL;
	} else {
		memcpy(ret_ops, table, size);
	}
	xfree(table);
	return file;
}

void inner_file_end(void *file)
{
	void (*function)(void);
	void *address = file ? dlsym(file, "fini") : NULL;

	if (!address)
		return;
	memcpy(&function, &address, sizeof(function));
	function();
}
