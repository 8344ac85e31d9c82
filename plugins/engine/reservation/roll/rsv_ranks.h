/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order in which nodes are taken for floating reservations, for one roll: D-RSV-15. */
#ifndef MAUI_ENGINE_RSV_RANKS_H
#define MAUI_ENGINE_RSV_RANKS_H

#include "common/policy/reservation/sr_settings.h"
#include "plugins/engine/reservation/roll/rsv_world.h"

struct rsv_ranks;

struct rsv_ranks *rsv_ranks_new(const struct rsv_world *world);
struct rsv_ranks *rsv_ranks_free(struct rsv_ranks *ranks); /* accepts NULL */

/*
 * Ranks by node, the lowest first. immediate: the instance begins now. If the
 * policy chooses a set, as CONTIGUOUS does, the set consists of nodes that are
 * up and suit the reservation. NULL: no ranking, because Slurm's nodes have
 * changed meanwhile (the next roll sees them) or there is no policy to rank by.
 * Valid until the next call. No lock held; takes job and node read locks.
 */
const uint32_t *rsv_ranks_for(struct rsv_ranks *ranks, const struct maui_sr *sr, bool immediate);

#endif
