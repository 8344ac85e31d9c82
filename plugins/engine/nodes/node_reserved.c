/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The earliest start of a future reservation on each node, cached until
 * reservations or the number of nodes change, or a reservation begins.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/nodes/node_reserved.h"

#include "common/policy/nodes/nodealloc.h"
#include "common/util/memory.h"
#include "plugins/engine/slurm/resvrec.h"

/* The lock of the one caller guards it: that of the order of nodes. */
static struct {
	int64_t *from; /* by node */
	uint32_t count;
	time_t updated; /* what resvrec_updated() was */
	int64_t next;   /* when the first of them begins, and is no longer in the future */
	int64_t now;
} reserved;

static int node_reserved_note(slurmctld_resv_t *reservation, void *context)
{
	int64_t now = *(const int64_t *)context;
	int64_t begin = resvrec_start(reservation);
	bitstr_t *nodes = resvrec_nodes(reservation);
	int last;

	if (begin <= now || !nodes)
		return 0;
	if (begin < reserved.next)
		reserved.next = begin;
	last = bit_fls(nodes);
	for (int i = bit_ffs(nodes); i >= 0 && i <= last && (uint32_t)i < reserved.count; i++)
		if (bit_test(nodes, i) && begin < reserved.from[i])
			reserved.from[i] = begin;
	return 0;
}

/* Whether the result still holds. Slurm's time stamp is in whole seconds: more changes may follow
 * within the same one. */
static bool node_reserved_holds(uint32_t nodes, int64_t now)
{
	return reserved.from && reserved.count == nodes && reserved.updated == resvrec_updated() &&
	       reserved.updated < reserved.now && now >= reserved.now && now < reserved.next;
}

const int64_t *node_reserved_from(uint32_t nodes, int64_t now)
{
	if (node_reserved_holds(nodes, now))
		return reserved.from;
	if (reserved.count != nodes || !reserved.from) {
		reserved.from =
			maui_realloc(reserved.from, (size_t)nodes + 1, sizeof(*reserved.from));
		reserved.count = nodes;
	}
	for (uint32_t i = 0; i < nodes; i++)
		reserved.from[i] = MAUI_NODE_FOREVER;
	reserved.next = MAUI_NODE_FOREVER;
	reserved.now = now;
	reserved.updated = resvrec_updated();
	resvrec_each(node_reserved_note, &now);
	return reserved.from;
}
