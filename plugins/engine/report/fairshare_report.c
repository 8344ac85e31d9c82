/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies windows, usage and FSTARGET of each credential under the mutex, and
 * renders them as JSON without it. PrivateData=usage leaves users only their
 * own row.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/report/fairshare_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/config/default_name.h"
#include "common/report/json.h"
#include "common/report/report_fairshare.h"
#include "common/util/arena.h"
#include "common/util/memory.h"
#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/runtime/runtime.h"

/* A copy that outlives the mutex: rendering takes longer than copying. */
struct copy {
	struct maui_report_fairshare report;
	struct maui_report_fsrow *rows[MAUI_CREDENTIALS];
	struct maui_arena *names;
	int64_t counted;
	char *directory, *missing;
};

ENGINE_LOCKED static const struct maui_value *own_target(enum maui_credential type,
							 const char *name)
{
	const struct maui_config *config = in_force.policy->config;

	return maui_object_get(maui_config_object(config, maui_credential_section(type), name),
			       MAUI_ATTR_FSTARGET);
}

/* Digits in maui.cfg are the user or group of this name, if there is one, else the number. */
static bool is_digits(enum maui_credential type, const char *name)
{
	uint32_t number;

	return (type == MAUI_USER || type == MAUI_GROUP) && maui_principal_number(name, &number);
}

ENGINE_LOCKED static bool has_own_target(enum maui_credential type, uint32_t id, const char *name)
{
	return own_target(type, name) &&
	       (!is_digits(type, name) ||
		maui_names_of_configured(in_force.names, type, name) == id);
}

/* Every credential with a target in maui.cfg gets a row, seen or not. */
ENGINE_LOCKED static void name_targets(enum maui_credential type)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(in_force.policy->config, maui_credential_section(type),
					   &objects);

	for (size_t i = 0; i < count; i++) {
		const char *name = maui_object_name(objects[i]);

		if (!maui_object_get(objects[i], MAUI_ATTR_FSTARGET) || maui_is_default(name))
			continue;
		if (is_digits(type, name))
			maui_names_of_configured(in_force.names, type, name);
		else
			maui_names_of_name(in_force.names, type, name);
	}
}

ENGINE_LOCKED static const char *copy_name(struct copy *copy, enum maui_credential type,
					   uint32_t id)
{
	const char *label = maui_names_label(in_force.names, type, id);
	char number[16];

	if (!label) {
		snprintf(number, sizeof(number), "%" PRIu32,
			 maui_names_number(in_force.names, type, id));
		label = number;
	}
	return maui_arena_text(copy->names, label, strlen(label));
}

/* Whether PrivateData lets the asking user see this row. */
ENGINE_LOCKED static bool visible(const struct fairshare_filter *filter, enum maui_credential type,
				  uint32_t id)
{
	if (filter->sees_all || !(slurm_conf.private_data & PRIVATE_DATA_USAGE))
		return true;
	return type == MAUI_USER && maui_names_number(in_force.names, type, id) == filter->uid;
}

ENGINE_LOCKED static void copy_type(struct copy *copy, const struct fairshare_filter *filter,
				    const struct maui_fairshare *windows, enum maui_credential type)
{
	struct maui_priority_credential fallback;
	const struct maui_priority_credential *policy;
	struct maui_report_fsrow *rows;
	size_t count = 0;

	name_targets(type);
	policy = maui_names_tables(in_force.names).credential[type];
	rows = maui_calloc(maui_names_count(in_force.names, type) + 1, sizeof(*rows));
	copy->rows[type] = rows;
	copy->report.rows[type] = rows;
	for (uint32_t id = 1; id <= maui_names_count(in_force.names, type); id++) {
		const char *label = maui_names_label(in_force.names, type, id), *name;

		/* A name from a file or maui.cfg that has got a number since: the number's id has
		 * the row. */
		if (!visible(filter, type, id) ||
		    (label && maui_names_of_name(in_force.names, type, label) != id))
			continue;
		name = copy_name(copy, type, id);
		if (!(maui_fairshare_sum(windows, type, id) > 0) && !has_own_target(type, id, name))
			continue;
		maui_report_fsrow_fill(windows, type, id, name, &policy[id].fs_target,
				       &rows[count]);
		rows[count++].unnamed = !label;
	}
	if (own_target(type, "DEFAULT")) {
		maui_priority_credential(in_force.policy->priority, type, "DEFAULT", &fallback);
		maui_report_fsrow_fill(windows, type, MAUI_NO_CREDENTIAL, "DEFAULT",
				       &fallback.fs_target, &rows[count++]);
	}
	copy->report.count[type] = count;
}

ENGINE_LOCKED static void copy_windows(struct copy *copy, const struct fairshare_filter *filter)
{
	const struct maui_fairshare *windows = fairshare_windows(&copy->directory);

	if (fairshare_missing())
		copy->missing = maui_strdup(fairshare_missing());
	copy->counted = fairshare_counted();
	maui_fairshare_settings(in_force.policy->config, &copy->report.settings);
	if (!windows)
		return;
	maui_report_fairshare_fill(windows, &copy->report);
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		if (filter->type == MAUI_CREDENTIALS || filter->type == (enum maui_credential)type)
			copy_type(copy, filter, windows, type);
}

static struct json_object *fairshare_report_render(struct copy *copy)
{
	struct json_object *object;

	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		if (copy->report.count[type])
			qsort(copy->rows[type], copy->report.count[type], sizeof(*copy->rows[type]),
			      maui_report_fsrow_compare);
	object = maui_report_fairshare(&copy->report);
	json_set(object, "counted",
		 copy->counted == INT64_MIN ? NULL : json_make_number(copy->counted));
	json_set_text(object, "missing", copy->missing);
	json_set_text(object, "directory", copy->directory);
	json_set_flag(object, "enforced", select_is_loaded());
	return object;
}

struct json_object *fairshare_report(const struct fairshare_filter *filter)
{
	struct copy copy = {.names = maui_arena_new()};
	struct json_object *object;

	engine_lock();
	copy_windows(&copy, filter);
	engine_unlock();
	object = fairshare_report_render(&copy);
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		free(copy.rows[type]);
	free(copy.directory);
	free(copy.missing);
	maui_arena_free(copy.names);
	return object;
}
