/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes a job's GRES by node and type: from gres_bit_select, for whole nodes
 * from the node's record, before a choice from the request.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/gres_chosen.h"

#include "common/util/slurm/gres.h"

struct chosen {
	gres_chosen_found found;
	void *context;
	const job_record_t *job;
	int node;                    /* that is looked at, by Slurm's index */
	ListForF of_request;         /* what a request of the job gets there */
	const gres_state_t *of_node; /* its GRES that requests count of; NULL: all */
};

static void gres_chosen_tell(const struct chosen *chosen, uint32_t plugin_id, uint32_t type_id,
			     uint64_t amount)
{
	if (amount)
		chosen->found(chosen->context, plugin_id, type_id, amount);
}

/* ---- what was chosen for its requests -------------------------------------------------------- */

/* How many units those of its devices on a node have that are among some. */
static uint64_t units_among(const gres_job_state_t *request, const gres_state_t *state, int node,
			    bitstr_t *some)
{
	bitstr_t *bits = request->gres_bit_select[node];
	uint64_t devices = (uint64_t)bit_overlap(bits, some);
#if COMPAT_FROM(23, 11)
	const uint64_t *units =
		request->gres_per_bit_select ? request->gres_per_bit_select[node] : NULL;
	uint64_t sum = 0;

	if (!units || !gres_id_shared(state->config_flags))
		return devices;
	for (bitoff_t i = 0; i < bit_size(bits); i++)
		if (bit_test(bits, i) && bit_test(some, i))
			sum += units[i];
	return sum;
#else
	return devices * (gres_id_shared(state->config_flags) ? request->gres_per_node : 1);
#endif
}

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
	return bits ? units_among(request, state, node, bits) : 0;
}

/* What the node has of a request's GRES; NULL: none. */
static const gres_node_state_t *node_of(const struct chosen *chosen, const gres_state_t *state)
{
	const node_record_t *record = node_record_table_ptr[chosen->node];
	uint32_t plugin_id = state->plugin_id;
	const gres_state_t *of_node = chosen->of_node;

	if (!of_node && record->gres_list)
		of_node = list_find_first(record->gres_list, gres_find_id, &plugin_id);
	return of_node ? of_node->gres_data : NULL;
}

/* Of a request without a type, where the node's devices have some. Returns how many have none. */
static uint64_t tell_types(const struct chosen *chosen, const gres_state_t *state, uint64_t amount)
{
	const gres_job_state_t *request = state->gres_data;
	const gres_node_state_t *node = node_of(chosen, state);
	bitstr_t *bits;

	if (!node || !node->topo_gres_bitmap || !node->topo_type_id || !request->gres_bit_select ||
	    (uint32_t)chosen->node >= request->total_node_cnt)
		return amount;
	bits = request->gres_bit_select[chosen->node];
	for (uint16_t i = 0; bits && i < node->topo_cnt; i++) {
		uint64_t some;

		if (!node->topo_type_id[i] || !node->topo_gres_bitmap[i] ||
		    bit_size(node->topo_gres_bitmap[i]) != bit_size(bits))
			continue;
		some = units_among(request, state, chosen->node, node->topo_gres_bitmap[i]);
		some = some < amount ? some : amount;
		gres_chosen_tell(chosen, state->plugin_id, node->topo_type_id[i], some);
		amount -= some;
	}
	return amount;
}

/* Whether a request is of what is looked at. */
static bool gres_chosen_concerns(const struct chosen *chosen, const gres_state_t *state)
{
	return state->gres_data &&
	       (!chosen->of_node || chosen->of_node->plugin_id == state->plugin_id);
}

static int chosen_of_one(void *object, void *context)
{
	const gres_state_t *state = object;
	const gres_job_state_t *request = state->gres_data;
	const struct chosen *chosen = context;
	uint64_t amount;

	if (!gres_chosen_concerns(chosen, state))
		return 0;
	amount = amount_on(request, state, chosen->node);
	if (amount && !request->type_id)
		amount = tell_types(chosen, state, amount);
	if (amount)
		gres_chosen_tell(chosen, state->plugin_id, request->type_id, amount);
	return 0;
}

/* ---- the least that it takes, before any is chosen ------------------------------------------- */

static uint64_t gres_chosen_larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* It has a task and a socket at least, and on its only node all. */
static uint64_t least_of(const job_details_t *details, const gres_job_state_t *request)
{
	bool alone = details && details->max_nodes == 1;
	uint64_t tasks = 1, least;

	if (alone && details->num_tasks && details->num_tasks != NO_VAL)
		tasks = details->num_tasks;
	least = gres_chosen_larger(request->gres_per_node,
				   maui_gres_times(request->gres_per_task, tasks));
	least = gres_chosen_larger(least, request->gres_per_socket);
	if (request->gres_per_job)
		least = gres_chosen_larger(least, alone ? request->gres_per_job : 1);
	return least;
}

