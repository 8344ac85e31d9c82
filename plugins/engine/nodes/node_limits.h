/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NODECFG's MAXJOB, MAXJOBPERUSER, MAXPROC, MAXPROCPERUSER, MAXJOB[CLASS:x],
 * MAXPROC[CLASS:x] and the like, MAXPEPERJOB and MAXLOAD: which nodes can take
 * no more of a job, 6.2.1. Hard limits only; under a processor limit, one task
 * of the job must fit, as in the original. MAXGRES is node_gres.h's.
 */
#ifndef MAUI_ENGINE_NODE_LIMITS_H
#define MAUI_ENGINE_NODE_LIMITS_H

#include "plugins/engine/api/select.h"
#include "plugins/engine/nodes/node_table.h"

/* Clears the nodes that must not take the job. Job write lock, node read lock; one caller at a
 * time. */
void node_limits_apply(const struct node_table *table, const job_record_t *job,
		       const struct maui_engine_node_use *use, bitstr_t *nodes);

#endif
