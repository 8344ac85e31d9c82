/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which holds bar a job, by whom reservations admit. */
#ifndef MAUI_REPLAY_SITE_BARRED_H
#define MAUI_REPLAY_SITE_BARRED_H

#include "common/replay/state/site_nodes_record.h"

/* Which of them bar a job that begins then, and what it finds on the nodes. */
void site_barred_ask(struct site_replay *replay, uint32_t job, int64_t start);
/* Of those, what is kept from the job that was asked for while it would run from now on. */
void site_barred_mark_now(struct site_replay *replay, uint32_t job);
/* A job that begins or ends, and began then, is counted where it is inside of what keeps a part of
 * a node. */
void site_barred_count(struct site_replay *replay, uint32_t job, int64_t began, bool begins);
/* All that stands, anew: what reservations and outages keep. */
void site_barred_renew(struct site_replay *replay);
/* Reservations roll, and what they keep stands in the holds. */
void site_barred_roll(struct site_replay *replay);

#endif
