/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accountability, chapter 7.1.5.2.5: what an active instance of a standing reservation holds and no
 * job uses is charged in fairshare to its CHARGEACCOUNT, or else to its OWNER. The arithmetic is in
 * common/policy/fairshare/idle.h; this module feeds it Slurm's events and handles the results.
 *
 *   - Idle cycles add to one credential and to the total, as a job's add to several and to the
 *     total. So a percentage is still a share of what was used or kept from others, and never above
 *     100: an owner whose processors all stand idle has 100 percent of a total that is entirely his
 *     own, where the original program, which leaves the total alone, gives him 1000 percent of
 *     everyone else's.
 *   - DEDICATEDPS counts processors, and so does DEDICATEDPES: a processor that nobody has is its
 *     own equivalent. UTILIZEDPS counts what was really used, which for an idle processor is
 *     nothing (D-FS-9).
 *   - By cores: a core counts as all of its processors, if no running job has any part of it.
 *     USEMACHINESPEEDFORFS applies.
 *   - A suspended job uses nothing and is charged nothing, so what it leaves is idle. Nothing on a
 *     node that is down, drained or failing is idle, nor are cores reserved for Slurm itself
 *     (CoreSpecCount), as nobody could use them.
 *   - If several reservations have a processor, it is charged to the one whose name comes first
 *     among those that somebody answers for.
 */
#ifndef MAUI_ENGINE_RSV_IDLE_H
#define MAUI_ENGINE_RSV_IDLE_H

#include "common/policy/fairshare/fairshare.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/module.h"
#include "plugins/engine/runtime/state.h"

/* A run has begun, at job->start_time; has ended, at job->end_time; holds something else from now
 * on; is suspended, or resumed. Job write lock, node read lock; takes the mutex. Costs next to
 * nothing if nobody answers for a reservation. */
void rsv_idle_began(const job_record_t *job);
void rsv_idle_ended(const job_record_t *job);
void rsv_idle_resized(const job_record_t *job);
void rsv_idle_suspended(const job_record_t *job, bool suspended);

/* Charge what was idle up to that time. The mutex is held. */
ENGINE_LOCKED void rsv_idle_charge(struct maui_fairshare *windows, int64_t now);

/* ---- the file ---- */

/* Charge what the file holds and the windows' files do not; counted[k] is as for
 * maui_fsledger_resume(). The windows are not shared yet; no lock held. */
void rsv_idle_resume(struct maui_fairshare *windows, const int64_t *counted);

/* It is known at last up to when the file of the window that begins at start has counted: charge what
 * waited for that. The mutex is held. */
ENGINE_LOCKED void rsv_idle_learn(struct maui_fairshare *windows, int64_t start, int64_t counted);

/* What has been charged so far will be in the windows' files once they are written: rsv_idle_mark()
 * returns a mark to pass to rsv_idle_written() then. The mutex is held. */
ENGINE_LOCKED size_t rsv_idle_mark(void);
ENGINE_LOCKED void rsv_idle_written(size_t mark);

/* This process stops counting. The mutex is held. */
ENGINE_LOCKED void rsv_idle_drop(void);

/* Write the file. No lock held; the engine's thread. */
void rsv_idle_save(void);

extern struct state_file idle_file; /* its members say what guards them */
extern const struct module rsv_idle_module;

#endif
