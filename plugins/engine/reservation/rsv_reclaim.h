/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a job of a reservation's owner has taken back is kept for the owner until the job starts:
 * otherwise the first job in the queue would get it. While a reclaim holds
 *   - the parts of the owner's reservations on the claimed nodes are withheld from all but the
 *     owner's jobs
 *   - the job that waits for it goes before all others in the queue: a job denied the withheld
 *     nodes would otherwise hold up the partition for it.
 * It ends when the job starts, ends, is held, changes hands, or does not start in time
 * (sr_owner.h); and when the reservation is over. It outlives slurmctld (rsv_reclaim_file.h).
 *
 * Unless said otherwise, slurmctld's job write lock is held, and the mutex is not.
 */
#ifndef MAUI_ENGINE_RSV_RECLAIM_H
#define MAUI_ENGINE_RSV_RECLAIM_H

#include "common/util/credential.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"

/* A job takes nodes back for the owner; the jobs on them have this long to end, in addition to
 * Slurm's own times. nodes is copied. */
void rsv_reclaim_make(const job_record_t *job, enum maui_credential type, uint32_t owner,
		      bitstr_t *nodes, time_t grace);

/* Whether the job is waiting for what it has claimed. No lock at all: Slurm asks for each pair of
 * jobs that it sorts. As fast as rsv_reclaim_list_has(). */
bool rsv_reclaim_has(const job_record_t *job);

/*
 * Whether the job may take back what the victim holds. A job that has claimed something waits for
 * it and takes nothing else meanwhile: for an array, Slurm would preempt again for each task that
 * starts. Several tasks may reclaim in one pass.
 */
bool rsv_reclaim_allows(const job_record_t *job, const job_record_t *victim);

/* A job starts running: it has what it claimed; for an array there may be more. */
void rsv_reclaim_began(const job_record_t *job);

/*
 * Like rsv_admission_filter(), for a job with these credentials: takes away what others have
 * claimed. Returns the time by which the first of these reclaims has ended; 0: none is in its way.
 * Node read lock; the mutex is held.
 */
ENGINE_LOCKED time_t rsv_reclaim_filter(const job_record_t *job,
					const uint32_t credential[MAUI_CREDENTIALS],
					bitstr_t *nodes, bitstr_t **cores, time_t start);

/* Slurm has rebuilt its node table. Node write lock; the mutex is held. */
ENGINE_LOCKED void rsv_reclaim_nodes_changed(void);

/* Each iteration finds out for which jobs Slurm has preempted: only those are for the file. */
extern const struct module rsv_reclaim_module;

#endif
