/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standing reservations: their instances in Slurm, and who gets in. */
#include "testsuite/unit/engine/drive.h"

#include <sys/stat.h>

#include "plugins/engine/api/select.h"
#include "src/common/node_conf.h"

#define OPEN  86400000u /* MaxStartDelay of one that is open */
#define FIRST "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n"
#define FLAGS (RESERVE_FLAG_IGN_JOBS | RESERVE_FLAG_OVERLAP | RESERVE_FLAG_NO_HOLD_JOBS)

TestSuite(reservations, .init = drive_init, .fini = drive_fini);

static void expect_nodes(const char *name, const char *nodes)
{
	const slurmctld_resv_t *there = controller_find_reservation(name);

	cr_expect(there, "%s is not there", name);
	cr_expect(!there || !strcmp(there->node_list, nodes), "%s is on %s, and not on %s", name,
		  there ? there->node_list : "", nodes);
}

static void expect_none(const char *name)
{
	cr_expect_null(controller_find_reservation(name), "%s is there", name);
}

/* The nodes of a job that starts; "": it does not. */
static const char *lands(job_record_t *job)
{
	return controller_try(job, true) ? job->nodes : "";
}

static part_record_t *find_part(const char *name)
{
	part_record_t *partition;

	controller_lock_all();
	partition = find_part_record((char *)name);
	controller_unlock_all();
	return partition;
}

/* ---- what is in Slurm ---- */

Test(reservations, an_instance_is_a_reservation_of_slurm)
{
	const slurmctld_resv_t *one;
	uint32_t kicks = controller_counts.kicks;

	drive_begin(FOUR_NODES, "SRCFG[debug] HOSTLIST=n1,n2 PERIOD=INFINITY USERLIST=bin\n");
	one = controller_find_reservation("debug.inf");
	cr_assert_not_null(one);
	cr_expect_str_eq(one->users, "root");
	cr_expect_str_eq(one->node_list, "n[1-2]");
	cr_expect_eq(one->flags & FLAGS, FLAGS);
	cr_expect_eq(one->max_start_delay, OPEN);
	cr_expect_leq(one->start_time, NOW);
	cr_expect_gt(one->end_time, NOW + 365 * (int64_t)DAY);
	cr_expect_gt(controller_counts.kicks, kicks);
	cr_expect(drive_logged("reservation debug.inf on n[1-2]"));
	drive_turn();
	drive_pass(2 * MINUTE);
	cr_expect_eq(controller_counts.created, 1);
	cr_expect_eq(controller_counts.updated + controller_counts.deleted, 0);
}

Test(reservations, host_lists)
{
	static const struct {
		const char *attributes, *nodes;
	} cases[] = {
		{"HOSTLIST=n1,n3", "n[1,3]"},
		{"HOSTLIST=n[2-3]", "n[2-3]"},
		{"HOSTLIST=^n[13]$,n4", "n[1,3-4]"},
		{"HOSTLIST=N.*2", "n2"},
		{"HOSTLIST=ALL", "n[1-4]"},
		{"HOSTLIST=ALL PARTITION=small", "n[1-2]"},
		{"HOSTLIST=n1,n9", "n1"},
		{"TASKCOUNT=2", "n[1-2]"},
		{"TASKCOUNT=1 NODEFEATURES=fast", "n3"},
		{"TASKCOUNT=2 HOSTLIST=n[2-4]", "n[2-3]"},
		{"TASKCOUNT=3 RESOURCES=PROCS:2", "n[1-2]"}, /* two tasks per node */
	};

	drive_begin("NodeName=n[1-2] CPUs=4 RealMemory=4000\n"
		    "NodeName=n3 CPUs=4 RealMemory=4000 Feature=fast,big\n"
		    "NodeName=n4 CPUs=4 RealMemory=4000\n"
		    "PartitionName=batch Nodes=ALL\nPartitionName=small Nodes=n[1-2]\n",
		    "");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const slurmctld_resv_t *there;
		char line[128];
		bitstr_t *nodes = NULL;

		snprintf(line, sizeof(line), FIRST "SRCFG[hosts] %s PERIOD=INFINITY USERLIST=bin\n",
			 cases[i].attributes);
		drive_reconfigure(line);
		there = controller_find_reservation("hosts.inf");
		cr_assert_eq(node_name2bitmap((char *)cases[i].nodes, false, &nodes), 0);
		cr_expect(there && bit_equal(there->node_bitmap, nodes), "%s: %s, and not %s", line,
			  there ? there->node_list : "nothing", cases[i].nodes);
		FREE_NULL_BITMAP(nodes);
		drive_reconfigure("");
		expect_none("hosts.inf");
	}
}

