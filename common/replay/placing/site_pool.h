/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A replay on a pool of processors. Slurm's plan knows nodes, so a pool is as many nodes of one
 * processor: each job has certain ones, and the plan keeps certain ones from others. D-RPL-6.
 */
#ifndef MAUI_REPLAY_SITE_POOL_H
#define MAUI_REPLAY_SITE_POOL_H

#include "common/replay/nodes/nodes.h"
#include "common/replay/state/site_replay.h"

/* The replay has nodes: it is NULL. */
void site_pool_open(struct site_replay *replay);
void site_pool_clear(struct site_replay *replay);

/* The lowest processors are chosen, until the next choice. False: too few are free. */
bool site_pool_fit(struct site_replay *replay, uint32_t procs);
/* A job begins on the chosen ones; and ends. */
void site_pool_take(struct site_replay *replay, struct site_running *run);
void site_pool_give(struct site_replay *replay, const struct site_running *run);

/* As their namesakes of site_nodes.h for nodes. */
void site_pool_plan_open(struct site_replay *replay);
bool site_pool_fits_now(const struct site_replay *replay, uint32_t job);
int64_t site_pool_earliest(struct site_replay *replay, uint32_t job);
/* start: what site_pool_earliest() has said. */
size_t site_pool_reserve(struct site_replay *replay, uint32_t job, int64_t start, int64_t begin,
			 int64_t end);
/* A job has begun in backfill. */
void site_pool_began(struct site_replay *replay, uint32_t job);

#endif
