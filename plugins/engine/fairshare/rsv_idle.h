/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accountability, chapter 7.1.5.2.5: what an active instance of a standing reservation holds and no
 * job uses is charged in fairshare to its CHARGEACCOUNT, or else to its OWNER. The arithmetic is
 * common/policy/fairshare/idle.h's; this is what it is told of Slurm, and what becomes of the outcome.
 *
 *   - Idle cycles add to one credential and to the total, as a job's do to several and to the
 *     total. So a percentage is still a part of what was used or kept from others, and no more than
 *     100: an owner whose processors all stand idle has 100 percent of a total that is his own,
 *     where the original program, which leaves the total alone, has 1000 percent of that of others.
 *   - DEDICATEDPS counts processors, and so does DEDICATEDPES: of a processor that nobody has the
 *     equivalent is itself. UTILIZEDPS counts what was really used, which of an idle processor is
 *     nothing (D-FS-9).
 *   - By cores: a core counts as the processors that it has, if no running job has any part of it.
 *     USEMACHINESPEEDFORFS applies.
 *   - A suspended job uses nothing and is charged nothing, so what it has left is idle. Of a node
 *     that is down, drained, failing or reserved for Slurm itself (CoreSpecCount) nothing is idle,
 *     as nobody could use it.
 *   - Where several reservations have a processor it is charged to that whose name comes first
 *     among those somebody answers for.
 */
#ifndef MAUI_ENGINE_RSV_IDLE_H
#define MAUI_ENGINE_RSV_IDLE_H

#include "common/policy/fairshare/fairshare.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/module.h"

/* A run has begun, at job->start_time; it has ended, at job->end_time; what it holds is another
 * from now on; it is suspended, or goes on. Job write lock, node read lock; takes the mutex. Next
 * to nothing where nobody answers for a reservation. */
void rsv_idle_began(const job_record_t *job);
void rsv_idle_ended(const job_record_t *job);
void rsv_idle_resized(const job_record_t *job);
void rsv_idle_suspended(const job_record_t *job, bool suspended);

/* Charges what was idle until then. The mutex is held. */
void rsv_idle_charge(struct maui_fairshare *windows, int64_t now);

/* ---- the file ---- */

/* What it holds and the windows' files do not: counted[k], as of maui_fsledger_resume(). The
 * windows are nobody's yet; no lock held. */
void rsv_idle_resume(struct maui_fairshare *windows, const int64_t *counted);

/* What has been charged so far is in the windows' files when they have been written: a mark, to be
 * given back then. The mutex is held. */
size_t rsv_idle_mark(void);
void rsv_idle_written(size_t mark);

/* Nothing is counted any more, by this process. The mutex is held. */
void rsv_idle_drop(void);

/* Writes it. No lock held; the engine's thread. */
void rsv_idle_save(void);

extern const struct module rsv_idle_module;

#endif
