/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Those who may start, by priority. */
#ifndef MAUI_REPLAY_SITE_ORDER_H
#define MAUI_REPLAY_SITE_ORDER_H

#include "common/replay/state/site_replay.h"

static inline uint64_t site_key(uint32_t rank, uint32_t job)
{
	return (uint64_t)(UINT32_MAX - rank) << 32 | job; /* highest first, then first come */
}
static inline uint32_t site_key_job(uint64_t key)
{
	return (uint32_t)key;
}
static inline uint32_t site_key_rank(uint64_t key)
{
	return UINT32_MAX - (uint32_t)(key >> 32);
}
/* By the priorities of an iteration. */
void site_order_open(struct site_replay *replay);
void site_order_enter(struct site_replay *replay, uint64_t newcomer);
/* Put the first so many in order, or all that there are. */
void site_order_reach(struct site_replay *replay, size_t count);
void site_order_close_up(struct site_replay *replay);
/* Whether backfill would look at other jobs than the last time, apart from those that have begun. */
bool site_order_differs(struct site_replay *replay);
void site_order_seen(struct site_replay *replay);
/* The fewest processors that a job asks for that may start; UINT32_MAX: there is none. */
uint32_t site_least(struct site_replay *replay);

#endif
