/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where an instance of a standing reservation is placed: chapters 7.1.5.1.3,
 * 7.1.5.2.2, 7.1.5.2.3 (stacking) and "Resource Allocation Behavior" of the
 * manual; D-RSV-15 and D-RSV-17 to D-RSV-21.
 *
 * Resources are taken in tasks (RESOURCES), each as a whole on one node.
 * Without TASKCOUNT all tasks that fit on each listed node are reserved,
 * whatever is there: that is a fixed reservation. With it that many tasks are
 * reserved, on listed nodes if there are any. If all the tasks of the list are
 * needed (except with FLAGS=SPACEFLEX), or with FLAGS=FORCE, the list is fixed,
 * too. What the list lacks comes from other nodes. Nodes of EXCLUDEHOSTLIST are
 * never used. What is not fixed floats: to nodes that are up, and to what is
 * held neither by jobs at its beginning nor by other reservations during its
 * window.
 *
 * Tasks are placed beside other reservations where there is room; on top of
 * them only if there is none, and ACCESS=SHARED or a fixed place allows it.
 * What is placed stays where it is, unless FLAGS=SPACEFLEX: then only nodes in
 * use do. Too few tasks are better than none: what is missing is reported, with
 * the reasons, and added as soon as possible.
 */
#ifndef MAUI_POLICY_SR_PLACE_H
#define MAUI_POLICY_SR_PLACE_H

#include "common/policy/reservation/sr_settings.h"

/* A node, with its configured amounts; all but procs in MB. */
struct maui_sr_node {
	bool up; /* idle, running or busy: not down, not drained */
	int64_t procs, memory, disk, swap;
	const char *const *features;
	size_t feature_count;
	const char *const *partitions; /* that it is in */
	size_t partition_count;
	const struct maui_sr_gres *gres; /* each type, and each name with all its types */
	size_t gres_count;
};

/* Whether the node is in the reservation's PARTITION and has its NODEFEATURES. */
bool maui_sr_suits(const struct maui_sr *sr, const struct maui_sr_node *node);

/* What a job or another reservation holds on a node, from start until end (exclusive). */
struct maui_sr_hold {
	uint32_t node;
	bool job;    /* of a running job; otherwise of a reservation */
	uint32_t sr; /* the standing reservation whose instance it is: its own are no conflict;
			UINT32_MAX for any other */
	int64_t start, end;
	int64_t procs, memory, disk, swap;
};

/* What a reservation has, or is to get, on a node. */
struct maui_sr_share {
	uint32_t node;
	uint32_t tasks;
	int64_t procs; /* all of them together */
	bool in_use;   /* by jobs that the reservation has admitted; former shares only */
};

struct maui_sr_request {
	const struct maui_sr *sr;
	uint32_t sr_index;                  /* as in the holds */
	const bool *listed;                 /* by node: HOSTLIST names it; NULL: no HOSTLIST */
	const bool *excluded;               /* by node: EXCLUDEHOSTLIST names it; NULL: no list */
	const uint32_t *rank;               /* by node: the lowest first (NODEALLOCATIONPOLICY, see
						nodealloc.h); equal ones, or NULL: as they come */
	int64_t from, end;                  /* the window */
	const struct maui_sr_share *former; /* of this instance; NULL: it is new */
	size_t former_count;
};

/* Why a node gave no task, or fewer than it has. In the order of the checks. */
enum maui_sr_why {
	MAUI_SR_GIVES,     /* it gave what it has, or was not needed */
	MAUI_SR_UNLISTED,  /* HOSTLIST does not name it */
	MAUI_SR_EXCLUDED,  /* EXCLUDEHOSTLIST names it */
	MAUI_SR_PARTITION, /* it is not in PARTITION */
	MAUI_SR_FEATURES,  /* it lacks one of NODEFEATURES */
	MAUI_SR_SMALL,     /* not one task, or not TPN tasks, fit on it */
	MAUI_SR_DOWN,
	MAUI_SR_BUSY,     /* jobs hold it when the window begins */
	MAUI_SR_RESERVED, /* other reservations hold it */
	MAUI_SR_WHYS
};
/* "not in the partition", ... */
const char *maui_sr_why_text(enum maui_sr_why why);

struct maui_sr_placement {
	struct maui_sr_share *shares; /* in the order of nodes; malloc'ed */
	size_t count;
	struct maui_sr_share *busy; /* what nodes lack due to MAUI_SR_BUSY; freed with the shares */
	size_t busy_count;
	uint32_t tasks;   /* placed */
	uint32_t missing; /* of TASKCOUNT; without one: 1 if nothing could be placed, else 0 */
	bool floating;
	bool beyond;  /* nodes outside the HOSTLIST are used: TASKCOUNT needs more than it has */
	bool stacked; /* on top of other reservations */
	bool changed; /* differs from the former shares */
	uint32_t why[MAUI_SR_WHYS]; /* nodes by reason */
};

/*
 * Placing none at all is not a failure: the caller then makes no instance. holds are
 * in the order of nodes. Costs nodes + the square of the holds of each.
 */
void maui_sr_place(const struct maui_sr_request *request, const struct maui_sr_node *nodes,
		   uint32_t node_count, const struct maui_sr_hold *holds, size_t hold_count,
		   struct maui_sr_placement *ret_placement);
void maui_sr_placement_clear(struct maui_sr_placement *placement);

#define MAUI_SR_PLACE_TEXT 256

/* "26 of 32 tasks; 2 nodes down; 4 nodes held by other reservations". Returns
 * text. */
const char *maui_sr_placement_text(const struct maui_sr_placement *placement,
				   char text[MAUI_SR_PLACE_TEXT]);

#endif
