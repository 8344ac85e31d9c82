/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Priorities: computed, stored, told. */
#include "testsuite/unit/engine/drive.h"

TestSuite(iteration, .init = drive_init, .fini = drive_fini);

Test(iteration, a_job_gets_its_priority_when_it_is_submitted)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, "QUEUETIMEWEIGHT 0\nCREDWEIGHT 1\nUSERWEIGHT 10\n"
				"USERCFG[bin] PRIORITY=7\n");
	job = SUBMIT(.user = "bin");
	cr_expect_eq(job->priority, 70);
}

Test(iteration, waiting_counts_by_the_minute)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, "QUEUETIMEWEIGHT 10\n");
	job = SUBMIT(.user = "bin");
	cr_expect_leq(job->priority, 2);
	drive_pass(5 * MINUTE);
	cr_expect_eq(job->priority, 50);
}
