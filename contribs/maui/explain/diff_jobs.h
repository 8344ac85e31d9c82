/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The waiting jobs of `maui diff`, each with its place today and the one that it would have. */
#ifndef MAUI_DIFF_JOBS_H
#define MAUI_DIFF_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

/* Of several partitions the one where its priority is highest, for each side. */
struct diff_job {
	int64_t id;
	struct json_object *row;     /* of diagnose-priority: where Slurm's priority is highest */
	struct json_object *refusal; /* of diagnose-blocked; NULL: it is eligible */
	bool blocked; /* by what Maui would do; else what stands against it stands today, too */
	int64_t slurm_priority, maui_priority;
	size_t slurm_rank, maui_rank; /* from 1; 0: it has none, for it would not be tried */
};

struct diff_jobs {
	struct diff_job
		*jobs; /* those whose rank changes most first, then those without two ranks */
	size_t count;
	size_t moved, blocked, held;
};

/* Data of diagnose-priority and diagnose-blocked, which must stay. False when memory is short. */
bool diff_jobs_make(struct json_object *priorities, struct json_object *blocked,
		    struct diff_jobs *ret_jobs);
void diff_jobs_clear(struct diff_jobs *jobs);

/* So many places up (positive) or down; false: it has not both ranks. */
bool diff_job_change(const struct diff_job *job, int64_t *ret_change);

#endif