Test(reservations, windows_of_a_day_come_and_go)
{
	const slurmctld_resv_t *one;

	drive_begin(FOUR_NODES, "SRCFG[night] HOSTLIST=n1 PERIOD=DAY STARTTIME=20:00:00 "
				"ENDTIME=22:00:00 DEPTH=1 USERLIST=bin\n");
	one = controller_find_reservation("night.20231113");
	cr_assert_not_null(one);
	cr_expect_eq(one->start_time, NOW + 8 * HOUR);
	cr_expect_eq(one->end_time, NOW + 10 * HOUR);
	EXPECT_NUMBER(drive_ask("diagnose-reservations", NULL), "/standing/0/depth", 1);
	drive_pass(10 * HOUR + 1);
	expect_none("night.20231113");
	drive_pass(2 * HOUR); /* the next one's period begins */
	one = controller_find_reservation("night.20231114");
	cr_assert_not_null(one);
	cr_expect_eq(one->start_time, NOW + DAY + 8 * HOUR);
}

Test(reservations, days_and_weeks)
{
	drive_begin(FOUR_NODES,
		    "SRCFG[work] HOSTLIST=n1 PERIOD=DAY DAYS=Tue,Thu DEPTH=4 USERLIST=bin\n"
		    "SRCFG[week] HOSTLIST=n2 PERIOD=WEEK DEPTH=1 USERLIST=bin\n");
	expect_none("work.20231113");
	expect_nodes("work.20231114", "n1");
	expect_none("work.20231115");
	expect_nodes("work.20231116", "n1");
	expect_nodes("week.20231112", "n2"); /* it began on Sunday */
}

Test(reservations, a_change_of_maui_cfg_changes_what_is_there)
{
	drive_begin(FOUR_NODES, "SRCFG[a] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin\n");
	drive_reconfigure("SRCFG[a] HOSTLIST=n[1-2] PERIOD=INFINITY USERLIST=bin\n");
	expect_nodes("a.inf", "n[1-2]");
	cr_expect_eq(controller_counts.updated, 1);
	drive_reconfigure("SRCFG[b] HOSTLIST=n3 PERIOD=INFINITY USERLIST=bin\n");
	expect_none("a.inf");
	expect_nodes("b.inf", "n3");
	cr_expect_eq(controller_reservation_count(), 1);
	cr_expect(drive_logged("reservation a.inf is removed"));
}

Test(reservations, one_that_is_in_use_goes_with_its_job)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, "SRCFG[a] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin\n");
	job = SUBMIT(.user = "bin", .on = "n1");
	cr_assert_str_eq(lands(job), "n1");
	drive_reconfigure("");
	expect_nodes("a.inf", "n1");
	cr_expect_str_eq(lands(SUBMIT(.user = "bin", .on = "n1")), "", "nobody gets in any more");
	controller_end(job, JOB_COMPLETE);
	drive_turn();
	expect_none("a.inf");
}

Test(reservations, others_are_left_alone)
{
	drive_machine(FOUR_NODES, "", FIRST "SRCFG[a] TASKCOUNT=2 PERIOD=INFINITY USERLIST=bin\n");
	controller_reservation("a.inf.old", "n1", NOW - HOUR, NOW + DAY, "sys");
	controller_reservation("maint", "n2", NOW + HOUR, NOW + DAY, "root");
	drive_start();
	expect_nodes("a.inf", "n[3-4]"); /* avoiding what others have reserved */
	drive_reconfigure("");
	cr_expect_eq(controller_reservation_count(), 2);
}

