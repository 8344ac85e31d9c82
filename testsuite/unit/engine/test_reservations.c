/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standing reservations: their instances in Slurm, and triggers. */
#include "testsuite/unit/engine/reservations_fixture.h"

#include <criterion/parameterized.h>
#include <sys/stat.h>

#include "src/common/node_conf.h"

#define FLAGS (RESERVE_FLAG_IGN_JOBS | RESERVE_FLAG_OVERLAP | RESERVE_FLAG_NO_HOLD_JOBS)

TestSuite(reservations, .init = drive_init, .fini = drive_fini);

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
		cr_assert(controller_nodes(cases[i].nodes, &nodes));
		cr_expect(there && bit_equal(there->node_bitmap, nodes), "%s: %s, and not %s", line,
			  there ? there->node_list : "nothing", cases[i].nodes);
		FREE_NULL_BITMAP(nodes);
		drive_reconfigure("");
		expect_none("hosts.inf");
	}
}

Test(reservations, tasks_take_only_what_nodes_have_for_jobs)
{
	static const struct {
		const char *attributes, *nodes;
	} cases[] = {
		{"TASKCOUNT=2 RESOURCES=PROCS:1;MEM:2000", "n[1-2]"},
		{"TASKCOUNT=2 RESOURCES=PROCS:2", "n[1-2]"},
		{"TASKCOUNT=3 RESOURCES=PROCS:1;MEM:1000", "n1"},
	};

	drive_begin("NodeName=n[1-4] CPUs=4 RealMemory=4000 MemSpecLimit=1000 CoreSpecCount=1\n"
		    "PartitionName=batch Nodes=ALL\n",
		    "");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const slurmctld_resv_t *there;
		char line[128];

		snprintf(line, sizeof(line), FIRST "SRCFG[job] %s PERIOD=INFINITY USERLIST=bin\n",
			 cases[i].attributes);
		drive_reconfigure(line);
		there = controller_find_reservation("job.inf");
		cr_assert(there, "%s", line);
		cr_expect_str_eq(there->node_list, cases[i].nodes, "%s", line);
		drive_reconfigure("");
	}
}

Test(reservations, who_is_gone_is_told)
{
	static const char gone[] = "SRCFG[own] HOSTLIST=n1 PERIOD=INFINITY USERLIST=no-such-user\n";
	struct json_object *data;

	drive_begin(FOUR_NODES, gone);
	cr_assert_not_null(controller_find_reservation("own.inf"));
	data = drive_ask("diagnose-reservations", NULL);
	cr_expect_eq(drive_length(data, "/standing/0/lacks"), 1);
	EXPECT_TEXT(data, "/standing/0/lacks/0",
		    "the system has no user 'no-such-user': nobody gets in by that name, and by "
		    "no other: its nodes are closed to all until SRCFG names others");
	drive_reconfigure("SRCFG[own] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin\n");
	cr_expect_eq(drive_length(drive_ask("diagnose-reservations", NULL), "/standing/0/lacks"),
		     0);
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
	cr_assert_str_eq(controller_lands(job), "n1");
	drive_reconfigure("");
	expect_nodes("a.inf", "n1");
	cr_expect_str_eq(controller_lands(SUBMIT(.user = "bin", .on = "n1")), "",
			 "nobody gets in any more");
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
	cr_expect_str_eq(controller_lands(outsider), "",
			 "its nodes are kept until it is there again");
	drive_pass(1);
	drive_pass(1);
	expect_nodes("a.inf", "n1");
	cr_expect_str_eq(controller_lands(outsider), "");
}

/* ---- after rolls that had nothing to do ---- */

#define TWO_KINDS                                                                                  \
	FIRST "SRCFG[a] HOSTLIST=n1 PERIOD=DAY DEPTH=1 USERLIST=bin\n"                             \
	      "SRCFG[b] TASKCOUNT=2 HOSTLIST=n[2-4] PERIOD=INFINITY USERLIST=bin\n"

static void nothing(void)
{
}

static void delete_by_hand(void)
{
	reservation_name_msg_t message = {.name = (char *)"a.20231113"};

	controller_lock_all();
	cr_assert_eq(delete_resv(&message), 0);
	controller_unlock_all();
}

static void move_by_hand(void)
{
	resv_desc_msg_t message;

	slurm_init_resv_desc_msg(&message);
	message.name = (char *)"a.20231113";
	message.node_list = (char *)"n4";
	controller_lock_all();
	cr_assert_eq(compat_update_resv(&message), 0);
	controller_unlock_all();
}

static void nodes_down(void)
{
	controller_state("n1", NODE_STATE_DOWN);
	controller_state("n2", NODE_STATE_DOWN);
}

static void node_drained(void)
{
	controller_state("n1", NODE_STATE_IDLE | NODE_STATE_DRAIN);
}

static void day_ends(void)
{
	drive_pass(12 * HOUR);
}

static void other_maui_cfg(void)
{
	drive_reconfigure(FIRST
			  "SRCFG[a] HOSTLIST=n4 PERIOD=DAY DEPTH=1 USERLIST=bin\n"
			  "SRCFG[b] TASKCOUNT=2 HOSTLIST=n[2-3] PERIOD=INFINITY USERLIST=bin\n");
}

static void no_maui_cfg(void)
{
	drive_reconfigure("");
}

static void cancel(void)
{
	drive_ask("release-reservations", "{'names':['a.20231113']}");
}

/*
 * Such a roll leaves what is kept for starts as it was, and so it must notice whatever happens next
 * as the first one would.
 */
