/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a job of a reservation's owner has taken back is for the owner, until the job starts:
 * without that the first job in the queue would get it. While a reclaim holds
 *   - of the owner's reservations, what lies on the claimed nodes is withheld from everybody but
 *     the owner's jobs
 *   - the job that waits for it goes before all others in the queue: one that does not get what it
 *     withholds would else hold up the partition for it.
 * It ends when the job starts, ends, is held, changes hands, or does not start in time
 * (sr_owner.h); when the reservation is over; and with slurmctld: then the job may have to take it
 * back once more.
 *
 * Guarded by slurmctld's job write lock.
 */
#ifndef MAUI_ENGINE_RSV_RECLAIM_H
#define MAUI_ENGINE_RSV_RECLAIM_H

#include "common/util/credential.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"

/* A job takes nodes back for the owner, and those who are there have this long to end, beyond
 * Slurm's own times. nodes is copied. */
void rsv_reclaim_make(const job_record_t *job, enum maui_credential type, uint32_t owner,
		      bitstr_t *nodes, time_t grace);

/* Whether the job waits for what it has claimed. O(number of reclaims), which is small. */
bool rsv_reclaim_has(const job_record_t *job);

/*
 * Whether the job may take back what this one holds. Who has claimed something waits for it, and
 * takes nothing else meanwhile: of an array Slurm would preempt again for each task that starts.
 * Several tasks may reclaim in one pass.
 */
bool rsv_reclaim_allows(const job_record_t *job, const job_record_t *victim);

/* A run of a job begins: it has what it has claimed; of an array there may be more. */
void rsv_reclaim_began(const job_record_t *job);

/*
 * As rsv_admission_filter(), for a job with these credentials: takes away what is claimed by
 * others. Returns when the first of these reclaims ends at the latest; 0: none is in its way. Node
 * read lock; the mutex is held.
 */
ENGINE_LOCKED time_t rsv_reclaim_filter(const job_record_t *job,
					const uint32_t credential[MAUI_CREDENTIALS],
					bitstr_t *nodes, bitstr_t **cores, time_t start);

/* Slurm has built its table of nodes anew. Node write lock. */
void rsv_reclaim_nodes_changed(void);

#endif
