/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who has preempted whom, by whichever rule, so that no chain of preemptions comes back to a job
 * that it has ended (preemptions.h). The tasks of an array are one job here. Not kept over a restart
 * of slurmctld: a chain may then come round once more.
 */
#ifndef MAUI_ENGINE_PREEMPTED_H
#define MAUI_ENGINE_PREEMPTED_H

#include "plugins/compat/base.h"
#include "plugins/engine/runtime/module.h"

/* Slurm is about to preempt these for the job. Job write lock. */
void preempted_note(const job_record_t *job, compat_list_t victims);

extern const struct module preempted_module;

#endif
