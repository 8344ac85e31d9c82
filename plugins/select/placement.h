/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select_p_job_test with the engine's ranking: Slurm decides what fits, the engine decides which
 * nodes go first.
 *
 * Its data needs no lock of its own. Every caller of job_test in slurmctld 22.05 holds the one job
 * write lock: the main scheduler, backfill, sched/builtin, the submission, allocation and will-run
 * requests, scrontab and federation. (The node write lock would not do: sched/builtin only has the
 * node read lock.)
 */
#ifndef MAUI_SELECT_PLACEMENT_H
#define MAUI_SELECT_PLACEMENT_H

#include "plugins/compat/select_api.h"

int placement_job_test(const struct compat_job_test *test);

/* slurm.conf was read. */
void placement_configure(void);

/* Free the memory kept between calls. */
void placement_free(void);

#endif