Test(reservations, what_slurm_refuses_is_told_and_tried_again)
{
	struct json_object *data;

	drive_machine(FOUR_NODES, "", "SRCFG[a] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin\n");
	controller_reservation_error = ESLURM_RESERVATION_OVERLAP;
	drive_start();
	expect_none("a.inf");
	data = drive_ask("show-reservations", NULL);
	EXPECT_TEXT(data, "/reservations/0/name", "a.inf");
	EXPECT_FALSE(data, "/reservations/0/there");
	EXPECT_TEXT(data, "/reservations/0/problem", slurm_strerror(ESLURM_RESERVATION_OVERLAP));
	cr_expect(drive_logged("it is not there"));
	controller_reservation_error = SLURM_SUCCESS;
	drive_pass(MINUTE);
	expect_nodes("a.inf", "n1");
}

Test(reservations, one_that_is_deleted_by_hand_comes_back)
{
	reservation_name_msg_t message = {.name = (char *)"a.inf"};
	job_record_t *outsider;

	drive_begin(FOUR_NODES, "SRCFG[a] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin\n");
	controller_lock_all();
	cr_assert_eq(delete_resv(&message), 0);
	controller_unlock_all();
	outsider = SUBMIT(.user = "sys", .on = "n1");
	cr_expect_str_eq(lands(outsider), "", "its nodes are kept until it is there again");
	drive_pass(1);
	drive_pass(1);
	expect_nodes("a.inf", "n1");
	cr_expect_str_eq(lands(outsider), "");
}

Test(reservations, a_second_engine_knows_which_are_ours)
{
	drive_begin(FOUR_NODES, "SRCFG[a] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin\n");
	drive_stop();
	cr_expect_eq(controller_find_reservation("a.inf")->max_start_delay, 0, "closed");
	cr_assert(drive_has_file("maui/reservations"));
	drive_start();
	cr_expect_eq(controller_find_reservation("a.inf")->max_start_delay, OPEN);
	cr_expect_eq(controller_counts.created, 1);
	drive_stop();
	drive_write_file("maui.cfg", "");
	drive_start();
	expect_none("a.inf");
}

Test(reservations, without_its_file_ours_are_known_by_their_look)
{
	drive_begin(FOUR_NODES, "SRCFG[a] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin\n");
	drive_stop();
	drive_write_file("maui/reservations", "rubbish\n");
	drive_write_file("maui.cfg", "");
	controller_reservation("a.20231113", "n2", NOW, NOW + DAY, "sys");
	drive_start();
	expect_none("a.inf");
	expect_nodes("a.20231113", "n2");
	cr_expect(drive_has_file("maui/reservations.damaged"));
}

/* ---- floating ---- */

Test(reservations, a_floating_one_moves_from_nodes_that_are_down)
{
	drive_begin(FOUR_NODES, FIRST "SRCFG[f] TASKCOUNT=2 PERIOD=INFINITY USERLIST=bin\n");
	expect_nodes("f.inf", "n[1-2]");
	controller_state("n1", NODE_STATE_IDLE | NODE_STATE_DRAIN);
	drive_turn();
	expect_nodes("f.inf", "n[2-3]");
	controller_state("n3", NODE_STATE_DOWN);
	controller_state("n4", NODE_STATE_DOWN);
	drive_turn();
	expect_nodes("f.inf", "n2");
	cr_expect(drive_logged("1 of 2 tasks"));
	EXPECT_NUMBER(drive_ask("show-reservations", NULL), "/reservations/0/missing", 1);
	controller_state("n4", NODE_STATE_IDLE);
	drive_turn();
	expect_nodes("f.inf", "n[2,4]");
}

