/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the fuzz targets of machines: each node keeps the promises of nodes.h. */
#ifndef MAUI_FUZZ_REPLAY_MACHINE_H
#define MAUI_FUZZ_REPLAY_MACHINE_H

#include "common/replay/nodes/nodes.h"
#include "testsuite/fuzz/require.h"

static inline void check_nodes(const struct maui_replay_nodes *nodes)
{
	for (uint32_t i = 0; i < nodes->count; i++) {
		const struct maui_replay_node *node = &nodes->nodes[i];

		REQUIRE(node->cpus >= 1 && node->cpus <= MAUI_REPLAY_MAX_CPUS);
		REQUIRE(node->memory >= 0 && node->memory <= MAUI_REPLAY_MAX_MEMORY);
		REQUIRE(maui_replay_nodes_find(nodes, node->name) == i);
		for (uint32_t j = 0; j < node->gres_count; j++)
			REQUIRE(node->gres[j].gres >= 1 &&
				node->gres[j].gres <= MAUI_REPLAY_MAX_GRES);
	}
}

#endif
