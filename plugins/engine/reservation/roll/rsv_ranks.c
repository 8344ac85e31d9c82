/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Caches ranks of node_order_for_reservation() by policy. CONTIGUOUS and
 * MAXBALANCE choose a set of nodes, so they are ranked anew for each
 * reservation.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/roll/rsv_ranks.h"

#include <stdlib.h>

#include "common/policy/reservation/sr_place.h"
#include "common/util/memory.h"
#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/slurm/noderec.h"

struct rsv_ranks {
	const struct rsv_world *world;
	/* By policy and immediate, for policies that put all nodes in one order. */
	uint32_t *known[MAUI_NODEALLOC_POLICIES][2];
	uint32_t *chosen; /* other policies: for the current reservation */
};

struct rsv_ranks *rsv_ranks_new(const struct rsv_world *world)
{
	struct rsv_ranks *ranks = maui_calloc(1, sizeof(*ranks));

	ranks->world = world;
	return ranks;
}

struct rsv_ranks *rsv_ranks_free(struct rsv_ranks *ranks)
{
	if (!ranks)
		return NULL;
	for (size_t i = 0; i < MAUI_NODEALLOC_POLICIES; i++) {
		free(ranks->known[i][false]);
		free(ranks->known[i][true]);
	}
	free(ranks->chosen);
	free(ranks);
	return NULL;
}

static bool chooses_a_set(enum maui_nodealloc_policy policy)
{
	return policy == MAUI_CONTIGUOUS || policy == MAUI_MAXBALANCE;
}

/* Only nodes that suit sr; NULL: all. */
static bitstr_t *candidates_of(const struct rsv_world *world, const struct maui_sr *sr)
{
	bitstr_t *nodes = bit_alloc(world->count);

	for (uint32_t i = 0; i < world->count; i++)
		if (*world->names[i] &&
		    (!sr || (world->nodes[i].up && maui_sr_suits(sr, &world->nodes[i]))))
			bit_set(nodes, i);
	return nodes;
}

/* Fills *ranked, allocating it if NULL. */
static bool rsv_ranks_rank(const struct rsv_ranks *ranks, const struct maui_sr *sr, bool chosen,
			   bool immediate, uint32_t **ranked)
{
	slurmctld_lock_t job_node_read = {.job = READ_LOCK, .node = READ_LOCK};
	uint32_t count = ranks->world->count;
	bitstr_t *nodes;
	bool done = false;

	if (!count)
		return false;
	if (!*ranked)
		*ranked = maui_malloc(count, sizeof(**ranked));
	for (uint32_t i = 0; i < count; i++)
		(*ranked)[i] = UINT32_MAX;
	nodes = candidates_of(ranks->world, chosen ? sr : NULL);
	lock_slurmctld(job_node_read);
	if (noderec_table() == ranks->world->table && noderec_count() == count)
		done = node_order_for_reservation(sr, nodes, immediate, *ranked);
	unlock_slurmctld(job_node_read);
	FREE_NULL_BITMAP(nodes);
	return done;
}

const uint32_t *rsv_ranks_for(struct rsv_ranks *ranks, const struct maui_sr *sr, bool immediate)
{
	enum maui_nodealloc_policy policy = node_order_policy_of(sr);
	uint32_t **known = &ranks->known[policy][immediate];

	if (chooses_a_set(policy))
		return rsv_ranks_rank(ranks, sr, true, immediate, &ranks->chosen) ? ranks->chosen
										  : NULL;
	if (!*known && !rsv_ranks_rank(ranks, sr, false, immediate, known)) {
		free(*known);
		*known = NULL;
	}
	return *known;
}
