/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In which QOS jobs that name several have started, D-PRI-20. Slurm's record names another one
 * after a restart: S-PRI-8. Not guarded.
 */
#ifndef MAUI_QUEUE_STARTED_QOS_H
#define MAUI_QUEUE_STARTED_QOS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/idmap.h"

/* A job is identified by its id and its start: ids are reused, and a requeued job starts again. */
struct maui_started_qos {
	uint32_t job_id;
	uint32_t qos;      /* Slurm's number of the one that it started in */
	uint32_t recorded; /* that of its record when last seen; 0: it has not been seen */
	int64_t started;   /* epoch seconds */
	uint64_t seen;     /* the last of the walks over all jobs that saw it */
};

/* A zeroed struct is empty. */
struct maui_started_qos_table {
	struct maui_started_qos *list;
	size_t count, room;
	struct maui_idmap by_job; /* job id -> place in the list + 1 */
	uint64_t walk;
};

void maui_started_qos_clear(struct maui_started_qos_table *table);

/*
 * Remember what a state file says: the next record that is seen does not replace it, unless it is
 * of another run. An entry of the same run is replaced.
 */
void maui_started_qos_restore(struct maui_started_qos_table *table,
			      const struct maui_started_qos *one);

/*
 * A record: the QOS that it names, of a job that has started. Of another run, or if the record
 * names another QOS than when last seen, that is remembered: Slurm has changed it, as when the old
 * one was removed. Returns whether it is news for the state file.
 */
bool maui_started_qos_see(struct maui_started_qos_table *table, uint32_t job_id, int64_t started,
			  uint32_t recorded);

/* The QOS that the job has started in, as far as it is known; otherwise what its record says. */
uint32_t maui_started_qos_of(const struct maui_started_qos_table *table, uint32_t job_id,
			     int64_t started, uint32_t recorded);

/* Nothing is known of the job, until it is seen again. */
void maui_started_qos_forget(struct maui_started_qos_table *table, uint32_t job_id);

/* Before and after a walk that sees all jobs: those that were not seen are forgotten. Returns how
 * many. */
void maui_started_qos_begin(struct maui_started_qos_table *table);
size_t maui_started_qos_end(struct maui_started_qos_table *table);

#endif
