/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's records for reports about jobs and nodes: locked for a moment, in which a report copies
 * what it needs into an arena.
 */
#ifndef MAUI_ENGINE_REPORT_RECORDS_H
#define MAUI_ENGINE_REPORT_RECORDS_H

#include "plugins/compat/base.h"

#include <stdbool.h>
#include <stdint.h>

#include "common/util/arena.h"

/* The answer where there is nothing to copy. */
#define REPORT_STANDBY "this controller is on standby"

/* Takes the read locks of jobs, nodes and partitions. False, with nothing
 * locked, where engine_may_look() is false. */
bool report_records_lock(void);
void report_records_unlock(void);

/* A copy; NULL for NULL. */
const char *report_copy_text(struct maui_arena *arena, const char *text);

/* A job as users name it: by its number and that of its array. */
struct report_job {
	uint32_t id, array_id, array_task; /* NO_VAL: no task */
	uint32_t uid;
	const char *account;
};
void report_copy_job(struct maui_arena *arena, const job_record_t *job,
		     struct report_job *ret_copy);

#endif
