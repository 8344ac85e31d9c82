/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Node order under each policy, NODECFG's limits, who may share, and what is reported. */
#include "testsuite/unit/engine/drive.h"

#include "plugins/engine/api/select.h"

/* Nodes that differ, so that each policy chooses different ones. */
#define MACHINE                                                                                    \
	"NodeName=n1 CPUs=2 RealMemory=1000\n"                                                     \
	"NodeName=n2 CPUs=4 RealMemory=2000 Feature=fast\n"                                        \
	"NodeName=n3 CPUs=4 RealMemory=4000 Feature=tape\n"                                        \
	"NodeName=n4 CPUs=8 RealMemory=8000 Feature=fast\n"                                        \
	"NodeName=n5 CPUs=8 RealMemory=16000\n"                                                    \
	"NodeName=n6 CPUs=4 RealMemory=2000 Feature=tape\n"                                        \
	"NodeName=n7 CPUs=2 RealMemory=3000\n"                                                     \
	"NodeName=n8 CPUs=8 RealMemory=8000\n"                                                     \
	"PartitionName=batch Nodes=ALL Default=YES\n"                                              \
	"PartitionName=small Nodes=n[1-3]\n"
#define SPEEDS "NODECFG[n[4,8]] SPEED=3\nNODECFG[n[2,6]] SPEED=2\n"

TestSuite(nodes, .init = drive_init, .fini = drive_fini);

/* Starts a job on whole nodes, and frees them again. */
static void expect_whole(uint32_t count, const char *comment, const char *nodes)
{
	job_record_t *job =
		SUBMIT(.cpus = count, .nodes = count, .exclusive = true, .comment = comment);

	cr_expect_str_eq(controller_lands(job), nodes);
	if (job->job_resrcs)
		controller_end(job, JOB_COMPLETE);
	controller_purge(job);
}

Test(nodes, each_policy_chooses_its_nodes)
{
	static const struct {
		const char *policy;
		uint32_t count;
		const char *nodes;
	} cases[] = {
		{"FIRSTAVAILABLE", 2, "n[1-2]"}, {"LASTAVAILABLE", 2, "n[7-8]"},
		{"CPULOAD", 3, "n[4-5,8]"},   /* among the three with 8 processors */
		{"MINRESOURCE", 2, "n[1,6]"}, /* up to 1024 MB; of the two up to 2048, the later */
		{"MAXBALANCE", 2, "n[4,8]"},  /* the fastest speed that two nodes have */
		{"MAXBALANCE", 3, "n[1,3,5]"},   {"FASTEST", 3, "n[2,4,8]"},
		{"CONTIGUOUS", 3, "n[1-3]"},
	};

	drive_begin(MACHINE, "");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char maui_cfg[256];

		snprintf(maui_cfg, sizeof(maui_cfg), SPEEDS "NODEALLOCATIONPOLICY %s\n",
			 cases[i].policy);
		drive_reconfigure(maui_cfg);
		expect_whole(cases[i].count, NULL, cases[i].nodes);
	}
}

/* D-NODE-17: all are as good, but for two. */
Test(nodes, equals_are_ranked_by_the_list)
{
	static const char *const policies[] = {"FASTEST", "PRIORITY"};
	static const uint32_t expected[] = {2, 3, 4, 0, 5, 6, 7, 1};

	drive_begin(MACHINE, "");
	for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
		uint32_t ranks[8] = {0};
		bitstr_t *nodes = bit_alloc(8);
		char maui_cfg[256];

		snprintf(maui_cfg, sizeof(maui_cfg),
			 "NODECFG[n[4,8]] SPEED=3\nNODECFG[DEFAULT] PRIORITYF=SPEED\n"
			 "NODEALLOCATIONPOLICY %s\n",
			 policies[i]);
		drive_reconfigure(maui_cfg);
		bit_set_all(nodes);
		cr_expect(maui_engine_select.rank(SUBMIT(.cpus = 1), nodes, true, ranks));
		cr_expect_arr_eq(ranks, expected, sizeof(expected), "%s", policies[i]);
		bit_free(nodes);
	}
}

