/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the select plugin asks of the engine. It does not link the engine,
 * because up to Slurm 24.11 every client command loads the select plugin: in
 * slurmctld alone it opens libslurm_maui.so by path and looks up
 * maui_engine_select by its name.
 */
#ifndef MAUI_ENGINE_SELECT_H
#define MAUI_ENGINE_SELECT_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/compat/base.h"
#include "plugins/engine/api/engine.h"

#define MAUI_ENGINE_SELECT_VERSION 9
#define MAUI_ENGINE_SELECT_SYMBOL  "maui_engine_select"

/* What jobs hold of each node, by the node's index. */
struct maui_engine_node_use {
	const uint32_t *cpus;    /* of running jobs */
	const uint64_t *memory;  /* of running jobs: MB, as far as they have asked for it */
	const uint32_t *jobs;    /* how many run or are suspended */
	const uint32_t *resumed; /* how many run that were suspended: others may have their cores */
	uint32_t count;          /* of nodes */
};

/* Of one node: by its index, MB. */
typedef void (*maui_engine_visit_held_t)(uint32_t node, uint16_t cpus, uint64_t memory,
					 void *context);

struct maui_engine_select {
	/* MAUI_ENGINE_SELECT_VERSION; a plugin of another version leaves the engine alone. */
	uint32_t version;

	/* The plugin is loaded in slurmctld, and will ask before each start. Any lock may be held.
	 */
	void (*loaded)(void);

	/* Whether the job may start at all, as far as limits go: before the nodes are looked at.
	 * immediate: it would start now; else backfill plans. False: its record says why. Job write
	 * lock, partition read lock. */
	bool (*may_start)(job_record_t *job, bool immediate);

	/* The same for what it was given: job->job_resrcs is set, and must be given back if the
	 * answer is no. */
	bool (*may_hold)(job_record_t *job);

	/* Whether a limit of nodes on GRES may affect the job. Job write lock,
	 * node read lock. */
	bool (*limits_gres)(const job_record_t *job);

	/* For such a job: whether these limits let it have what it was given on its nodes, which
	 * must be given back if the answer is no. Those that do not are cleared among the
	 * candidates. Job write lock, node read lock. */
	bool (*may_hold_on)(const job_record_t *job, bitstr_t *nodes, bitstr_t *candidates);

	/* Clears the nodes that must not take the job, however much room they have. Comes before
	 * the other calls, for starts and planned starts, not to test whether a job could ever run.
	 * Job write lock, node read lock. */
	void (*permit)(const job_record_t *job, bitstr_t *nodes);

	/* Whether admit() may have anything to say about the job. Job write lock. */
	bool (*may_be_admitted)(const job_record_t *job);

	/*
	 * Clears the nodes of reservations that do not admit the job if it starts then; for those
	 * that hold parts of nodes, adds the cores to *cores, which is allocated if NULL. For
	 * starts and planned starts. Returns when the first reservation in its way ends and other
	 * nodes may become available; 0: none is in its way. Job write lock, node read lock.
	 */
	time_t (*admit)(const job_record_t *job, bitstr_t *nodes, bitstr_t **cores, time_t start);

	/* The job was given nodes on which others run, which Slurm preempts for it now. Job write
	 * lock, node read lock. */
	void (*preempts)(const job_record_t *job, bitstr_t *nodes, compat_list_t victims);

	/* Slurm looks for a place for a reservation of cores. True if the engine is making it right
	 * now: where it goes, in bitmaps that the caller frees. Job read and node write lock. */
	bool (*place_reservation)(bitstr_t **ret_nodes, bitstr_t **ret_cores);

	/* Whether rank() may have an order for this job: if not, the caller need not look at the
	 * nodes. Job write lock. */
	bool (*orders)(const job_record_t *job);

	/*
	 * The order in which a job should get nodes: 5.2. For each node of candidates ret_rank[its
	 * index] is set: a node with a lower rank goes first, no two have the same (D-NODE-17), and
	 * ranks are small numbers from 0 without gaps. immediate: the job may start now; else its
	 * start is planned. False: the order is Slurm's own (by weight, then by place), and
	 * ret_rank was not touched. Job write lock, node read lock.
	 */
	bool (*rank)(const job_record_t *job, bitstr_t *candidates, bool immediate,
		     uint32_t *ret_rank);

	/* What jobs hold of nodes; NULL in shadow mode. Never more than they hold, but for resumed
	 * jobs. Valid until the next call of any of these. Job write lock. */
	const struct maui_engine_node_use *(*node_use)(void);

	/* One job's part of that, for each of its nodes. Job read lock. */
	void (*each_held)(const job_record_t *job, maui_engine_visit_held_t visit, void *context);

	/* Slurm has rebuilt its table of nodes: an index may mean another node now. Node write
	 * lock. */
	void (*nodes_changed)(void);

	/* A run of a job has begun: its nodes are chosen. Job write lock, node
	 * read lock. */
	void (*run_began)(job_record_t *job);

	/* A job was resized: what it holds has changed. Job write lock, node read lock. */
	void (*resized)(const job_record_t *job);

	/* A job is being suspended or resumed; its record does not say so yet. The same locks. */
	void (*suspended)(const job_record_t *job, bool suspended);

	/* A run of a job has ended at job->end_time: it is completing, or requeued. It still has
	 * its nodes. Job write lock, node read lock. */
	void (*run_ended)(job_record_t *job);

	/* Up to 24.11, where a select plugin is told: a step has ended; what Slurm measured is in
	 * step->jobacct. A batch script's step ends after the job's run. Job write lock. */
	void (*step_ended)(const step_record_t *step);
};

extern MAUI_EXPORT const struct maui_engine_select maui_engine_select;

#endif
