/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>

#include "common/queue/jobs.h"

Test(jobs, a_job_that_was_never_tracked_is_not_found)
{
	cr_expect_null(maui_jobs_find(maui_jobs_new(), 7));
}

Test(jobs, one_is_found_where_it_was_and_where_it_has_moved)
{
	struct maui_jobs *jobs = maui_jobs_new();
	struct maui_tracked_job *job = maui_jobs_track(jobs, 7, 1000);
	uint32_t slot = maui_jobs_slot(jobs, job);

	/* Hints to the processor change nothing, wherever they point. */
	maui_jobs_prefetch_at(jobs, 0);
	maui_jobs_prefetch_at(jobs, UINT32_MAX);
	cr_expect_eq(maui_jobs_find_at(jobs, slot, 7), job);
	cr_expect_eq(maui_jobs_find_at(jobs, slot + 1, 7), job);
	cr_expect_eq(maui_jobs_find_at(jobs, UINT32_MAX, 7), job);
	cr_expect_null(maui_jobs_find_at(jobs, slot, 8));
}

Test(jobs, waiting_counts_from_submission_and_anew_after_a_requeue)
{
	struct maui_jobs *jobs = maui_jobs_new();
	struct maui_tracked_job *job = maui_jobs_track(jobs, 7, 1000);

	cr_assert_eq(job->queued_since, 1000);
	job->queued_since = 1500;
	job->bypass = 3;
	cr_expect_eq(maui_jobs_track(jobs, 7, 1000)->queued_since, 1500);
	cr_expect_eq(maui_jobs_track(jobs, 7, 1000)->bypass, 3);
	cr_expect_eq(maui_jobs_track(jobs, 7, 2000)->queued_since, 2000);
	cr_expect_eq(maui_jobs_track(jobs, 7, 2000)->bypass, 0);
}

Test(jobs, those_that_an_iteration_no_longer_saw_are_forgotten)
{
	struct maui_jobs *jobs = maui_jobs_new();

	for (uint32_t id = 1; id <= 5000; id++)
		maui_jobs_track(jobs, id, 1000)->iteration = id % 2 ? 8 : 9;
	maui_jobs_forget(jobs, 9, 0);
	for (uint32_t id = 1; id <= 5000; id++)
		cr_assert_eq(!maui_jobs_find(jobs, id), id % 2, "job %u", id);
}

Test(jobs, one_that_was_submitted_during_an_iteration_is_not_forgotten_by_it)
{
	struct maui_jobs *jobs = maui_jobs_new();

	maui_jobs_track(jobs, 7, 1000)->change = 42;
	maui_jobs_forget(jobs, 9, 41);
	cr_expect_not_null(maui_jobs_find(jobs, 7));
	maui_jobs_forget(jobs, 9, 42);
	cr_expect_null(maui_jobs_find(jobs, 7));
}

Test(jobs, a_new_job_in_an_old_slot_starts_from_nothing)
{
	struct maui_jobs *jobs = maui_jobs_new();
	struct maui_tracked_job *job = maui_jobs_track(jobs, 7, 1000);

	maui_tracked_job_resize(job, 3);
	job->rejected = true;
	job->change = 3;
	maui_jobs_clear(jobs);
	job = maui_jobs_track(jobs, 8, 2000);
	cr_expect_eq(job->part_count, 0);
	cr_expect(!job->rejected);
	cr_expect_eq(job->change, 0);
	cr_expect_eq(job->queued_since, 2000);
	cr_expect_null(maui_jobs_find(jobs, 7));
}

Test(jobs, a_walk_meets_every_job_once)
{
	struct maui_jobs *jobs = maui_jobs_new();
	const struct maui_tracked_job *job;
	uint32_t slot = 0, sum = 0;

	cr_expect_null(maui_jobs_next(jobs, &slot));
	for (uint32_t id = 1; id <= 100; id++)
		maui_jobs_track(jobs, id, 1000)->iteration = id <= 50 ? 8 : 9;
	maui_jobs_forget(jobs, 9, 0);
	for (slot = 0; (job = maui_jobs_next(jobs, &slot));)
		sum += job->job_id;
	cr_expect_eq(sum, 100 * 101 / 2 - 50 * 51 / 2);
}

