/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When an instance is gone for its period: a job that came and ended in one of SINGLEUSE, or somebody who cancelled it. */
#include <criterion/criterion.h>

#include "plugins/engine/rsv_spent.h"

static const struct maui_sr single = {.name = "once", .flags = MAUI_SR_SINGLEUSE};
static const struct maui_sr many = {.name = "often"};

Test(rsv_spent, an_unused_one_stays)
{
	struct rsv_known_name known = {.name = "once.inf"};
	bool again = false;

	cr_expect_not(rsv_spent_see(&known, &single, false, 100, &again));
	cr_expect_not(rsv_spent(&known, &single));
	cr_expect_not(rsv_spent(NULL, &single));
	cr_expect_not(again);
}

Test(rsv_spent, it_goes_when_the_job_that_was_seen_has_ended)
{
	struct rsv_known_name known = {.name = "once.inf"};
	bool again = false;

	cr_expect(rsv_spent_see(&known, &single, true, 100, &again));
	cr_expect_not(rsv_spent(&known, &single));
	cr_expect_not(rsv_spent_see(&known, &single, true, 101, &again), "nothing new");
	cr_expect(rsv_spent_see(&known, &single, false, 102, &again));
	cr_expect(rsv_spent(&known, &single));
	cr_expect_not(again);
}

Test(rsv_spent, a_job_too_short_to_be_seen_uses_it_too)
{
	struct rsv_known_name known = {.name = "once.inf"};
	bool again = false;

	cr_expect(rsv_spent_begin(&known, 100));
	cr_expect_not(rsv_spent_begin(&known, 100), "it is used already");
	cr_expect_not(rsv_spent_see(&known, &single, false, 100, &again),
		      "the job may have come after the look");
	cr_expect(again);
	cr_expect_not(rsv_spent(&known, &single));
	cr_expect(rsv_spent_see(&known, &single, false, 101, &again));
	cr_expect(rsv_spent(&known, &single));
}

Test(rsv_spent, without_singleuse_jobs_come_and_go)
{
	struct rsv_known_name known = {.name = "often.inf", .used = true, .spent = true};
	bool again = false;

	cr_expect_not(rsv_spent_see(&known, &many, false, 200, &again));
	cr_expect_not(rsv_spent(&known, &many), "the flag was taken out of maui.cfg");
	cr_expect_not(rsv_spent(&known, NULL));
}

Test(rsv_spent, a_cancelled_one_is_gone_whatever_it_is)
{
	struct rsv_known_name known = {.name = "often.inf"};

	cr_expect(rsv_spent_cancel(&known));
	cr_expect_not(rsv_spent_cancel(&known), "nothing new");
	cr_expect(rsv_spent(&known, &many));
	cr_expect(rsv_spent(&known, &single));
	cr_expect(rsv_spent(&known, NULL));
	cr_expect(rsv_spent_forget(&known));
	cr_expect_not(rsv_spent_forget(&known), "nothing new");
	cr_expect_not(rsv_spent(&known, &many));
}
