/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Throttling in the engine: the limits of the policy in force, and what active jobs hold, kept as
 * they start and end. Guarded by the engine's mutex, all of it.
 *
 * A job is active from the moment when it gets its nodes until it gives them back: running,
 * configuring or suspended. What it holds is what it got, which may be more than it has asked for.
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

/*
 * The policy and the numbers of its users and groups are in force; NULL: they are being asked for,
 * and until then nobody knows whom a limit is about. Active jobs stay counted. Both live until the
 * next call.
 */
ENGINE_LOCKED void limits_bind(const struct maui_policy *policy,
			       const struct maui_principals *principals);

/* Another controller may have been at work: count anew. */
void limits_forget(void);

/* Whether limits act: some are set, the select plugin is there to hold jobs to them, and the engine
 * is not disabled. */
ENGINE_LOCKED bool limits_act(void);

/* The table, and the usage brought up to now; NULL: not known yet (names, or active jobs), so that
 * nobody may start. */
const struct maui_limits *limits_table(void);
struct maui_limit_usage *limits_usage(int64_t now);

/* Count all active jobs, if they are not counted. Job read lock, QOS lock. */
void limits_count(void);

/* A job as its record is now: it holds something, or nothing more. Job read lock, QOS lock. */
ENGINE_LOCKED void limits_see(const job_record_t *job, uint32_t qos, uint32_t class);

/* The same of one that has just begun, for so many seconds, which its record may say only later. */
ENGINE_LOCKED void limits_begin(const job_record_t *job, uint32_t qos, uint32_t class,
				int64_t walltime);
void limits_end(uint32_t job_id);

/* What each holds, of all active jobs, counted or not, malloc'ed. 0 or -ENOMEM. Job and partition
 * read lock, QOS lock. */
int limits_copy_active(struct maui_limit_active **ret_active, size_t *ret_count);

/*
 * As maui_limit_job_asked(), with all that a part of a heterogeneous job has to wait for: they
 * start together. Job read lock.
 */
void limits_request(const job_record_t *job, const struct maui_priority_job *row,
		    const struct maui_limit_job *got, struct maui_limit_job *ret_job);

/*
 * What it would have got: on nodes that are partly in use that may be more nodes than on others, so
 * it holds for seconds, and until a run ends. limits_got() is for the calls above; it accepts NULL.
 */
ENGINE_LOCKED void limits_keep_got(struct maui_tracked_job *tracked,
				   const struct maui_limit_job *got);
const struct maui_limit_job *limits_got(const struct maui_tracked_job *tracked);

/* What a job has got: job->job_resrcs is set. The row is of its request. Job read lock. */
void limits_held(const job_record_t *job, const struct maui_priority_job *row,
		 struct maui_limit_job *ret_job);

extern const struct module limits_module;

#endif
