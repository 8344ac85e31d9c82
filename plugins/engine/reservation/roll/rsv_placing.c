/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes the copied nodes and reservations of rsv_world to
 * maui_sr_placing_step(), and converts each placement to a node bitmap.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/roll/rsv_placing.h"

#include <errno.h>
#include <stdlib.h>

#include "common/policy/reservation/sr_placing.h"
#include "common/util/memory.h"
#include "plugins/engine/reservation/roll/rsv_ranks.h"

struct rsv_placing {
	const struct rsv_world *world;
	struct maui_sr_world view;
	struct rsv_ranks *ranks;
	bitstr_t *nodes; /* where the current reservation is placed */
	struct maui_sr_placing *placing;
};

struct rsv_placing *rsv_placing_free(struct rsv_placing *placing)
{
	if (!placing)
		return NULL;
	maui_sr_placing_free(placing->placing);
	rsv_ranks_free(placing->ranks);
	FREE_NULL_BITMAP(placing->nodes);
	free(placing);
	return NULL;
}

static const uint32_t *placing_rank(void *context, const struct maui_sr *sr, bool immediate)
{
	return rsv_ranks_for(context, sr, immediate);
}

static struct maui_sr_world view_of(const struct rsv_world *world)
{
	return (struct maui_sr_world){
		.now = world->now,
		.count = world->count,
		.nodes = world->nodes,
		.names = world->names,
		.passed = world->passed,
		.cores = world->cores,
		.holds = world->holds,
		.hold_count = world->hold_count,
		.existing_count = world->there_count,
	};
}

struct rsv_placing *rsv_placing_new(const struct rsv_world *world, const struct maui_sr *list,
				    size_t list_size)
{
	struct rsv_placing *placing = maui_calloc(1, sizeof(*placing));
	struct maui_sr_ranker ranker = {.rank = placing_rank};

	placing->world = world;
	placing->view = view_of(world);
	placing->ranks = rsv_ranks_new(world);
	ranker.context = placing->ranks;
	placing->placing = maui_sr_placing_new(&placing->view, list, list_size, &ranker);
	return placing;
}

static struct maui_sr_there there_of(const struct rsv_there *there)
{
	return (struct maui_sr_there){.start = there->start,
				      .end = there->end,
				      .parts = there->parts,
				      .count = there->part_count};
}

void rsv_placing_see(struct rsv_placing *placing, size_t i, uint32_t sr)
{
	struct maui_sr_there there = there_of(&placing->world->there[i]);

	maui_sr_placing_see(placing->placing, (uint32_t)i, &there, sr);
}

/* The placed nodes, in Slurm's form. NULL if there are none. */
static bitstr_t *nodes_of(struct rsv_placing *placing, const struct maui_sr_placement *placement)
{
	if (!placement->count)
		return NULL;
	if (placing->nodes)
		bit_clear_all(placing->nodes);
	else
		placing->nodes = bit_alloc(placing->world->count);
	for (size_t i = 0; i < placement->count; i++)
		bit_set(placing->nodes, placement->shares[i].node);
	return placing->nodes;
}

void rsv_placing_step(struct rsv_placing *placing, const struct maui_sr_step *step,
		      struct maui_sr_placement *ret_placement, bitstr_t **ret_nodes,
		      const uint32_t **ret_cores)
{
	struct maui_sr_there there = {.count = 0};

	if (step->existing != MAUI_SR_NO_INDEX)
		there = there_of(&placing->world->there[step->existing]);
	maui_sr_placing_step(placing->placing, step, &there, ret_placement, ret_cores);
	*ret_nodes = nodes_of(placing, ret_placement);
}