Test(nodes, whose_policy_holds)
{
	drive_begin(MACHINE, "");
	expect_whole(1, NULL, "n8"); /* LASTAVAILABLE is the default */
	drive_reconfigure(SPEEDS "NODEALLOCATIONPOLICY MINRESOURCE\n");
	expect_whole(1, "x=NALLOCPOLICY:FASTEST", "n4");
	expect_whole(1, "x=NALLOCPOLICY:NONSENSE", "n1");
	drive_reconfigure("NODEALLOCATIONPOLICY LASTAVAILABLE\nNODEALLOCATIONPOLICY[batch] "
			  "MINRESOURCE\n");
	expect_whole(1, NULL, "n1");
	cr_expect_str_eq(controller_lands(SUBMIT(.partitions = "small")), "n3");
}

Test(nodes, lastavailable_takes_nodes_before_the_next_reservation)
{
	drive_begin(MACHINE, "");
	controller_reservation("far", "n6", NOW + 5 * HOUR, NOW + 6 * HOUR, "sys");
	controller_reservation("near", "n2", NOW + 2 * HOUR, NOW + 3 * HOUR, "sys");
	cr_expect_str_eq(controller_lands(SUBMIT(.cpus = 1, .exclusive = true)), "n2");
	cr_expect_str_eq(controller_lands(SUBMIT(.cpus = 1, .exclusive = true)), "n6");
	cr_expect_str_eq(controller_lands(SUBMIT(.cpus = 1, .exclusive = true)), "n8");
}

Test(nodes, local_without_its_function_is_lastavailable)
{
	drive_begin(MACHINE, "NODEALLOCATIONPOLICY LOCAL\nNODEALLOCATIONLOCAL /nowhere.so\n");
	expect_whole(1, NULL, "n8");
	cr_expect(drive_logged("NODEALLOCATIONLOCAL /nowhere.so"));
	cr_expect(drive_logged("the site has no function"));
}

/* ---- what jobs hold ---- */

static void expect_held(uint32_t cpus, uint32_t resumed)
{
	uint32_t node = controller_node("n8")->index;
	const struct maui_engine_node_use *use;

	controller_lock_all();
	use = maui_engine_select.node_use();
	cr_expect_eq(use->cpus[node], cpus, "%u CPUs, not %u", use->cpus[node], cpus);
	cr_expect_eq(use->resumed[node], resumed, "%u resumed, not %u", use->resumed[node],
		     resumed);
	controller_unlock_all();
}

static void tell_engine(void (*event)(job_record_t *), job_record_t *job)
{
	controller_lock_all();
	event(job);
	controller_unlock_all();
}

/* Slurm tells of a start again when it reads slurm.conf, and of an end (S-SEL-21). */
Test(nodes, what_a_job_holds_is_counted_once)
{
	job_record_t *first, *second;

	drive_begin(MACHINE, "");
	first = SUBMIT(.cpus = 2, .on = "n8");
	second = SUBMIT(.cpus = 3, .on = "n8");
	cr_assert_str_eq(controller_lands(first), "n8");
	cr_assert_str_eq(controller_lands(second), "n8");
	expect_held(5, 0);
	tell_engine(maui_engine_select.run_began, first);
	expect_held(5, 0);
	tell_engine(maui_engine_select.run_ended, first);
	expect_held(3, 0);
	controller_end(first, JOB_COMPLETE);
	expect_held(3, 0);
	controller_suspend(second, true);
	expect_held(0, 0);
	controller_suspend(second, false);
	expect_held(3, 1);
}

/* ---- PRIORITYF ---- */

Test(nodes, the_manuals_first_example)
{
	drive_begin(MACHINE, SPEEDS "NODEALLOCATIONPOLICY PRIORITY\n"
				    "NODECFG[DEFAULT] PRIORITYF='SPEED+ .01 * AMEM - 10 * "
				    "JOBCOUNT'\n");
	cr_expect_str_eq(controller_lands(SUBMIT(.memory = 9000)), "n5");
	/* n5: 1 + 70 - 10; n4 and n8: 3 + 80 */
	cr_expect_str_eq(controller_lands(SUBMIT(.memory = 100)), "n4");
	cr_expect_str_eq(controller_lands(SUBMIT(.memory = 100)), "n8");
	cr_expect_str_eq(controller_lands(SUBMIT(.memory = 100)), "n4");
}

