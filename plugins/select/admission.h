/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reservations admit a job to nodes at some times and not at others: chapter 7.1.5. Applied before
 * the order of nodes.
 */
#ifndef MAUI_SELECT_ADMISSION_H
#define MAUI_SELECT_ADMISSION_H

#include "plugins/compat/select_api.h"

/*
 * placement_job_test() on the nodes that reservations let the job have for as long as it runs. To
 * start now: from now. To plan a start: from the first time found with enough nodes. Returns
 * Slurm's error code.
 */
int admission_job_test(const struct compat_job_test *test);

#endif
