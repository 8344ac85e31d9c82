/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describes a node as NODEALLOCATIONPOLICY ranks it. */
#include "common/replay/state/site_candidates.h"

#include <string.h>

static void candidate_fill_gres(const struct site_nodes *nodes, uint32_t node,
				struct maui_node_gres_amounts *amounts)
{
	const struct maui_replay_node *record = &nodes->nodes->nodes[node];

	memset(amounts, 0, sizeof(*amounts));
	for (uint32_t i = 0; i < record->gres_count; i++) {
		uint32_t which = record->gres[i].gres - 1;
		uint64_t left = nodes->room.units[(size_t)node * nodes->gres + which];

		for (unsigned int name = 0; name < MAUI_GRES_NAMES; name++)
			if (nodes->formula_gres[name] >> which & 1) {
				amounts->configured[name] += record->gres[i].count;
				amounts->used[name] += record->gres[i].count - left;
			}
	}
}

void site_candidates_offer(struct site_nodes *nodes, uint32_t node, uint32_t capacity)
{
	const struct maui_replay_node *record = &nodes->nodes->nodes[node];
	uint32_t at = nodes->candidate_count++, busy = record->cpus - nodes->room.cpus[node];
	int64_t free_memory = record->memory ? nodes->room.memory[node] : 0;

	nodes->order[at] = node;
	nodes->capacity[at] = capacity;
	nodes->candidates[at] = (struct maui_node_candidate){
		.settings = nodes->settings[node],
		.name = record->name,
		.affinity = (enum maui_affinity)nodes->affinity[node],
		.position = node,
		.tasks = capacity,
		.available_until = nodes->until[node],
		.procs = record->cpus,
		.memory = (double)record->memory,
		.dedicated_procs = busy,
		.available_memory = (double)free_memory,
		.load = busy, /* jobs keep busy what they hold */
		.jobs = nodes->jobs[node],
	};
	if (nodes->candidate_gres) {
		candidate_fill_gres(nodes, node, &nodes->candidate_gres[at]);
		nodes->candidates[at].gres = &nodes->candidate_gres[at];
	}
}

enum maui_nodealloc_list site_candidates_list(const struct site_nodes *nodes,
					      const struct maui_replay_request *request)
{
	return nodes->holds.count ? MAUI_LIST_NONE : nodes->list[request->set];
}

void site_candidates_offer_to(struct site_nodes *nodes, const struct maui_replay_request *request,
			      uint32_t node, uint32_t capacity)
{
	if (site_candidates_list(nodes, request) == MAUI_LIST_NONE) {
		site_candidates_offer(nodes, node, capacity);
		return;
	}
	nodes->order[nodes->candidate_count] = node;
	nodes->capacity[nodes->candidate_count++] = capacity;
}