Test(jobs, each_place_of_a_job_has_its_terms)
{
	struct maui_jobs *jobs = maui_jobs_new();
	struct maui_tracked_job *job = maui_jobs_track(jobs, 7, 1000);

	for (uint32_t count = 1; count <= 5; count++) {
		maui_tracked_job_resize(job, count);
		for (uint32_t i = 0; i < count; i++)
			cr_expect_eq(maui_tracked_part(job, i)->demoted, i + 1 < count ? i + 9 : 0);
		for (uint32_t i = 0; i < count; i++)
			maui_tracked_part_of(job, i)->demoted = i + 9;
	}
}

static struct maui_refusal max_job(uint32_t user, int64_t usage)
{
	return (struct maui_refusal){
		.kind = MAUI_REFUSAL_LIMIT,
		.limit = {.blocked = true, .type = MAUI_USER, .id = user, .usage = usage}};
}

Test(jobs, jobs_that_are_refused_alike_share_the_reason)
{
	struct maui_jobs *jobs = maui_jobs_new();
	struct maui_refusal one = max_job(3, 1), other = max_job(3, 2);
	const struct maui_refusal *shared;

	for (uint32_t id = 1; id <= 20; id++)
		cr_expect_eq(maui_jobs_track(jobs, id, 1000)->refusal, &maui_refusal_none);
	for (uint32_t id = 1; id <= 20; id++)
		maui_jobs_refuse(jobs, maui_jobs_find(jobs, id), id % 2 ? &one : &other);
	/* Those of the same credential push each other out of what is looked for first. */
	for (uint32_t id = 1; id <= 20; id++)
		cr_expect(maui_refusal_same(maui_jobs_find(jobs, id)->refusal,
					    id % 2 ? &one : &other));
	for (uint32_t id = 1; id <= 20; id++)
		maui_jobs_refuse(jobs, maui_jobs_find(jobs, id), &one);
	shared = maui_jobs_find(jobs, 2)->refusal;
	for (uint32_t id = 4; id <= 20; id += 2)
		cr_expect_eq(maui_jobs_find(jobs, id)->refusal, shared, "job %u", id);
	maui_jobs_refuse(jobs, maui_jobs_find(jobs, 2), &maui_refusal_none);
	cr_expect_eq(maui_jobs_find(jobs, 2)->refusal, &maui_refusal_none);
	cr_expect(maui_refusal_same(maui_jobs_find(jobs, 4)->refusal, &one));
	maui_jobs_clear(jobs);
	cr_expect_eq(maui_jobs_track(jobs, 4, 1000)->refusal, &maui_refusal_none);
}

Test(jobs, what_a_job_would_have_got_is_known_by_partition)
{
	struct maui_jobs *jobs = maui_jobs_new();
	struct maui_tracked_job *job = maui_jobs_track(jobs, 7, 1000);

	for (uint32_t class = 1; class <= 3; class ++)
		for (int64_t procs = 4; procs <= 8; procs += 4) {
			struct maui_tracked_got got = {.job = {.procs = procs + class}, .ends = 9};

			got.job.credential[MAUI_CLASS] = class;
			maui_tracked_job_got(job, &got);
		}
	for (uint32_t class = 1; class <= 3; class ++)
		cr_expect_eq(maui_tracked_job_got_in(job, class)->job.procs, 8 + class);
	cr_expect_null(maui_tracked_job_got_in(job, 4));
	cr_expect_null(job->got->next->next->next);
	maui_jobs_clear(jobs);
}

Test(jobs, why_a_job_did_not_start_is_forgotten_with_a_requeue)
{
	struct maui_jobs *jobs = maui_jobs_new();
	struct maui_tracked_job *job = maui_jobs_track(jobs, 7, 1000);
	struct maui_refusal refusal = max_job(3, 1);

	maui_jobs_refuse(jobs, job, &refusal);
	maui_tracked_job_got(job, &(struct maui_tracked_got){.job = {.procs = 4}, .ends = 9});
	maui_tracked_job_got(job, &(struct maui_tracked_got){.job = {.procs = 8}, .ends = 10});
	cr_expect_eq(job->got->job.procs, 8);
	cr_expect_eq(job->got->ends, 10);
	cr_expect_null(job->got->next);
	cr_expect_not_null(maui_jobs_track(jobs, 7, 1000)->got);
	job = maui_jobs_track(jobs, 7, 2000);
	cr_expect_null(job->got);
	cr_expect_eq(job->refusal, &maui_refusal_none);
}
