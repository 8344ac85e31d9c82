/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/queue/queue_fixture.h"

Test(snapshot, it_grows_and_keeps_what_it_has)
{
	struct maui_policy *policy = queue_policy("");
	struct maui_snapshot *snapshot = maui_snapshot_new(policy, 1);

	for (uint32_t id = 0; id < 1000; id++) {
		ptrdiff_t at = maui_snapshot_add(snapshot);
		struct maui_part_request *part = maui_snapshot_add_part(snapshot);

		cr_assert_eq(at, id);
		cr_assert_not_null(part);
		snapshot->rows[at].job_id = id;
		snapshot->jobs[at].procs = id;
		snapshot->results[at].priority = id;
		part->row = id;
	}
	cr_assert_eq(snapshot->count, 1000);
	cr_assert_eq(snapshot->part_count, 1000);
	for (uint32_t id = 0; id < 1000; id++) {
		cr_assert_eq(snapshot->rows[id].job_id, id);
		cr_assert_eq(snapshot->jobs[id].procs, id);
		cr_assert_eq(snapshot->results[id].priority, id);
		cr_assert_eq(snapshot->parts[id].row, id);
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
