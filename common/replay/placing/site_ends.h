/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What running jobs give back to nodes, by their time limits. Backfill's plan walks it for each job
 * that it looks at, so it is one array, and what is free after each group of ends is kept.
 */
#ifndef MAUI_REPLAY_SITE_ENDS_H
#define MAUI_REPLAY_SITE_ENDS_H

#include "common/replay/state/site_nodes_record.h"
#include "common/util/slurm/end_windows.h"

struct site_end_share {
	uint32_t node, cpus;
	int64_t memory;
};

struct site_end_units {
	size_t at; /* of site_room's units */
	uint64_t count;
};

/* What one job gives back. */
struct site_end {
	const struct site_end_share *shares;
	const struct site_end_units *units;
	size_t share_count, unit_count;
};

/* Jobs whose ends cons_tres takes together, by their time limits. */
struct site_group {
	struct maui_end_windows windows; /* of no seconds: each job is a group */
	int64_t end;                     /* of its last job; INT64_MAX: no more jobs */
	size_t past;                     /* the first job that is not in it */
};

/* What is free once groups have ended, as jobs that may run on one set of nodes see them. */
struct site_step {
	size_t run; /* the first that still runs */
	struct site_group next;
	uint64_t free; /* processors of the set's nodes */
	struct site_room room;
};

struct site_ends *site_ends_new(void);
struct site_ends *site_ends_free(struct site_ends *ends); /* accepts NULL */

/* Jobs have begun or ended. */
void site_ends_forget(struct site_ends *ends);
/* Of all that run, unless they are known. */
void site_ends_know(struct site_replay *replay);
/* The steps of a set that are known, from the first one on. NULL: there is none with this number. */
const struct site_step *site_ends_step(struct site_ends *ends, uint32_t set, size_t number);
/* Add one, whose room the caller fills. NULL: there are many. */
struct site_step *site_ends_add_step(struct site_ends *ends, const struct site_nodes *nodes,
				     uint32_t set);

/* Of machine->runs[run]. */
struct site_end site_ends_of(const struct site_ends *ends, size_t run);

#endif
