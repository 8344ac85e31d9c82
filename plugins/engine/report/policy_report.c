/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Renders as JSON the path of maui.cfg, its faults, and the users and groups
 * for which the name service has no answer.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/report/policy_report.h"

#include "common/report/json.h"
#include "common/report/report_faults.h"
#include "plugins/engine/policy/in_force.h"

ENGINE_LOCKED static void add_faults(struct json_object *object, bool with_lines)
{
	json_set_text(object, "source", maui_policy_source_name(in_force.policy->source));
	json_set(object, "refused", maui_report_faults(in_force.refused, with_lines));
	json_set(object, "left_out", maui_report_faults(in_force.policy->left_out, with_lines));
	json_set(object, "unknown", maui_report_faults(in_force.policy->unknown, with_lines));
}

struct json_object *policy_report(bool with_lines)
{
	struct json_object *object = json_make_object();

	json_set_text(object, "path", maui_config_path(in_force.policy->config));
	json_set_number(object, "loaded", in_force.policy->loaded);
	add_faults(object, with_lines);
	json_set_number(object, "readings", in_force.readings);
	json_set_flag(object, "reading", in_force.reading);
	return object;
}

static void add_name(void *context, const char *name, enum maui_answer answer)
{
	struct json_object *one = json_make_object();

	json_set_text(one, "name", name);
	json_set_flag(one, "kept", answer == MAUI_ANSWER_KEPT);
	json_append(context, one);
}

ENGINE_LOCKED static size_t unanswered(void)
{
	return maui_principals_unanswered(in_force.principals, MAUI_USER) +
	       maui_principals_unanswered(in_force.principals, MAUI_GROUP);
}

struct json_object *names_report(bool with_names)
{
	static const char *const lists[] = {[MAUI_USER] = "users", [MAUI_GROUP] = "groups"};
	struct json_object *object = json_make_object();

	json_set_number(object, "unanswered", (int64_t)unanswered());
	for (int type = MAUI_USER; with_names && type <= MAUI_GROUP; type++) {
		struct json_object *list = json_make_array();

		maui_principals_each_unanswered(in_force.principals, (enum maui_credential)type,
						add_name, list);
		json_set(object, lists[type], list);
	}
	return object;
}

struct json_object *policy_report_trouble(bool with_lines)
{
	struct json_object *object;

	if (!in_force.refused && !in_force.policy->left_out && !unanswered())
		return NULL;
	object = json_make_object();
	add_faults(object, with_lines);
	if (unanswered())
		json_set(object, "names", names_report(false));
	return object;
}
