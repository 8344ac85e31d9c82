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
	maui_jobs_prefetch_id(jobs, 7);
	maui_jobs_prefetch_at(jobs, slot);
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