Test(nodes, tasks_are_packed_onto_nodes_that_run_jobs)
{
	drive_begin(MACHINE,
		    "NODEALLOCATIONPOLICY PRIORITY\nNODECFG[DEFAULT] PRIORITYF=JOBCOUNT\n");
	cr_expect_str_eq(controller_lands(SUBMIT(.on = "n6")), "n6");
	for (int i = 0; i < 3; i++)
		cr_expect_str_eq(controller_lands(SUBMIT()), "n6");
	cr_expect_str_neq(controller_lands(SUBMIT()), "n6", "it is full");
}

Test(nodes, preferred_nodes_come_first)
{
	drive_begin(MACHINE, "NODEALLOCATIONPOLICY PRIORITY\n"
			     "NODECFG[DEFAULT] PRIORITYF='100 * PREF + CPROCS'\n"
			     "NODECFG[n7] FEATURES=odd\n");
	cr_expect_str_eq(controller_lands(SUBMIT(.cpus = 2, .nodes = 2, .exclusive = true,
						 .comment = "x=PREF(FEATURE:TAPE)")),
			 "n[3,6]");
	cr_expect_str_eq(controller_lands(SUBMIT(.prefer = "fast&odd", .exclusive = true)), "n4");
	cr_expect_str_eq(controller_lands(SUBMIT(.prefer = "odd*2", .exclusive = true)), "n7");
	cr_expect_str_eq(controller_lands(SUBMIT(.exclusive = true)), "n5");
}

Test(nodes, usage_is_the_time_that_a_node_ran_jobs)
{
	struct json_object *data;
	job_record_t *job;

	drive_begin(MACHINE, "NODEALLOCATIONPOLICY PRIORITY\n"
			     "NODECFG[DEFAULT] PRIORITYF='-USAGE'\n");
	job = SUBMIT(.on = "n1");
	cr_assert(controller_try(job, true));
	drive_turn();
	drive_pass(HOUR);
	controller_end(job, JOB_COMPLETE);
	drive_turn();
	drive_pass(HOUR);
	data = drive_ask("check-node", "{'node':'n1'}");
	EXPECT_NUMBER(data, "/usage", 50);
	EXPECT_NUMBER(data, "/up", 2 * HOUR);
	EXPECT_NUMBER(data, "/active", HOUR);
	EXPECT_NUMBER(data, "/value", -50);
	cr_expect_str_eq(controller_lands(SUBMIT(.cpus = 2, .partitions = "small")), "n2");
	drive_stop();
	cr_assert(drive_has_file("maui/nodes"));
	drive_start();
	EXPECT_NUMBER(drive_ask("check-node", "{'node':'n1'}"), "/active", HOUR);
	drive_stop();
	drive_write_file("maui/nodes", "slurm-maui nodes 1\nnode n1 9\n");
	drive_start();
	EXPECT_NUMBER(drive_ask("check-node", "{'node':'n1'}"), "/active", 0);
	cr_expect(drive_has_file("maui/nodes.damaged"));
}

/* ---- limits of nodes ---- */

Test(nodes, nodes_take_no_more_than_their_limits)
{
	static const struct {
		const char *node, *attribute;
		struct controller_job first, second; /* the second does not fit beside the first */
		struct controller_job other;         /* this one does */
	} cases[] = {
		{"n5", "MAXJOB=1", {.cpus = 1}, {.cpus = 1}, {.cpus = 0}},
		{"n5", "MAXPROC=3", {.cpus = 3}, {.cpus = 1}, {.cpus = 0}},
		{"n5",
		 "MAXJOBPERUSER=1",
		 {.user = "bin"},
		 {.user = "bin"},
		 {.user = "sys", .cpus = 1}},
		{"n5",
		 "MAXPROCPERUSER=2",
		 {.user = "bin", .cpus = 2},
		 {.user = "bin"},
		 {.user = "sys", .cpus = 2}},
		{"n2",
		 "MAXPROC[CLASS:small]=1",
		 {.partitions = "small"},
		 {.partitions = "small"},
		 {.partitions = "batch", .cpus = 2}},
		{"n5",
		 "MAXJOB[USER]=1",
		 {.user = "bin"},
		 {.user = "bin"},
		 {.user = "sys", .cpus = 1}},
		{"n5",
		 "MAXJOB[ACCOUNT]=1",
		 {.account = "art"},
		 {.account = "art"},
		 {.account = "sea", .cpus = 1}},
	};

	drive_begin(MACHINE, "");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct controller_job wanted[3] = {cases[i].first, cases[i].second, cases[i].other};
		job_record_t *jobs[3];
		char text[128];

		snprintf(text, sizeof(text), "NODECFG[%s] %s\n", cases[i].node, cases[i].attribute);
		drive_reconfigure(text);
		for (size_t k = 0; k < 3; k++) {
			wanted[k].on = cases[i].node;
			jobs[k] = controller_submit(&wanted[k]);
		}
		cr_expect_str_eq(controller_lands(jobs[0]), cases[i].node, "%s", text);
		cr_expect_str_eq(controller_lands(jobs[1]), "", "%s", text);
		if (cases[i].other.cpus) {
			cr_expect_str_eq(controller_lands(jobs[2]), cases[i].node, "%s", text);
			controller_end(jobs[2], JOB_COMPLETE);
		}
		snprintf(text, sizeof(text), "{'job':%u}", jobs[1]->job_id);
		EXPECT_TEXT(drive_ask("explain-nodes", text), "/left_out/limited", cases[i].node);
		controller_end(jobs[0], JOB_COMPLETE);
		cr_expect_str_eq(controller_lands(jobs[1]), cases[i].node, "%s", text);
		controller_end(jobs[1], JOB_COMPLETE);
	}
}

