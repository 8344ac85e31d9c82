/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * OWNERPREEMPT: a job of the owner of a standing reservation may preempt jobs of others that run on
 * the owner's reserved nodes. sr_owner.h has who is meant; here is where.
 *
 *   - Of the owner's reservations those count that are active, have FLAGS=OWNERPREEMPT, and admit
 *     the job if it starts now; of their nodes those that every other reservation lets it have,
 *     too.
 *   - A victim's nodes must all be among these, of one and the same OWNER: who also runs elsewhere
 *     is left alone. How it got there does not matter.
 *   - Of a node of which a reservation has some cores only, the victim must hold one of these at
 *     least.
 *
 * Asked for each running job times each pending one, with slurmctld's job write lock held: what
 * holds for the pending job is found out once, and kept until its nodes are looked for.
 */
#ifndef MAUI_ENGINE_RSV_OWNER_H
#define MAUI_ENGINE_RSV_OWNER_H

#include "common/policy/policy.h"
#include "common/policy/reservation/sr_owner.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/module.h"

/* What slurm.conf lets OWNERPREEMPT do. */
enum maui_sr_preemption rsv_owner_preemption(void);

/* What of the job is known may be another from now on. Job write lock. */
void rsv_owner_forget(void);

/* Slurm has chosen nodes for the job, and is about to preempt these others for it. Job write lock,
 * node read lock. */
void rsv_owner_takes(const job_record_t *job, bitstr_t *nodes, compat_list_t victims);

extern const struct module rsv_owner_module;

#endif
