/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is remembered of each pending job between iterations: since when its
 * waiting counts, how often it was bypassed, and its last stored priority in
 * each place. Not guarded: callers hold the engine's mutex.
 */
#ifndef MAUI_QUEUE_JOBS_H
#define MAUI_QUEUE_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/policy/priority/priority.h"
#include "common/queue/refusal.h"

/* What an iteration found for a job. */
enum maui_standing {
	MAUI_STANDING_FREE,    /* eligible */
	MAUI_STANDING_SECOND,  /* over a soft limit: goes after all that are within theirs */
	MAUI_STANDING_BLOCKED, /* by a limit, cap, QOS list, reservation or unknown name */
};

/* One place of a job: a partition with one of its QOS. */
struct maui_tracked_part {
	int64_t priority; /* Maui's */
	uint32_t class;   /* interned */
	uint32_t demoted; /* MAUI_STANDING_SECOND: its priority for the schedulers; 0: its own */
};

/* What a job would have got in a partition when that was too much. */
struct maui_tracked_got {
	struct maui_limit_job job; /* its class is the partition */
	uint64_t ends;             /* how many runs had ended by then */
	int64_t until;             /* epoch seconds: by then other nodes may be available */
	struct maui_tracked_got *next;
};

struct maui_tracked_job {
	uint32_t job_id;    /* 0: a free slot */
	uint32_t bypass;    /* jobs behind it that backfill started before it */
	uint64_t iteration; /* the last that saw it */
	uint64_t change;    /* the engine's count of changes when last set outside an iteration */
	int64_t submitted;  /* a requeue moves it, and the waiting starts over */
	int64_t queued_since;
	int64_t evaluated;        /* of which time its priorities are */
	uint64_t pass_generation; /* of the policy by which it has `passed` */
	uint32_t asked;           /* a checksum of what it asks of reservations, and shows them */
	uint32_t walltime;        /* seconds that it asks for; 0: nothing is known */
	const struct maui_refusal *refusal; /* the last one: maui_jobs_refuse(). Never NULL */
	struct maui_tracked_got *got;       /* maui_tracked_job_got(): the newest partition first */
	uint32_t part_count;
	uint32_t more_room : 24;
	uint32_t standing : 2; /* enum maui_standing */
	bool waited : 1;       /* the last iteration saw it eligible, or none has seen it yet */
	bool rejected : 1;     /* held by us: REJECTNEGPRIOJOBS */
	bool judged : 1; /* by an iteration; until then idle limits are also checked at the start */
	bool passed : 1; /* we have given it the pass into reservations */
	bool restarts : 1; /* queued_since is each iteration's time: JOBPRIOACCRUALPOLICY */
	/* maui_tracked_part(): most jobs have one place. */
	struct maui_tracked_part first, *more;
};

static inline const struct maui_tracked_part *maui_tracked_part(const struct maui_tracked_job *job,
								uint32_t i)
{
	return i ? &job->more[i - 1] : &job->first;
}

/* To be changed. */
static inline struct maui_tracked_part *maui_tracked_part_of(struct maui_tracked_job *job,
							     uint32_t i)
{
	return i ? &job->more[i - 1] : &job->first;
}

struct maui_jobs;

struct maui_jobs *maui_jobs_new(void);

/*
 * NULL if the job is not known. Pointers are valid until the next maui_jobs_track() or
 * maui_jobs_forget(). O(1).
 */
struct maui_tracked_job *maui_jobs_find(const struct maui_jobs *jobs, uint32_t job_id);

/* The same if the slot is probably known, from maui_jobs_slot(). */
struct maui_tracked_job *maui_jobs_find_at(const struct maui_jobs *jobs, uint32_t slot,
					   uint32_t job_id);
uint32_t maui_jobs_slot(const struct maui_jobs *jobs, const struct maui_tracked_job *job);

/* What is in this slot will be needed soon. */
void maui_jobs_prefetch_at(const struct maui_jobs *jobs, uint32_t slot);

/* Find or add. A job with a different submission time starts over. O(1). */
struct maui_tracked_job *maui_jobs_track(struct maui_jobs *jobs, uint32_t job_id,
					 int64_t submitted);

/* The same if the slot is probably known. */
struct maui_tracked_job *maui_jobs_track_at(struct maui_jobs *jobs, uint32_t slot, uint32_t job_id,
					    int64_t submitted);

size_t maui_jobs_count(const struct maui_jobs *jobs);

/* Walk all jobs: *slot is 0 before the first call. NULL after the last one. */
const struct maui_tracked_job *maui_jobs_next(const struct maui_jobs *jobs, uint32_t *slot);

/* Make room for the priorities of count places. Those of places that it had
 * before stay; new ones are uninitialized, but for `demoted`, which is 0. */
void maui_tracked_job_resize(struct maui_tracked_job *job, uint32_t count);

/*
 * Remember why the job was refused last; &maui_refusal_none: it was not. Jobs
 * that are refused alike mostly share one copy.
 */
void maui_jobs_refuse(struct maui_jobs *jobs, struct maui_tracked_job *job,
		      const struct maui_refusal *refusal);

/* Remember what it would have got in a partition. */
void maui_tracked_job_got(struct maui_tracked_job *job, const struct maui_tracked_got *got);

/* The same of a class; NULL: nothing is known. */
const struct maui_tracked_got *maui_tracked_job_got_in(const struct maui_tracked_job *job,
						       uint32_t class);

/* Forget every job last seen before this iteration and not changed since that change. */
void maui_jobs_forget(struct maui_jobs *jobs, uint64_t iteration, uint64_t change);

/* Forget all: another controller may have changed everything. */
void maui_jobs_clear(struct maui_jobs *jobs);

#endif
