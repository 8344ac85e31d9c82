/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pending jobs as one iteration saw them, with their priorities: immutable
 * once published, reference-counted, read by the service without any lock. The
 * terms of a priority are not kept: they are computed again, from the job, the
 * names and the time, when somebody asks. One row per job and place: each of
 * its partitions with each of its QOS. The rows of a job are adjacent.
 */
#ifndef MAUI_QUEUE_SNAPSHOT_H
#define MAUI_QUEUE_SNAPSHOT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/policy/limits/limits.h"
#include "common/policy/policy.h"
#include "common/policy/priority/priority.h"
#include "common/queue/names.h"
#include "common/util/arena.h"

/* The task number of a job that is not an array's; Slurm's NO_VAL. */
#define MAUI_NO_TASK UINT32_C(0xfffffffe)

enum maui_row_state {
	MAUI_ROW_IDLE,     /* Maui sets the priority */
	MAUI_ROW_HELD,     /* Slurm's priority 0 */
	MAUI_ROW_DIRECT,   /* somebody set the priority by hand */
	MAUI_ROW_REJECTED, /* held by us: REJECTNEGPRIOJOBS */
};

struct maui_snapshot_row {
	uint32_t job_id, array_job_id, array_task_id; /* MAUI_NO_TASK; a meta job has a text */
	uint32_t position, parts; /* which of how many places: each partition with each QOS */
	uint32_t priority;        /* as in squeue; in shadow mode what it would be */
	uint32_t slurm_priority;  /* in the record when it was collected */
	uint32_t walltime_asked;  /* seconds; 0: no time limit */
	uint32_t tracked_slot;    /* of jobs.h */
	uint32_t association;     /* Slurm's number of it; 0: none */
	int32_t nice, site_factor;
	uint16_t reason; /* Slurm's code for why the job waits */
	uint16_t violations;
	uint8_t state;         /* enum maui_row_state */
	uint8_t mark;          /* of the record; its reader knows the meaning */
	bool parkable : 1;     /* its record may be parked */
	bool waits : 1;        /* for a dependency or its begin time */
	bool shut_out : 1;     /* it asks for a reservation by name that does not admit it */
	bool user_hold : 1;    /* MAUI_ROW_HELD: by its user */
	bool qos_missing : 1;  /* it has none in Slurm: QDEF sets it */
	bool unidentified : 1; /* maui_names_unidentified(): this one of its credentials */
	uint8_t unidentified_type;
	const char *tasks; /* pending tasks of a meta job, truncated if long; else NULL */
	int64_t submitted;
	int64_t eligible_since; /* the later of its submission and its begin time */
};

/* A part of a heterogeneous job also asks for what the other parts ask for. */
struct maui_part_request {
	size_t row;
	uint32_t leader; /* the job's first part, which asks for all; 0: none does */
	struct maui_limit_job job;
};

struct maui_snapshot {
	atomic_uint references;
	struct maui_policy *policy;
	struct maui_frozen_names names;
	int64_t time; /* of the iteration */
	uint64_t iteration;
	uint64_t change; /* the engine's count of changes before the first record was read */
	size_t count, room;
	struct maui_priority_job *jobs;
	struct maui_snapshot_row *rows;
	struct maui_arena *texts;        /* of the rows */
	struct maui_part_request *parts; /* in the order of the rows */
	size_t part_count, part_room;
	struct maui_gres_table *gres; /* a reference, for the jobs and parts; may be NULL */
};

/*
 * An empty one with room for some rows, holding a reference to policy.
 */
struct maui_snapshot *maui_snapshot_new(struct maui_policy *policy, size_t room);

/* Before the first row: make room for that many, so that adding them does not
 * wait for memory. */
void maui_snapshot_expect(struct maui_snapshot *snapshot, size_t count);

/*
 * Before the first row: exchange memory with one that nobody needs any more and
 * to which only the caller has a reference; it is empty then. False, with
 * nothing changed: it is NULL, or somebody else has a reference. New memory in
 * each iteration can cost more than all else in it (D-SYS-21).
 */
bool maui_snapshot_take_over(struct maui_snapshot *snapshot, struct maui_snapshot *from);

struct maui_snapshot *maui_snapshot_ref(struct maui_snapshot *snapshot);
struct maui_snapshot *
maui_snapshot_unref(struct maui_snapshot *snapshot); /* accepts NULL, returns NULL */

/* The index of a new row, uninitialized. */
size_t maui_snapshot_add(struct maui_snapshot *snapshot);

/* Whether no row before it, of the same job, has the same credential of this type. */
bool maui_snapshot_is_first(const struct maui_snapshot *snapshot, size_t row,
			    enum maui_credential type);

/* A new part, uninitialized. Valid until the next one is added. */
struct maui_part_request *maui_snapshot_add_part(struct maui_snapshot *snapshot);

#endif
