/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the jobs of a trace ask of the nodes of a machine. A machine whose nodes have no GRES, or no
 * features, says nothing of them: nobody's are counted then. D-RPL-5.
 */
#ifndef MAUI_REPLAY_REQUESTS_H
#define MAUI_REPLAY_REQUESTS_H

#include "common/replay/nodes/nodes.h"
#include "common/replay/nodes/shape.h"
#include "common/replay/trace/trace.h"

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
	uint32_t most_cpus; /* of a node */
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

/* How many numbers a tally of a request needs. */
static inline size_t maui_replay_tally_room(const struct maui_replay_requests *requests)
{
	return (requests->most_cpus > MAUI_REPLAY_SIZES ? requests->most_cpus : MAUI_REPLAY_SIZES) +
	       (size_t)1;
}

static inline const struct maui_replay_request *
maui_replay_request_of(const struct maui_replay_requests *requests, uint32_t job)
{
	return &requests->requests[requests->of[job]];
}

/* The GRES of a machine that a name means: gpu all its types. Bit n is for number n + 1. */
uint64_t maui_replay_gres_mask(const struct maui_replay_nodes *nodes, const char *name);

/* How much of a GRES a job of a trace asks for, by its name in maui.cfg: gpu is all its types. */
uint64_t maui_replay_gres_amount(const struct maui_replay_trace *trace, uint32_t gres,
				 const char *name);

#endif
