/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What differs between the two sides of a what-if: whose rank, priority or standing. */
#ifndef MAUI_QUEUE_WHATIF_CHANGES_H
#define MAUI_QUEUE_WHATIF_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/queue/whatif.h"

/* What to report of one job. */
struct maui_whatif_change {
	uint32_t job; /* its place in both judgements */
	uint32_t ranks;
	int64_t priority; /* by how much it differs, without a sign */
};

struct maui_whatif_list {
	struct maui_whatif_change *jobs;
	size_t count;
};

struct maui_whatif_changes {
	struct maui_whatif_list movers;    /* whose rank changes: those that move most first */
	struct maui_whatif_list blocked;   /* only then */
	struct maui_whatif_list freed;     /* only today */
	struct maui_whatif_list otherwise; /* blocked on both sides, for different reasons */
	size_t priorities;                 /* that change */
	size_t blocked_today, blocked_then;
};

/* Must be cleared. O(jobs log jobs). */
void maui_whatif_changes_find(const struct maui_whatif *whatif,
			      struct maui_whatif_changes *ret_changes);
void maui_whatif_changes_clear(struct maui_whatif_changes *changes);

/*
 * How a job of both judgements stands on one side; its row where its priority is highest; and
 * whether it is held for a negative one.
 */
const struct maui_waiting *maui_whatif_waiting(const struct maui_whatif_side *side, uint32_t job);
const struct maui_snapshot_row *maui_whatif_row(const struct maui_whatif_side *side, uint32_t job);
bool maui_whatif_rejected(const struct maui_whatif_side *side, uint32_t job);

#endif
