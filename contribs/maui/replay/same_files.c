/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui.cfg files as their values after reading: comments and #INCLUDEs do not count, nor
 * the order of parameters. */
#include "contribs/maui/replay/same_files.h"

#include <stdlib.h>
#include <string.h>

#include "common/policy/policy.h"
#include "common/report/json.h"
#include "common/report/report.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/text.h"

/* The values that a file sets or leaves at their defaults, without where they stand in it;
 * malloc'ed. NULL: it is no file. */
static char *values_of(const struct replay_side *side)
{
	struct json_object *report, *values;
	char *text;

	if (!side->policy || side->multifactor)
		return NULL;
	report = maui_report_config(side->policy->config);
	values = member_array(report, "values");
	for (size_t i = 0; i < array_size(values); i++)
		json_object_object_del(json_object_array_get_idx(values, i), "origin");
	text = text_copy(json_object_to_json_string_ext(values, JSON_C_TO_STRING_PLAIN));
	json_object_put(report);
	return text;
}

void same_files_find(struct replay_report *report)
{
	char *values[MAX_SIDES];

	if (report->count < 2)
		return;
	for (size_t i = 0; i < report->count; i++) {
		struct replay_side *side = &report->side[i];

		values[i] = values_of(side);
		for (size_t j = 0; values[i] && !side->same_as && j < i; j++)
			if (values[j] && !strcmp(values[j], values[i]))
				side->same_as = report->side[j].name;
	}
	for (size_t i = 0; i < report->count; i++)
		free(values[i]);
}
