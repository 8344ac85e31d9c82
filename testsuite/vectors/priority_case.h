/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A case of the areas priority and run_priority: its input, as the core and the original's formulas
 * read it.
 */
#ifndef MAUI_VECTORS_PRIORITY_CASE_H
#define MAUI_VECTORS_PRIORITY_CASE_H

#include <json-c/json.h>

#include "common/policy/priority/priority.h"
#include "testsuite/vectors/check.h"

struct priority_case {
	struct json_object *cfg;
	double now;
	const char *job_name;
	const char *names[MAUI_CREDENTIALS];              /* NULL: the job has none */
	double tasks, procs_per_task, memory, swap, disk; /* the last three per task */
	double walltime, nodes, bypass, sp_violation;
	double submitted, system_queue_time, effective_duration, started;
	double system_priority; /* as the original stores it: relative ones have 2e9 added */
	double machine_procs, machine_memory, machine_swap, machine_disk;
	double fs_total,
		fs_usage[MAUI_CREDENTIALS]; /* processor-seconds, decayed windows included */
	double active_jobs, active_procs;   /* of the user */
};

/* Fill a case; unknown members fail it. */
void priority_case_read(struct check *check, struct json_object *object,
			struct priority_case *ret_case);

/* The core's results. False (with the case failed) if it has none. run_priority may be NULL. */
bool priority_case_run(struct check *check, const struct priority_case *input,
		       struct maui_priority_terms *ret_terms, double *ret_run_priority);

#endif