Test(reservations, a_floating_one_takes_what_is_idle)
{
	job_record_t *jobs[3];

	drive_begin(FOUR_NODES, FIRST);
	for (size_t i = 0; i < 3; i++) {
		jobs[i] = SUBMIT(.cpus = 4);
		cr_assert(controller_try(jobs[i], true));
	}
	drive_reconfigure(FIRST "SRCFG[f] TASKCOUNT=2 PERIOD=INFINITY USERLIST=bin\n");
	expect_nodes("f.inf", "n4");
	controller_end(jobs[1], JOB_COMPLETE);
	drive_turn();
	expect_nodes("f.inf", "n[2,4]");
}

Test(reservations, a_floating_one_takes_nodes_by_the_policy)
{
	static const struct {
		const char *policy, *attributes, *nodes;
	} cases[] = {
		{"FIRSTAVAILABLE", "TASKCOUNT=2", "n[1-2]"},
		{"LASTAVAILABLE", "TASKCOUNT=2", "n[3-4]"},
		{"PRIORITY", "TASKCOUNT=2", "n[2-3]"},
		{"FASTEST", "TASKCOUNT=1", "n3"},
		{"LASTAVAILABLE", "TASKCOUNT=1 PARTITION=small", "n2"},
		{"CONTIGUOUS", "TASKCOUNT=2 HOSTLIST=n[1,3-4]", "n[1,3]"},
	};

	drive_begin(FOUR_NODES, "");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[256];

		snprintf(text, sizeof(text),
			 "NODEALLOCATIONPOLICY %s\nNODECFG[n2] PRIORITY=5 SPEED=1\n"
			 "NODECFG[n3] PRIORITY=9 SPEED=2\n"
			 "SRCFG[f] %s PERIOD=INFINITY USERLIST=bin\n",
			 cases[i].policy, cases[i].attributes);
		drive_reconfigure(text);
		expect_nodes("f.inf", cases[i].nodes);
		drive_reconfigure("");
	}
}

Test(reservations, parts_of_nodes)
{
	const slurmctld_resv_t *one;
	job_record_t *inside, *outside, *wide;

	drive_begin(FOUR_NODES,
		    FIRST "SRCFG[c] TASKCOUNT=1 RESOURCES=PROCS:3 PERIOD=INFINITY USERLIST=bin\n");
	one = controller_find_reservation("c.inf");
	cr_assert_not_null(one);
	cr_assert_not_null(one->core_bitmap);
	cr_expect_eq(bit_set_count(one->core_bitmap), 3);
	cr_expect_str_eq(one->node_list, "n1");
	wide = SUBMIT(.user = "sys", .cpus = 2, .on = "n1");
	outside = SUBMIT(.user = "sys", .cpus = 1, .on = "n1");
	inside = SUBMIT(.user = "bin", .cpus = 3, .on = "n1");
	cr_expect_str_eq(lands(wide), "", "a core is left to others");
	cr_expect_str_eq(lands(outside), "n1");
	cr_expect_str_eq(lands(inside), "n1");
	EXPECT_NUMBER(drive_ask("show-reservations", NULL), "/reservations/0/procs", 3);
	drive_reconfigure(FIRST
			  "SRCFG[c] TASKCOUNT=1 RESOURCES=PROCS:2 PERIOD=INFINITY USERLIST=bin\n");
	one = controller_find_reservation("c.inf");
	cr_assert_not_null(one);
	cr_expect_eq(bit_set_count(one->core_bitmap), 2);
	cr_expect_eq(controller_counts.deleted, 1, "Slurm changes no reservation of cores");
}

/* ---- who gets in ---- */

Test(reservations, access_lists)
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
		if (!in && job->part_ptr_list) { /* the scheduler goes on to its next partition */
			job->part_ptr = find_part("small");
			in = controller_try(job, true);
		}
		cr_expect_eq(in, cases[i].admitted, "case %zu: %s", i, text);
		if (in)
			controller_end(job, JOB_COMPLETE);
		controller_purge(job);
	}
}

