/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fairshare in the engine: an accrual pass in every iteration, and the windows' files. The windows
 * change under the engine's mutex, and only in the engine's thread, which can therefore read them
 * without it.
 */
#ifndef MAUI_ENGINE_FAIRSHARE_H
#define MAUI_ENGINE_FAIRSHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/policy/fairshare/fsledger.h"
#include "common/policy/policy.h"
#include "plugins/engine/runtime/clocks.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"
#include "plugins/engine/runtime/site_options.h"

/* What is counted; MAUI_FS_OFF: no runs need reporting. The mutex is held. */
ENGINE_LOCKED enum maui_fs_metric fairshare_metric(void);

/* The same with what belongs to it, until the mutex is released; NULL: nothing is counted. */
ENGINE_LOCKED const struct maui_fairshare_settings *fairshare_counting(void);

/* A slot for a run seen while records are collected. The mutex and Slurm's locks are held. */
ENGINE_LOCKED struct maui_run *fairshare_run(void);

/* That slot now holds a run of this job. Returns the factor by which USEMACHINESPEEDFORFS scaled
 * its rate. The mutex and Slurm's locks on jobs and nodes are held. */
ENGINE_LOCKED double fairshare_keep(const job_record_t *job);

/* The factor by which USEMACHINESPEEDFORFS scales this node's processors; 1 without it. The mutex
 * is held. */
ENGINE_LOCKED double fairshare_node_speed(const char *name);

/* A run ended at job->end_time, or was requeued then; its record no longer says so once its nodes
 * are clean. Job write lock; takes the association manager's lock on QOS and the mutex. */
void fairshare_run_ended(const job_record_t *job);

/*
 * A run has begun, or is about to be suspended or resumed: its record alone does not show
 * later which of its seconds are by which clock, if that is set. Locks as for fairshare_run_ended().
 */
void fairshare_run_began(const job_record_t *job);
void fairshare_run_pauses(const job_record_t *job, bool suspended);

/* Whether what the steps of a run that begins use is counted: UTILIZEDPS. If Slurm does not report
 * it, as with --stepmgr, the log says so once. Job read lock; takes the mutex. */
bool fairshare_wants_steps(const job_record_t *job);

/* A step of the run that began at start has ended; it was measured to have used so many of the
 * processor-seconds it held: UTILIZEDPS. Job write lock; takes the mutex. */
void fairshare_step_ended(uint32_t job_id, int64_t start, double used, double held);

/* The time up to which everything has been counted; INT64_MIN before the first pass. Runs that
 * ended earlier need no report. The mutex is held. */
ENGINE_LOCKED int64_t fairshare_counted(void);

/* Move the usage that a file recorded under a name not yet known to the ID that now has that name.
 * The mutex is held. */
ENGINE_LOCKED void fairshare_merge(enum maui_credential type, uint32_t other, uint32_t id);

/* Charge what was collected, up to then. The mutex is held; it is released for a moment if jobs
 * were requeued. */
ENGINE_LOCKED void fairshare_pass(struct clocks now);

/* For the service: the windows (NULL: there are none) and, if wanted, a copy of their directory
 * (NULL with no windows). The mutex is held. */
ENGINE_LOCKED const struct maui_fairshare *fairshare_windows(char **ret_directory);

/* The unusable STATDIR for which the engine's own directory stands in; NULL if there is none. The
 * mutex is held. */
ENGINE_LOCKED const char *fairshare_missing(void);

/* Write the windows. No lock held. */
void fairshare_save(void);

extern const struct module fairshare_module;

#endif
