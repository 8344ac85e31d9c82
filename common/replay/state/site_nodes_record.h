/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The nodes of a replay as its files share them: site_room.c has what is free on each, site_choice.c
 * who gets which, site_holds.c what is kept from jobs, site_plan.c when a job could begin. D-RPL-5,
 * D-RPL-6.
 */
#ifndef MAUI_REPLAY_SITE_NODES_RECORD_H
#define MAUI_REPLAY_SITE_NODES_RECORD_H

#include "common/policy/nodes/nodealloc.h"
#include "common/policy/priority/pe.h"
#include "common/replay/nodes/requests.h"
#include "common/replay/plan/site_gaps.h"
#include "common/replay/state/site_replay.h"

struct site_ends;
struct site_known;

/* What is free, by node. */
struct site_room {
	uint32_t *cpus;
	int64_t *memory; /* INT64_MAX - what is in use, where it is not known */
	uint64_t *units; /* of each GRES */
};

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

#endif
