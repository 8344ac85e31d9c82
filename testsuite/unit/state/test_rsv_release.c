/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When an instance is gone for its period: a job came and ended in a SINGLEUSE one, or somebody
 * cancelled it.
 */
#include <criterion/criterion.h>

#include "common/state/rsv_release.h"

static const struct maui_sr single = {.name = "once", .flags = MAUI_SR_SINGLEUSE};
static const struct maui_sr many = {.name = "often"};

Test(rsv_release, an_unused_one_stays)
{
	struct maui_rsv_name known = {.name = "once.inf"};
	bool again = false;

	cr_expect_not(maui_rsv_release_see(&known, &single, false, 100, &again));
	cr_expect_not(maui_rsv_released(&known, &single));
	cr_expect_not(maui_rsv_released(NULL, &single));
	cr_expect_not(again);
}

Test(rsv_release, it_goes_when_the_job_that_was_seen_has_ended)
{
	struct maui_rsv_name known = {.name = "once.inf"};
	bool again = false;

	cr_expect(maui_rsv_release_see(&known, &single, true, 100, &again));
	cr_expect_not(maui_rsv_released(&known, &single));
	cr_expect_not(maui_rsv_release_see(&known, &single, true, 101, &again), "nothing new");
	cr_expect(maui_rsv_release_see(&known, &single, false, 102, &again));
	cr_expect(maui_rsv_released(&known, &single));
	cr_expect_not(again);
}

Test(rsv_release, a_job_too_short_to_be_seen_uses_it_too)
{
	struct maui_rsv_name known = {.name = "once.inf"};
	bool again = false;

	cr_expect(maui_rsv_release_begin(&known, 100));
	cr_expect_not(maui_rsv_release_begin(&known, 100), "it is used already");
	cr_expect_not(maui_rsv_release_see(&known, &single, false, 100, &again),
		      "the job may have come after the look");
	cr_expect(again);
	cr_expect_not(maui_rsv_released(&known, &single));
	cr_expect(maui_rsv_release_see(&known, &single, false, 101, &again));
	cr_expect(maui_rsv_released(&known, &single));
}

Test(rsv_release, without_singleuse_jobs_come_and_go)
{
	struct maui_rsv_name known = {.name = "often.inf", .used = true, .spent = true};
	bool again = false;

	cr_expect_not(maui_rsv_release_see(&known, &many, false, 200, &again));
	cr_expect_not(maui_rsv_released(&known, &many), "the flag was taken out of maui.cfg");
	cr_expect_not(maui_rsv_released(&known, NULL));
}

Test(rsv_release, a_cancelled_one_is_gone_whatever_it_is)
{
	struct maui_rsv_name known = {.name = "often.inf"};

	cr_expect(maui_rsv_release_cancel(&known));
	cr_expect_not(maui_rsv_release_cancel(&known), "nothing new");
	cr_expect(maui_rsv_released(&known, &many));
	cr_expect(maui_rsv_released(&known, &single));
	cr_expect(maui_rsv_released(&known, NULL));
	cr_expect(maui_rsv_release_forget(&known));
	cr_expect_not(maui_rsv_release_forget(&known), "nothing new");
	cr_expect_not(maui_rsv_released(&known, &many));
}
