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

#include <stdlib.h>

/* Larger is better, and not negative. */
static double nodealloc_local_merit(const struct maui_nodealloc_local_request *request,
				    uint32_t index)
{
	const struct maui_nodealloc_local_node *node = maui_nodealloc_local_node(request, index);

	if (request->tasks == 1)
		return 1e6 - node->procs;
	return node->procs - node->dedicated_procs;
}

struct place {
	double merit;
	uint32_t index;
};

static int best_first(const void *one, const void *other)
{
	const struct place *a = one, *b = other;

	return (a->merit < b->merit) - (a->merit > b->merit);
}

/* A rank is how many nodes are better. */
int maui_nodealloc_local(const struct maui_nodealloc_local_request *request, uint32_t *ranks)
{
	uint32_t count = request->node_count;
	struct place *places;

	if (request->version != MAUI_NODEALLOC_LOCAL_VERSION)
		return -1;
	places = calloc(count + 1, sizeof(*places));
	if (!places)
		return -2;
	for (uint32_t i = 0; i < count; i++)
		places[i] = (struct place){nodealloc_local_merit(request, i), i};
	qsort(places, count, sizeof(*places), best_first);
	for (uint32_t i = 0; i < count; i++)
		ranks[places[i].index] = i && places[i].merit == places[i - 1].merit
						 ? ranks[places[i - 1].index]
						 : i;
	free(places);
	return 0;
}
