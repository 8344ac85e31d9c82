/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slots of pending jobs with an index by job ID and a stack of free slots.
 * Equal refusals mostly share one reference-counted copy.
 */
#include "common/queue/jobs.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/idmap.h"
#include "common/util/memory.h"

#define REFUSALS 64 /* a power of two */

struct kept;

struct maui_jobs {
	struct maui_tracked_job *slots;
	uint32_t room;        /* allocated slots */
	uint32_t *free_slots; /* a stack */
	uint32_t free_count;
	struct maui_idmap by_id;     /* job id -> slot + 1 */
	struct kept *kept[REFUSALS]; /* the last ones, by whose they are; each a reference */
};

/* ---- why jobs are refused ---- */

/* Its address is that of its refusal. */
struct kept {
	struct maui_refusal refusal;
	uint32_t references;
};

/* NULL: of &maui_refusal_none. */
static struct kept *kept_of(const struct maui_refusal *refusal)
{
	return refusal == &maui_refusal_none ? NULL : (struct kept *)refusal;
}

static void jobs_unref(struct kept *kept)
{
	if (kept && !--kept->references)
		free(kept);
}

static struct kept *jobs_keep(struct maui_jobs *jobs, const struct maui_refusal *refusal)
{
	struct kept **last = &jobs->kept[maui_refusal_place(refusal, REFUSALS)], *kept;

	if (*last && maui_refusal_same(&(*last)->refusal, refusal))
		return *last;
	kept = maui_malloc(1, sizeof(*kept));
	*kept = (struct kept){.refusal = *refusal, .references = 1};
	jobs_unref(*last);
	return *last = kept;
}

void maui_jobs_refuse(struct maui_jobs *jobs, struct maui_tracked_job *job,
		      const struct maui_refusal *refusal)
{
	struct kept *before = kept_of(job->refusal), *kept;

	if (maui_refusal_same(job->refusal, refusal))
		return;
	job->refusal = &maui_refusal_none;
	jobs_unref(before);
	if (refusal->kind == MAUI_REFUSAL_NONE)
		return;
	kept = jobs_keep(jobs, refusal);
	kept->references++;
	job->refusal = &kept->refusal;
}

/* ---- the jobs ---- */

struct maui_jobs *maui_jobs_new(void)
{
	return maui_calloc(1, sizeof(struct maui_jobs));
}

struct maui_tracked_job *maui_jobs_find(const struct maui_jobs *jobs, uint32_t job_id)
{
	uint32_t slot = maui_idmap_find(&jobs->by_id, job_id);

	return slot ? &jobs->slots[slot - 1] : NULL;
}

struct maui_tracked_job *maui_jobs_find_at(const struct maui_jobs *jobs, uint32_t slot,
					   uint32_t job_id)
{
	if (slot < jobs->room && jobs->slots[slot].job_id == job_id)
		return &jobs->slots[slot];
	return maui_jobs_find(jobs, job_id);
}

uint32_t maui_jobs_slot(const struct maui_jobs *jobs, const struct maui_tracked_job *job)
{
	return (uint32_t)(job - jobs->slots);
}

#define CACHE_LINE 64

void maui_jobs_prefetch_at(const struct maui_jobs *jobs, uint32_t slot)
{
	for (size_t at = 0; slot < jobs->room && at < sizeof(*jobs->slots); at += CACHE_LINE)
		__builtin_prefetch((const char *)&jobs->slots[slot] + at, 1);
}

static void jobs_grow(struct maui_jobs *jobs)
{
	uint32_t room = jobs->room + jobs->room / 4 + 1024; /* slots are large, and few stay free */

	jobs->slots = maui_realloc(jobs->slots, room, sizeof(*jobs->slots));
	jobs->free_slots = maui_realloc(jobs->free_slots, room, sizeof(*jobs->free_slots));
	memset(jobs->slots + jobs->room, 0, (room - jobs->room) * sizeof(*jobs->slots));
	for (uint32_t slot = room; slot > jobs->room; slot--)
		jobs->free_slots[jobs->free_count++] = slot - 1;
	jobs->room = room;
}

/* Forget its last refusal, and what it would have got. */
static void forget_why(struct maui_jobs *jobs, struct maui_tracked_job *job)
{
	maui_jobs_refuse(jobs, job, &maui_refusal_none);
	while (job->got) {
		struct maui_tracked_got *got = job->got;

		job->got = got->next;
		free(got);
	}
}

