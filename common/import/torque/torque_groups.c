/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who may use a queue. Slurm's partitions have groups and no users: a list of users is a group that
 * the administrator makes. A list that cannot be said never opens a partition to all.
 */
#include <string.h>

#include "common/import/torque/torque_private.h"
#include "common/util/text.h"

static bool groups_name(const char *name, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (!maui_is_name(name[i]) && (name[i] != '-' || !i))
			return false;
	return size > 0;
}

/* The words of a list that are names, without @host and +; the others are told. */
static const char *groups_list(const struct maui_torque_object *queue,
			       const struct maui_torque_attribute *list,
			       struct maui_torque_result *result)
{
	const char *names = "";

	for (const char *at = list ? list->value : ""; *at;) {
		size_t size = strcspn(at, ","), plus = *at == '+';
		size_t length = strcspn(at + plus, ",@");

		if (!groups_name(at + plus, length))
			maui_torque_remark(result, queue, list, MAUI_IMPORT_LOST,
					   "a partition cannot have %.*s: exceptions and wildcards "
					   "are for a job_submit plugin",
					   (int)size, at);
		else
			names = maui_import_text(&result->import, "%s%s%.*s", names,
						 *names ? "," : "", (int)length, at + plus);
		if (plus + length < size && groups_name(at + plus, length))
			maui_torque_remark(result, queue, list, MAUI_IMPORT_OTHER,
					   "the host of %.*s does not count", (int)size, at);
		at += size + (at[size] == ',');
	}
	return names;
}

static void groups_tell_idle(const struct maui_torque_object *queue, const char *name,
			     struct maui_torque_result *result)
{
	const struct maui_torque_attribute *list = maui_torque_get(queue, name);

	if (list)
		maui_torque_remark(result, queue, list, MAUI_IMPORT_STAYS,
				   "Torque does not look at it without acl_..._enable = True");
}

static const char *groups_own(const struct maui_torque_object *queue, const char *users,
			      const char *groups, struct maui_torque_result *result)
{
	const char *setting = maui_import_text(&result->import, "%s:%u: queue %s: acl_users",
					       queue->place.file, queue->place.line, queue->name);

	maui_import_remark(
		&result->import, MAUI_IMPORT_OTHER, setting,
		"AllowGroups has groups only, and nobody gets in before there is one: "
		"make the group torque-%s, where slurmctld looks groups up, of the users "
		"%s%s%s",
		queue->name, *users ? users : "that you let in",
		*groups ? ", as far as they are in " : "", groups);
	return maui_import_text(&result->import, "torque-%s", queue->name);
}

const char *maui_torque_groups(const struct maui_torque_object *queue,
			       struct maui_torque_result *result)
{
	bool of_users = maui_torque_is_true(queue, "acl_user_enable");
	bool of_groups = maui_torque_is_true(queue, "acl_group_enable");
	bool either = maui_torque_is_true(queue, "acl_logic_or");
	const char *users = "", *groups = "", *own;

	if (of_users)
		users = groups_list(queue, maui_torque_get(queue, "acl_users"), result);
	else
		groups_tell_idle(queue, "acl_users", result);
	if (of_groups)
		groups = groups_list(queue, maui_torque_get(queue, "acl_groups"), result);
	else
		groups_tell_idle(queue, "acl_groups", result);
	if (!of_users && !of_groups)
		return NULL;
	if (!of_users && *groups)
		return groups;
	own = groups_own(queue, users, either ? "" : groups, result);
	return either && *groups ? maui_import_text(&result->import, "%s,%s", own, groups) : own;
}
