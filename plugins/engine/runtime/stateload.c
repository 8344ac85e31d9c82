/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/base.h"

#include "plugins/engine/runtime/stateload.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/util/file.h"
#include "plugins/engine/runtime/statefile.h"
#include "plugins/engine/runtime/statekept.h"

static void keep(const struct stateload *file, const char *path, const char *why)
{
	statekept_note(path, why);
	error("maui: %s is kept as it is, and not read (%s): %s. Install that Slurm-Maui again; "
	      "or, to begin anew, remove the file while slurmctld is down",
	      path, why, file->kept);
}

int stateload(const struct stateload *file, const char *directory, void *result)
{
	struct maui_error why = {""};
	char *path = NULL, *text = NULL;
	size_t size = 0;
	int rc;

	if (!directory || asprintf(&path, "%s/%s", directory, file->name) < 0)
		return -ENOENT;
	statekept_note(path, NULL);
	rc = maui_file_read(path, file->limit, NULL, &text, &size, NULL, &why);
	if (!rc)
		rc = file->parse(text, size, result, &why);
	if (rc == -ENOTSUP)
		keep(file, path, why.text);
	else if (rc && rc != -ENOENT)
		error("maui: %s cannot be used (%s) and is %s %s.damaged: %s", path, why.text,
		      statefile_set_aside(path) ? "lost, as it cannot be renamed to" : "now", path,
		      file->lost);
	free(text);
	free(path);
	return rc;
}
