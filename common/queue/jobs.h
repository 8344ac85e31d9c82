/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the engine remembers of each pending job between iterations: since when its waiting counts,
 * how often it was bypassed, and the terms of the priority that was stored last, one set per
 * partition. Guarded by the engine's mutex.
 */
#ifndef MAUI_ENGINE_JOBS_H
#define MAUI_ENGINE_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/policy/priority.h"
#include "common/queue/refusal.h"

/* What an iteration has found a job to be. */
enum standing {
	STANDING_FREE,    /* eligible */
	STANDING_SECOND,  /* over a soft limit: it goes behind all who are within theirs */
	STANDING_BLOCKED, /* by a limit or a cap */
};

struct tracked_part {
	uint32_t class;   /* interned */
	uint32_t demoted; /* STANDING_SECOND: its priority for the schedulers; 0: its own */
	struct maui_priority_result result;
};

struct tracked_job {
	uint32_t job_id;    /* 0: a free slot */
	uint64_t iteration; /* that saw it last */
	uint64_t
		change; /* the engine's count of changes when it was last set outside an iteration */
	int64_t submitted; /* a requeue moves it, and the waiting starts anew */
	int64_t queued_since;
	uint32_t bypass; /* jobs behind it that backfill started before it */
	bool waited;     /* the last iteration saw it eligible; or none has seen it yet */
	bool rejected;   /* held by us: REJECTNEGPRIOJOBS */
	bool judged;     /* an iteration has; until then idle limits are asked at the start, too */
	bool passed;     /* we have given it the pass into reservations, by the policy of */
	uint64_t pass_generation;
	uint32_t asked; /* a sum of what it asks of reservations, and shows them */
	enum standing standing;
	struct refusal refusal;    /* what has refused it last; REFUSAL_NONE */
	struct maui_limit_job got; /* what it would have got when that was too much; else 0 */
	uint64_t got_ends;         /* how many runs had ended by then */
	int64_t got_until;         /* epoch seconds: other nodes may be there then */
	uint32_t part_count, part_room;
	struct tracked_part *part;
};

struct jobs;

struct jobs *jobs_new(void); /* NULL when memory is short */

/* NULL if the job is not known. Pointers hold until the next jobs_track() or jobs_forget().
 * O(1). */
struct tracked_job *jobs_find(const struct jobs *jobs, uint32_t job_id);

/* The same where the slot is likely known, from jobs_slot(). */
struct tracked_job *jobs_find_at(const struct jobs *jobs, uint32_t slot, uint32_t job_id);
uint32_t jobs_slot(const struct jobs *jobs, const struct tracked_job *job);

/* These will be wanted soon: have memory send them. */
void jobs_prefetch_id(const struct jobs *jobs, uint32_t job_id);
void jobs_prefetch_at(const struct jobs *jobs, uint32_t slot);

/* Find or add. A job whose submission time differs starts anew. NULL when memory is short. O(1). */
struct tracked_job *jobs_track(struct jobs *jobs, uint32_t job_id, int64_t submitted);

/* Walk all jobs: *slot is 0 before the first call. NULL behind the last one. */
const struct tracked_job *jobs_next(const struct jobs *jobs, uint32_t *slot);

/* Make room for the terms of count partitions; what was there is lost. 0 or -ENOMEM, then count is
 * 0. */
int tracked_job_resize(struct tracked_job *job, uint32_t count);

/* REJECTNEGPRIOJOBS: whether every one of its partitions rejects the job. */
bool tracked_job_rejected(const struct tracked_job *job);

/* Forget every job that was seen before this iteration and not changed since that change. */
void jobs_forget(struct jobs *jobs, uint64_t iteration, uint64_t change);

/* Forget all: another controller may have changed everything. */
void jobs_clear(struct jobs *jobs);

#endif
