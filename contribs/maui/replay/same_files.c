/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui.cfg files as their values after reading: comments and #INCLUDEs do not count, nor
 * the order of parameters. */
#include "contribs/maui/replay/same_files.h"

#include <string.h>

#include "common/report/json.h"
#include "common/report/report.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/text.h"

char *same_files_values(const struct maui_config *config)
{
	struct json_object *report = maui_report_config(config);
	struct json_object *values = member_array(report, "values");
	char *text;

	for (size_t i = 0; i < array_size(values); i++)
		json_object_object_del(json_object_array_get_idx(values, i), "origin");
	text = text_copy(json_object_to_json_string_ext(values, JSON_C_TO_STRING_PLAIN));
	json_object_put(report);
	return text;
}

const struct replay_side *same_files_first(const struct replay_report *report, size_t side)
{
	const char *values = report->side[side].values;

	for (size_t i = 0; values && i < side; i++)
		if (report->side[i].values && !strcmp(report->side[i].values, values))
			return &report->side[i];
	return NULL;
}
