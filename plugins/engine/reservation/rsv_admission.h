/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which jobs get into which reservations: chapter 7.1.5. Slurm keeps everybody out of ours but jobs
 * with the pass (pass.h), which a job gets that one of them might admit; and of a job with the pass,
 * whoever gave it, the nodes of every reservation that does not admit it are taken away here, each
 * time that it is about to start, and when its start is planned.
 */
#ifndef MAUI_ENGINE_RSV_ADMISSION_H
#define MAUI_ENGINE_RSV_ADMISSION_H

#include "common/policy/nodes/nodealloc.h"
#include "common/policy/reservation/rsv_access.h"
#include "common/queue/jobs.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"

/* Gives the pass to a pending job, or takes it. For its submission and changes; for iterations,
 * which do it only where maui.cfg is another since (tracked may be NULL). Returns whether it was
 * given. Job write lock, partition read lock; the mutex is held. */
bool rsv_admission_pass(job_record_t *job, struct maui_tracked_job *tracked);
bool rsv_admission_pass_again(job_record_t *job, struct maui_tracked_job *tracked);

/* The job as access lists look at it, in one of its partitions; its start is not known yet. The
 * same locks. */
ENGINE_LOCKED struct maui_rsv_job rsv_admission_asker(const job_record_t *job,
						      const part_record_t *partition);

/* The same in the partition that Slurm looks at, for the time that it gets there, and with the QOS
 * that it has by now: the mutex is let go for a moment, and what was found out before may not hold
 * any more. */
ENGINE_LOCKED struct maui_rsv_job rsv_admission_asker_now(const job_record_t *job);

/* What the job asks for, as maui_rsv_admits() is to be told it of this one of ours. The mutex is
 * held. */
struct rsv_seen;
uint32_t rsv_admission_asks(const job_record_t *job, const struct rsv_seen *seen);

/* Whether the job asks by name for one of ours, in none of its partitions to be admitted. Job and
 * partition read lock; the mutex is held. */
ENGINE_LOCKED bool rsv_admission_refuses(const job_record_t *job);

/* Whether the job has a pass, or asks for one of ours by name, and is in no reservation of Slurm's
 * own. Job read lock. */
bool rsv_admission_concerns(const job_record_t *job);

/* Whether there are reservations of ours that Slurm does not have as it should, so that it keeps
 * nobody out of them; they are mended then. Job and node read lock; takes the mutex. */
bool rsv_admission_meets_gap(const job_record_t *job);

/* Takes away the nodes of which nobody knows yet whose they are (rsv_guard.h). Node read lock;
 * takes the mutex. */
void rsv_admission_permit(bitstr_t *nodes);

/* maui_engine_select's admit(). Takes the mutex. */
time_t rsv_admission_filter(const job_record_t *job, bitstr_t *nodes, bitstr_t **cores,
			    time_t start);

/*
 * How a job stands to the reservations of each node, by the node's index, if it starts now; NULL:
 * no reservation is in its way or draws it. Valid until the next call. The same locks.
 */
const uint8_t *rsv_admission_affinity(const job_record_t *job, uint32_t nodes);

#endif
