/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What running jobs give back to nodes, by their time limits. Backfill's plan walks it for each job
 * that it looks at, so it is one array after another: a walk through the jobs' own records takes
 * five times as long.
 */
#ifndef MAUI_REPLAY_SITE_ENDS_H
#define MAUI_REPLAY_SITE_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct site_replay;
struct site_ends;

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

struct site_ends *site_ends_new(void);
struct site_ends *site_ends_free(struct site_ends *ends); /* accepts NULL */

/* Jobs have begun or ended. */
void site_ends_forget(struct site_ends *ends);
/* Of all that run, unless they are known. */
void site_ends_know(struct site_replay *replay);
/* Of machine->runs[run]. */
struct site_end site_ends_of(const struct site_ends *ends, size_t run);

#endif
