/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who uses what reservations keep, in a replay on nodes. Time is counted for a node of a
 * reservation when a job begins or ends there, or reservations roll: nothing is done for each
 * second. site_reserved.c counts, site_reserved_tell.c says whose it was. D-RPL-15.
 */
#ifndef MAUI_REPLAY_SITE_RESERVED_H
#define MAUI_REPLAY_SITE_RESERVED_H

#include "common/replay/schedule/reserved.h"
#include "common/replay/site_nodes.h"

/* What a job has used of a reservation. */
struct site_reserved_use {
	uint32_t keeper, job;
	double used; /* processor-seconds */
};

/* Standing reservations come first, then maintenance by name. */
struct site_reserved_tally {
	const char *name;
	bool maintenance;
	double reserved, used, taken, away, idle, kept;
	int64_t lacking;
};

/* Nothing happens in any of these if there are no reservations. */
void site_reserved_open(struct site_replay *replay); /* after site_rsv_open() */
void site_reserved_clear(struct site_replay *replay);

/* What is kept from now on is another: reservations have rolled, or an outage begins or ends. */
void site_reserved_renew(struct site_replay *replay);
/* site_rsv.c, site_outages.c: these processors of a node are kept, or it is out of service. */
void site_reserved_keep(struct site_replay *replay, uint32_t keeper, uint32_t instance,
			uint32_t node, uint32_t cores);
void site_reserved_away(struct site_replay *replay, uint32_t node);
/* While a period lasts it lacks tasks, until the next roll. */
void site_reserved_lacks(struct site_replay *replay, uint32_t keeper, int64_t start, int64_t end);
void site_reserved_roll(struct site_replay *replay); /* one begins */

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

/* site_reserved_tell.c: sorts the uses. */
void site_reserved_tell(const struct maui_replay_trace *trace,
			const struct site_reserved_tally *tallies, size_t count,
			struct site_reserved_use *uses, size_t use_count,
			struct maui_replay_reservations *ret_reservations);

#endif
