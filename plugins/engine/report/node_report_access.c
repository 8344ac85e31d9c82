/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who gets into the reservations of a node: to Slurm, ours are for root alone;
 * their access lists are maui.cfg's. */
#include "plugins/compat/base.h"

#include "plugins/engine/report/node_report_access.h"

#include <string.h>

#include "plugins/engine/report/report_json.h"
#include "plugins/engine/report/rsv_copy.h"

static const struct rsv_copy_row *node_access_row(const struct rsv_copy *copy, const char *name)
{
	for (size_t i = 0; i < copy->count; i++)
		if (!strcmp(copy->rows[i].name, name))
			return &copy->rows[i];
	return NULL;
}

/* standing == NULL: maui.cfg no longer has it. */
static void node_access_add_list(struct json_object *object,
				 const struct rsv_copy_standing *standing)
{
	const struct maui_sr_value *lists = standing ? rsv_copy_acl(standing) : NULL;
	struct json_object *acl = json_make_array();

	for (size_t i = 0; lists && i < lists->strings.count; i++)
		json_append_text(acl, lists->strings.items[i]);
	json_set_text(object, "standing", standing ? standing->name : NULL);
	json_set(object, "acl", acl);
	json_set_number(object, "acl_omitted", lists ? lists->omitted : 0);
}

static void node_access_add(struct json_object *object, const struct rsv_copy *copy)
{
	struct json_object *name;
	const struct rsv_copy_row *row;

	if (!json_object_object_get_ex(object, "name", &name) || !name)
		return;
	row = node_access_row(copy, json_object_get_string(name));
	json_set_flag(object, "ours", row && row->ours);
	if (!row || !row->ours)
		return;
	node_access_add_list(object, row->standing < copy->standing_count
					     ? &copy->standing[row->standing]
					     : NULL);
	json_set_flag(object, "open", row->open);
}

const char *node_report_add_access(struct json_object *reservations)
{
	size_t count = json_object_array_length(reservations);
	struct rsv_copy copy;
	const char *wrong;

	if (!count)
		return NULL;
	wrong = rsv_copy_take(&copy);
	for (size_t i = 0; !wrong && i < count; i++)
		node_access_add(json_object_array_get_idx(reservations, i), &copy);
	rsv_copy_clear(&copy);
	return wrong;
}
