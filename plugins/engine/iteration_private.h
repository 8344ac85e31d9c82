/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by iteration.c, which has the stages, and iteration_collect.c, which is the first of
 * them. */
#ifndef MAUI_ENGINE_ITERATION_PRIVATE_H
#define MAUI_ENGINE_ITERATION_PRIVATE_H

#include "common/policy/priority/pe.h"
#include "plugins/compat/base.h"
#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/queue/job_queue.h"

/* How many jobs ahead of the one being collected its record is prefetched, and what the record
 * points to. */
#define AHEAD_RECORD  16
#define AHEAD_DETAILS 8

struct iteration {
	struct maui_policy *policy;
	struct maui_snapshot *snapshot;
	struct clocks begun; /* snapshot->time is of it */
	struct maui_resources machine;
	const job_record_t *way[AHEAD_RECORD]; /* walked over, but not collected yet */
	size_t walked;
	const job_record_t *job; /* being collected */
	/* fairshare_counting(): while the mutex is held */
	const struct maui_fairshare_settings *counting;
	int64_t counted;                /* runs that ended earlier are counted already */
	const part_record_t *partition; /* the last one looked up, and its class */
	uint32_t class;
	bool limits; /* some limit acts */
	bool passed; /* a job may get into reservations now */
};

/* Stage 1: records to rows. False if the engine may not look. No lock held. */
bool iteration_collect(struct iteration *iteration);

/* The number that orders jobs by arrival: an array task gets a job id of its own only when it
 * starts. array_job_id: 0 if the job is not of an array. */
uint32_t iteration_arrival(uint32_t array_job_id, uint32_t job_id);

#endif
