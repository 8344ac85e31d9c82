/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's records as the core sees them. D-MAP-1: PROC is CPUs, MEM the memory requested, DISK
 * --tmp, SWAP does not exist. Each function names the locks it needs.
 */
#ifndef MAUI_ENGINE_RECORDS_H
#define MAUI_ENGINE_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/policy/fairshare/fsledger.h"
#include "common/policy/nodes/node_settings.h"
#include "common/policy/priority/pe.h"
#include "common/policy/priority/priority.h"
#include "common/queue/names.h"
#include "common/queue/snapshot.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"

/* The machine's configured resources: all nodes. Node read lock. */
void records_machine(struct maui_resources *ret_machine);

/* A partition's name, interned; MAUI_NO_CREDENTIAL for NULL: a job may have lost its own. Partition
 * read lock, the engine's mutex. */
ENGINE_LOCKED uint32_t records_class(const part_record_t *partition, struct maui_names *names);

/*
 * What the arithmetic needs of a job in one of its partitions. Job and partition read lock, the
 * engine's mutex. The caller fills in the effective queue time (queued_since) and the bypass count.
 */
ENGINE_LOCKED void records_job(const job_record_t *job, const part_record_t *partition,
			       struct maui_names *names, uint32_t qos, uint32_t class,
			       const struct maui_resources *machine,
			       struct maui_priority_job *ret_job);

/* Seconds that a job asks for, while no scheduler looks at it; 0 without a time limit. Job read
 * lock. */
uint32_t records_walltime_asked(const job_record_t *job);

/*
 * Seconds that a pending job gets if it starts now, in the partition that Slurm is considering. A
 * job without a time limit gets its partition's default from the main scheduler, but all that the
 * partition allows from backfill. From 25.05 on backfill tries one with --time-min as if it asked
 * for that, and lets it have up to all that it `asked` for once it runs (S-SEL-17); 0: it has no limit
 * of its own, or that is not known, and it may get what its partition allows. Job and partition read
 * lock.
 */
double records_walltime_at_start(const job_record_t *job, uint32_t asked);

/*
 * Fill in the row of a pending job, with details, in the partition at this
 * place, as far as its record tells. A priority of 0 is always
 * MAUI_VIOLATES_HOLD here. Left to the caller are the state that this is, and
 * parts, tracked_slot, shut_out, qos_missing and unidentified, which are 0. The
 * snapshot is that of the row. Job and partition read lock.
 */
void records_row(const job_record_t *job, const part_record_t *partition, uint32_t place,
		 const struct maui_snapshot *snapshot, struct maui_snapshot_row *row);

/*
 * Call visit for each place of a job: for each partition, in the order of Slurm's list, for each of
 * its QOS (Slurm's number; 0: none). Returns their number; 0 when the job has lost its partition.
 */
typedef void (*records_visit_t)(part_record_t *partition, uint32_t qos, uint32_t place,
				void *context);
uint32_t records_each_place(const job_record_t *job, records_visit_t visit, void *context);

/*
 * Which of its places Slurm is considering: squeue shows the priority there. A job in one partition
 * has the priority of the first: Slurm sorts its queue by it, whatever the QOS. Job read lock.
 */
uint32_t records_current_place(const job_record_t *job);

/* Whether the backfill scheduler started this job, which may have ended since. Job read lock. */
bool records_backfilled(const job_record_t *job);

/*
 * Nice and site factor as plain numbers: what they add to a job's priority in Slurm. A site factor
 * that is an absolute system priority (setspri) adds nothing: it is one of the terms.
 */
int64_t records_nice(const job_record_t *job);
int64_t records_site_factor(const job_record_t *job);

/* The absolute system priority that is in the site factor; 0: none. */
int64_t records_system_priority(const job_record_t *job);

/*
 * Prefetch what an iteration reads and writes of a job: its members are on up
 * to 22 cache lines of the record, and waiting for them one after the other
 * would be most of an iteration's time. Addresses may be stale, because nothing
 * is followed; only records_prefetch_details() needs a record that exists.
 */
void records_prefetch(const void *record);
void records_prefetch_state(const void *record); /* its id, and whether it waits */
void records_prefetch_details(const job_record_t *job);

/*
 * A job's run so far, for fairshare: of a job that runs, is suspended, or has ended. The rate is
 * what FSPOLICY counts: UTILIZEDPS is counted as DEDICATEDPS. False if it never ran. ended: the run
 * has ended at job->end_time, whatever the job's state is: a requeued job is already pending.
 */
ENGINE_LOCKED bool records_run(const job_record_t *job, bool ended, struct maui_names *names,
			       uint32_t qos, uint32_t class,
			       const struct maui_fairshare_settings *counting,
			       const struct maui_resources *machine, int64_t now,
			       struct maui_run *ret_run);

/* USEMACHINESPEEDFORFS: the mean of NODECFG's SPEED of a job's nodes, 1 if they are not known. Node
 * read lock. */
double records_speed(const job_record_t *job, const struct maui_node_policy *nodes);

/* When the last run of a job that was requeued or has ended was over, as far as its record tells;
 * now at the latest. */
int64_t records_requeued(const job_record_t *job, int64_t since, int64_t now);

#endif
