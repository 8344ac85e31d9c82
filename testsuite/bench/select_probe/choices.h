/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same choice: random requests to job_test, each on the same state through several plugins,
 * which must agree.
 */
#ifndef MAUI_BENCH_CHOICES_H
#define MAUI_BENCH_CHOICES_H

#include "plugins/compat/select_api.h"

struct choices_plugins {
	const slurm_select_ops_t *ours;
	const slurm_select_ops_t *slow;  /* ours, which shows cons_tres all nodes and all jobs */
	const slurm_select_ops_t *stock; /* cons_tres */
	const uint64_t *hidden;  /* how many nodes the slow one has shown that ours does not */
	const uint64_t *refused; /* how many starts it was asked for that ours refuses at once */
	/* Takes away what reservations keep from the job now: cons_tres does not. */
	void (*admit)(const job_record_t *job, bitstr_t *nodes, bitstr_t **cores);
};

/*
 * The job's name is choose:SEED:COUNT. Draws as many requests, of which the job is the pattern:
 * what it says of features, GRES, licenses, policy and nodes by name stays. Ours and the slow one
 * must give the same answer, the same planned start, the same nodes and preempt the same jobs; ours
 * and cons_tres, the same answer and planned start. Returns a JSON object of one line, to be freed
 * with xfree(). Job write lock, node read lock.
 */
char *choices_run(const struct choices_plugins *plugins, const struct compat_job_test *pattern);

#endif
