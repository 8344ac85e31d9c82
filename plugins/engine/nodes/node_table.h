/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The nodes as node allocation ranks them: NODECFG's settings, size, and place in
 * Slurm's order, by weight and then by index. Rebuilt when the policy or Slurm's
 * table of nodes changes; units held of MAXGRES change as jobs start and end. The
 * lock of node_order.c protects it, and Slurm's node lock the records that it is
 * built from.
 */
#ifndef MAUI_ENGINE_NODE_TABLE_H
#define MAUI_ENGINE_NODE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/policy/policy.h"
#include "plugins/engine/slurm/noderec.h"
#include "plugins/engine/slurm/noderec_gres.h"

struct node_gres_held;

struct node_row {
	const struct maui_node_settings *settings; /* of the table's policy */
	double procs, memory, disk;                /* MB */
	uint32_t weight;
	bool there; /* false: Slurm has no node of this index */
};

struct node_table {
	struct maui_policy *policy;
	uint32_t count;
	struct node_row *rows; /* by Slurm's index */
	uint32_t *list; /* the indexes of the nodes that are there, in the order of the list */
	uint32_t listed;
	bool weights_differ;
	bool limited;                /* a node has a limit of NODECFG's, other than MAXGRES */
	bool gres_limited;           /* a node has MAXGRES */
	struct noderec_gres gres;    /* those that PRIORITYF and MAXGRES name */
	struct node_gres_held *held; /* node_gres.c; malloc'ed, NULL: not counted yet */
};

/* Node read lock. Takes a reference to the policy. */
struct node_table *node_table_new(struct maui_policy *policy);
struct node_table *node_table_free(struct node_table *table); /* accepts NULL */

/* Whether a node has a limit of NODECFG's, other than MAXGRES. */
bool node_row_limited(const struct node_row *row);

/* Whether Slurm still says the same about this node as when the table was built. */
static inline bool node_row_holds(const struct node_row *row, const struct noderec_facts *node)
{
	return row->there && row->weight == node->weight && row->procs == node->cpus &&
	       row->memory == (double)node->memory;
}

#endif
