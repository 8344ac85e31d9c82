/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The waiting jobs of `maui diff`, each with its place today and the place it would have. */
#ifndef MAUI_DIFF_JOBS_H
#define MAUI_DIFF_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "common/util/kendall.h"

/* If it asks for several partitions, each side takes the one where its priority is highest. */
struct diff_job {
	int64_t id;
	struct json_object *row;     /* of diagnose-priority: where Slurm's priority is highest */
	struct json_object *refusal; /* of diagnose-blocked; NULL: it is eligible */
	bool blocked;                /* by Maui; otherwise what holds it back does so today, too */
	int64_t slurm_priority, maui_priority;
	size_t slurm_rank, maui_rank; /* from 1; 0: none, as it would not be tried */
};

struct diff_jobs {
	struct diff_job
		*jobs; /* those whose rank changes most first, then those without two ranks */
	size_t count;
	size_t moved, blocked, held;
	size_t ranked;               /* with two ranks */
	struct maui_kendall kendall; /* of these: Slurm's priorities and Maui's */
};

/* Data of diagnose-priority and diagnose-blocked, which must outlive the result. */
void diff_jobs_make(struct json_object *priorities, struct json_object *blocked,
		    struct diff_jobs *ret_jobs);
void diff_jobs_clear(struct diff_jobs *jobs);

/* How many places up (positive) or down; false: it lacks a rank. */
bool diff_job_change(const struct diff_job *job, int64_t *ret_change);

#endif