static struct maui_tracked_job *jobs_add(struct maui_jobs *jobs, uint32_t job_id, int64_t submitted)
{
	struct maui_tracked_job *job;
	uint32_t slot;

	if (!jobs->free_count)
		jobs_grow(jobs);
	slot = jobs->free_slots[jobs->free_count - 1];
	maui_idmap_set(&jobs->by_id, job_id, slot + 1);
	jobs->free_count--;
	job = &jobs->slots[slot];
	*job = (struct maui_tracked_job){.job_id = job_id,
					 .more = job->more,
					 .more_room = job->more_room,
					 .submitted = submitted,
					 .queued_since = submitted,
					 .refusal = &maui_refusal_none,
					 .waited = true};
	return job;
}

/* As if it had just been submitted. */
static void jobs_start_over(struct maui_jobs *jobs, struct maui_tracked_job *job, int64_t submitted)
{
	job->submitted = submitted;
	job->queued_since = submitted;
	job->bypass = 0;
	job->waited = true;
	job->judged = false;
	job->standing = MAUI_STANDING_FREE;
	forget_why(jobs, job);
}

struct maui_tracked_job *maui_jobs_track_at(struct maui_jobs *jobs, uint32_t slot, uint32_t job_id,
					    int64_t submitted)
{
	struct maui_tracked_job *job = maui_jobs_find_at(jobs, slot, job_id);

	if (!job)
		return jobs_add(jobs, job_id, submitted);
	if (job->submitted != submitted)
		jobs_start_over(jobs, job, submitted);
	return job;
}

struct maui_tracked_job *maui_jobs_track(struct maui_jobs *jobs, uint32_t job_id, int64_t submitted)
{
	return maui_jobs_track_at(jobs, UINT32_MAX, job_id, submitted);
}

size_t maui_jobs_count(const struct maui_jobs *jobs)
{
	return jobs->room - jobs->free_count;
}

const struct maui_tracked_job *maui_jobs_next(const struct maui_jobs *jobs, uint32_t *slot)
{
	while (*slot < jobs->room) {
		const struct maui_tracked_job *job = &jobs->slots[(*slot)++];

		if (job->job_id)
			return job;
	}
	return NULL;
}

void maui_tracked_job_resize(struct maui_tracked_job *job, uint32_t count)
{
	if (count > job->more_room + 1) {
		job->more = maui_realloc(job->more, count - 1, sizeof(*job->more));
		job->more_room = count - 1;
	}
	for (uint32_t i = job->part_count; i < count; i++)
		maui_tracked_part_of(job, i)->demoted = 0;
	job->part_count = count;
}

void maui_tracked_job_got(struct maui_tracked_job *job, const struct maui_tracked_got *got)
{
	uint32_t class = got->job.credential[MAUI_CLASS];
	struct maui_tracked_got *kept = job->got;

	while (kept && kept->job.credential[MAUI_CLASS] != class)
		kept = kept->next;
	if (!kept) {
		kept = maui_malloc(1, sizeof(*kept));
		kept->next = job->got;
		job->got = kept;
	}
	*kept = (struct maui_tracked_got){got->job, got->ends, got->until, kept->next};
}

const struct maui_tracked_got *maui_tracked_job_got_in(const struct maui_tracked_job *job,
						       uint32_t class)
{
	const struct maui_tracked_got *got = job->got;

	while (got && got->job.credential[MAUI_CLASS] != class)
		got = got->next;
	return got;
}

/* The slot keeps its memory for the next job. */
static void jobs_release(struct maui_jobs *jobs, uint32_t slot)
{
	struct maui_tracked_job *job = &jobs->slots[slot];

	maui_idmap_remove(&jobs->by_id, job->job_id);
	forget_why(jobs, job);
	job->job_id = 0;
	job->part_count = 0;
	jobs->free_slots[jobs->free_count++] = slot;
}

void maui_jobs_forget(struct maui_jobs *jobs, uint64_t iteration, uint64_t change)
{
	for (uint32_t slot = 0; slot < jobs->room; slot++) {
		const struct maui_tracked_job *job = &jobs->slots[slot];

		if (job->job_id && job->iteration < iteration && job->change <= change)
			jobs_release(jobs, slot);
	}
}

void maui_jobs_clear(struct maui_jobs *jobs)
{
	for (uint32_t slot = 0; slot < jobs->room; slot++)
		if (jobs->slots[slot].job_id)
			jobs_release(jobs, slot);
}
