/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which rule holds jobs back, and for how long. */
#ifndef MAUI_REPLAY_SITE_HELD_H
#define MAUI_REPLAY_SITE_HELD_H

#include "common/replay/state/site_replay.h"

void site_held_open(struct site_replay *replay);
void site_held_clear(struct site_replay *replay);
/* Count the time up to now, before jobs join or leave the kind. */
void site_held_settle(struct site_replay *replay, struct site_kind *kind);
void site_held_settle_newcomer(struct site_replay *replay, struct site_newcomer *newcomer);
/* What holds it back from now on; NULL: nothing. */
void site_held_set(struct site_replay *replay, struct site_kind *kind,
		   const struct maui_refusal *refusal);
void site_held_set_newcomer(struct site_replay *replay, struct site_newcomer *newcomer,
			    const struct maui_refusal *refusal);
/* The same for a waiting job and a limit of Slurm's; NULL: none holds it. */
void site_held_set_stock(struct site_replay *replay, uint32_t job,
			 const struct maui_stock_refusal *refusal);
/* At the end: the schedule has the account. */
void site_held_finish(struct site_replay *replay);

#endif
