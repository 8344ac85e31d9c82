/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The steps of an iteration, shared by their files. iteration.c runs them in
 * this order: collect looks at all jobs, visit reads and stores those of
 * waiting jobs.
 */
#ifndef MAUI_ENGINE_ITERATION_PRIVATE_H
#define MAUI_ENGINE_ITERATION_PRIVATE_H

#include "common/policy/priority/pe.h"
#include "plugins/compat/base.h"
#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/queue/known_jobs.h"
#include "plugins/engine/runtime/slurm_writer.h"
#include "plugins/engine/slurm/jobrec_facts.h"

/* How many jobs ahead of the one being looked at its record is prefetched. */
#define AHEAD_RECORD 16

struct iteration {
	struct maui_policy *policy;
	struct maui_snapshot *snapshot;
	struct clocks begun; /* snapshot->time is of it */
	struct maui_resources machine;
	size_t waiting;         /* jobs */
	uint32_t to_be_visited; /* those from this id on */
	/* Of the jobs of the slice that is being visited. */
	struct maui_priority_result *results;
	size_t result_room;
	/* First rows of jobs with a credential that snapshot->names lacks. */
	size_t *unnamed;
	size_t unnamed_count, unnamed_room;
	size_t renamed;            /* of them */
	struct jobrec_facts facts; /* of the job whose rows are being made */
	/* fairshare_counting(): while the mutex is held */
	const struct maui_fairshare_settings *counting;
	int64_t counted;                /* runs that ended earlier are counted already */
	const part_record_t *partition; /* the last one looked up, and its class */
	uint32_t class;
	bool limits; /* some limit acts */
	bool passed; /* a job may get into reservations now */
};

/* Look at what runs and has ended, and list what waits. False if the engine may
 * not look. No lock held. */
bool iteration_collect(struct iteration *iteration);

/*
 * Read each waiting job, compute its priority and store it, a few jobs at a
 * time. snapshot->names is frozen; jobs with a credential that it lacks get
 * their rows, and are listed in `unnamed`. False if the engine is no longer in
 * charge: then some rows have no priority. No lock held.
 */
bool iteration_visit(struct iteration *iteration);

/* The same for the rows of the jobs in `unnamed`, which then is empty. */
bool iteration_visit_unnamed(struct iteration *iteration);

/* Partition read lock. Most jobs are in the partition of the one before. */
ENGINE_LOCKED uint32_t iteration_class(struct iteration *iteration, const part_record_t *partition);

/* The number that orders jobs by arrival: an array task gets a job id of its own only when it
 * starts. array_job_id: 0 if the job is not of an array. */
uint32_t iteration_arrival(uint32_t array_job_id, uint32_t job_id);

/* Add the rows of a queued job. Job, node and partition read locks. */
ENGINE_LOCKED void iteration_rows(struct iteration *iteration, const job_record_t *job);

/* Set the time from which the job's wait counts, and how often it was bypassed. */
ENGINE_LOCKED void iteration_accrue(struct iteration *iteration, size_t first);

/* Whether this is still the job that has the row. Job read lock. */
ENGINE_LOCKED bool iteration_is_same(const struct iteration *iteration, const job_record_t *job,
				     size_t first);

/* Store the results of a job's rows. Job write lock. Returns whether anything about the job
 * changed. */
ENGINE_LOCKED bool iteration_store(struct slurm_writer *writer, job_record_t *job,
				   struct iteration *iteration, size_t first,
				   const struct maui_priority_result *results);

/* Shadow mode: make the rows what they would be if the results had been stored. */
ENGINE_LOCKED void iteration_imagine(struct iteration *iteration, size_t first,
				     const struct maui_priority_result *results);

#endif