Test(nodes, memory_of_the_system_is_not_available)
{
	struct json_object *data;

	drive_begin("NodeName=n1 CPUs=4 RealMemory=4000 MemSpecLimit=1000\n"
		    "PartitionName=batch Nodes=ALL Default=YES\n",
		    "NODEALLOCATIONPOLICY PRIORITY\nNODECFG[DEFAULT] PRIORITYF='AMEM'\n");
	data = drive_ask("check-node", "{'node':'n1'}");
	EXPECT_NUMBER(data, "/configured/memory", 4000);
	EXPECT_NUMBER(data, "/available/memory", 3000);
	EXPECT_NUMBER(data, "/dedicated/memory", 0);
	EXPECT_NUMBER(data, "/value", 3000);
	cr_expect_str_eq(controller_lands(SUBMIT(.memory = 500)), "n1");
	data = drive_ask("check-node", "{'node':'n1'}");
	EXPECT_NUMBER(data, "/dedicated/memory", 500);
	EXPECT_NUMBER(data, "/value", 2500);
}

Test(nodes, processors_of_the_system_are_not_available)
{
	struct json_object *data;

	drive_begin("NodeName=n1 CPUs=8 CoreSpecCount=2\n"
		    "PartitionName=batch Nodes=ALL Default=YES\n",
		    "NODEALLOCATIONPOLICY PRIORITY\n"
		    "NODECFG[DEFAULT] PRIORITYF='APROCS + 100 * CPROCS'\n");
	data = drive_ask("check-node", "{'node':'n1'}");
	EXPECT_NUMBER(data, "/configured/procs", 8);
	EXPECT_NUMBER(data, "/available/procs", 6);
	EXPECT_NUMBER(data, "/dedicated/procs", 0);
	EXPECT_NUMBER(data, "/value", 806);
	cr_expect_str_eq(controller_lands(SUBMIT(.on = "n1", .cpus = 6, .tasks = 1)), "n1");
	data = drive_ask("check-node", "{'node':'n1'}");
	EXPECT_NUMBER(data, "/available/procs", 0);
	EXPECT_NUMBER(data, "/value", 800);
	EXPECT_TEXT(data, "/state", "Busy");
}

/* S-SEL-18: Slurm's counters of a node's jobs say something else. */
Test(nodes, jobs_of_a_node_are_counted_from_the_jobs)
{
	job_record_t *suspended, *next;

	drive_begin(MACHINE, "NODECFG[n5] MAXJOB=2\n");
	suspended = SUBMIT(.on = "n5");
	cr_expect_str_eq(controller_lands(suspended), "n5");
	controller_suspend(suspended, true);
	controller_node("n5")->sus_job_cnt = 4;
	next = SUBMIT(.on = "n5");
	cr_expect_str_eq(controller_lands(next), "n5");
	cr_expect_str_eq(controller_lands(SUBMIT(.on = "n5")), "");
	controller_suspend(suspended, false);
	cr_expect_str_eq(controller_lands(SUBMIT(.on = "n5")), "");
	controller_node("n5")->run_job_cnt = 7;
	controller_end(next, JOB_COMPLETE);
	cr_expect_str_eq(controller_lands(SUBMIT(.on = "n5")), "n5");
}

