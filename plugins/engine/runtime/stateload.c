/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/base.h"

#include "plugins/engine/runtime/stateload.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/util/file.h"
#include "plugins/engine/runtime/statefile.h"

int stateload(const char *directory, const char *name, size_t limit, stateload_parse parse,
	      void *result, const char *lost)
{
	struct maui_error why = {""};
	char *path = NULL, *text = NULL;
	size_t size = 0;
	int rc;

	if (!directory || asprintf(&path, "%s/%s", directory, name) < 0)
		return -ENOENT;
	rc = maui_file_read(path, limit, NULL, &text, &size, NULL, &why);
	if (!rc)
		rc = parse(text, size, result, &why);
	if (rc && rc != -ENOENT)
		error("maui: %s cannot be used (%s) and is %s %s.damaged: %s", path, why.text,
		      statefile_set_aside(path) ? "lost, as it cannot be renamed to" : "now", path,
		      lost);
	free(text);
	free(path);
	return rc;
}
