/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which jobs are eligible: chapters 6.2.3 and 6.2.4, once per iteration, in
 * order of priority. Slurm's schedulers skip the others (D-LIM-12), and jobs
 * over a soft limit go behind all that are within theirs. The engine's thread.
 */
#ifndef MAUI_ENGINE_ELIGIBLE_H
#define MAUI_ENGINE_ELIGIBLE_H

#include "common/queue/snapshot.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"
#include "plugins/engine/slurm/jobrec_facts.h"

/* A job's row, the snapshot's last, as records_row() filled it in. Job read lock; the mutex is
 * held. */
ENGINE_LOCKED void eligible_see(const struct jobrec_facts *facts, struct maui_snapshot *snapshot,
				size_t row);

/* All priorities are known: judge, and mark Slurm's records. No lock held. */
void eligible_run(struct maui_snapshot *snapshot);

extern const struct module eligible_module;

#endif