Test(reservations, stacked_ones_must_all_admit)
{
	drive_begin(FOUR_NODES, "SRCFG[a] HOSTLIST=n[1-2] PERIOD=INFINITY CLASSLIST=small\n"
				"SRCFG[b] HOSTLIST=n[1-3] PERIOD=INFINITY USERLIST=bin\n");
	cr_expect_str_eq(lands(SUBMIT(.user = "bin", .on = "n1")), "");
	cr_expect_str_eq(lands(SUBMIT(.user = "sys", .partitions = "small", .on = "n1")), "");
	cr_expect_str_eq(lands(SUBMIT(.user = "bin", .partitions = "small", .on = "n1")), "n1");
	cr_expect_str_eq(lands(SUBMIT(.user = "bin", .on = "n3")), "n3");
	cr_expect_str_eq(lands(SUBMIT(.user = "sys")), "n4", "what is left");
}

Test(reservations, affinity)
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
			cr_expect_str_eq(lands(jobs[k]), cases[i].order[k], "%s's job %zu",
					 cases[i].user, k);
		}
		for (size_t k = 0; k < 4; k++)
			controller_end(jobs[k], JOB_COMPLETE);
	}
}

Test(reservations, nobody_runs_into_one_that_comes)
{
	job_record_t *longer;

	drive_begin(FOUR_NODES, "SRCFG[soon] HOSTLIST=n1 PERIOD=DAY STARTTIME=13:00:00 "
				"ENDTIME=14:00:00 USERLIST=bin\n"
				"SRCFG[other] HOSTLIST=n4 PERIOD=INFINITY USERLIST=sys\n");
	longer = SUBMIT(.user = "sys", .minutes = 61, .on = "n1");
	cr_expect_str_eq(lands(longer), "", "with a pass it is the engine that keeps it out");
	cr_expect_str_eq(lands(SUBMIT(.user = "sys", .minutes = 60, .on = "n1")), "n1");
	cr_expect_str_eq(lands(SUBMIT(.user = "bin", .minutes = 61, .on = "n1")), "n1");
}

Test(reservations, a_single_use_is_used_up)
{
	job_record_t *job;

	drive_begin(FOUR_NODES,
		    "SRCFG[once] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin FLAGS=SINGLEUSE\n");
	job = SUBMIT(.user = "bin", .on = "n1");
	cr_assert_str_eq(lands(job), "n1");
	drive_pass(MINUTE);
	expect_nodes("once.inf", "n1");
	controller_end(job, JOB_COMPLETE);
	drive_pass(MINUTE);
	expect_none("once.inf");
	drive_pass(MINUTE);
	drive_stop();
	drive_start();
	expect_none("once.inf");
	cr_expect_str_eq(lands(SUBMIT(.user = "sys", .on = "n1")), "n1");
}

Test(reservations, a_job_that_asks_for_one_gets_no_other_nodes)
{
	job_record_t *insider, *outsider;

	drive_begin(FOUR_NODES, "SRCFG[a] HOSTLIST=n3 PERIOD=INFINITY USERLIST=bin\n");
	insider = SUBMIT(.user = "bin", .cpus = 3, .comment = "x=ADVRES:a");
	cr_expect_str_eq(lands(insider), "n3");
	insider = SUBMIT(.user = "bin", .cpus = 3, .comment = "x=ADVRES:a.inf");
	cr_expect_str_eq(lands(insider), "", "it is full");
	outsider = SUBMIT(.user = "sys", .comment = "x=ADVRES:a");
	cr_expect_str_eq(lands(outsider), "");
	drive_turn();
	cr_assert_not_null(outsider->state_desc);
	cr_expect(strstr(outsider->state_desc, "reservation"), "%s", outsider->state_desc);
	EXPECT_TEXT(drive_ask("diagnose-blocked", NULL), "/jobs/0/kind", "reservation");
}

