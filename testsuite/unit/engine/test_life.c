/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine comes, goes, or does not come: who may start meanwhile (S-ENG-1). */
#include "testsuite/unit/engine/drive.h"

#include "plugins/engine/api/engine.h"
#include "plugins/engine/api/select.h"

TestSuite(life, .init = drive_init, .fini = drive_fini);

static bool starts(void)
{
	job_record_t *job = SUBMIT(.user = "bin");
	bool started = controller_try(job, true);

	cr_expect_null(job->state_desc, "no policy refuses it");
	return started;
}

Test(life, before_and_after_its_time_in_charge_nobody_starts)
{
	drive_machine(FOUR_NODES, "", "");
	cr_expect_not(starts());
	drive_start();
	cr_expect(starts());
	drive_stop();
	cr_expect_not(starts());
	drive_start();
	cr_expect(starts());
}

Test(life, with_another_priority_plugin_it_is_not_awaited)
{
	drive_machine(FOUR_NODES, "", "");
	cr_expect_not(starts());
	xfree(slurm_conf.priority_type);
	slurm_conf.priority_type = xstrdup("priority/basic");
	maui_engine_select.loaded();
	cr_expect(starts());
}

/* From 23.11 on slurmctld goes on without it. */
Test(life, one_that_cannot_begin_is_no_longer_awaited)
{
	drive_machine(FOUR_NODES, "", "USERCFG[bin] MAXJOB=1\n");
	drive_threads_fail = true;
	cr_expect_eq(maui_engine_start_under_locks(), SLURM_ERROR);
	cr_expect(starts());
	cr_expect(starts(), "there is nobody to judge by a limit");
}
