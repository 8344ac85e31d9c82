/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads configured and allocated amounts from gres_node_state_t, by name and
 * type. A node's only type gets the node's whole allocated amount.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/noderec_gres.h"

#include <stdio.h>
#include <string.h>

void noderec_gres_bind(const struct maui_node_gres *names, struct noderec_gres *ret_gres)
{
	*ret_gres = (struct noderec_gres){.count = names->count};
	for (uint32_t i = 0; i < names->count; i++)
		ret_gres->names[i] = gres_id_of(names->name[i]);
}

struct look {
	const struct noderec_gres *gres;
	struct maui_node_gres_amounts *amounts;
};

/*
 * Slurm counts what is given of a type only where it knows the type: with files in gres.conf, or by
 * the request. Of a node's only type everything is.
 */
static void look_at_type(const gres_node_state_t *node, uint32_t type, uint64_t *ret_configured,
			 uint64_t *ret_used)
{
	uint64_t configured = 0, used = 0;

	for (uint16_t i = 0; i < node->type_cnt; i++) {
		if (node->type_id[i] != type)
			continue;
		configured = maui_gres_plus(configured, node->type_cnt_avail[i]);
		used = maui_gres_plus(used, node->type_cnt == 1 ? node->gres_cnt_alloc
								: node->type_cnt_alloc[i]);
	}
	*ret_configured = configured;
	*ret_used = used;
}

static int look_at_one(void *object, void *context)
{
	const gres_state_t *state = object;
	const gres_node_state_t *node = state->gres_data;
	const struct look *look = context;

	for (uint32_t i = 0; node && i < look->gres->count; i++) {
		const struct gres_id *name = &look->gres->names[i];

		if (name->plugin_id != state->plugin_id)
			continue;
		if (name->typed) {
			look_at_type(node, name->type_id, &look->amounts->configured[i],
				     &look->amounts->used[i]);
		} else {
			look->amounts->configured[i] = node->gres_cnt_avail;
			look->amounts->used[i] = node->gres_cnt_alloc;
		}
	}
	return 0;
}

void noderec_gres_look(const node_record_t *node, const struct noderec_gres *gres,
		       struct maui_node_gres_amounts *ret_amounts)
{
	struct look look = {gres, ret_amounts};

	*ret_amounts = (struct maui_node_gres_amounts){0};
	if (node->gres_list)
		list_for_each_ro(node->gres_list, look_at_one, &look);
}

/* ---- all of them ---- */

struct each {
	noderec_gres_found found;
	void *context;
};

/* Types may be in several lines of gres.conf: each is told once. */
static void each_type(const struct each *each, const char *name, const gres_node_state_t *node)
{
	for (uint16_t i = 0; i < node->type_cnt; i++) {
		char typed[2 * MAUI_GRES_NAME_SIZE];
		uint64_t configured, used;
		uint16_t first = 0;

		while (node->type_id[first] != node->type_id[i])
			first++;
		if (first < i || !node->type_name[i])
			continue;
		look_at_type(node, node->type_id[i], &configured, &used);
		snprintf(typed, sizeof(typed), "%s:%s", name, node->type_name[i]);
		if (configured)
			each->found(each->context, typed, configured, used);
	}
}

static int each_one(void *object, void *context)
{
	const gres_state_t *state = object;
	const gres_node_state_t *node = state->gres_data;
	const struct each *each = context;

	if (!node || !state->gres_name || !node->gres_cnt_avail)
		return 0;
	each->found(each->context, state->gres_name, node->gres_cnt_avail, node->gres_cnt_alloc);
	each_type(each, state->gres_name, node);
	return 0;
}

void noderec_gres_each(const node_record_t *node, noderec_gres_found found, void *context)
{
	struct each each = {found, context};

	if (node->gres_list)
		list_for_each_ro(node->gres_list, each_one, &each);
}
