/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether nodes are free for a job, and who has them. */
#ifndef MAUI_REPLAY_SITE_NODES_H
#define MAUI_REPLAY_SITE_NODES_H

#include "common/replay/state/site_nodes_record.h"

/* The replay has none: they are NULL, and the machine is a pool of processors. */
void site_nodes_open(struct site_replay *replay);
void site_nodes_clear(struct site_replay *replay);

/* Choose nodes for a job that begins now, which are chosen until the next choice. False: too few
 * are free. */
bool site_nodes_fit(struct site_replay *replay, uint32_t job);
/* False: it does not fit, by a look at the sums alone. */
bool site_nodes_may_fit(const struct site_replay *replay, uint32_t job);
/* The job begins on the chosen ones. */
void site_nodes_take(struct site_replay *replay, uint32_t job);
void site_nodes_give(struct site_replay *replay, uint32_t job);

/*
 * The nodes that can take tasks of a job now, but for a set (NULL: none) and those that the plan
 * needs before a time. offer: they become candidates; else it looks no further than needed. Returns
 * whether they are enough.
 */
bool site_nodes_gather(struct site_replay *replay, uint32_t job, const uint64_t *without,
		       int64_t planned_until, bool offer);

/* The main scheduler: nobody gets a node of this job's partition any more in this pass. Returns
 * whether no node is left with anything free. */
void site_nodes_begin_pass(struct site_nodes *nodes);
bool site_nodes_close(struct site_nodes *nodes, uint32_t job);

#endif
