/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fairshare in the engine: an accrual pass in every iteration, and the windows' files. The windows
 * change under the engine's mutex, and by the engine's thread alone, which therefore reads them
 * without it.
 */
#ifndef MAUI_ENGINE_FAIRSHARE_H
#define MAUI_ENGINE_FAIRSHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/policy/fairshare/fsledger.h"
#include "common/policy/policy.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"
#include "plugins/engine/runtime/site.h"

/* What is counted; MAUI_FS_OFF: no runs are to be reported. */
enum maui_fs_metric fairshare_metric(void);

/* A place for a run that is seen while records are collected; NULL when memory is short (it is
 * caught up with later, as long as Slurm keeps the record). The mutex is held, and Slurm's
 * locks. */
struct maui_run *fairshare_run(void);

/* That place has been filled in, with a run of this job. Returns by what its rate was scaled,
 * USEMACHINESPEEDFORFS. The mutex is held, and Slurm's locks on jobs and nodes. */
ENGINE_LOCKED double fairshare_keep(const job_record_t *job);

/* By what USEMACHINESPEEDFORFS scales a processor of this node; 1 without it. The mutex is held. */
ENGINE_LOCKED double fairshare_node_speed(const char *name);

/* A run has ended at job->end_time, or was requeued then, which its record will not tell any more
 * when its nodes are clean. Job write lock; takes the association manager's lock on QOS and the
 * mutex. */
void fairshare_run_ended(const job_record_t *job);

/* A step has ended, of a run that began then, and was measured to have used so many
 * processor-seconds of those that it held: UTILIZEDPS. Job write lock; takes the mutex. */
void fairshare_step_ended(uint32_t job_id, int64_t start, double used, double held);

/* Until when everything has been counted; INT64_MIN before the first pass. Runs that ended earlier
 * need no report. */
int64_t fairshare_counted(void);

/* What a file has counted for a name is the usage of the number that has it. The mutex is held. */
ENGINE_LOCKED void fairshare_merge(enum maui_credential type, uint32_t stranger, uint32_t id);

/* Charge what was collected at that time. The mutex is held; it is let go for a moment when jobs
 * were requeued. */
ENGINE_LOCKED void fairshare_pass(int64_t now);

/* For the service: the windows (NULL: there are none), and a copy of their directory (NULL when
 * memory is short), if it is wanted. The mutex is held. */
const struct maui_fairshare *fairshare_windows(char **ret_directory);

/* The STATDIR that cannot be used, and that the engine's own directory stands in for; NULL. The
 * mutex is held. */
const char *fairshare_missing(void);

/* Write them. No lock held. */
void fairshare_save(void);

extern const struct module fairshare_module;

#endif
