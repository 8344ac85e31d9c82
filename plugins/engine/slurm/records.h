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
#include "plugins/engine/slurm/jobrec_facts.h"

/* The machine's configured resources: all nodes. Node read lock. */
void records_machine(struct maui_resources *ret_machine);

/* A partition's name, interned; MAUI_NO_CREDENTIAL for NULL: a job may have lost its own. Partition
 * read lock, the engine's mutex. */
ENGINE_LOCKED uint32_t records_class(const part_record_t *partition, struct maui_names *names);

/*
 * What the arithmetic needs of a job in one of its partitions. Job and partition read lock, the
 * engine's mutex. The caller fills in the effective queue time (queued_since) and the bypass count.
 */
ENGINE_LOCKED void records_job(const struct jobrec_facts *facts, const part_record_t *partition,
			       struct maui_names *names, uint32_t qos, uint32_t class,
			       const struct maui_resources *machine,
			       struct maui_priority_job *ret_job);

/*
 * Fill in the row of a pending job, with details, in the partition at this
 * place, as far as its facts tell. A priority of 0 is always
 * MAUI_VIOLATES_HOLD here. Left to the caller are the state that this is, and
 * parts, tracked_slot, shut_out, qos_missing and unidentified, which are 0. The
 * snapshot is that of the row. Job and partition read lock.
 */
void records_row(const struct jobrec_facts *facts, const part_record_t *partition, uint32_t place,
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
