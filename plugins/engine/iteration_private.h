/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between iteration.c, which has the stages, and iteration_collect.c, which is the first one. */
#ifndef MAUI_ENGINE_ITERATION_PRIVATE_H
#define MAUI_ENGINE_ITERATION_PRIVATE_H

#include "common/policy/priority/pe.h"
#include "plugins/compat/base.h"
#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/queue/job_queue.h"

/* How many jobs ahead of the one that is worked on memory is asked for what lies in the record, and
 * behind it. */
#define AHEAD_RECORD  16
#define AHEAD_DETAILS 8

struct iteration {
	struct maui_policy *policy;
	struct maui_snapshot *snapshot;
	struct maui_resources machine;
	const job_record_t *way[AHEAD_RECORD]; /* walked over, but not collected yet */
	size_t walked;
	const job_record_t *job;        /* being collected */
	enum maui_fs_metric metric;     /* of fairshare */
	int64_t counted;                /* runs that ended before are in it already */
	const part_record_t *partition; /* the last one that was asked for, and its class */
	uint32_t class;
	bool limits; /* act */
	bool memory_short;
	bool passed; /* a job may get into reservations now */
};

/* Stage 1: records to rows. False when memory is short, which it says in *iteration, or if the
 * engine may not look. No lock held. */
bool iteration_collect(struct iteration *iteration);

/* By which number jobs are in the order of their arrival: a task that starts gets a job id of its
 * own then. array_job_id: 0, if it is none. */
uint32_t iteration_arrival(uint32_t array_job_id, uint32_t job_id);

#endif
