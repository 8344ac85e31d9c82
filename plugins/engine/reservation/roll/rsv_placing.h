/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places the instances of a roll one after the other: sr_place.h, applied to Slurm's records. */
#ifndef MAUI_ENGINE_RSV_PLACING_H
#define MAUI_ENGINE_RSV_PLACING_H

#include "common/policy/reservation/sr_place.h"
#include "common/policy/reservation/sr_plan.h"
#include "plugins/engine/reservation/roll/rsv_world.h"

struct rsv_placing;

/* The world and the list must outlive it. */
struct rsv_placing *rsv_placing_new(const struct rsv_world *world, const struct maui_sr *list,
				    size_t list_size);
struct rsv_placing *rsv_placing_free(struct rsv_placing *placing); /* accepts NULL */

/* Before the first step: world->there[i] is an instance of this standing reservation, and holds its
 * nodes until it is placed. */
void rsv_placing_see(struct rsv_placing *placing, size_t i, uint32_t sr);

/*
 * Place the instance of a step, which from then on holds what it got. step->existing is its index
 * in world->there. *ret_nodes: the nodes, NULL if it gets none. *ret_cores: the number of cores by
 * node; NULL: whole nodes. Both are valid until the next step.
 */
void rsv_placing_step(struct rsv_placing *placing, const struct maui_sr_step *step,
		      struct maui_sr_placement *ret_placement, bitstr_t **ret_nodes,
		      const uint32_t **ret_cores);

#endif
