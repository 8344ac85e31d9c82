/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When a job could begin on nodes. */
#ifndef MAUI_REPLAY_SITE_PLAN_H
#define MAUI_REPLAY_SITE_PLAN_H

#include "common/replay/state/site_nodes_record.h"

/* A turn of backfill begins: nothing is planned. */
void site_plan_open(struct site_replay *replay);
/* Whether a job fits now, beside what is planned; chooses nothing. */
bool site_plan_fits_now(struct site_replay *replay, uint32_t job);
/* When it could begin, and its nodes are chosen for that; INT64_MAX: not before the end of
 * bf_window. */
int64_t site_plan_earliest(struct site_replay *replay, uint32_t job);
/* The chosen nodes are kept for it. Returns how many rows of Slurm's table that takes. */
size_t site_plan_reserve(struct site_replay *replay, int64_t begin, int64_t end);

#endif
