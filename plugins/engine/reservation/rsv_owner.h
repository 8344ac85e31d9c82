/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * OWNERPREEMPT: a job of a standing reservation's owner may preempt other
 * people's jobs on the owner's reserved nodes. sr_owner.h defines who; this
 * file decides where.
 *
 *   - The owner's reservations that count are those that are active, have FLAGS=OWNERPREEMPT, and
 *     admit the job if it starts now; of their nodes, those that no other reservation denies it.
 *   - A victim's nodes must all be among these, under the same OWNER: a job that also runs
 *     elsewhere is left alone. How it got there does not matter.
 *   - A victim whose owner owns the place by another reservation in force is left alone, too: of two
 *     owners neither takes it from the other.
 *   - On a node of which a reservation has only some cores, the victim must hold at least one of
 *     them.
 *
 * Called for each running job times each pending one, with slurmctld's job
 * write lock held: what applies to the pending job is determined once, and kept
 * until its nodes are selected.
 */
#ifndef MAUI_ENGINE_RSV_OWNER_H
#define MAUI_ENGINE_RSV_OWNER_H

#include "common/policy/policy.h"
#include "common/policy/reservation/sr_owner.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/module.h"

/* What slurm.conf lets OWNERPREEMPT do. */
enum maui_sr_preemption rsv_owner_preemption(void);

/* What is known of the job may change from now on. Job write lock. */
void rsv_owner_forget(void);

/* Slurm has chosen nodes for the job and is about to preempt these others for it. Job write lock,
 * node read lock. */
void rsv_owner_takes(const job_record_t *job, bitstr_t *nodes, compat_list_t victims);

extern const struct module rsv_owner_module;

#endif
