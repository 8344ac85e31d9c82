/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Outages of the machine in a replay. */
#ifndef MAUI_REPLAY_SITE_OUTAGES_H
#define MAUI_REPLAY_SITE_OUTAGES_H

#include "common/policy/reservation/sr_place.h"
#include "common/replay/state/site_nodes_record.h"

/* Add the outages that anybody knows of to the holds. */
void site_outages_hold(struct site_replay *replay);
/* Which nodes are up now. */
void site_outages_look(const struct site_replay *replay, struct maui_sr_node *nodes);
/* When the next one begins or ends; INT64_MAX: never. O(outages). */
int64_t site_outages_next(const struct site_replay *replay);

/* Whether its nodes are out of service now. */
bool site_outages_last(const struct site_replay *replay, const struct maui_replay_outage *outage);

#endif