static const struct {
	const char *what;
	void (*happens)(void);
	const char *a, *b; /* where they are after it; NULL: not there */
	bool guarded;      /* n1 is a's, even before that */
} changes[] = {
	{"nothing", nothing, "n1", "n[2-3]", true},
	{"it is deleted by hand", delete_by_hand, "n1", "n[2-3]", true},
	{"it is moved by hand", move_by_hand, "n1", "n[2-3]", true},
	{"nodes of both are down", nodes_down, "n1", "n[3-4]", true},
	{"its node is drained", node_drained, "n1", "n[2-3]", true},
	{"the day ends", day_ends, NULL, "n[2-3]", true},
	{"another maui.cfg", other_maui_cfg, "n4", "n[2-3]", false},
	{"no maui.cfg", no_maui_cfg, NULL, NULL, false},
	{"it is cancelled", cancel, NULL, "n[2-3]", false},
};

static void expect_place(const char *what, const char *name, const char *nodes)
{
	const slurmctld_resv_t *there = controller_find_reservation(name);

	if (!nodes)
		cr_expect_null(there, "%s: %s is there", what, name);
	else
		cr_expect(there && !strcmp(there->node_list, nodes),
			  "%s: %s is on %s, and not on %s", what, name,
			  there ? there->node_list : "none", nodes);
}

/* A reason to roll, and nothing to do. */
static void roll_idly(const char *what, uint32_t state)
{
	controller_state("n4", state);
	controller_counts = (struct controller_counts){0};
	drive_pass(2);
	cr_expect_eq(controller_counts.created + controller_counts.updated +
			     controller_counts.deleted,
		     0, "%s", what);
}

ParameterizedTestParameters(reservations, a_change_after_idle_rolls)
{
	static int indexes[sizeof(changes) / sizeof(changes[0])];

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++)
		indexes[i] = (int)i;
	return cr_make_param_array(int, indexes, sizeof(changes) / sizeof(changes[0]));
}

ParameterizedTest(const int *index, reservations, a_change_after_idle_rolls)
{
	const char *what = changes[*index].what;

	drive_begin(FOUR_NODES, TWO_KINDS);
	roll_idly(what, NODE_STATE_IDLE | NODE_STATE_DRAIN);
	roll_idly(what, NODE_STATE_IDLE);
	changes[*index].happens();
	if (changes[*index].guarded)
		cr_expect_str_eq(controller_lands(SUBMIT(.user = "sys", .on = "n1")), "", "%s",
				 what);
	drive_pass(1);
	drive_pass(2);
	expect_place(what, "a.20231113", changes[*index].a);
	expect_place(what, "b.inf", changes[*index].b);
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

/* Of many that wait each would be faster than the roll. */
Test(reservations, a_floating_one_takes_what_jobs_give_back_before_others)
{
	job_record_t *jobs[4], *waiting, *on_another;

	drive_begin(FOUR_NODES, FIRST);
	for (size_t i = 0; i < 4; i++) {
		jobs[i] = SUBMIT(.cpus = 4);
		cr_assert(controller_try(jobs[i], true));
	}
	drive_reconfigure(FIRST
			  "SRCFG[f] TASKCOUNT=1 PERIOD=INFINITY PARTITION=small USERLIST=bin\n");
	expect_none("f.inf");
	waiting = SUBMIT(.cpus = 4);
	on_another = SUBMIT(.cpus = 4);
	controller_end(jobs[3], JOB_COMPLETE);
	cr_expect_str_eq(controller_lands(on_another), "n4", "it cannot take that one");
	controller_end(jobs[1], JOB_COMPLETE);
	cr_expect_not(controller_try(waiting, true), "before the roll");
	drive_turn();
	expect_nodes("f.inf", "n2");
	cr_expect_not(controller_try(waiting, true));
	controller_end(jobs[0], JOB_COMPLETE);
	cr_expect(controller_try(waiting, true), "it lacks nothing any more");
}

Test(reservations, what_a_floating_one_cannot_use_is_given_back)
{
	job_record_t *small[2], *rest[3], *waiting;
	uint32_t kicks;

	drive_begin(FOUR_NODES, FIRST);
	small[0] = SUBMIT(.cpus = 2, .on = "n1");
	small[1] = SUBMIT(.cpus = 2, .on = "n1");
	for (size_t i = 0; i < 2; i++)
		cr_assert(controller_try(small[i], true));
	for (size_t i = 0; i < 3; i++) {
		rest[i] = SUBMIT(.cpus = 4);
		cr_assert(controller_try(rest[i], true));
	}
	drive_reconfigure(FIRST "SRCFG[f] TASKCOUNT=1 PERIOD=INFINITY USERLIST=bin "
				"RESOURCES=PROCS:4\n");
	expect_none("f.inf");
	waiting = SUBMIT(.cpus = 2);
	controller_end(small[0], JOB_COMPLETE);
	cr_expect_not(controller_try(waiting, true), "before the roll");
	kicks = controller_counts.kicks;
	drive_turn();
	expect_none("f.inf");
	cr_expect_gt(controller_counts.kicks, kicks, "schedulers look again");
	cr_expect(controller_try(waiting, true));
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
	cr_expect_str_eq(controller_lands(wide), "", "a core is left to others");
	cr_expect_str_eq(controller_lands(outside), "n1");
	cr_expect_str_eq(controller_lands(inside), "n1");
	EXPECT_NUMBER(drive_ask("show-reservations", NULL), "/reservations/0/procs", 3);
	drive_reconfigure(FIRST
			  "SRCFG[c] TASKCOUNT=1 RESOURCES=PROCS:2 PERIOD=INFINITY USERLIST=bin\n");
	one = controller_find_reservation("c.inf");
	cr_assert_not_null(one);
	cr_expect_eq(bit_set_count(one->core_bitmap), 2);
	cr_expect_eq(controller_counts.deleted, 1, "Slurm changes no reservation of cores");
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
