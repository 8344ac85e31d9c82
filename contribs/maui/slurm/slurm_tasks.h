/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_SLURM_TASKS_H
#define MAUI_SLURM_TASKS_H

#include <slurm/slurm.h>

/*
 * The tasks of an array that still wait in a record, and behind a '%' how many may run: "4-9,12%3".
 * All of them: libslurm's text ends after SLURM_BITSTR_LEN bytes. malloc'ed; NULL: a record of no
 * such tasks, or memory is short.
 */
char *slurm_waiting_tasks(const slurm_job_info_t *job);

#endif