Test(nodes, load_and_processor_equivalents_are_limited)
{
	drive_begin(MACHINE, "NODECFG[n7] MAXLOAD=0.5\nNODECFG[n6] MAXPEPERJOB=2\n");
	controller_node("n7")->cpu_load = 60; /* hundredths */
	cr_expect_str_eq(controller_lands(SUBMIT(.on = "n7")), "");
	controller_node("n7")->cpu_load = 10;
	cr_expect_str_eq(controller_lands(SUBMIT(.on = "n7")), "n7");
	cr_expect_str_eq(controller_lands(SUBMIT(.on = "n6", .cpus = 3, .tasks = 1)), "");
	cr_expect_str_eq(controller_lands(SUBMIT(.on = "n6", .cpus = 2, .tasks = 1)), "n6");
}

/* ---- who may share ---- */

Test(nodes, nodes_are_shared_as_the_access_policy_says)
{
	static const struct {
		const char *policy, *comment;
		uint8_t whole;
	} cases[] = {
		{"SHARED", NULL, 0},
		{"SINGLEJOB", NULL, WHOLE_NODE_REQUIRED},
		{"SINGLEUSER", NULL, WHOLE_NODE_USER},
		{"SINGLETASK", NULL, WHOLE_NODE_REQUIRED},
		{"SINGLEJOB", "x=NACCESSPOLICY:SHARED", 0},
		{"SHARED", "x=NACCESSPOLICY:SINGLEUSER", WHOLE_NODE_USER},
		{"SHARED", "x=NACCESSPOLICY:NONSENSE", 0},
	};

	drive_begin(MACHINE, "");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[128];
		job_record_t *job;

		snprintf(text, sizeof(text), "NODEACCESSPOLICY %s\n", cases[i].policy);
		drive_reconfigure(text);
		job = SUBMIT(.cpus = 3, .comment = cases[i].comment);
		cr_expect_eq(job->details->whole_node, cases[i].whole, "%s", text);
		cr_expect_eq(job->details->min_nodes,
			     !strcmp(cases[i].policy, "SINGLETASK") ? 3 : 1, "a node each");
		controller_purge(job);
	}
}

/* ---- what is reported ---- */

Test(nodes, the_order_is_explained)
{
	struct json_object *data;
	job_record_t *job;
	char arguments[64];

	drive_begin(MACHINE, SPEEDS "NODEALLOCATIONPOLICY PRIORITY\n"
				    "NODECFG[DEFAULT] PRIORITYF='SPEED + .01 * AMEM - 10 * "
				    "JOBCOUNT + 5'\nNODECFG[n7] MAXJOB=1\n");
	cr_assert(controller_try(SUBMIT(.on = "n7"), true));
	controller_state("n8", NODE_STATE_IDLE | NODE_STATE_DRAIN);
	controller_reservation("soon", "n3", NOW + HOUR, NOW + DAY, "sys");
	job = SUBMIT(.cpus = 2, .nodes = 2, .except = "n5", .on = "n3");
	FREE_NULL_BITMAP(job->details->req_node_bitmap);
	snprintf(arguments, sizeof(arguments), "{'job':%u,'limit':4}", job->job_id);
	data = drive_ask("explain-nodes", arguments);
	EXPECT_TEXT(data, "/state", "pending");
	EXPECT_TEXT(data, "/policy_asked", "PRIORITY");
	EXPECT_TEXT(data, "/policy", "PRIORITY");
	EXPECT_FALSE(data, "/policy_by_job");
	EXPECT_NUMBER(data, "/left_out/down", 1);
	EXPECT_NUMBER(data, "/left_out/excluded", 1);
	EXPECT_NUMBER(data, "/left_out/limits", 1);
	EXPECT_TEXT(data, "/left_out/limited", "n7");
	EXPECT_NUMBER(data, "/omitted", 1);
	/* 3 + 80 + 5, 1 + 40 + 5, 2 + 20 + 5 twice, 1 + 10 + 5 */
	EXPECT_TEXT(data, "/nodes/0/name", "n4");
	EXPECT_NUMBER(data, "/nodes/0/value", 88);
	EXPECT_NUMBER(data, "/nodes/0/constant", 5);
	EXPECT_TEXT(data, "/nodes/1/name", "n3");
	EXPECT_NUMBER(data, "/nodes/1/value", 46);
	EXPECT_NUMBER(data, "/nodes/1/reserved_from", NOW + HOUR);
	EXPECT_NUMBER(data, "/nodes/2/rank", 3);
	EXPECT_NUMBER(data, "/nodes/3/rank", 3);
	job->priority = 100;
	cr_assert_str_eq(controller_lands(job), "n[3-4]", "and so it comes");
	data = drive_ask("explain-nodes", arguments);
	EXPECT_TEXT(data, "/state", "running");
	EXPECT_TRUE(data, "/nodes/0/allocated");
}

