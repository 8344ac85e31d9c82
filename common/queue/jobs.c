/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/queue/jobs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/idmap.h"

struct maui_jobs {
	struct maui_tracked_job *slots;
	uint32_t room;        /* allocated slots */
	uint32_t *free_slots; /* a stack */
	uint32_t free_count;
	struct maui_idmap by_id; /* job id -> slot + 1 */
};

struct maui_jobs *maui_jobs_new(void)
{
	return calloc(1, sizeof(struct maui_jobs));
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

void maui_jobs_prefetch_id(const struct maui_jobs *jobs, uint32_t job_id)
{
	maui_idmap_prefetch(&jobs->by_id, job_id);
}

void maui_jobs_prefetch_at(const struct maui_jobs *jobs, uint32_t slot)
{
	if (slot < jobs->room)
		__builtin_prefetch(&jobs->slots[slot], 1);
}

static int grow(struct maui_jobs *jobs)
{
	uint32_t room = jobs->room + jobs->room / 4 + 1024; /* slots are large, and few stay free */
	void *slots = realloc(jobs->slots, room * sizeof(*jobs->slots)), *free_slots;

	if (!slots)
		return -ENOMEM;
	jobs->slots = slots;
	free_slots = realloc(jobs->free_slots, room * sizeof(*jobs->free_slots));
	if (!free_slots)
		return -ENOMEM;
	jobs->free_slots = free_slots;
	memset(jobs->slots + jobs->room, 0, (room - jobs->room) * sizeof(*jobs->slots));
	for (uint32_t slot = room; slot > jobs->room; slot--)
		jobs->free_slots[jobs->free_count++] = slot - 1;
	jobs->room = room;
	return 0;
}

struct maui_tracked_job *maui_jobs_track(struct maui_jobs *jobs, uint32_t job_id, int64_t submitted)
{
	struct maui_tracked_job *job = maui_jobs_find(jobs, job_id);

	if (!job) {
		uint32_t slot;

		if (!jobs->free_count && grow(jobs))
			return NULL;
		slot = jobs->free_slots[jobs->free_count - 1];
		if (maui_idmap_set(&jobs->by_id, job_id, slot + 1))
			return NULL;
		jobs->free_count--;
		job = &jobs->slots[slot];
		*job = (struct maui_tracked_job){.job_id = job_id,
						 .part = job->part,
						 .part_room = job->part_room,
						 .submitted = submitted,
						 .queued_since = submitted,
						 .waited = true};
	}
	if (job->submitted != submitted) {
		job->submitted = submitted;
		job->queued_since = submitted;
		job->bypass = 0;
		job->waited = true;
		job->judged = false;
		job->standing = MAUI_STANDING_FREE;
		job->refusal.kind = MAUI_REFUSAL_NONE;
		job->got = (struct maui_limit_job){0};
	}
	return job;
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

int maui_tracked_job_resize(struct maui_tracked_job *job, uint32_t count)
{
	if (count > job->part_room) {
		struct maui_tracked_part *part = realloc(job->part, count * sizeof(*part));

		if (!part) {
			job->part_count = 0;
			return -ENOMEM;
		}
		job->part = part;
		job->part_room = count;
	}
	for (uint32_t i = job->part_count; i < count; i++)
		job->part[i].demoted = 0;
	job->part_count = count;
	return 0;
}

bool maui_tracked_job_rejected(const struct maui_tracked_job *job)
{
	for (uint32_t i = 0; i < job->part_count; i++)
		if (!job->part[i].result.rejected)
			return false;
	return job->part_count;
}

/* The slot keeps its memory for the next job. */
static void release(struct maui_jobs *jobs, uint32_t slot)
{
	maui_idmap_remove(&jobs->by_id, jobs->slots[slot].job_id);
	jobs->slots[slot].job_id = 0;
	jobs->slots[slot].part_count = 0;
	jobs->free_slots[jobs->free_count++] = slot;
}

void maui_jobs_forget(struct maui_jobs *jobs, uint64_t iteration, uint64_t change)
{
	for (uint32_t slot = 0; slot < jobs->room; slot++) {
		const struct maui_tracked_job *job = &jobs->slots[slot];

		if (job->job_id && job->iteration < iteration && job->change <= change)
			release(jobs, slot);
	}
}

void maui_jobs_clear(struct maui_jobs *jobs)
{
	for (uint32_t slot = 0; slot < jobs->room; slot++)
		if (jobs->slots[slot].job_id)
			release(jobs, slot);
}
