/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who uses what reservations keep, in a replay on nodes. Time is counted for a node of a
 * reservation when a job begins or ends there, or reservations roll: nothing is done for each
 * second. D-RPL-15.
 */
#ifndef MAUI_REPLAY_SITE_RESERVED_H
#define MAUI_REPLAY_SITE_RESERVED_H

#include "common/replay/state/site_nodes_record.h"

/* Nothing happens in any of these if there are no reservations. */
void site_reserved_open(struct site_replay *replay); /* after site_rsv_open() */
void site_reserved_clear(struct site_replay *replay);

/* What is kept from now on is another: reservations have rolled, or an outage begins or ends. */
void site_reserved_renew(struct site_replay *replay);
void site_reserved_roll(struct site_replay *replay); /* a roll is about to begin */

/* Before what is free on these nodes changes. */
void site_reserved_settle(struct site_replay *replay, const struct maui_replay_share *shares,
			  uint32_t count);
/* A job has begun on its nodes; it is about to leave them. */
void site_reserved_enter(struct site_replay *replay, uint32_t job);
void site_reserved_leave(struct site_replay *replay, uint32_t job);

/* All that happens in this second has. */
void site_reserved_wait(struct site_replay *replay);

/* Nothing runs, and nobody will come: what follows counts only if another job begins. */
void site_reserved_quiet(struct site_replay *replay);
/* At the end: the schedule has the account. */
void site_reserved_finish(struct site_replay *replay);

#endif
