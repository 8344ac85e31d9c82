/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many CPUs and how much memory of each node running jobs hold: Slurm 22.05
 * keeps that inside cons_tres, and shows it only as of the last request for node
 * information. Where jobs share CPUs it counts too few, never too many, so that
 * it proves that a job has no room, and never that it has (S-SEL-20). Also how
 * many jobs are on each node: Slurm's own counter of suspended jobs drifts
 * (S-SEL-18). All jobs are counted anew once a minute.
 *
 * Job write lock for all of it; for node_use() and node_use_forget(), the read lock will do if
 * another lock keeps out other callers.
 */
#ifndef MAUI_ENGINE_NODE_USE_H
#define MAUI_ENGINE_NODE_USE_H

#include "plugins/engine/api/select.h"

/* Resources were given to a job, or are about to be taken from it. */
void node_use_begins(const job_record_t *job);
void node_use_ends(const job_record_t *job);

/* Something else has changed: count anew at the next request. */
void node_use_forget(void);

const struct maui_engine_node_use *node_use(void);

/* Another number after each change that no begin or end has told of. */
uint64_t node_use_changes(void);

/* What is counted of one job, for each of its nodes: of a suspended one nothing. Job read lock. */
void node_use_of(const job_record_t *job, maui_engine_visit_held_t visit, void *context);

/* Adds to cpus, by node, what running jobs hold now. Job read lock. */
void node_use_count(uint32_t *cpus, uint32_t count);

#endif
