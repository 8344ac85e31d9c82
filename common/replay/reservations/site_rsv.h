/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Standing reservations of maui.cfg in a replay on nodes: their instances by the engine's own code,
 * and whom each admits. D-RPL-7.
 */
#ifndef MAUI_REPLAY_SITE_RSV_H
#define MAUI_REPLAY_SITE_RSV_H

#include "common/policy/reservation/rsv_access.h"
#include "common/policy/reservation/sr_place.h"
#include "common/replay/state/site_nodes_record.h"

/* A period in which tasks of a standing reservation are missing. */
struct site_rsv_lack {
	uint32_t standing;
	int64_t start, end;
};

/* replay->rsv stays NULL if maui.cfg has none. */
void site_rsv_open(struct site_replay *replay); /* a roll has to follow */
void site_rsv_clear(struct site_replay *replay);

/* Roll; site_barred_renew() has to follow. */
void site_rsv_roll(struct site_replay *replay);
/* When the next instance begins or ends, or another is made; INT64_MAX: never. */
int64_t site_rsv_next(const struct site_replay *replay);
/* One of them lacks nodes, so that it may get some once a job has ended. */
bool site_rsv_lacks(const struct site_replay *replay);

/* Those that the last roll left short, how many there are. */
size_t site_rsv_lacking(const struct site_replay *replay, const struct site_rsv_lack **ret_lacks);

/* Add what the instances keep to the holds. */
void site_rsv_hold(struct site_replay *replay);

/* How many standing reservations and instances there are, and the name of one of the former. */
uint32_t site_rsv_standing(const struct site_replay *replay);
const char *site_rsv_name(const struct site_replay *replay, uint32_t standing);
uint32_t site_rsv_instances(const struct site_replay *replay);
/* What an instance keeps; none if it has not begun. */
const struct maui_sr_part *site_rsv_parts(const struct site_replay *replay, uint32_t instance,
					  uint32_t *ret_standing, size_t *ret_count);

/* Whether an instance admits a job that begins at a time, or as soon as may be
 * (MAUI_RSV_START_UNKNOWN). */
bool site_rsv_admits(const struct site_replay *replay, uint32_t instance, uint32_t job,
		     int64_t start, enum maui_affinity *ret_affinity);

#endif
