/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Standing reservations of maui.cfg in a replay on nodes: their instances by the engine's own code,
 * and whom each admits. D-RPL-7.
 */
#ifndef MAUI_REPLAY_SITE_RSV_H
#define MAUI_REPLAY_SITE_RSV_H

#include "common/policy/reservation/rsv_access.h"
#include "common/policy/reservation/sr_place.h"
#include "common/replay/site_nodes.h"

struct site_rsv;

/* replay->rsv stays NULL if maui.cfg has none. */
void site_rsv_open(struct site_replay *replay); /* a roll has to follow */
void site_rsv_clear(struct site_replay *replay);

/* Roll: what is kept from then on stands in the holds. */
void site_rsv_roll(struct site_replay *replay);
/* When the next instance begins or ends, or another is made; INT64_MAX: never. */
int64_t site_rsv_next(const struct site_replay *replay);
/* One of them lacks nodes, so that it may get some once a job has ended. */
bool site_rsv_lacks(const struct site_replay *replay);

/* Add what the instances keep to the holds. */
void site_rsv_hold(struct site_replay *replay);

/* How many standing reservations and instances there are, and the name of one of the former. */
uint32_t site_rsv_standing(const struct site_replay *replay);
const char *site_rsv_name(const struct site_replay *replay, uint32_t standing);
uint32_t site_rsv_instances(const struct site_replay *replay);
/* Tell site_reserved.h what those keep that have begun. */
void site_rsv_keep(struct site_replay *replay);

/* Whether an instance admits a job that begins at a time, or as soon as may be
 * (MAUI_RSV_START_UNKNOWN). */
bool site_rsv_admits(const struct site_replay *replay, uint32_t instance, uint32_t job,
		     int64_t start, enum maui_affinity *ret_affinity);

/* ---- site_outages.c ---- */

/* Add the outages that anybody knows of to the holds. */
void site_outages_hold(struct site_replay *replay);
/* Tell site_reserved.h of maintenance, and of nodes that are out of service. */
void site_outages_keep(struct site_replay *replay);
/* Which nodes are up now. */
void site_outages_look(const struct site_replay *replay, struct maui_sr_node *nodes);
/* When the next one begins or ends; INT64_MAX: never. O(outages). */
int64_t site_outages_next(const struct site_replay *replay);

#endif
