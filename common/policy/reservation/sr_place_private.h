/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What sr_place.c, which looks at all nodes, and sr_stay.c, which does not, judge alike. */
#ifndef MAUI_POLICY_SR_PLACE_PRIVATE_H
#define MAUI_POLICY_SR_PLACE_PRIVATE_H

#include "common/policy/reservation/sr_place.h"

/* Why a node gives nothing, whatever is there; MAUI_SR_GIVES: it gives *ret_tasks, at most. */
enum maui_sr_why maui_sr_node_gives(const struct maui_sr *sr, const struct maui_sr_node *node,
				    uint32_t *ret_tasks);

/* The same of a node of the request's machine, whose lists of hosts count, too. */
enum maui_sr_why maui_sr_request_gives(const struct maui_sr_request *request,
				       const struct maui_sr_node *nodes, uint32_t node,
				       uint32_t *ret_tasks);

/* Whether its nodes are reserved whole, whatever its tasks take of them. */
static inline bool maui_sr_takes_nodes(const struct maui_sr *sr)
{
	return sr->task.gres_count;
}

struct maui_sr_mode {
	bool fixed;  /* the place is fixed: without TASKCOUNT, if all of the list is needed, or by
			FORCE; see the header */
	bool beyond; /* the list is not enough */
};

/* listed_tasks: what the nodes of HOSTLIST give at most, UINT64_MAX without one. */
struct maui_sr_mode maui_sr_mode_of(const struct maui_sr *sr, uint64_t listed_tasks);

struct maui_sr_share maui_sr_share_of(const struct maui_sr *sr, const struct maui_sr_node *nodes,
				      uint32_t node, uint32_t tasks);

static inline bool maui_sr_is_listed(const struct maui_sr_request *request, uint32_t node)
{
	return !request->listed || request->listed[node];
}

#endif
