/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mock slurmctld notices what it is there to notice. */
#include "testsuite/unit/engine/drive.h"

#include <signal.h>

#include "plugins/engine/runtime/lock.h"

static void begin(void)
{
	drive_init();
	drive_begin(FOUR_NODES, "");
}

/* A test that aborts does not clean up, and its directory would stay. */
static void forget_directory(void)
{
	drive_stop();
	drive_fini();
}

TestSuite(controller, .init = begin, .fini = drive_fini);

Test(controller, locks_come_before_the_mutex, .signal = SIGABRT)
{
	forget_directory();
	engine_lock();
	controller_lock_all();
}

Test(controller, no_lock_is_taken_twice, .signal = SIGABRT)
{
	forget_directory();
	controller_lock_all();
	controller_lock_all();
}

Test(controller, the_mutex_is_not_taken_twice, .signal = SIGABRT)
{
	forget_directory();
	engine_lock();
	engine_lock();
}

Test(controller, nobody_lets_go_of_what_is_not_held, .signal = SIGABRT)
{
	forget_directory();
	unlock_slurmctld((slurmctld_lock_t){.job = READ_LOCK});
}

Test(controller, nobody_lets_go_of_a_mutex_that_is_not_held, .signal = SIGABRT)
{
	forget_directory();
	engine_unlock();
}

Test(controller, reservations_want_the_node_lock, .signal = SIGABRT)
{
	slurmctld_lock_t node_read = {.job = WRITE_LOCK, .node = READ_LOCK};
	reservation_name_msg_t message = {.name = (char *)"none"};

	forget_directory();
	lock_slurmctld(node_read);
	delete_resv(&message);
}

Test(controller, jobs_want_the_job_lock, .signal = SIGABRT)
{
	forget_directory();
	find_job_record(1);
}

/* ---- what Slurm would refuse ---- */

Test(controller, reservations_are_refused_as_slurm_does)
{
	static const struct {
		const char *name, *nodes;
		int64_t start, end;
		int rc;
	} cases[] = {
		{"good", "n1", NOW, NOW + DAY, SLURM_SUCCESS},
		{"good", "n1", NOW, NOW + DAY, ESLURM_RESERVATION_NAME_DUP},
		{"past", "n1", NOW - HOUR, NOW + DAY, ESLURM_INVALID_TIME_VALUE},
		{"short", "n1", NOW, NOW, ESLURM_INVALID_TIME_VALUE},
		{"nowhere", "n9", NOW, NOW + DAY, ESLURM_INVALID_NODE_NAME},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		resv_desc_msg_t message;

		slurm_init_resv_desc_msg(&message);
		message.name = (char *)cases[i].name;
		message.node_list = (char *)cases[i].nodes;
		message.start_time = cases[i].start;
		message.end_time = cases[i].end;
		controller_lock_all();
		cr_expect_eq(compat_create_resv(&message), cases[i].rc, "%s", cases[i].name);
		controller_unlock_all();
	}
	cr_expect_eq(controller_reservation_count(), 1);
}

Test(controller, jobs_get_no_more_than_there_is)
{
	job_record_t *first = SUBMIT(.cpus = 14, .nodes = 4), *second = SUBMIT(.cpus = 3);

	cr_expect(controller_try(first, true));
	cr_expect_eq(first->total_cpus, 14);
	cr_expect_eq(first->total_nodes, 4);
	cr_expect_not(controller_try(second, true));
	controller_end(first, JOB_COMPLETE);
	cr_expect(controller_try(second, true));
	cr_expect_eq(bit_set_count(second->job_resrcs->core_bitmap), 3);
}
