/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up processors, memory, disk and GRES of the nodes that are up;
 * maui_node_use() evaluates a node's state and flags.
 */
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

enum maui_node_use node_use(struct json_object *node)
{
	const char *base = member_text(node, "state");
	struct json_object *flags = member_array(node, "flags");
	uint32_t state = maui_node_state(base, strlen(base));

	for (size_t i = 0; i < array_size(flags); i++) {
		struct json_object *flag = json_object_array_get_idx(flags, i);

		if (json_object_is_type(flag, json_type_string))
			state |= maui_node_state(json_object_get_string(flag),
						 (size_t)json_object_get_string_len(flag));
	}
	return maui_node_use(state);
}

bool node_takes_jobs(struct json_object *node)
{
	enum maui_node_use use = node_use(node);

	return use == MAUI_NODE_USABLE || use == MAUI_NODE_POWERS_UP || use == MAUI_NODE_MAINT;
}

bool node_is_up(struct json_object *node)
{
	const char *base = member_text(node, "state");

	if (node_takes_jobs(node) || node_use(node) == MAUI_NODE_POWERS_DOWN)
		return true;
	/* What it runs goes on. */
	return count_of(node, "allocated_procs") &&
	       maui_node_use(maui_node_state(base, strlen(base))) == MAUI_NODE_USABLE;
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
