/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PREF, 5.2.5: the features that a job would like its nodes to have, from --prefer and from its
 * comment. */
#ifndef MAUI_ENGINE_NODE_PREFERENCE_H
#define MAUI_ENGINE_NODE_PREFERENCE_H

#include <stdbool.h>

#include "common/policy/nodes/node_settings.h"
#include "plugins/compat/base.h"

#define NODE_PREFERENCE_FEATURES 32
#define NODE_PREFERENCE_NAME     64

/* More features than that, and longer names, are ignored. */
struct node_preference {
	char name[NODE_PREFERENCE_FEATURES][NODE_PREFERENCE_NAME];
	bitstr_t *nodes[NODE_PREFERENCE_FEATURES]; /* that have it in Slurm; NULL: none */
	uint32_t count;
};

/* Node read lock: the bitmaps are Slurm's. */
void node_preference_of(const job_record_t *job, struct node_preference *ret_preference);

/* Whether a node has any of them, in Slurm or by NODECFG FEATURES. */
bool node_preferred(const struct node_preference *preference, uint32_t index,
		    const struct maui_node_settings *settings);

#endif
