/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/base.h"

#include "plugins/engine/report/policy_report.h"

#include "common/report/faults.h"
#include "plugins/engine/policy/in_force.h"

ENGINE_LOCKED static void add_faults(struct json_object *object, bool with_lines)
{
	json_object_object_add(
		object, "source",
		json_object_new_string(maui_policy_source_name(in_force.policy->source)));
	json_object_object_add(object, "refused", maui_report_faults(in_force.refused, with_lines));
	json_object_object_add(object, "left_out",
			       maui_report_faults(in_force.policy->left_out, with_lines));
}

struct json_object *policy_report(bool with_lines)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "path",
			       json_object_new_string(maui_config_path(in_force.policy->config)));
	json_object_object_add(object, "loaded", json_object_new_int64(in_force.policy->loaded));
	add_faults(object, with_lines);
	json_object_object_add(object, "readings", json_object_new_int64(in_force.readings));
	json_object_object_add(object, "reading", json_object_new_boolean(in_force.reading));
	return object;
}

struct json_object *policy_report_trouble(bool with_lines)
{
	struct json_object *object;

	if (!in_force.refused && !in_force.policy->left_out)
		return NULL;
	object = json_object_new_object();
	add_faults(object, with_lines);
	return object;
}
