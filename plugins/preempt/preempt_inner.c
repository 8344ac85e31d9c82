/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads maui_preempt from PriorityParameters, finds preempt_NAME.so in
 * PluginDir, and loads it with inner_file_load().
 */
#include "plugins/preempt/preempt_inner.h"

#include <ctype.h>
#include <string.h>

#include "common/util/list.h"
#include "plugins/inner/inner_file.h"
#include "plugins/inner/plugin_path.h"

#define KEY  "maui_preempt"
#define TYPE "preempt/"

static struct compat_preempt_ops ops;
static void *file;

#define SYMBOL(name) {"preempt_p_" #name, offsetof(struct compat_preempt_ops, name)},
static const struct inner_symbol symbols[] = {COMPAT_PREEMPT_SYMBOLS(SYMBOL)};
#undef SYMBOL

const struct compat_preempt_ops *inner(void)
{
	return file ? &ops : NULL;
}

/* From a comma-separated list; NULL: it is not there. Free with xfree(). */
static char *preempt_inner_named(const char *list)
{
	struct maui_item value;

	return maui_list_value(list, KEY, &value) && value.size ? xstrndup(value.text, value.size)
								: NULL;
}

/* The part after the optional "preempt/"; NULL if it is not the name of another plugin. */
static const char *plain_name(const char *type)
{
	const char *name = type;

	if (!strncasecmp(name, TYPE, strlen(TYPE)))
		name += strlen(TYPE);
	if (!*name || !strcasecmp(name, "maui"))
		return NULL;
	for (const char *at = name; *at; at++)
		if (!isalnum((unsigned char)*at) && *at != '_')
			return NULL;
	return name;
}

static int preempt_inner_load(const char *type)
{
	const char *name = plain_name(type), *rest = slurm_conf.plugindir;
	char *base, *path;

	if (!name) {
		error("preempt/maui: PriorityParameters: maui_preempt=%s does not name another "
		      "preempt plugin",
		      type);
		return SLURM_ERROR;
	}
	base = xstrdup_printf("preempt_%s.so", name);
	path = plugin_path_next(&rest, base);
	if (!path)
		error("preempt/maui: PriorityParameters: maui_preempt=%s: no %s in PluginDir=%s",
		      type, base, slurm_conf.plugindir);
	else
		file = inner_file_load(path, "preempt/maui", symbols, ARRAY_SIZE(symbols), &ops,
				       sizeof(ops));
	xfree(path);
	xfree(base);
	return file ? SLURM_SUCCESS : SLURM_ERROR;
}

int inner_load(void)
{
	char *type = preempt_inner_named(slurm_conf.priority_params);
	int status = type ? preempt_inner_load(type) : SLURM_SUCCESS;

	if (type && status == SLURM_SUCCESS)
		info("preempt/maui: %s decides, except for OWNERPREEMPT", type);
	xfree(type);
	return status;
}

void inner_unload(void)
{
	inner_file_end(file);
	file = NULL;
}
