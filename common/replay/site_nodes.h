/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A replay on nodes, between its files: site_nodes.c has what is free on each, site_choice.c who
 * gets which, site_holds.c what is kept from jobs, site_plan.c when a job could begin. D-RPL-5,
 * D-RPL-6.
 */
#ifndef MAUI_REPLAY_SITE_NODES_H
#define MAUI_REPLAY_SITE_NODES_H

#include "common/policy/nodes/nodealloc.h"
#include "common/policy/priority/pe.h"
#include "common/replay/nodes/requests.h"
#include "common/replay/site_ends.h"
#include "common/replay/site_gaps.h"
#include "common/replay/site_known.h"
#include "common/replay/site_private.h"

#define NO_INSTANCE UINT32_MAX

/* Nodes that are kept from jobs: by an outage from all, by a reservation from those that it does not
 * admit. */
struct site_hold {
	int64_t begin, end;
	size_t first; /* of holds->nodes and ->cpus */
	uint32_t count;
	uint32_t instance; /* of a reservation; NO_INSTANCE: it admits nobody */
};

#define WHOLE_NODE UINT32_MAX

/* Holds by when they begin and end. */
struct site_line {
	uint32_t *begins, *ends;
	size_t count, begin_room, end_room;
};

struct site_holds {
	struct site_hold *holds;
	uint32_t *nodes, *cpus; /* WHOLE_NODE, or so many of its processors */
	uint32_t *inside; /* by place in nodes: of a part, processors of running jobs it admits */
	size_t count, room, node_count, node_room, cpu_room, inside_room;
	struct site_line stand;
	bool *bars; /* by hold: the job that was asked for */
	size_t bars_room;
};

struct site_nodes {
	const struct maui_replay_requests *requests;
	const struct maui_replay_nodes *nodes;
	size_t words;
	uint32_t gres; /* how many GRES there are */
	struct site_room room;
	uint32_t *cpus;     /* by node: that it has */
	uint64_t *open;     /* a set: nodes with free processors */
	uint64_t *set_free; /* free processors, by set of requests */
	uint32_t *jobs;     /* that run, by node */
	uint64_t *closed;   /* a set: this pass of the main scheduler has no more to do with them */
	bool any_closed;
	struct maui_resources whole; /* what the machine has, for processor equivalents */
	struct maui_gres_amounts whole_gres;
	/* whom to give which */
	const struct maui_node_settings **settings;
	enum maui_nodealloc_policy *policy; /* by set of requests */
	enum maui_nodealloc_list *list;     /* by set: where nothing is kept */
	struct maui_node_candidate *candidates;
	struct maui_node_gres_amounts *candidate_gres; /* NULL: no formula names any */
	uint64_t formula_gres[MAUI_GRES_NAMES]; /* masks of nodes->gres, by the formulas' number */
	struct maui_nodealloc_workspace *workspace;
	uint32_t *rank, *order, *capacity; /* by candidate; order: the nodes */
	uint32_t *place, *by_rank;
	struct maui_replay_share *chosen;
	uint32_t candidate_count, chosen_count;
	/* what is kept */
	struct site_holds holds;
	struct site_gaps gaps;           /* what the plan leaves */
	int64_t *planned;                /* by node: when the plan first needs it */
	uint64_t *all, *wanted, *usable; /* sets, of the plan */
	int64_t shortest;                /* time limit */
	int64_t next_outage;             /* when one begins or ends; INT64_MAX */
	bool parts;                      /* there are holds of a part of a node */
	uint32_t *held;    /* by node: processors kept from the job that is looked at */
	int64_t *until;    /* by node: the next reservation that does not admit it */
	uint8_t *affinity; /* by node */
	/* when a job could begin */
	struct site_room sweep;
	const struct site_room *found; /* what is free then */
	uint32_t *could;               /* by node: its capacity for the job */
	struct site_known *known;
	struct site_ends *ends;
	uint32_t *have; /* of a tally */
};

/* The replay has none: they are NULL, and the machine is a pool of processors. */
void site_nodes_open(struct site_replay *replay);
void site_nodes_clear(struct site_replay *replay);

/* ---- site_nodes.c ---- */

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

void site_room_copy(const struct site_nodes *nodes, const struct site_room *from,
		    struct site_room *to);
void site_room_open(const struct site_nodes *nodes, struct site_room *room);
void site_room_clear(struct site_room *room);
void site_room_take(const struct site_nodes *nodes, struct site_room *room,
		    const struct maui_replay_request *request,
		    const struct maui_replay_share *share);
void site_room_give(const struct site_nodes *nodes, struct site_room *room,
		    const struct maui_replay_request *request,
		    const struct maui_replay_share *share);
/* A node's capacity for a request, if so many of its processors are kept from it. */
uint32_t site_room_capacity(const struct site_nodes *nodes, const struct site_room *room,
			    const struct maui_replay_request *request, uint32_t node,
			    uint32_t held);

/* ---- site_choice.c ---- */

void site_choice_open(struct site_replay *replay);
void site_choice_clear(struct site_nodes *nodes);
/* Add a candidate: a node and its capacity. Nodes come in their order. */
void site_nodes_offer(struct site_nodes *nodes, uint32_t node, uint32_t capacity);
/* The same for a request, as far as its policy asks. */
void site_nodes_offer_to(struct site_nodes *nodes, const struct maui_replay_request *request,
			 uint32_t node, uint32_t capacity);
/* Of a job that runs already, what it has is chosen, as far as it is there. Returns the
 * processors. */
uint32_t site_nodes_resume(struct site_replay *replay, uint32_t job);
/* Choose among the candidates, which are enough. */
void site_nodes_choose(struct site_replay *replay, uint32_t job, bool immediate);

/* ---- site_holds.c ---- */

/* Add one; its nodes are added afterwards. */
void site_hold_add(struct site_holds *holds, int64_t begin, int64_t end, uint32_t instance);
void site_hold_node(struct site_holds *holds, uint32_t node, uint32_t cpus);
/* All are there. */
void site_holds_stand(struct site_holds *holds);
/* Which of them bar a job that begins then, and what it finds on the nodes. */
void site_holds_ask(struct site_replay *replay, uint32_t job, int64_t start);
/* Of those, what is kept from the job that was asked for while it would run from now on. */
void site_holds_mark_now(struct site_replay *replay, uint32_t job);
/* A job that begins or ends, and began then, is counted where it is inside of what keeps a part of
 * a node. */
void site_holds_count(struct site_replay *replay, uint32_t job, int64_t began, bool begins);
/* All that stands, anew: what reservations and outages keep. */
void site_holds_renew(struct site_replay *replay);
/* A hold keeps a node, which has a place in holds->nodes, from the job that is looked at, or no
 * longer does. Of a part of a node, what the jobs inside have is not kept a second time. */
static inline void site_hold_mark(struct site_nodes *nodes, size_t place, bool keeps)
{
	uint32_t node = nodes->holds.nodes[place], kept = nodes->holds.cpus[place];
	uint32_t inside = nodes->holds.inside[place];

	if (kept == WHOLE_NODE)
		kept = nodes->cpus[node];
	else
		kept = kept > inside ? kept - inside : 0;
	nodes->held[node] += keeps ? kept : -kept;
}
void site_holds_clear(struct site_holds *holds);

/* ---- site_plan.c ---- */

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
