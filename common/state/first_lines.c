/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/state/first_lines.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *name, *line;
} files[] = {
	{"disabled", MAUI_FIRST_LINE_DISABLED},
	{"idle", MAUI_FIRST_LINE_IDLE},
	{"jobs", MAUI_FIRST_LINE_JOBS},
	{"names", MAUI_FIRST_LINE_NAMES},
	{"nodes", MAUI_FIRST_LINE_NODES},
	{"reclaims", MAUI_FIRST_LINE_RECLAIMS},
	{"reservations", MAUI_FIRST_LINE_RESERVATIONS},
	{"setres", MAUI_FIRST_LINE_SETRES},
	{"triggers", MAUI_FIRST_LINE_TRIGGERS},
};

const char *maui_first_line(const char *name)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (!strcmp(files[i].name, name))
			return files[i].line;
	return NULL;
}
