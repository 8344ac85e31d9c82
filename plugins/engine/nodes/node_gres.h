/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NODECFG's MAXGRES, D-GRES-12: how many units of a GRES jobs hold on each node, and which nodes can
 * give a job no more. What jobs hold is read of their records when a limit asks for it, and then
 * kept. The lock of node_order.c guards it, and Slurm's job write and node read lock.
 */
#ifndef MAUI_ENGINE_NODE_GRES_H
#define MAUI_ENGINE_NODE_GRES_H

#include "plugins/engine/nodes/node_table.h"

/* Clears the nodes on which the job would be over a limit with the least GRES
 * that it takes there. */
void node_gres_apply(struct node_table *table, const job_record_t *job, bitstr_t *nodes);

/* The same with what Slurm has chosen for it: looks at its nodes, and clears those among the
 * candidates. True: no limit is exceeded. */
bool node_gres_may_hold(struct node_table *table, const job_record_t *job, bitstr_t *nodes,
			bitstr_t *candidates);

/* A job has got what it holds, or is about to lose it. */
void node_gres_begins(struct node_table *table, const job_record_t *job);
void node_gres_ends(struct node_table *table, const job_record_t *job);

#endif
