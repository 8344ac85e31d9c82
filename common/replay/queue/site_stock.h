/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's own policy in a replay: instead of a maui.cfg, or beside it, as Slurm goes on enforcing
 * limits and FSTREEWEIGHT counts shares.
 */
#ifndef MAUI_REPLAY_SITE_STOCK_H
#define MAUI_REPLAY_SITE_STOCK_H

#include "common/replay/state/site_replay.h"

/* If the site has one; later than its policy. */
void site_stock_open(struct site_replay *replay);
void site_stock_clear(struct site_replay *replay);

/* The next pass, if it is due by now. */
bool site_stock_pass(struct site_replay *replay);

/* Whether priorities and limits are Slurm's own. */
static inline bool site_is_stock(const struct site_replay *replay)
{
	return replay->site->multifactor;
}

/* FairShare of a job; 0 without a tree. */
double site_stock_fairshare(const struct site_replay *replay, uint32_t job);
/* Whether a limit of Slurm's refuses a start; it is then what holds the job. */
bool site_stock_refuses(struct site_replay *replay, uint32_t job);
/* A job comes, begins, or ends. */
void site_stock_submitted(struct site_replay *replay, uint32_t job);
void site_stock_began(struct site_replay *replay, uint32_t job);
void site_stock_ended(struct site_replay *replay, uint32_t job);

#endif
