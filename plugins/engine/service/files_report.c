/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the STATDIR in use, and the path and reason of each file recorded by
 * statekept.c, as JSON.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/service/files_report.h"

#include <stdlib.h>

#include "common/report/json.h"
#include "plugins/engine/fairshare/fairshare.h"

ENGINE_LOCKED struct json_object *statdir_report(void)
{
	struct json_object *object = json_make_object();
	const char *missing = fairshare_missing();
	char *directory = NULL;

	fairshare_windows(&directory);
	json_set_text(object, "directory", directory);
	json_set_text(object, "missing", missing);
	free(directory);
	return object;
}

static void add_file(const char *path, const char *why, void *context)
{
	struct json_object *one = json_make_object();

	json_set_text(one, "path", path);
	json_set_text(one, "why", why);
	json_append(context, one);
}

struct json_object *files_report(enum statekept how)
{
	struct json_object *list = json_make_array();

	statekept_each(how, add_file, list);
	return list;
}
