/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contribs/maui/queue/machine_use.h"

#include <stddef.h>
#include <string.h>

#include "contribs/maui/lib/output.h"

#define MAX_COUNT (INT64_C(1) << 40)

bool has_item(struct json_object *array, struct maui_item item)
{
	for (size_t i = 0; i < array_size(array); i++) {
		struct json_object *one = json_object_array_get_idx(array, i);

		if (json_object_is_type(one, json_type_string) &&
		    maui_item_is(item, json_object_get_string(one)))
			return true;
	}
	return false;
}

bool has_text(struct json_object *array, const char *text)
{
	return has_item(array, (struct maui_item){text, strlen(text)});
}

int64_t count_of(struct json_object *record, const char *name)
{
	int64_t count = member_integer(record, name);

	return count < 0 ? 0 : count > MAX_COUNT ? MAX_COUNT : count;
}

bool node_has_flag(struct json_object *node, const char *flag)
{
	return has_text(member_array(node, "flags"), flag);
}

bool node_is_in(struct json_object *node, const char *partition)
{
	return has_text(member_array(node, "partitions"), partition);
}

bool node_is_up(struct json_object *node)
{
	static const char *const up[] = {"IDLE", "MIXED", "ALLOCATED"};
	static const char *const closed[] = {"DRAIN", "FAIL", "NOT_RESPONDING", "INVALID_REG"};
	const char *state = member_text(node, "state");
	bool is_up = false;

	for (size_t i = 0; i < sizeof(up) / sizeof(up[0]); i++)
		is_up |= !strcmp(state, up[i]);
	if (!is_up || count_of(node, "allocated_procs"))
		return is_up;
	for (size_t i = 0; i < sizeof(closed) / sizeof(closed[0]); i++)
		if (node_has_flag(node, closed[i]))
			return false;
	return true;
}

struct machine_use machine_use(struct json_object *queue, const char *partition)
{
	struct json_object *nodes = member_array(queue, "nodes");
	struct machine_use use = {0};

	for (size_t i = 0; i < array_size(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);
		int64_t active = count_of(node, "allocated_procs");

		if (!node_is_up(node) || (partition && !node_is_in(node, partition)))
			continue;
		use.nodes++;
		use.procs += count_of(node, "procs");
		use.memory += count_of(node, "memory");
		use.disk += count_of(node, "disk");
		use.active_procs += active;
		use.active_nodes += active > 0;
		gres_add_node(&use.gres, node);
	}
	return use;
}
