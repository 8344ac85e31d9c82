/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks the job's gres_list_alloc and reports gres_cnt_node_alloc for each node
 * in its node_bitmap.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/gres_given.h"

struct given {
	gres_given_found found;
	void *context;
	bitstr_t *nodes; /* amounts are in their order, also after a resize */
};

static int given_of_one(void *object, void *context)
{
	const gres_state_t *state = object;
	const gres_job_state_t *of_job = state->gres_data;
	const struct given *given = context;
	int last = (int)bit_fls(given->nodes);
	uint32_t at = 0;

	if (!of_job || !of_job->gres_cnt_node_alloc)
		return 0;
	for (int node = 0; node <= last && at < of_job->node_cnt; node++) {
		uint64_t amount;

		if (!bit_test(given->nodes, node))
			continue;
		amount = of_job->gres_cnt_node_alloc[at++];
		if (amount && amount != NO_CONSUME_VAL64)
			given->found(given->context, (uint32_t)node, state->plugin_id,
				     of_job->type_id, amount);
	}
	return 0;
}

void gres_given_each(const job_record_t *job, gres_given_found found, void *context)
{
	const job_resources_t *held = job->job_resrcs;
	struct given given = {found, context, held ? held->node_bitmap : NULL};

	if (job->gres_list_alloc && given.nodes)
		list_for_each_ro(job->gres_list_alloc, given_of_one, &given);
}
