/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where each instance of a roll goes, one after the other: sr_place.h, on what Slurm's records
 * say. */
#ifndef MAUI_ENGINE_RSV_PLACING_H
#define MAUI_ENGINE_RSV_PLACING_H

#include "common/policy/reservation/sr_place.h"
#include "common/policy/reservation/sr_plan.h"
#include "plugins/engine/reservation/rsv_world.h"

struct rsv_placing;

/* The world and the list must stay. NULL when memory is short. */
struct rsv_placing *rsv_placing_new(const struct rsv_world *world, const struct maui_sr *list,
				    size_t list_size);
struct rsv_placing *rsv_placing_free(struct rsv_placing *placing); /* accepts NULL */

/* Before the first step: world->there[i] is an instance of this standing reservation, and holds its
 * nodes until it is placed. 0, or -ENOMEM. */
int rsv_placing_see(struct rsv_placing *placing, size_t i, uint32_t sr);

/*
 * Places the instance of a step, which from then on holds what it got. step->existing is its place
 * in world->there. *ret_nodes: the nodes, NULL if it gets none. *ret_cores: by node, how many
 * cores, valid until the next step; NULL: whole nodes. 0, or -ENOMEM.
 */
int rsv_placing_step(struct rsv_placing *placing, const struct maui_sr_step *step,
		     struct maui_sr_placement *ret_placement, bitstr_t **ret_nodes,
		     const uint32_t **ret_cores, struct maui_error *error);

#endif
