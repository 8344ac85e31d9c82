/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NODEALLOCATIONPOLICY LOCAL: an example of a site's own algorithm. Jobs of one task get the
 * smallest node that holds them, so that large nodes stay free; others get the nodes with the most
 * idle processors.
 *
 *   cc -shared -fPIC -O2 -I DIRECTORY_OF_THE_HEADER -o nodealloc_local.so nodealloc_local.c
 *
 * and in maui.cfg, which only root and SlurmUser may be able to write:
 *
 *   NODEALLOCATIONPOLICY LOCAL
 *   NODEALLOCATIONLOCAL  /etc/slurm/nodealloc_local.so
 */
#include "common/policy/nodes/nodealloc_local.h"

/* Larger is better, and not negative. */
static double merit(const struct maui_nodealloc_local_request *request, uint32_t index)
{
	const struct maui_nodealloc_local_node *node = maui_nodealloc_local_node(request, index);

	if (request->tasks == 1)
		return 1e6 - node->procs;
	return node->procs - node->dedicated_procs;
}

/* A rank is how many nodes are better: fast enough for a few hundred nodes; sort if more. */
int maui_nodealloc_local(const struct maui_nodealloc_local_request *request, uint32_t *ranks)
{
	if (request->version != MAUI_NODEALLOC_LOCAL_VERSION)
		return -1;
	for (uint32_t i = 0; i < request->node_count; i++)
		for (uint32_t k = 0; k < request->node_count; k++)
			ranks[i] += merit(request, k) > merit(request, i);
	return 0;
}
