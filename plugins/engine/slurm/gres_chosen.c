/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/gres_chosen.h"

struct chosen {
	gres_chosen_found found;
	void *context;
	int node; /* that is looked at, by Slurm's index */
};

static void tell(const struct chosen *chosen, uint32_t plugin_id, uint32_t type_id, uint64_t amount)
{
	if (amount)
		chosen->found(chosen->context, plugin_id, type_id, amount);
}

/* ---- a whole node: all that it has ----------------------------------------------------------- */

static int whole_of_one(void *object, void *context)
{
	const gres_state_t *state = object;
	const gres_node_state_t *node = state->gres_data;
	const struct chosen *chosen = context;

	if (!node || node->no_consume || gres_id_shared(state->config_flags))
		return 0;
	for (uint16_t i = 0; i < node->type_cnt; i++)
		tell(chosen, state->plugin_id, node->type_id[i], node->type_cnt_avail[i]);
	if (!node->type_cnt)
		tell(chosen, state->plugin_id, 0, node->gres_cnt_avail);
	return 0;
}

/* ---- what was chosen for its requests -------------------------------------------------------- */

/* As Slurm will count it when it gives it: the number first, then the devices. */
static uint64_t amount_on(const gres_job_state_t *request, const gres_state_t *state, int node)
{
	bitstr_t *bits;

	if (!request->total_node_cnt) /* not by select/cons_tres */
		return request->gres_per_node;
	if ((uint32_t)node >= request->total_node_cnt)
		return 0;
	if (request->gres_cnt_node_select && request->gres_cnt_node_select[node])
		return request->gres_cnt_node_select[node];
	bits = request->gres_bit_select ? request->gres_bit_select[node] : NULL;
	if (!bits)
		return 0;
	return (uint64_t)bit_set_count(bits) *
	       (gres_id_shared(state->config_flags) ? request->gres_per_node : 1);
}

/* Of a request without a type, where the node's devices have some. Returns how many have none. */
static uint64_t tell_types(const struct chosen *chosen, const gres_state_t *state, uint64_t amount)
{
	const gres_job_state_t *request = state->gres_data;
	const node_record_t *record = node_record_table_ptr[chosen->node];
	uint32_t plugin_id = state->plugin_id;
	const gres_state_t *of_node =
		record->gres_list ? list_find_first(record->gres_list, gres_find_id, &plugin_id)
				  : NULL;
	const gres_node_state_t *node = of_node ? of_node->gres_data : NULL;
	bitstr_t *bits;

	if (!node || !node->topo_gres_bitmap || !node->topo_type_id || !request->gres_bit_select ||
	    (uint32_t)chosen->node >= request->total_node_cnt ||
	    gres_id_shared(state->config_flags))
		return amount;
	bits = request->gres_bit_select[chosen->node];
	for (uint16_t i = 0; bits && i < node->topo_cnt; i++) {
		uint64_t some;

		if (!node->topo_type_id[i] || !node->topo_gres_bitmap[i] ||
		    bit_size(node->topo_gres_bitmap[i]) != bit_size(bits))
			continue;
		some = (uint64_t)bit_overlap(node->topo_gres_bitmap[i], bits);
		some = some < amount ? some : amount;
		tell(chosen, plugin_id, node->topo_type_id[i], some);
		amount -= some;
	}
	return amount;
}

static int request_of_one(void *object, void *context)
{
	const gres_state_t *state = object;
	const gres_job_state_t *request = state->gres_data;
	const struct chosen *chosen = context;
	uint64_t amount = request ? amount_on(request, state, chosen->node) : 0;

	if (amount && !request->type_id)
		amount = tell_types(chosen, state, amount);
	if (amount)
		tell(chosen, state->plugin_id, request->type_id, amount);
	return 0;
}

/* ---- all nodes ------------------------------------------------------------------------------- */

void gres_chosen_each(const job_record_t *job, gres_chosen_found found, void *context)
{
	struct chosen chosen = {found, context, 0};
	const job_resources_t *held = job->job_resrcs;
	bool whole = job->details && compat_wants_whole_nodes(job->details);
	int last = held && held->node_bitmap ? (int)bit_fls(held->node_bitmap) : -1;

	if (!whole && !job->gres_list_req)
		return;
	for (; chosen.node <= last; chosen.node++) {
		const node_record_t *node = node_record_table_ptr[chosen.node];

		if (!bit_test(held->node_bitmap, chosen.node) || !node)
			continue;
		if (!whole)
			list_for_each_ro(job->gres_list_req, request_of_one, &chosen);
		else if (node->gres_list)
			list_for_each_ro(node->gres_list, whole_of_one, &chosen);
	}
}