Test(reservations, without_the_select_plugin_nobody_gets_in)
{
	drive_write_file("maui.cfg", "SRCFG[a] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin\n");
	controller_begin(drive_path("."), FOUR_NODES, "");
	cr_assert_eq(maui_engine_start(), SLURM_SUCCESS);
	drive_turn();
	cr_assert_not_null(controller_find_reservation("a.inf"));
	cr_expect_eq(controller_find_reservation("a.inf")->max_start_delay, 0);
	cr_expect_str_eq(lands(SUBMIT(.user = "bin", .on = "n1")), "");
	controller_lock_all();
	maui_engine_select.nodes_changed(); /* select is loaded now */
	controller_unlock_all();
	drive_pass(2 * MINUTE);
	cr_expect_eq(controller_find_reservation("a.inf")->max_start_delay, OPEN);
	cr_expect_str_eq(lands(SUBMIT(.user = "bin", .on = "n1")), "n1");
	drive_stop();
}

Test(reservations, before_the_first_roll_nobody_starts)
{
	job_record_t *job;

	drive_machine(FOUR_NODES, "", FIRST "SRCFG[a] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin\n");
	cr_assert_eq(maui_engine_start(), SLURM_SUCCESS);
	job = SUBMIT(.user = "sys");
	cr_expect_str_eq(lands(job), "");
	drive_turn();
	cr_expect_str_eq(lands(job), "n2");
	drive_stop();
}

Test(reservations, names_that_are_known)
{
	drive_begin(FOUR_NODES, "SRCFG[a] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin\n");
	cr_expect(maui_engine_knows_reservation("a"));
	cr_expect(maui_engine_knows_reservation("a.inf"));
	cr_expect_not(maui_engine_knows_reservation("b"));
	drive_stop();
}

/* ---- triggers ---- */

static const char *fired(void)
{
	static char text[256];
	char *found = drive_file("fired");

	snprintf(text, sizeof(text), "%s", found ? found : "");
	free(found);
	return text;
}

/* A program that writes its arguments down. */
static void write_program(void)
{
	char text[512];

	snprintf(text, sizeof(text), "#!/bin/sh\nprintf '%%s\\n' \"$*\" >> %s\n",
		 drive_path("fired"));
	drive_write_file("program", text);
	cr_assert_eq(chmod(drive_path("program"), 0700), 0);
}

Test(reservations, a_trigger_runs_its_program_once)
{
	char maui_cfg[512];

	write_program();
	snprintf(maui_cfg, sizeof(maui_cfg),
		 "SRCFG[a] HOSTLIST=n1 PERIOD=DAY STARTTIME=13:00:00 ENDTIME=14:00:00 DEPTH=1 "
		 "USERLIST=bin TRIGGER=\"start+5:00;exec@%s now\"\n",
		 drive_path("program"));
	drive_begin(FOUR_NODES, maui_cfg);
	drive_pass(HOUR + 4 * MINUTE);
	drive_turn();
	cr_expect_str_eq(fired(), "");
	drive_pass(MINUTE + 1);
	drive_turn();
	cr_expect_str_eq(fired(), "now\n");
	drive_pass(MINUTE);
	drive_turn();
	cr_expect_str_eq(fired(), "now\n");
	EXPECT_TEXT(drive_ask("show-reservations", NULL), "/reservations/0/triggered/0", "start");
	drive_stop();
	drive_start();
	drive_turn();
	drive_turn();
	cr_expect_str_eq(fired(), "now\n", "a restart does not forget it");
}

Test(reservations, a_trigger_cancels_what_is_hardly_used)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, "SRCFG[a] HOSTLIST=n1 PERIOD=DAY DEPTH=1 USERLIST=bin "
				"TRIGGER=\"minload+30:00@0.25;cancel\"\n");
	job = SUBMIT(.user = "bin", .on = "n1");
	cr_assert(controller_try(job, true));
	drive_pass(30 * MINUTE);
	drive_turn();
	expect_nodes("a.20231113", "n1"); /* a quarter of it is used */
	controller_end(job, JOB_COMPLETE);
	drive_pass(MINUTE);
	drive_turn();
	expect_none("a.20231113");
	cr_expect(drive_logged("trigger at the minload of reservation a.20231113: cancel"));
	drive_pass(12 * HOUR);
	expect_nodes("a.20231114", "n1");
}
