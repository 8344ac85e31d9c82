/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An array of runs indexed by job ID. A new start time of a job replaces the
 * entry of its earlier run.
 */
#include "common/policy/fairshare/used_runs.h"

#include <stdlib.h>

#include "common/util/grow.h"

void maui_used_runs_clear(struct maui_used_runs *used)
{
	maui_idmap_clear(&used->by_job);
	free(used->runs);
	*used = (struct maui_used_runs){0};
}

static struct maui_used_run *run_of(struct maui_used_runs *used, uint32_t job_id, int64_t start)
{
	uint32_t at = maui_idmap_find(&used->by_job, job_id);

	if (at && used->runs[at - 1].start == start)
		return &used->runs[at - 1];
	if (!at) {
		used->runs =
			maui_grow(used->runs, used->count + 1, &used->room, sizeof(*used->runs));
		maui_idmap_set(&used->by_job, job_id, (uint32_t)used->count + 1);
		at = (uint32_t)++used->count;
	}
	used->runs[at - 1] = (struct maui_used_run){.job_id = job_id, .start = start};
	return &used->runs[at - 1];
}

void maui_used_runs_add(struct maui_used_runs *used, uint32_t job_id, int64_t start,
			double step_used, double step_held)
{
	struct maui_used_run *run = run_of(used, job_id, start);

	run->used += step_used;
	run->held += step_held;
}

void maui_used_runs_end(struct maui_used_runs *used, const struct maui_run *ended, double scale)
{
	struct maui_used_run *run = run_of(used, ended->job_id, ended->start);

	run->ended = true;
	run->run = *ended;
	run->scale = scale;
}

void maui_used_runs_drop(struct maui_used_runs *used, size_t i)
{
	maui_idmap_remove(&used->by_job, used->runs[i].job_id);
	used->count--;
	if (i == used->count)
		return;
	used->runs[i] = used->runs[used->count];
	maui_idmap_set(&used->by_job, used->runs[i].job_id, (uint32_t)i + 1); /* already there */
}
