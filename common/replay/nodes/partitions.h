/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the partitions of a machine mean for the jobs of a trace. */
#ifndef MAUI_REPLAY_PARTITIONS_H
#define MAUI_REPLAY_PARTITIONS_H

#include "common/replay/nodes/nodes.h"
#include "common/replay/trace/trace.h"

/* The partition of a job's class, or the default one if it has none. UINT32_MAX: there is none. */
uint32_t maui_replay_partition_of(const struct maui_replay_trace *trace,
				  const struct maui_replay_nodes *nodes, uint32_t class);

/*
 * Jobs without a time limit get their partition's. Those that it does not let in are taken out of
 * the trace, and counted: for State, MaxTime, MaxNodes or MinNodes.
 */
void maui_replay_apply_partitions(struct maui_replay_trace *trace,
				  const struct maui_replay_nodes *nodes);

#endif
