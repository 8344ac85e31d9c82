/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of usage: every association and every QOS has one. A job is entered in those of its
 * QOS, of its partition's QOS, and of its association and all that are above it. All functions need
 * the job read lock and the association manager's locks: assoc and qos for writing, tres for
 * reading.
 */
#ifndef MAUI_ENGINE_USAGE_LEDGER_H
#define MAUI_ENGINE_USAGE_LEDGER_H

#include "plugins/compat/base.h"
#include "plugins/engine/runtime/slurm_writer.h"

/* Let all records fade for so many seconds. */
void usage_ledger_decay(struct slurm_writer *writer, int64_t half_life, int64_t seconds);

/* PriorityUsageResetPeriod: clear all usage. */
void usage_ledger_reset(struct slurm_writer *writer);

/* Enter what a job has used from the last pass to now. */
void usage_ledger_add(struct slurm_writer *writer, const job_record_t *job, int64_t last_pass,
		      int64_t now, int64_t half_life);

/* The same for all jobs that are counted by passes: those that run, and those that ended without a
 * job_end(). */
void usage_ledger_add_all(struct slurm_writer *writer, int64_t last_pass, int64_t now,
			  int64_t half_life);

/*
 * GrpTRESRunMins: the TRES-seconds that running jobs may still use. slurmctld adds the whole time
 * limit of a job that starts, and of all running jobs at a restart and a reconfiguration, and
 * leaves it to us to take it away. Recounting the remainders of all jobs corrects whatever happened
 * in between (other limits, other usage factors, resized jobs).
 */
void usage_ledger_reserve_all(struct slurm_writer *writer, int64_t now);

/* A job ends: give back what it had reserved at the last call of reserve_all(), or at its start if
 * that was later. */
void usage_ledger_release(struct slurm_writer *writer, const job_record_t *job,
			  int64_t reserved_at);

#endif
