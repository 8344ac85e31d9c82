/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is kept from jobs: holds by time. */
#ifndef MAUI_REPLAY_SITE_HOLDS_H
#define MAUI_REPLAY_SITE_HOLDS_H

#include "common/replay/state/site_nodes_record.h"

/* Add one; its nodes are added afterwards. */
void site_hold_add(struct site_holds *holds, int64_t begin, int64_t end, uint32_t instance);
void site_hold_node(struct site_holds *holds, uint32_t node, uint32_t cpus);
/* All are there. */
void site_holds_stand(struct site_holds *holds);
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

#endif
