/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NODEACCESSPOLICY, 5.2: who may share a job's nodes, told to Slurm as --exclusive and its kin. */
#ifndef MAUI_ENGINE_ACCESS_H
#define MAUI_ENGINE_ACCESS_H

#include "common/policy/policy.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/slurm_writer.h"

/*
 * The system's policy, or the one that the job's comment names (x=NACCESSPOLICY:SINGLEUSER), where
 * it is more exclusive than what the job itself asks for. What a job asked for is never loosened.
 * Pending jobs; job write lock.
 */
void access_apply(struct slurm_writer *writer, job_record_t *job, const struct maui_policy *policy);

#endif