Test(nodes, features_and_preferences_are_explained)
{
	struct json_object *data;

	drive_begin(MACHINE, SPEEDS "NODEALLOCATIONPOLICY PRIORITY\n");
	SUBMIT(.id = 10, .features = "fast",
	       .comment = "x=NALLOCPOLICY:FASTEST;PREF(FEATURE:fast)");
	SUBMIT(.id = 11, .features = "fast|tape", .comment = "x=PREF(FEATURE:tape)");
	SUBMIT(.id = 12, .features = "fast&tape");
	SUBMIT(.id = 15, .task_of_array = 13);
	data = drive_ask("explain-nodes", "{'job':10}");
	EXPECT_TEXT(data, "/policy", "FASTEST");
	EXPECT_TRUE(data, "/policy_by_job");
	cr_assert_eq(drive_length(data, "/nodes"), 2);
	EXPECT_TEXT(data, "/nodes/0/name", "n4");
	EXPECT_TRUE(data, "/nodes/0/preferred");
	EXPECT_NUMBER(data, "/left_out/features", 6);
	EXPECT_TEXT(data, "/constraint", "fast");
	data = drive_ask("explain-nodes", "{'job':11}");
	EXPECT_FALSE(data, "/constraint_counts");
	cr_expect_eq(drive_length(data, "/nodes"), 8);
	data = drive_ask("explain-nodes", "{'job':12}");
	EXPECT_NUMBER(data, "/left_out/features", 8);
	EXPECT_NUMBER(drive_ask("explain-nodes", "{'job':13,'task':2}"), "/job", 15);
	cr_expect_str_eq(drive_refusal(0, "explain-nodes", "{'job':999}"),
			 "Slurm has no such job, or it is not yours to see");
	cr_expect_not_null(drive_refusal(0, "explain-nodes", "{'job':10,'limit':0}"));
}

Test(nodes, states_are_told_in_mauis_words)
{
	static const struct {
		const char *node, *state;
	} cases[] = {
		{"n1", "Busy"}, {"n2", "Running"}, {"n3", "Draining"}, {"n4", "Drained"},
		{"n5", "Down"}, {"n6", "Unknown"}, {"n7", "Idle"},     {"n8", "Idle"},
	};
	struct json_object *data;

	drive_begin(MACHINE, SPEEDS "NODECFG[n2] PRIORITY=9 MAXPROC[CLASS:batch]=6 "
				    "FEATURES=quick\n");
	cr_assert(controller_try(SUBMIT(.cpus = 2, .on = "n1"), true));
	cr_assert(controller_try(SUBMIT(.cpus = 3, .on = "n2", .memory = 900), true));
	cr_assert(controller_try(SUBMIT(.cpus = 3, .on = "n3"), true));
	controller_state("n3", NODE_STATE_ALLOCATED | NODE_STATE_DRAIN);
	controller_state("n4", NODE_STATE_IDLE | NODE_STATE_DRAIN);
	controller_state("n5", NODE_STATE_DOWN);
	controller_state("n6", NODE_STATE_UNKNOWN);
	controller_state("n8", NODE_STATE_IDLE | NODE_STATE_POWERING_UP | NODE_STATE_NO_RESPOND);
	data = drive_ask("diagnose-nodes", NULL);
	EXPECT_NUMBER(data, "/slots", 8);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char pointer[32];

		snprintf(pointer, sizeof(pointer), "/nodes/%zu/name", i);
		EXPECT_TEXT(data, pointer, cases[i].node);
		snprintf(pointer, sizeof(pointer), "/nodes/%zu/state", i);
		EXPECT_TEXT(data, pointer, cases[i].state);
	}
	EXPECT_NUMBER(data, "/nodes/1/configured/procs", 4);
	EXPECT_NUMBER(data, "/nodes/1/available/procs", 1);
	EXPECT_NUMBER(data, "/nodes/1/available/memory", 1100);
	EXPECT_NUMBER(data, "/nodes/1/dedicated/memory", 900);
	EXPECT_NUMBER(data, "/nodes/1/speed", 2);
	EXPECT_NUMBER(data, "/nodes/1/priority", 9);
	EXPECT_TEXT(data, "/nodes/1/slurm_state", "MIXED");
	EXPECT_TEXT(data, "/nodes/1/features/0", "fast");
	EXPECT_TEXT(data, "/nodes/1/features/1", "quick");
	EXPECT_TEXT(data, "/nodes/1/limits/0/name", "MAXPROC[CLASS:batch]");
	EXPECT_NUMBER(data, "/nodes/1/limits/0/hard", 6);
	EXPECT_TEXT(data, "/nodes/1/classes/1", "small");
	cr_expect_eq(drive_length(drive_ask("diagnose-nodes", "{'partition':'small'}"), "/nodes"),
		     3);
	cr_expect_not_null(drive_refusal(0, "diagnose-nodes", "{'partition':'nosuch'}"));
}

