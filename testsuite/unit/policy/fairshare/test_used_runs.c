/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/fairshare/used_runs.h"

#include <criterion/criterion.h>

static const struct maui_used_run *find(const struct maui_used_runs *used, uint32_t job_id)
{
	for (size_t i = 0; i < used->count; i++)
		if (used->runs[i].job_id == job_id)
			return &used->runs[i];
	return NULL;
}

Test(used_runs, sums_up_the_steps_of_a_run)
{
	struct maui_used_runs used = {0};
	struct maui_run run = {.job_id = 7, .start = 100, .until = 150, .rate = 4};

	maui_used_runs_add(&used, 7, 100, 1.5, 10);
	maui_used_runs_add(&used, 8, 100, 20, 10);
	maui_used_runs_add(&used, 7, 100, 2, 10);
	cr_assert_eq(find(&used, 7)->used, 3.5);
	cr_assert_eq(find(&used, 7)->held, 20);
	cr_assert(!find(&used, 7)->ended);
	maui_used_runs_end(&used, &run, 1);
	maui_used_runs_add(&used, 7, 100, 1, 10); /* its batch step, while its nodes are cleaned */
	cr_assert_eq(find(&used, 7)->used, 4.5);
	cr_assert(find(&used, 7)->ended);
	cr_assert_eq(find(&used, 7)->run.until, 150);
	maui_used_runs_clear(&used);
}

Test(used_runs, another_run_of_the_job_begins_at_nothing)
{
	struct maui_used_runs used = {0};
	struct maui_run run = {.job_id = 7, .start = 100};

	maui_used_runs_add(&used, 7, 100, 1.5, 10);
	maui_used_runs_end(&used, &run, 1);
	maui_used_runs_add(&used, 7, 200, 2, 10);
	cr_assert_eq(used.count, 1);
	cr_assert_eq(used.runs[0].used, 2);
	cr_assert(!used.runs[0].ended);
	maui_used_runs_clear(&used);
}

Test(used_runs, finds_all_that_are_left_when_some_are_dropped)
{
	struct maui_used_runs used = {0};

	for (uint32_t id = 1; id <= 1000; id++)
		maui_used_runs_add(&used, id, id, id, 10);
	for (size_t i = 0; i < used.count;)
		if (used.runs[i].job_id % 3)
			maui_used_runs_drop(&used, i);
		else
			i++;
	cr_assert_eq(used.count, 333);
	for (uint32_t id = 3; id <= 1000; id += 3) {
		maui_used_runs_add(&used, id, id, 1, 10);
		cr_assert_eq(find(&used, id)->used, id + 1);
	}
	cr_assert_eq(used.count, 333);
	maui_used_runs_clear(&used);
}

Test(used_runs, a_dropped_one_is_forgotten)
{
	struct maui_used_runs used = {0};

	maui_used_runs_add(&used, 7, 100, 1.5, 10);
	maui_used_runs_add(&used, 8, 100, 20, 10);
	maui_used_runs_drop(&used, 0);
	maui_used_runs_add(&used, 7, 100, 2, 10); /* of the same second */
	cr_assert_eq(used.count, 2);
	cr_expect_eq(find(&used, 7)->used, 2);
	cr_expect_eq(find(&used, 8)->used, 20);
	maui_used_runs_clear(&used);
}
