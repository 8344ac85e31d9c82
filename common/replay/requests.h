/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the jobs of a trace ask of the nodes of a machine. A trace knows what a job asks for as a
 * whole, so a job is so many equal tasks, each on one node: one for each processor or, with GRES,
 * as many as both its processors and its GRES can be divided into. Each has its part of the memory.
 * A machine whose nodes have no GRES, or no features, says nothing of them: nobody's are counted
 * then. D-RPL-5.
 */
#ifndef MAUI_REPLAY_REQUESTS_H
#define MAUI_REPLAY_REQUESTS_H

#include "common/replay/nodes.h"
#include "common/replay/trace.h"

#define MAUI_REPLAY_WANTS 4 /* GRES of one job */

struct maui_replay_want {
	uint32_t gres; /* a mask: bit n for number n + 1 of nodes->gres. A node gives one of them */
	uint64_t count; /* for a task */
};

struct maui_replay_request {
	uint32_t set;   /* of requests->sets: where it may run */
	uint32_t tasks; /* at least 1 */
	uint32_t cpus;  /* of a task, at least 1 */
	uint32_t nodes; /* at least so many of them, at least 1 and at most tasks */
	int64_t memory; /* of a task, MB */
	uint32_t want_count;
	struct maui_replay_want want[MAUI_REPLAY_WANTS];
};

/* Nodes by partition and features. */
struct maui_replay_set {
	uint32_t class, constraint; /* of the trace */
	uint32_t partition;         /* of the machine; UINT32_MAX: any node */
	uint64_t *members;
};

struct maui_replay_requests {
	const struct maui_replay_nodes *nodes;
	uint32_t *of; /* by job of the trace */
	struct maui_replay_request *requests;
	struct maui_replay_set *sets;
	uint32_t count, set_count;
	size_t room, set_room;
	struct maui_arena *arena;
};

/*
 * What all jobs ask for. Those that would not even fit on the empty machine are taken out of the
 * trace, and counted. Both must stay in memory.
 */
struct maui_replay_requests *maui_replay_requests_new(struct maui_replay_trace *trace,
						      const struct maui_replay_nodes *nodes);
struct maui_replay_requests *maui_replay_requests_free(struct maui_replay_requests *requests);

static inline const struct maui_replay_request *
maui_replay_request_of(const struct maui_replay_requests *requests, uint32_t job)
{
	return &requests->requests[requests->of[job]];
}

/* Of the GRES that will do, the one of which most units are there; its number less 1. */
uint32_t maui_replay_most(const struct maui_replay_want *want, const uint64_t *units);

/* How many tasks so much of a node can take. units: by number less 1. */
uint32_t maui_replay_tasks(const struct maui_replay_request *request, uint32_t cpus, int64_t memory,
			   const uint64_t *units);

/* The GRES of a machine that a name means: gpu all its types. Bit n is for number n + 1. */
uint32_t maui_replay_gres_mask(const struct maui_replay_nodes *nodes, const char *name);

/* How much of a GRES a job of a trace asks for, by its name in maui.cfg: gpu is all its types. */
uint64_t maui_replay_gres_amount(const struct maui_replay_trace *trace, uint32_t gres,
				 const char *name);

#endif
