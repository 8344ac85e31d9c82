/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Backfill's plan on nodes, as gaps: nodes that the plan does not need from one time to another. At
 * no time is a node in two of them. A job can use only gaps that are long enough for it, which in a
 * long queue are few of them.
 */
#ifndef MAUI_REPLAY_SITE_GAPS_H
#define MAUI_REPLAY_SITE_GAPS_H

#include "common/replay/plan/site_times.h"
#include "common/replay/plan/site_words.h"

struct site_gap {
	int64_t from, until; /* until: INT64_MAX: the plan has no more use for them */
	size_t first;        /* of sets' words */
	uint32_t count;
};

struct site_gap_list {
	struct site_gap *gaps;
	size_t count, room;
};

struct site_gaps {
	struct site_gap_list begins; /* by from */
	struct site_gap_list ends;   /* by until, but for those that have none */
	struct site_words sets;
	struct site_times changes;   /* when the plan's jobs begin and end */
	struct site_gap_list pieces; /* of the gaps that are divided */
	int64_t shortest, last;
};

/* A turn begins: all nodes of a set of so many words are free from now on. shortest: the least time
 * limit; last: nobody begins later. */
void site_gaps_open(struct site_gaps *gaps, const uint64_t *all, size_t words, int64_t now,
		    int64_t shortest, int64_t last);
/* The plan needs the nodes of a set. */
void site_gaps_keep(struct site_gaps *gaps, const uint64_t *set, int64_t begin, int64_t end);
/* The plan changes at a time. Returns whether it did not do so yet. */
bool site_gaps_change(struct site_gaps *gaps, int64_t time);
void site_gaps_clear(struct site_gaps *gaps);

#endif
