/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine as `sinfo -a -N -o '%N|%c|%m|%f|%G|%R'` prints it: NODELIST, CPUS, MEMORY,
 * AVAIL_FEATURES, GRES and PARTITION, a row for each node in each partition.
 */
#ifndef MAUI_REPLAY_SINFO_H
#define MAUI_REPLAY_SINFO_H

#include "common/replay/nodes/nodes.h"
#include "common/replay/trace/trace.h"

/*
 * Add the nodes of a text, which need not end with NUL; NODELIST and CPUS are needed. Rows that
 * cannot be read are complained about and left out; *bad_lines counts them. 0, or -EINVAL if the
 * first line lacks a column or there is no node.
 */
int maui_replay_sinfo_read(struct maui_replay_nodes *nodes, const char *text, size_t size,
			   const struct maui_replay_complaints *complaints, size_t *bad_lines);

#endif
