/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A case of the area sr_instances, as it is given. */
#include <stdio.h>
#include <string.h>

#include "testsuite/vectors/instance_reading.h"
#include "testsuite/vectors/lines.h"

static bool read_nodes(struct check *check, struct json_object *list, struct instance_case *ret)
{
	static const char *const known[] = {"disk",  "features", "mem", "name",
					    "procs", "swap",     NULL};

	if (!json_object_is_type(list, json_type_array) ||
	    json_object_array_length(list) > INSTANCE_NODES) {
		check_fail(check, "nodes", "no list of up to %d", INSTANCE_NODES);
		return false;
	}
	ret->node_count = json_object_array_length(list);
	for (size_t i = 0; i < ret->node_count; i++) {
		struct json_object *node = json_object_array_get_idx(list, i);

		check_members(check, node, known);
		ret->nodes[i] = (struct instance_node){
			member_text(node, "name"), member_text(node, "features"),
			member_number(node, "procs", 0), member_number(node, "mem", 0)};
		if (!ret->nodes[i].name || !ret->nodes[i].features) {
			check_fail(check, "nodes", "a node without name or features");
			return false;
		}
	}
	return true;
}

static void read_names(struct instance_case *ret)
{
	for (size_t i = 0; i < lines_count(ret->cfg); i++) {
		const char *open = strchr(lines_at(ret->cfg, i), '[');
		char name[24];
		size_t known = 0;

		if (!open || sscanf(open, "[%23[^]]]", name) != 1)
			continue;
		while (known < ret->sr_count && strcmp(ret->srs[known], name) != 0)
			known++;
		if (known == ret->sr_count && known < INSTANCE_SRS)
			memcpy(ret->srs[ret->sr_count++], name, sizeof(name));
	}
}

bool instance_case_read(struct check *check, struct json_object *object, struct instance_case *ret)
{
	struct json_object *steps = member(object, "steps");

	*ret = (struct instance_case){.cfg = member(object, "cfg")};
	if (!read_nodes(check, member(object, "nodes"), ret))
		return false;
	read_names(ret);
	if (!json_object_is_type(steps, json_type_array) ||
	    json_object_array_length(steps) != INSTANCE_STEPS) {
		check_fail(check, "steps", "not %d of them", INSTANCE_STEPS);
		return false;
	}
	for (size_t i = 0; i < INSTANCE_STEPS; i++)
		ret->now[i] = json_object_get_int64(
			json_object_array_get_idx(json_object_array_get_idx(steps, i), 1));
	return true;
}
