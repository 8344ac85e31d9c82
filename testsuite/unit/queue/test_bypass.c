/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>

#include "common/queue/bypass.h"

static void see(struct maui_bypass *bypass, uint32_t job_id, uint32_t priority, int64_t time)
{
	struct maui_bypass_start start = {
		.job_id = job_id, .arrival = job_id, .priority = priority, .time = time};

	maui_bypass_see(bypass, &start);
}

/* New starts of job 100 with priority 10, 101 with 20, 102 with 30, at times 1000, 1001, 1002. */
static struct maui_bypass *three_starts(void)
{
	struct maui_bypass *bypass = maui_bypass_new();

	maui_bypass_begin(bypass, 1010);
	see(bypass, 102, 30, 1002);
	see(bypass, 100, 10, 1000);
	see(bypass, 101, 20, 1001);
	maui_bypass_sort(bypass);
	return bypass;
}

Test(bypass, only_those_behind_a_job_pass_it)
{
	struct maui_bypass *bypass = three_starts();

	cr_expect_eq(maui_bypass_count(bypass, 1, 5, 900), 0);
	cr_expect_eq(maui_bypass_count(bypass, 1, 25, 900), 2);
	cr_expect_eq(maui_bypass_count(bypass, 1, UINT32_MAX, 900), 3);
	maui_bypass_free(bypass);
}

Test(bypass, at_equal_priority_the_earlier_arrival_precedes)
{
	struct maui_bypass *bypass = three_starts();

	cr_expect_eq(maui_bypass_count(bypass, 100, 20, 900), 2);
	cr_expect_eq(maui_bypass_count(bypass, 102, 20, 900), 1);
	maui_bypass_free(bypass);
}

Test(bypass, tasks_of_one_array_do_not_pass_each_other)
{
	struct maui_bypass *bypass = maui_bypass_new();
	struct maui_bypass_start task = {.job_id = 60, .arrival = 50, .priority = 20, .time = 1000};

	maui_bypass_begin(bypass, 1010);
	maui_bypass_see(bypass, &task);
	maui_bypass_sort(bypass);
	cr_expect_eq(maui_bypass_count(bypass, 50, 20, 900), 0);
	cr_expect_eq(maui_bypass_count(bypass, 49, 20, 900), 1);
	cr_expect_eq(maui_bypass_count(bypass, 55, 20, 900), 0);
	maui_bypass_free(bypass);
}

Test(bypass, a_job_that_came_later_was_not_passed)
{
	struct maui_bypass *bypass = three_starts();

	cr_expect_eq(maui_bypass_count(bypass, 200, 99, 1003), 0);
	cr_expect_eq(maui_bypass_count(bypass, 200, 99, 1001), 1);
	cr_expect_eq(maui_bypass_count(bypass, 50, 99, 1001),
		     2); /* within one second the ids decide */
	cr_expect_eq(maui_bypass_count(bypass, 50, 15, 1001), 0);
	maui_bypass_free(bypass);
}

Test(bypass, a_start_counts_once)
{
	struct maui_bypass *bypass = three_starts();

	cr_expect(maui_bypass_done(bypass));
	maui_bypass_sort(bypass);
	cr_expect_eq(maui_bypass_count(bypass, 1, 99, 900), 0);
	maui_bypass_begin(bypass, 1010); /* the same second again */
	see(bypass, 101, 20, 1001);
	see(bypass, 102, 30, 1002);
	see(bypass, 103, 1, 1010);
	maui_bypass_sort(bypass);
	cr_expect_eq(maui_bypass_count(bypass, 1, 99, 900), 1);
	cr_expect(maui_bypass_done(bypass));
	maui_bypass_begin(bypass, 1011);
	see(bypass, 103, 1, 1010);
	maui_bypass_sort(bypass);
	cr_expect_not(maui_bypass_done(bypass));
	maui_bypass_free(bypass);
}

Test(bypass, a_requeued_job_that_starts_again_counts_again)
{
	struct maui_bypass *bypass = three_starts();

	maui_bypass_done(bypass);
	maui_bypass_begin(bypass, 1020);
	see(bypass, 101, 20, 1015);
	maui_bypass_sort(bypass);
	cr_expect_eq(maui_bypass_count(bypass, 1, 99, 900), 1);
	maui_bypass_free(bypass);
}

