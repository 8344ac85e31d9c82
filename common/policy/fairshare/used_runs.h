/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * UTILIZEDPS: the processor time that Slurm measured for a run, summed over its steps as they end.
 * The last steps of a run often end after it: then the sum waits with the run until its nodes are
 * clean. Uses nothing of Slurm, and no lock.
 */
#ifndef MAUI_POLICY_USED_RUNS_H
#define MAUI_POLICY_USED_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/policy/fairshare/fsledger.h"
#include "common/util/idmap.h"

struct maui_used_run {
	uint32_t job_id;
	int64_t start;
	double used, held; /* processor-seconds of the steps measured */
	bool ended;
	struct maui_run run; /* as it was when it ended */
	double scale;        /* for its processor-seconds: USEMACHINESPEEDFORFS */
};

/* A zeroed struct is empty. */
struct maui_used_runs {
	struct maui_used_run *runs;
	size_t count, room;
	struct maui_idmap by_job; /* job id -> index + 1 */
};

void maui_used_runs_clear(struct maui_used_runs *used);

/*
 * A step of the run that began at start: what it used, and what it held. An older run of the job is
 * forgotten.
 */
void maui_used_runs_add(struct maui_used_runs *used, uint32_t job_id, int64_t start,
			double step_used, double step_held);

/* The run has ended; its steps may still be ending. */
void maui_used_runs_end(struct maui_used_runs *used, const struct maui_run *run, double scale);

/* Remove element i; the last one takes its place. */
void maui_used_runs_drop(struct maui_used_runs *used, size_t i);

#endif
