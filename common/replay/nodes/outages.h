/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When nodes were not there: what `sacctmgr -P show event` prints of nodes, whose ends nobody knew
 * beforehand, or `sacctmgr -P show reservation` of maintenance, which was known.
 */
#ifndef MAUI_REPLAY_OUTAGES_H
#define MAUI_REPLAY_OUTAGES_H

#include "common/replay/nodes/nodes.h"
#include "common/replay/trace/trace.h"
#include "common/util/slurm/node_state.h"

#define MAUI_REPLAY_FOREVER (2 * MAUI_REPLAY_MAX_TIME)
/* Nodes of all outages, each time that they are named: a row of few bytes may name 65536. */
#define MAUI_REPLAY_MAX_OUTAGE_NODES (1u << 26)

struct maui_replay_outage {
	int64_t begin, end; /* MAUI_REPLAY_FOREVER: it has not ended */
	bool planned;       /* jobs that would not end before it do not begin */
	uint32_t name;      /* of ->names, if it was planned */
	size_t first;       /* of ->nodes */
	uint32_t count;     /* at least 1 */
};

struct maui_replay_outages {
	struct maui_replay_outage *list; /* as in the text */
	uint32_t *nodes;
	struct maui_intern *names; /* NULL: none was planned */
	size_t count, room, node_count, node_room;
	size_t bad_lines;
	struct maui_node_timeouts timeouts; /* of nodes that power up or down; set by the caller */
	size_t usable;                      /* rows of nodes that could be used all the time */
	size_t shortened;                   /* rows of nodes that could be used before their end */
};

/*
 * Add the rows of a text, which need not end with NUL: NodeName (a range expression), TimeStart and
 * TimeEnd are needed; with a column State they were not planned, and last as
 * long as such a node cannot be used (node_state.h): slurmctld tells of power saving, too. Of rows
 * with Flags only those with MAINT count. Those that were planned have a Name, or are called
 * maintenance. Nodes that the machine does not have are left out, and a row whose nodes are more
 * than MAUI_REPLAY_MAX_OUTAGE_NODES with those before. 0, or -EINVAL if the first line lacks a
 * column.
 */
int maui_replay_outages_read(struct maui_replay_outages *outages,
			     const struct maui_replay_nodes *nodes, const char *text, size_t size,
			     const struct maui_replay_complaints *complaints);
/* A node is not there from begin to end, which nobody knows. */
void maui_replay_outages_add(struct maui_replay_outages *outages, int64_t begin, int64_t end,
			     uint32_t node);
void maui_replay_outages_clear(struct maui_replay_outages *outages);

#endif