Test(bypass, a_pass_that_was_broken_off_loses_nothing)
{
	struct maui_bypass *bypass = three_starts();

	maui_bypass_begin(bypass, 1011);
	see(bypass, 101, 20, 1001);
	see(bypass, 102, 30, 1002);
	maui_bypass_sort(bypass);
	cr_expect_eq(maui_bypass_count(bypass, 1, 99, 900), 3);
	maui_bypass_free(bypass);
}

Test(bypass, a_clock_that_steps_back_changes_nothing)
{
	struct maui_bypass *bypass = three_starts();

	maui_bypass_done(bypass);
	maui_bypass_begin(bypass, 500);
	see(bypass, 101, 20, 1001);
	see(bypass, 103, 20, 499);
	maui_bypass_sort(bypass);
	cr_expect_eq(maui_bypass_count(bypass, 1, 99, 400), 1);
	maui_bypass_free(bypass);
}

Test(bypass, what_another_process_counted_is_not_counted_again)
{
	struct maui_bypass *bypass = three_starts();
	struct maui_bypass_start starts[] = {{.job_id = 101, .time = 1001}};

	maui_bypass_reset(bypass, 1001, starts, 1);
	maui_bypass_begin(bypass, 1010);
	see(bypass, 100, 10, 1000);
	see(bypass, 101, 20, 1001);
	see(bypass, 102, 30, 1001);
	maui_bypass_sort(bypass);
	cr_expect_eq(maui_bypass_count(bypass, 1, 99, 900), 1);
	maui_bypass_done(bypass);
	maui_bypass_begin(bypass, 1011);
	see(bypass, 100, 10, 1000);
	maui_bypass_sort(bypass);
	cr_expect_not(maui_bypass_done(bypass));
	maui_bypass_free(bypass);
}

Test(bypass, the_next_process_is_told_what_the_time_leaves_open)
{
	struct maui_bypass *bypass = maui_bypass_new();
	const struct maui_bypass_start *recent;

	cr_expect_eq(maui_bypass_counted(bypass), 0);
	cr_expect_eq(maui_bypass_recent(bypass, &recent), 0);
	maui_bypass_begin(bypass, 1001);
	see(bypass, 100, 10, 1000);
	see(bypass, 101, 10, 1001);
	see(bypass, 102, 10, 1002);
	cr_expect_eq(maui_bypass_recent(bypass, &recent), 0); /* the pass is not complete */
	maui_bypass_sort(bypass);
	maui_bypass_done(bypass);
	cr_expect_eq(maui_bypass_counted(bypass), 1001);
	cr_assert_eq(maui_bypass_recent(bypass, &recent), 2);
	cr_expect_eq(recent[0].job_id, 101);
	cr_expect_eq(recent[1].job_id, 102);
	maui_bypass_begin(bypass, 1003);
	maui_bypass_sort(bypass);
	maui_bypass_done(bypass);
	cr_expect_eq(maui_bypass_recent(bypass, &recent), 0);
	maui_bypass_free(bypass);
}

Test(bypass, starts_whose_records_are_gone_are_forgotten_and_the_others_known)
{
	struct maui_bypass *bypass = maui_bypass_new();

	for (int pass = 0; pass < 4; pass++) {
		maui_bypass_begin(bypass, 2000 + pass);
		for (uint32_t id = 1; id <= (pass ? 100 : 10000); id++)
			see(bypass, id, 10, 1000);
		maui_bypass_sort(bypass);
		cr_expect_eq(maui_bypass_done(bypass), pass == 0, "pass %d", pass);
	}
	maui_bypass_begin(bypass, 3000);
	see(bypass, 5000, 10, 1000); /* only a new record could look like this */
	maui_bypass_sort(bypass);
	cr_expect(maui_bypass_done(bypass));
	maui_bypass_free(bypass);
}

Test(bypass, a_job_without_a_start_time_has_not_started)
{
	struct maui_bypass *bypass = maui_bypass_new();

	maui_bypass_begin(bypass, 1000);
	see(bypass, 100, 10, 0);
	maui_bypass_sort(bypass);
	cr_expect_eq(maui_bypass_count(bypass, 1, 99, -5), 0);
	cr_expect_not(maui_bypass_done(bypass));
	maui_bypass_free(bypass);
}