/* Of a request without a type: what the node's other types are too few for. Returns the rest. */
static uint64_t tell_least_types(const struct chosen *chosen, const gres_state_t *state,
				 uint64_t amount)
{
	const gres_node_state_t *node = node_of(chosen, state);
	uint64_t all = node ? node->gres_cnt_avail : 0, rest = amount;

	for (uint16_t i = 0; node && amount <= all && i < node->type_cnt; i++) {
		uint64_t others = all - node->type_cnt_avail[i];

		if (node->type_cnt_avail[i] > all || others >= amount)
			continue;
		gres_chosen_tell(chosen, state->plugin_id, node->type_id[i], amount - others);
		rest -= amount - others;
	}
	return rest;
}

static int least_of_one(void *object, void *context)
{
	const gres_state_t *state = object;
	const gres_job_state_t *request = state->gres_data;
	const struct chosen *chosen = context;
	uint64_t amount;

	if (!gres_chosen_concerns(chosen, state))
		return 0;
	amount = least_of(chosen->job->details, request);
	if (amount && !request->type_id)
		amount = tell_least_types(chosen, state, amount);
	gres_chosen_tell(chosen, state->plugin_id, request->type_id, amount);
	return 0;
}

/* ---- a whole node: all that it has ----------------------------------------------------------- */

#if COMPAT_FROM(23, 11)
static bool is_asked_for(const struct chosen *chosen, uint32_t plugin_id)
{
	list_t *requests = chosen->job->gres_list_req;

	return requests && list_find_first(requests, gres_find_id, &plugin_id);
}

/* What is shared, such as shards of GPUs, and what shares it exclude each other. */
static bool goes_with_the_node(const struct chosen *chosen, const gres_state_t *state)
{
	const gres_node_state_t *node = state->gres_data;

	if (gres_id_shared(state->config_flags))
		return is_asked_for(chosen, state->plugin_id);
	return !node->alt_gres || !gres_id_sharing(state->plugin_id) ||
	       !is_asked_for(chosen, node->alt_gres->plugin_id);
}
#else
static bool goes_with_the_node(const struct chosen *chosen, const gres_state_t *state)
{
	(void)chosen;
	return !gres_id_shared(state->config_flags);
}
#endif

static int whole_of_one(void *object, void *context)
{
	const gres_state_t *state = object;
	const gres_node_state_t *node = state->gres_data;
	struct chosen *chosen = context;

	if (!node || node->no_consume || !goes_with_the_node(chosen, state))
		return 0;
#if COMPAT_FROM(23, 11)
	if (state->config_flags & GRES_CONF_EXPLICIT) { /* what is asked for, and no more */
		chosen->of_node = state;                /* the list that it is in is locked */
		if (chosen->job->gres_list_req)
			list_for_each_ro(chosen->job->gres_list_req, chosen->of_request, chosen);
		return 0;
	}
#endif
	for (uint16_t i = 0; i < node->type_cnt; i++)
		gres_chosen_tell(chosen, state->plugin_id, node->type_id[i],
				 node->type_cnt_avail[i]);
	if (!node->type_cnt)
		gres_chosen_tell(chosen, state->plugin_id, 0, node->gres_cnt_avail);
	return 0;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void look_at_node(struct chosen *chosen)
{
	const job_record_t *job = chosen->job;
	const node_record_t *node = node_record_table_ptr[chosen->node];

	chosen->of_node = NULL;
	if (!node)
		return;
	if (job->details && compat_wants_whole_nodes(job->details)) {
		if (node->gres_list)
			list_for_each_ro(node->gres_list, whole_of_one, chosen);
	} else if (job->gres_list_req) {
		list_for_each_ro(job->gres_list_req, chosen->of_request, chosen);
	}
}

bool gres_chosen_any(const job_record_t *job)
{
	return job->gres_list_req || (job->details && compat_wants_whole_nodes(job->details));
}

void gres_chosen_on(const job_record_t *job, uint32_t node, gres_chosen_found found, void *context)
{
	struct chosen chosen = {found, context, job, (int)node, chosen_of_one, NULL};

	look_at_node(&chosen);
}

void gres_least_on(const job_record_t *job, uint32_t node, gres_chosen_found found, void *context)
{
	struct chosen chosen = {found, context, job, (int)node, least_of_one, NULL};

	look_at_node(&chosen);
}

void gres_chosen_each(const job_record_t *job, gres_chosen_found found, void *context)
{
	const job_resources_t *held = job->job_resrcs;
	int last = held && held->node_bitmap ? (int)bit_fls(held->node_bitmap) : -1;

	if (!gres_chosen_any(job))
		return;
	for (int node = 0; node <= last; node++)
		if (bit_test(held->node_bitmap, node))
			gres_chosen_on(job, (uint32_t)node, found, context);
}
