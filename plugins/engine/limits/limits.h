/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Throttling in the engine: the limits of the policy in force, and what active jobs hold, updated
 * as they start and end. All of it is guarded by the engine's mutex.
 *
 * A job is active from the moment it gets its nodes until it gives them back: running, configuring
 * or suspended. What it holds is what it got, which may be more than it asked for.
 */
#ifndef MAUI_ENGINE_LIMITS_H
#define MAUI_ENGINE_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/policy/limits/limits.h"
#include "common/policy/policy.h"
#include "common/policy/priority/priority.h"
#include "common/queue/jobs.h"
#include "common/queue/principals.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"
#include "plugins/engine/slurm/jobrec_facts.h"

/*
 * Puts the policy and the ids of its users and groups in force. principals is NULL while the ids
 * are being looked up; until then it is unknown whom a limit applies to. Active jobs stay counted.
 * Both must live until the next call: as periods begin and end, the table is made anew.
 */
ENGINE_LOCKED void limits_bind(const struct maui_policy *policy,
			       const struct maui_principals *principals);

/* Another controller may have been in charge: discard the count. */
ENGINE_LOCKED void limits_forget(void);

/* Whether limits take effect: some are set, the select plugin is loaded to enforce them, and the
 * engine is not disabled. */
ENGINE_LOCKED bool limits_act(void);

/* The table, and the usage brought up to now; NULL: names or active jobs are not known yet, or the
 * values of a period that has just begun or ended are not in force yet, so no job may start. */
ENGINE_LOCKED const struct maui_limits *limits_table(void);
ENGINE_LOCKED struct maui_limit_usage *limits_usage(int64_t now);

/* Counts all active jobs unless that is done already. Job and partition read
 * lock, QOS lock. */
ENGINE_LOCKED void limits_count(void);

/* Updates the count from the job's record, whether it holds anything or nothing
 * any more. Job and partition read lock. */
ENGINE_LOCKED void limits_see(const job_record_t *job, uint32_t qos, uint32_t class);

/* The same for a job that has just begun; walltime in seconds, which its record may show only
 * later. */
ENGINE_LOCKED void limits_begin(const job_record_t *job, uint32_t qos, uint32_t class,
				int64_t walltime);
ENGINE_LOCKED void limits_end(uint32_t job_id);

/* What each active job holds, counted or not, malloc'ed. Job and partition read lock, QOS lock. */
ENGINE_LOCKED void limits_copy_active(struct maui_limit_active **ret_active, size_t *ret_count);

/*
 * As maui_limit_job_asked(), with what it would have got; a part of a heterogeneous job also asks for
 * what the other parts still wait for, since they start together. tracked: the job's, may be NULL.
 * Job read lock.
 */
ENGINE_LOCKED void limits_request(const struct jobrec_facts *facts,
				  const struct maui_priority_job *row,
				  const struct maui_tracked_job *tracked,
				  struct maui_limit_job *ret_job);

/*
 * What a job would have got that was refused for a limit of this level. On partly used nodes that may
 * be more nodes than on others, so over a hard limit it is valid only for seconds, and only until
 * some job ends; over a soft one until Slurm has tried the job again behind all others. limits_got()
 * accepts NULL.
 */
ENGINE_LOCKED void limits_keep_got(struct maui_tracked_job *tracked,
				   const struct maui_limit_job *got, enum maui_limit_level level);
ENGINE_LOCKED const struct maui_limit_job *limits_got(const struct maui_tracked_job *tracked,
						      uint32_t class);

/* What a job has got: job->job_resrcs is set. The row describes its request. Job read lock. */
ENGINE_LOCKED void limits_held(const job_record_t *job, const struct maui_priority_job *row,
			       struct maui_limit_job *ret_job);

extern const struct module limits_module;

#endif
