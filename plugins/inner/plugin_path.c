/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Searches the colon-separated directories of PluginDir for a regular file of a
 * given name.
 */
#include "plugins/inner/plugin_path.h"

#include <string.h>
#include <sys/stat.h>

#include "plugins/compat/select_api.h"

char *plugin_path_next(const char **rest, const char *name)
{
	while (*rest && **rest) {
		size_t length = strcspn(*rest, ":");
		char *path = xstrdup_printf("%.*s/%s", (int)length, *rest, name);
		struct stat file;

		*rest += length + ((*rest)[length] == ':');
		if (stat(path, &file) == 0 && S_ISREG(file.st_mode))
			return path;
		xfree(path);
	}
	return NULL;
}
