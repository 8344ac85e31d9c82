/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/queue/queue_fixture.h"

Test(snapshot, it_grows_and_keeps_what_it_has)
{
	struct maui_policy *policy = queue_policy("");
	struct maui_snapshot *snapshot = maui_snapshot_new(policy, 1);

	for (uint32_t id = 0; id < 1000; id++) {
		size_t at = maui_snapshot_add(snapshot);
		struct maui_part_request *part = maui_snapshot_add_part(snapshot);

		cr_assert_eq(at, id);
		cr_assert_not_null(part);
		snapshot->rows[at].job_id = id;
		snapshot->jobs[at].procs = id;
		part->row = id;
	}
	cr_assert_eq(snapshot->count, 1000);
	cr_assert_eq(snapshot->part_count, 1000);
	for (uint32_t id = 0; id < 1000; id++) {
		cr_assert_eq(snapshot->rows[id].job_id, id);
		cr_assert_eq(snapshot->jobs[id].procs, id);
		cr_assert_eq(snapshot->parts[id].row, id);
	}
	maui_snapshot_unref(snapshot);
	maui_policy_unref(policy);
}

Test(snapshot, memory_is_taken_before_the_first_row_only)
{
	struct maui_policy *policy = queue_policy("");
	struct maui_snapshot *snapshot = maui_snapshot_new(policy, 0);

	maui_snapshot_expect(snapshot, 0);
	maui_snapshot_expect(snapshot, 100000);
	cr_expect_geq(snapshot->room, 100000);
	maui_snapshot_expect(snapshot, 10);
	snapshot->rows[maui_snapshot_add(snapshot)].job_id = 7;
	maui_snapshot_expect(snapshot, 200000);
	cr_expect_eq(snapshot->rows[0].job_id, 7);
	cr_expect_lt(snapshot->room, 200000);
	maui_snapshot_unref(snapshot);
	maui_policy_unref(policy);
}

Test(snapshot, memory_is_taken_over_from_one_that_nobody_else_has)
{
	struct maui_policy *policy = queue_policy("");
	struct maui_snapshot *old = maui_snapshot_new(policy, 1000);
	struct maui_snapshot *snapshot = maui_snapshot_new(policy, 0),
			     *other = maui_snapshot_ref(old);

	old->rows[maui_snapshot_add(old)].job_id = 7;
	maui_snapshot_add_part(old);
	cr_expect_not(maui_snapshot_take_over(snapshot, NULL));
	cr_expect_not(maui_snapshot_take_over(snapshot, old));
	cr_expect_eq(old->count, 1);
	maui_snapshot_unref(other);
	cr_assert(maui_snapshot_take_over(snapshot, old));
	cr_expect_eq(old->count, 0);
	cr_expect_eq(old->part_count, 0);
	cr_expect_eq(snapshot->count, 0);
	cr_expect_eq(snapshot->room, 1000);
	snapshot->rows[maui_snapshot_add(snapshot)].job_id = 8;
	cr_expect_not(maui_snapshot_take_over(snapshot, old), "it has a row");
	old->rows[maui_snapshot_add(old)].job_id = 9; /* it is empty, and usable */
	cr_expect_eq(snapshot->rows[0].job_id, 8);
	maui_snapshot_unref(old);
	maui_snapshot_unref(snapshot);
	maui_policy_unref(policy);
}

/* A job in two classes with two QOS, after another one. */
Test(snapshot, a_job_is_first_once_in_each_class_and_qos)
{
	static const bool class_first[] = {true, true, false, true, false};
	static const bool qos_first[] = {true, true, true, false, false};
	struct maui_policy *policy = queue_policy("");
	struct maui_snapshot *snapshot = maui_snapshot_new(policy, 0);

	for (uint32_t i = 0; i < 5; i++) {
		size_t at = maui_snapshot_add(snapshot);

		snapshot->rows[at].position = i ? i - 1 : 0;
		snapshot->jobs[at].credential[MAUI_CLASS] = i < 3 ? 1 : 2;
		snapshot->jobs[at].credential[MAUI_QOS] = i % 2 ? 7 : 8;
	}
	for (size_t at = 0; at < 5; at++) {
		cr_expect_eq(maui_snapshot_is_first(snapshot, at, MAUI_CLASS), class_first[at],
			     "%zu", at);
		cr_expect_eq(maui_snapshot_is_first(snapshot, at, MAUI_QOS), qos_first[at], "%zu",
			     at);
	}
	maui_snapshot_unref(snapshot);
	maui_policy_unref(policy);
}

Test(snapshot, it_keeps_its_policy_as_long_as_anybody_has_it)
{
	struct maui_policy *policy = queue_policy("");
	struct maui_snapshot *snapshot = maui_snapshot_new(policy, 0);

	cr_expect_eq(policy->references, 2);
	cr_expect_eq(maui_snapshot_ref(snapshot), snapshot);
	cr_expect_null(maui_snapshot_unref(snapshot));
	cr_expect_eq(policy->references, 2);
	maui_snapshot_unref(snapshot);
	cr_expect_eq(policy->references, 1);
	maui_policy_unref(policy);
	cr_expect_null(maui_snapshot_ref(NULL));
	cr_expect_null(maui_snapshot_unref(NULL));
}
