/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * To plan a start cons_tres walks over slurmctld's whole job_list, once for each job that backfill
 * tries, and leaves out all but the running and suspended ones. For the time of such a call it is
 * shown a list of just these, in the same order (S-SEL-13). Nobody else sees that list.
 *
 * The list is made anew in each second, and after a start or an end. A walk is worth that only if
 * plans follow each other: the first plan after a start has slurmctld's own list.
 *
 * All but active_jobs_open() want the job write lock, or all of slurmctld's at a reconfiguration.
 */
#ifndef MAUI_SELECT_ACTIVE_JOBS_H
#define MAUI_SELECT_ACTIVE_JOBS_H

#include "plugins/compat/select_api.h"

#include "plugins/select/horizon.h"

/*
 * After inner_load(), in slurmctld. If the inner plugin cannot be shown another list, one line of
 * the log says so, and it goes on as without this.
 */
void active_jobs_open(void);

/* Around the test of a job. */
void active_jobs_show(const struct compat_job_test *test);
void active_jobs_hide(const struct compat_job_test *test, int status);

/* What they hold, within the test of a job; NULL if the inner plugin has slurmctld's own list: what
 * is in that is not known. */
const struct horizon_running *active_jobs_held(void);

/* A job has got its nodes; gives them back; holds something else. */
void active_jobs_began(void);
void active_jobs_ended(void);
void active_jobs_changed(void);

/* Before any other call in which the inner plugin may read job_list. */
void active_jobs_sync(void);

void active_jobs_close(void);

#endif
