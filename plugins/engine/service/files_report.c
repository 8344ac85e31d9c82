/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the STATDIR in use, and the path and reason of each file recorded by
 * statekept.c, as JSON.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/service/files_report.h"

#include <stdlib.h>

#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/runtime/statekept.h"

ENGINE_LOCKED struct json_object *statdir_report(void)
{
	struct json_object *object = json_object_new_object();
	const char *missing = fairshare_missing();
	char *directory = NULL;

	fairshare_windows(&directory);
	json_object_object_add(object, "directory",
			       directory ? json_object_new_string(directory) : NULL);
	json_object_object_add(object, "missing", missing ? json_object_new_string(missing) : NULL);
	free(directory);
	return object;
}

static void add_file(const char *path, const char *why, void *context)
{
	struct json_object *one = json_object_new_object();

	json_object_object_add(one, "path", json_object_new_string(path));
	json_object_object_add(one, "why", json_object_new_string(why));
	json_object_array_add(context, one);
}

static struct json_object *files_of(enum statekept how)
{
	struct json_object *list = json_object_new_array();

	statekept_each(how, add_file, list);
	return list;
}

struct json_object *kept_files_report(void)
{
	return files_of(STATEKEPT_LATER);
}

struct json_object *unread_files_report(void)
{
	return files_of(STATEKEPT_UNREAD);
}

struct json_object *unwritten_files_report(void)
{
	return files_of(STATEKEPT_UNWRITTEN);
}

struct json_object *removed_files_report(void)
{
	return files_of(STATEKEPT_REMOVED);
}
