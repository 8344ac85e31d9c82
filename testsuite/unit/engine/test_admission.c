/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who gets into standing reservations. */
#include "testsuite/unit/engine/reservations_fixture.h"

#include "plugins/engine/api/select.h"

TestSuite(admission, .init = drive_init, .fini = drive_fini);

Test(admission, access_lists)
{
	static const struct {
		const char *list;
		struct controller_job job;
		bool admitted;
	} cases[] = {
		{"USERLIST=bin", {.user = "bin"}, true},
		{"USERLIST=bin", {.user = "sys"}, false},
		{"USERLIST=sys GROUPLIST=bin", {.user = "bin"}, true},
		{"CLASSLIST=small", {.partitions = "small"}, true},
		{"CLASSLIST=small", {.partitions = "batch"}, false},
		{"CLASSLIST=small", {.partitions = "batch,small"}, true},
		{"ACCOUNTLIST=art", {.account = "art"}, true},
		{"ACCOUNTLIST=art", {.account = "sea"}, false},
		{"QOSLIST=hi", {.qos = "hi"}, true},
		{"QOSLIST=!hi", {.qos = "hi"}, false},
		{"QOSLIST=!hi", {.qos = "low"}, true},
		{"USERLIST=bin TIMELIMIT=0:30:00*", {.user = "bin", .minutes = 30}, true},
		{"USERLIST=bin TIMELIMIT=0:30:00*", {.user = "bin", .minutes = 31}, false},
		{"USERLIST=bin FLAGS=BYNAME", {.user = "bin"}, false},
		{"USERLIST=bin FLAGS=BYNAME", {.user = "bin", .comment = "x=ADVRES:a"}, true},
		{"USERLIST=bin", {.user = "bin", .comment = "x=ADVRES:b"}, false},
		{"JOBATTRLIST=PREEMPTEE", {.comment = "x=FLAGS:PREEMPTEE"}, true},
		{"JOBATTRLIST=PREEMPTEE", {.user = "bin"}, false},
		{"", {.user = "bin"}, false}, /* without a list, nobody */
	};

	drive_machine(FOUR_NODES, "", "");
	controller_qos("hi");
	controller_qos("low");
	drive_start();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct controller_job wanted = cases[i].job;
		job_record_t *job;
		char text[128];
		bool in;

		snprintf(text, sizeof(text), "SRCFG[a] HOSTLIST=n1 PERIOD=INFINITY %s\n",
			 cases[i].list);
		drive_reconfigure(text);
		wanted.on = "n1";
		job = controller_submit(&wanted);
		in = controller_try(job, true);
		if (!in && job->part_ptr_list) {
			controller_considers(job, "small");
			in = controller_try(job, true);
		}
		cr_expect_eq(in, cases[i].admitted, "case %zu: %s", i, text);
		if (in)
			controller_end(job, JOB_COMPLETE);
		controller_purge(job);
	}
}

Test(admission, stacked_ones_must_all_admit)
{
	drive_begin(FOUR_NODES, "SRCFG[a] HOSTLIST=n[1-2] PERIOD=INFINITY CLASSLIST=small\n"
				"SRCFG[b] HOSTLIST=n[1-3] PERIOD=INFINITY USERLIST=bin\n");
	cr_expect_str_eq(controller_lands(SUBMIT(.user = "bin", .on = "n1")), "");
	cr_expect_str_eq(controller_lands(SUBMIT(.user = "sys", .partitions = "small", .on = "n1")),
			 "");
	cr_expect_str_eq(controller_lands(SUBMIT(.user = "bin", .partitions = "small", .on = "n1")),
			 "n1");
	cr_expect_str_eq(controller_lands(SUBMIT(.user = "bin", .on = "n3")), "n3");
	cr_expect_str_eq(controller_lands(SUBMIT(.user = "sys")), "n4", "what is left");
}

Test(admission, affinity)
{
	static const struct {
		const char *user, *order[4];
	} cases[] = {
		{"bin", {"n2", "n3", "n1", "n4"}}, /* likes it */
		{"sys", {"n1", "n4", "n2", "n3"}}, /* avoids it */
		{"man", {"n2", "n3", "n1", "n4"}}, /* neutral: reserved nodes before free ones */
	};

	drive_begin(FOUR_NODES,
		    FIRST "SRCFG[a] HOSTLIST=n[2-3] PERIOD=INFINITY USERLIST=bin,sys-,man=\n");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		job_record_t *jobs[4];

		for (size_t k = 0; k < 4; k++) {
			jobs[k] = SUBMIT(.user = cases[i].user, .cpus = 4);
			cr_expect_str_eq(controller_lands(jobs[k]), cases[i].order[k],
					 "%s's job %zu", cases[i].user, k);
		}
		for (size_t k = 0; k < 4; k++)
			controller_end(jobs[k], JOB_COMPLETE);
	}
}

