/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the JSON of a struct maui_faults: path, time, errors and lines. */
#include "common/report/report_faults.h"

#include "common/report/json.h"

struct json_object *maui_report_faults(const struct maui_faults *faults, bool with_lines)
{
	struct json_object *object, *lines;

	if (!faults)
		return NULL;
	object = json_make_object();
	lines = json_make_array();
	for (size_t i = 0; with_lines && i < faults->count; i++)
		json_append_text(lines, faults->texts[i]);
	json_add(object, "path", json_make_text(faults->path));
	json_add(object, "time", json_make_number(faults->when));
	json_add(object, "errors", json_make_number((int64_t)faults->errors));
	json_add(object, "lines", lines);
	return object;
}
