/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which jobs get into which reservations: chapter 7.1.5. Slurm keeps everybody out of ours except
 * jobs with the pass (pass.h). A job gets the pass if one of our reservations might admit it; from
 * a job with the pass, whoever gave it, this module takes away the nodes of every reservation that
 * does not admit it, each time it is about to start and when its start is planned.
 */
#ifndef MAUI_ENGINE_RSV_ADMISSION_H
#define MAUI_ENGINE_RSV_ADMISSION_H

#include "common/policy/nodes/nodealloc.h"
#include "common/policy/reservation/rsv_access.h"
#include "common/queue/jobs.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/slurm_writer.h"
#include "plugins/engine/slurm/jobrec_facts.h"

/* Give the pass to a pending job, or take it away: on submission and changes; the second, for
 * iterations, only if maui.cfg or the job has changed since (tracked may be NULL). Returns whether
 * it was given. Job write lock, partition read lock; the mutex is held. */
ENGINE_LOCKED bool rsv_admission_pass(struct slurm_writer *writer, job_record_t *job,
				      struct maui_tracked_job *tracked);
ENGINE_LOCKED bool rsv_admission_pass_again(struct slurm_writer *writer, job_record_t *job,
					    struct maui_tracked_job *tracked);

/* The `asks` of a struct maui_rsv_job, for this reservation of ours. The mutex is held. */
struct rsv_seen;
ENGINE_LOCKED uint32_t rsv_admission_asks(const job_record_t *job, const struct rsv_seen *seen);

/* Whether the job asks for one of ours by name and is admitted in none of its places. Job and
 * partition read lock; the mutex is held. */
ENGINE_LOCKED bool rsv_admission_refuses(const struct jobrec_facts *facts);

/* Whether the job has a pass, or asks for one of ours by name, and is in none of Slurm's own
 * reservations. Job read lock. */
bool rsv_admission_concerns(const job_record_t *job);

/* Whether Slurm does not have some of our reservations as it should, so that it keeps nobody out of
 * them; new cases trigger a roll. Job and node read lock; takes the mutex. */
bool rsv_admission_meets_gap(const job_record_t *job);

/* Take away the nodes for which it is not known yet who may use them (rsv_gap_cache.h). Node read lock;
 * takes the mutex. */
void rsv_admission_permit(bitstr_t *nodes);

/* maui_engine_select's admit(). Takes the mutex. */
time_t rsv_admission_filter(const job_record_t *job, bitstr_t *nodes, bitstr_t **cores,
			    time_t start);

/*
 * The job's affinity to the reservations on each node, by the node's index, if it starts now; NULL:
 * no reservation matters to it. Valid until the next call. The same locks.
 */
const uint8_t *rsv_admission_affinity(const job_record_t *job, uint32_t nodes);

#endif
