/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/report/faults.h"

struct json_object *maui_report_faults(const struct maui_faults *faults, bool with_lines)
{
	struct json_object *object, *lines;

	if (!faults)
		return NULL;
	object = json_object_new_object();
	lines = json_object_new_array();
	for (size_t i = 0; with_lines && i < faults->count; i++)
		json_object_array_add(lines, json_object_new_string(faults->texts[i]));
	json_object_object_add(object, "path", json_object_new_string(faults->path));
	json_object_object_add(object, "time", json_object_new_int64(faults->when));
	json_object_object_add(object, "errors", json_object_new_int64((int64_t)faults->errors));
	json_object_object_add(object, "lines", lines);
	return object;
}
