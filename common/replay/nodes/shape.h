/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a job is divided over nodes. A trace knows what a job has as a whole.
 *
 * A job that is known to have had so many nodes is as many parts, each on a node of its own. Its
 * processors are divided as they were, if that is known. Else they are divided evenly, and so are its
 * GRES: no two parts differ by more than one of each, and those with more processors have more.
 *
 * Any other job is so many equal tasks, each on one node: one for each processor or, with GRES, as
 * many as both its processors and its GRES can be divided into. Each has its part of the memory.
 */
#ifndef MAUI_REPLAY_SHAPE_H
#define MAUI_REPLAY_SHAPE_H

#include "common/replay/schedule/schedule.h"
#include "common/replay/trace/trace.h"

#define MAUI_REPLAY_WANTS 4 /* GRES of one job */
/* Sizes of a job's parts: those of its processors, and one more for each GRES with a remainder. */
#define MAUI_REPLAY_SIZES (MAUI_REPLAY_WANTS + MAUI_REPLAY_SPLITS)

struct maui_replay_want {
	uint64_t gres; /* a mask: bit n for number n + 1 of nodes->gres. A node gives one of them */
	uint64_t count; /* for a task */
};

/* What a part of a job needs of a node. No resource is less than a smaller part's. */
struct maui_replay_part {
	uint32_t upto; /* so many parts of the job are as large or smaller */
	uint32_t cpus;
	uint64_t units[MAUI_REPLAY_WANTS];
};

struct maui_replay_request {
	uint32_t set;   /* of requests->sets: where it may run */
	uint32_t tasks; /* at least 1 */
	uint32_t cpus;  /* of a task, at least 1 */
	uint32_t nodes; /* at least so many of them, at least 1 and at most tasks; of parts, all */
	uint32_t most;  /* nodes at most; 0: any number */
	int64_t memory; /* of a task, or of a part, MB */
	uint32_t want_count;
	struct maui_replay_want want[MAUI_REPLAY_WANTS];
	uint32_t sizes;                                  /* of its parts; 0: it is tasks */
	struct maui_replay_part part[MAUI_REPLAY_SIZES]; /* by size, the smallest first */
};

/* The wants of the request are the job's whole, and nodes the least of its partition. split: of the
 * trace's; NULL: evenly. */
void maui_replay_divide(struct maui_replay_request *request, const struct maui_replay_job *job,
			const char *split);

/* Of the GRES that will do, the one of which most units are there; its number less 1. */
uint32_t maui_replay_most(const struct maui_replay_want *want, const uint64_t *units);

/*
 * How many tasks so much of a node can take or, of a job of parts, the largest part that it can:
 * its size from 1 on. 0: nothing. units: by number of the GRES less 1.
 */
uint32_t maui_replay_capacity(const struct maui_replay_request *request, uint32_t cpus,
			      int64_t memory, const uint64_t *units);

/* What a job has on a node. */
struct maui_replay_amount {
	int64_t memory;
	uint64_t units[MAUI_REPLAY_WANTS];
};
void maui_replay_amount_of(const struct maui_replay_request *request,
			   const struct maui_replay_share *share,
			   struct maui_replay_amount *ret_amount);

/* Whether nodes are enough for a job, while they are added and dropped by their capacities. */
struct maui_replay_tally {
	const struct maui_replay_request *request;
	uint64_t tasks;
	uint32_t used;
	/* Of a job of parts, or on a number of nodes at most: nodes by capacity, */
	uint32_t *have;
	uint32_t largest; /* up to this one */
};

/* have: room for numbers up to most_cpus, of the largest node, and MAUI_REPLAY_SIZES. */
void maui_replay_tally_open(struct maui_replay_tally *tally,
			    const struct maui_replay_request *request, uint32_t most_cpus,
			    uint32_t *have);
bool maui_replay_tally_enough(const struct maui_replay_tally *tally);

static inline void maui_replay_tally_add(struct maui_replay_tally *tally, uint32_t capacity)
{
	tally->tasks += capacity;
	tally->used += capacity != 0;
	if (tally->largest)
		tally->have[capacity]++;
}
static inline void maui_replay_tally_drop(struct maui_replay_tally *tally, uint32_t capacity)
{
	tally->tasks -= capacity;
	tally->used -= capacity != 0;
	if (tally->largest)
		tally->have[capacity]--;
}

#endif