Test(nodes, one_node_with_its_jobs_and_reservations)
{
	struct json_object *data;

	drive_begin(MACHINE, "NODEALLOCATIONPOLICY PRIORITY\n"
			     "NODECFG[DEFAULT] PRIORITYF='.01*AMEM - 10*JOBCOUNT + SPEED'\n"
			     "SRCFG[night] HOSTLIST=n2 PERIOD=INFINITY USERLIST=bin\n");
	controller_reservation("other", "n[1-2]", NOW + HOUR, NOW + DAY, "sys");
	cr_assert(controller_try(
		SUBMIT(.id = 30, .user = "bin", .cpus = 3, .memory = 900, .on = "n2"), true));
	data = drive_ask("check-node", "{'node':'n2'}");
	EXPECT_NUMBER(data, "/value", 11 - 10 + 1);
	EXPECT_NUMBER(data, "/reservations", 2);
	EXPECT_TEXT(data, "/job_list/0/user", "bin");
	EXPECT_NUMBER(data, "/job_list/0/job", 30);
	EXPECT_NUMBER(data, "/job_list/0/procs", 3);
	EXPECT_NUMBER(data, "/job_list/0/memory", 900);
	EXPECT_NUMBER(data, "/job_list/0/end", NOW + HOUR);
	int at = drive_place(data, "/reservation_list", "name", "night.inf");
	struct json_object *night =
		json_object_array_get_idx(drive_at(data, "/reservation_list"), (size_t)at);
	EXPECT_TRUE(night, "/ours");
	EXPECT_TEXT(night, "/standing", "night");
	EXPECT_TEXT(night, "/acl/0", "USER==bin+");
	EXPECT_TRUE(night, "/open");
	cr_expect_not_null(drive_refusal(0, "check-node", "{'node':'n99'}"));
	cr_expect_not_null(drive_refusal(0, "check-node", NULL));
}

Test(nodes, private_data_is_private)
{
	uid_t bin = drive_uid("bin");

	drive_machine(MACHINE, "PrivateData=jobs,nodes,reservations\n", "ADMIN3 sys\n");
	drive_start();
	cr_assert(controller_try(SUBMIT(.id = 30, .user = "bin", .on = "n2"), true));
	SUBMIT(.id = 31, .user = "games");
	cr_expect_not_null(drive_refusal(bin, "diagnose-nodes", NULL));
	cr_expect_not_null(drive_refusal(bin, "explain-nodes", "{'job':30}"));
	cr_expect_not_null(drive_refusal(bin, "show-reservations", NULL));
	cr_expect_eq(drive_length(drive_ask_as(drive_uid("sys"), "diagnose-nodes", NULL), "/nodes"),
		     8);
	cr_expect_eq(drive_length(drive_ask_as(bin, "diagnose-priority", NULL), "/jobs"), 0);
	cr_expect_eq(
		drive_length(drive_ask_as(drive_uid("games"), "diagnose-priority", NULL), "/jobs"),
		1);
}
