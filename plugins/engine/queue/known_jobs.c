/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks up known ids in Slurm's hash table, but those of jobs that wait, and
 * drops those that are gone. If there are not as many then as Slurm has jobs,
 * walks Slurm's list.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/queue/known_jobs.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/search.h"
#include "plugins/engine/slurm/jobrec_facts.h"
#include "plugins/engine/slurm/jobrec.h"

/* How many ids ahead of the one being looked up its record is prefetched. */
#define AHEAD 16

/* By ascending id. */
ENGINE_GUARDED static struct {
	struct known_job *jobs;
	size_t count, room;
} known;

static int known_jobs_compare(const void *left, const void *right)
{
	const struct known_job *a = left, *b = right;

	return a->job_id < b->job_id ? -1 : a->job_id > b->job_id;
}

/* Where its id is, or belongs. */
ENGINE_LOCKED static size_t known_jobs_place(uint32_t job_id)
{
	const struct known_job key = {.job_id = job_id};

	if (known.count && known.jobs[known.count - 1].job_id < job_id)
		return known.count; /* most are newer than all others */
	return maui_lower_bound(&key, known.jobs, known.count, sizeof(*known.jobs),
				known_jobs_compare);
}

ENGINE_LOCKED static void known_jobs_insert(size_t at, const struct known_job *job)
{
	known.jobs = maui_grow(known.jobs, known.count + 1, &known.room, sizeof(*known.jobs));
	memmove(&known.jobs[at + 1], &known.jobs[at], (known.count - at) * sizeof(*known.jobs));
	known.jobs[at] = *job;
	known.count++;
}

void known_jobs_add(uint32_t job_id, const void *record)
{
	struct known_job job = {.record = record, .job_id = job_id};
	size_t at = known_jobs_place(job_id);

	if (at < known.count && known.jobs[at].job_id == job_id)
		known.jobs[at] = job;
	else
		known_jobs_insert(at, &job);
}

/* Whether the job is still there. */
ENGINE_LOCKED static bool known_jobs_look_up(struct known_job *known_job)
{
	const job_record_t *job = jobrec_find(known_job->job_id);

	if (!job)
		return false;
	known_job->record = job;
	known_job->waits = jobrec_is_pending(job);
	return true;
}

ENGINE_LOCKED static void known_jobs_look_up_all(bool told)
{
	size_t count = 0;

	for (size_t i = 0; i < known.count; i++) {
		struct known_job *job = &known.jobs[i];

		if (i + AHEAD < known.count && !(told && known.jobs[i + AHEAD].waits))
			jobrec_facts_prefetch_state(known.jobs[i + AHEAD].record);
		if ((told && job->waits) || known_jobs_look_up(job))
			known.jobs[count++] = *job;
	}
	known.count = count;
}

static int known_jobs_see(job_record_t *job, void *context)
{
	struct known_job seen = {
		.record = job, .job_id = jobrec_id(job), .waits = jobrec_is_pending(job)};

	engine_assert_locked();
	(void)context;
	known_jobs_insert(known.count, &seen);
	return 0;
}

/* Slurm's list is in the order of submission, which is that of the ids but where
 * these have begun anew. */
ENGINE_LOCKED static bool known_jobs_are_sorted(void)
{
	for (size_t i = 1; i < known.count; i++)
		if (known.jobs[i - 1].job_id > known.jobs[i].job_id)
			return false;
	return true;
}

ENGINE_LOCKED static void known_jobs_walk(void)
{
	known.count = 0;
	jobrec_each(known_jobs_see, NULL);
	if (!known_jobs_are_sorted())
		qsort(known.jobs, known.count, sizeof(*known.jobs), known_jobs_compare);
}

const struct known_job *known_jobs_look(bool told, size_t *ret_count)
{
	known_jobs_look_up_all(told);
	if (known.count != jobrec_count())
		known_jobs_walk();
	*ret_count = known.count;
	return known.jobs;
}

size_t known_jobs_waiting(uint32_t job_id, struct known_job **ret_jobs, size_t max)
{
	size_t count = 0;

	for (size_t i = known_jobs_place(job_id); i < known.count && count < max; i++)
		if (known.jobs[i].waits)
			ret_jobs[count++] = &known.jobs[i];
	return count;
}

/* Slurm has read its jobs anew. */
static void known_jobs_forget(void)
{
	engine_assert_locked();
	known.count = 0;
}

const struct module known_jobs_module = {.adopt = known_jobs_forget};