Test(admission, nobody_runs_into_one_that_comes)
{
	job_record_t *longer;

	drive_begin(FOUR_NODES, "SRCFG[soon] HOSTLIST=n1 PERIOD=DAY STARTTIME=13:00:00 "
				"ENDTIME=14:00:00 USERLIST=bin\n"
				"SRCFG[other] HOSTLIST=n4 PERIOD=INFINITY USERLIST=sys\n");
	longer = SUBMIT(.user = "sys", .minutes = 61, .on = "n1");
	cr_expect_str_eq(controller_lands(longer), "",
			 "with a pass it is the engine that keeps it out");
	cr_expect_str_eq(controller_lands(SUBMIT(.user = "sys", .minutes = 60, .on = "n1")), "n1");
	cr_expect_str_eq(controller_lands(SUBMIT(.user = "bin", .minutes = 61, .on = "n1")), "n1");
}

Test(admission, a_single_use_is_used_up)
{
	job_record_t *job;

	drive_begin(FOUR_NODES,
		    "SRCFG[once] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin FLAGS=SINGLEUSE\n");
	job = SUBMIT(.user = "bin", .on = "n1");
	cr_assert_str_eq(controller_lands(job), "n1");
	drive_pass(MINUTE);
	expect_nodes("once.inf", "n1");
	controller_end(job, JOB_COMPLETE);
	drive_pass(MINUTE);
	expect_none("once.inf");
	drive_pass(MINUTE);
	drive_stop();
	drive_start();
	expect_none("once.inf");
	cr_expect_str_eq(controller_lands(SUBMIT(.user = "sys", .on = "n1")), "n1");
}

Test(admission, a_job_that_asks_for_one_gets_no_other_nodes)
{
	job_record_t *insider, *outsider;

	drive_begin(FOUR_NODES, "SRCFG[a] HOSTLIST=n3 PERIOD=INFINITY USERLIST=bin\n");
	insider = SUBMIT(.user = "bin", .cpus = 3, .comment = "x=ADVRES:a");
	cr_expect_str_eq(controller_lands(insider), "n3");
	insider = SUBMIT(.user = "bin", .cpus = 3, .comment = "x=ADVRES:a.inf");
	cr_expect_str_eq(controller_lands(insider), "", "it is full");
	outsider = SUBMIT(.user = "sys", .comment = "x=ADVRES:a");
	cr_expect_str_eq(controller_lands(outsider), "");
	drive_turn();
	cr_assert_not_null(outsider->state_desc);
	cr_expect(strstr(outsider->state_desc, "reservation"), "%s", outsider->state_desc);
	EXPECT_TEXT(drive_ask("diagnose-blocked", NULL), "/jobs/0/kind", "reservation");
}

Test(admission, without_the_select_plugin_nobody_gets_in)
{
	drive_write_file("maui.cfg", "SRCFG[a] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin\n");
	controller_begin(drive_path("."), FOUR_NODES, "");
	cr_assert_eq(maui_engine_start(), SLURM_SUCCESS);
	drive_turn();
	cr_assert_not_null(controller_find_reservation("a.inf"));
	cr_expect_eq(controller_find_reservation("a.inf")->max_start_delay, 0);
	cr_expect_str_eq(controller_lands(SUBMIT(.user = "bin", .on = "n1")), "");
	controller_lock_all();
	maui_engine_select.nodes_changed(); /* select is loaded now */
	controller_unlock_all();
	drive_pass(2 * MINUTE);
	cr_expect_eq(controller_find_reservation("a.inf")->max_start_delay, OPEN);
	cr_expect_str_eq(controller_lands(SUBMIT(.user = "bin", .on = "n1")), "n1");
	drive_stop();
}

Test(admission, before_the_first_roll_nobody_starts)
{
	job_record_t *job;

	drive_machine(FOUR_NODES, "", FIRST "SRCFG[a] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin\n");
	cr_assert_eq(maui_engine_start(), SLURM_SUCCESS);
	job = SUBMIT(.user = "sys");
	cr_expect_str_eq(controller_lands(job), "");
	drive_turn();
	cr_expect_str_eq(controller_lands(job), "n2");
	drive_stop();
}

Test(admission, names_that_are_known)
{
	drive_begin(FOUR_NODES, "SRCFG[a] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin\n");
	cr_expect(maui_engine_knows_reservation("a"));
	cr_expect(maui_engine_knows_reservation("a.inf"));
	cr_expect_not(maui_engine_knows_reservation("b"));
	drive_stop();
}
