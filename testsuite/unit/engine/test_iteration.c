/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Priorities: computed when a job is submitted and in each iteration, stored in its record, shown
 * by sprio; and which maui.cfg they follow. */
#include "testsuite/unit/engine/drive.h"

#include <stdlib.h>
#include <string.h>

#include "common/policy/priority/system_priority.h"
#include "plugins/engine/api/engine.h"

#define ONLY_USERS "QUEUETIMEWEIGHT 0\nCREDWEIGHT 1\nUSERWEIGHT 1\n"
#define BASE       (UINT32_C(1) << 30) /* ENABLENEGJOBPRIORITY's */

TestSuite(iteration, .init = drive_init, .fini = drive_fini);

Test(iteration, a_priority_is_the_sum_of_what_maui_cfg_weighs)
{
	static const struct {
		const char *maui_cfg;
		struct controller_job job;
		uint32_t priority;
	} cases[] = {
		{"", {.ago = 5 * MINUTE}, 5}, /* by default, minutes of waiting */
		{"QUEUETIMEWEIGHT 10\n", {.ago = 5 * MINUTE}, 50},
		{"QUEUETIMEWEIGHT 10\nQUEUETIMECAP 3\n", {.ago = 5 * MINUTE}, 30},
		{"QUEUETIMEWEIGHT 10\nSERVWEIGHT 2\n", {.ago = 5 * MINUTE}, 100},
		{"QUEUETIMEWEIGHT 10\nSERVCAP 7\n", {.ago = 5 * MINUTE}, 7},
		{"QUEUETIMEWEIGHT 10\n", {.ago = 5 * MINUTE, .nice = 20}, 30},
		/* 1 + an hour of an hour */
		{"QUEUETIMEWEIGHT 0\nXFACTORWEIGHT 100\n", {.ago = HOUR, .minutes = 60}, 200},
		{ONLY_USERS "USERCFG[bin] PRIORITY=70\n", {.user = "bin"}, 70},
		{ONLY_USERS "USERCFG[DEFAULT] PRIORITY=9\n", {.user = "bin"}, 9},
		{ONLY_USERS "ACCOUNTWEIGHT 3\nACCOUNTCFG[art] PRIORITY=5\n",
		 {.account = "art"},
		 15},
		{ONLY_USERS "CLASSWEIGHT 2\nCLASSCFG[small] PRIORITY=4\n",
		 {.partitions = "small"},
		 8},
		{ONLY_USERS "QOSWEIGHT 2\nQOSCFG[hi] PRIORITY=40\n", {.qos = "hi"}, 80},
		{ONLY_USERS "QOSWEIGHT 2\nQOSCFG[hi] PRIORITY=40\nUSERCFG[bin] QDEF=hi\n",
		 {.user = "bin"},
		 80},
		{"QUEUETIMEWEIGHT 0\nRESWEIGHT 1\nPROCWEIGHT 5\n", {.cpus = 6, .nodes = 2}, 30},
		{"QUEUETIMEWEIGHT 0\nRESWEIGHT 1\nNODEWEIGHT 5\n", {.cpus = 6, .nodes = 2}, 10},
		{"QUEUETIMEWEIGHT 0\nRESWEIGHT 1\nMEMWEIGHT 1\n",
		 {.cpus = 2, .nodes = 2, .memory = 300},
		 600},
		{ONLY_USERS "USERCFG[bin] PRIORITY=-70\n", {.user = "bin"}, 2}, /* the floor */
	};

	drive_machine(FOUR_NODES, "", "");
	controller_qos("hi");
	drive_start();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		job_record_t *job;

		drive_reconfigure(cases[i].maui_cfg);
		job = controller_submit(&cases[i].job);
		cr_expect_eq(job->priority, cases[i].priority, "%s: at submission %u, and not %u",
			     cases[i].maui_cfg, job->priority, cases[i].priority);
		job->priority = 1;
		drive_turn();
		cr_expect_eq(job->priority, cases[i].priority, "%s: stored %u, and not %u",
			     cases[i].maui_cfg, job->priority, cases[i].priority);
		controller_purge(job);
	}
}

Test(iteration, waiting_counts_as_it_goes_on)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, "QUEUETIMEWEIGHT 10\n");
	job = SUBMIT(.user = "bin");
	cr_expect_eq(job->priority, 2, "%u", job->priority);
	drive_pass(5 * MINUTE);
	cr_expect_eq(job->priority, 50);
	drive_pass(5 * MINUTE);
	cr_expect_eq(job->priority, 100);
	cr_expect_eq(last_job_update, NOW + 10 * MINUTE);
}

Test(iteration, each_partition_of_a_job_has_its_own)
{
	uint32_t *priorities;
	job_record_t *job;

	drive_begin(FOUR_NODES, ONLY_USERS "CLASSWEIGHT 1\nCLASSCFG[batch] PRIORITY=10\n"
					   "CLASSCFG[small] PRIORITY=30\n");
	job = SUBMIT(.partitions = "batch,small");
	priorities = compat_priority_array(job);
	cr_assert_not_null(priorities);
	cr_expect_eq(priorities[0] + priorities[1], 40);
	cr_expect_eq(job->priority, !strcmp(job->part_ptr->name, "batch") ? 10 : 30);
	memset(priorities, 0, 2 * sizeof(*priorities));
	drive_turn();
	priorities = compat_priority_array(job);
	cr_expect_eq(priorities[0] + priorities[1], 40);
}

Test(iteration, what_is_held_or_set_by_hand_stays)
{
	job_record_t *held, *direct;

	drive_begin(FOUR_NODES, "QUEUETIMEWEIGHT 10\n");
	held = SUBMIT(.held = true, .ago = HOUR);
	direct = SUBMIT(.ago = HOUR);
	direct->direct_set_prio = 1;
	direct->priority = 4711;
	drive_turn();
	cr_expect_eq(held->priority, 0);
	cr_expect_eq(direct->priority, 4711);
	controller_lock_all();
	cr_expect_eq(maui_engine_set_priority(direct), 4711);
	held->direct_set_prio = 0; /* scontrol release */
	held->state_reason = WAIT_NO_REASON;
	cr_expect_eq(maui_engine_set_priority(held), 600);
	controller_unlock_all();
}

/* ---- REJECTNEGPRIOJOBS ---- */

#define REJECTS                                                                                    \
	ONLY_USERS "ENABLENEGJOBPRIORITY TRUE\nREJECTNEGPRIOJOBS TRUE\nUSERCFG[bin] "              \
		   "PRIORITY=-70\n"

Test(iteration, a_negative_job_is_held_and_comes_back)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, REJECTS);
	job = SUBMIT(.user = "bin");
	cr_expect_eq(job->priority, 0);
	cr_expect_eq(job->state_reason, WAIT_HELD);
	cr_expect_str_eq(job->state_desc, "negative priority -70 (REJECTNEGPRIOJOBS)");
	drive_turn();
	EXPECT_TEXT(drive_ask("diagnose-blocked", NULL), "/jobs/0/kind", "negative-priority");
	drive_reconfigure(REJECTS "USERCFG[bin] PRIORITY=70\n");
	cr_expect_eq(job->priority, BASE + 70);
	cr_expect_eq(job->state_reason, WAIT_NO_REASON);
	cr_expect_null(job->state_desc);
}

Test(iteration, a_negative_job_is_held_by_an_iteration_too)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, ONLY_USERS "ENABLENEGJOBPRIORITY TRUE\n"
					   "USERCFG[bin] PRIORITY=-70\n");
	job = SUBMIT(.user = "bin");
	cr_expect_eq(job->priority, BASE - 70);
	drive_reconfigure(REJECTS);
	cr_expect_eq(job->priority, 0);
	cr_expect_str_eq(job->state_desc, "negative priority -70 (REJECTNEGPRIOJOBS)");
	drive_stop();
	drive_write_file("maui.cfg", ONLY_USERS);
	drive_start(); /* its text says that the hold is ours */
	cr_expect_eq(job->priority, 2, "%u", job->priority);
}

/* Slurm leaves our text there (`scontrol uhold`), and saves it. */
Test(iteration, a_hold_that_replaces_ours_has_not_our_text)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, REJECTS);
	for (int restarted = 0; restarted < 2; restarted++) {
		drive_reconfigure(REJECTS);
		job = SUBMIT(.user = "bin");
		cr_assert_not_null(job->state_desc);
		job->state_reason = WAIT_HELD_USER;
		if (restarted) {
			drive_stop();
			drive_start();
		} else
			drive_reconfigure(REJECTS "USERCFG[bin] PRIORITY=70\n");
		cr_expect_null(job->state_desc, "%s", job->state_desc);
		cr_expect_eq(job->state_reason, WAIT_HELD_USER);
		cr_expect_eq(job->priority, 0);
	}
}

/* ---- sprio ---- */

Test(iteration, sprio_is_told_the_terms_that_were_stored)
{
	struct maui_engine_terms terms;
	job_record_t *job, *unseen;

	drive_begin(FOUR_NODES, "QUEUETIMEWEIGHT 10\nCREDWEIGHT 1\nUSERWEIGHT 1\n"
				"USERCFG[bin] PRIORITY=7\nENABLENEGJOBPRIORITY TRUE\n");
	job = SUBMIT(.user = "bin", .ago = 5 * MINUTE, .nice = 3);
	unseen = JOB(.user = "bin", .ago = 2 * MINUTE);
	controller_lock_all();
	maui_engine_terms(job, job->part_ptr, false, &terms);
	controller_unlock_all();
	cr_expect_eq((int)terms.result.sum, 57);
	cr_expect_eq(terms.base, BASE);
	cr_expect_eq(terms.nice, 3);
	cr_expect_eq(terms.site_factor, 0);
	cr_expect_eq(terms.behind, 0);
	cr_expect_eq(job->priority, BASE + 54);
	controller_lock_all();
	maui_engine_terms(unseen, unseen->part_ptr, false, &terms);
	controller_unlock_all();
	cr_expect_eq((int)terms.result.sum, 27);
}

Test(iteration, setspri_takes_the_place_of_all_terms)
{
	job_record_t *job;
	struct json_object *data;

	drive_begin(FOUR_NODES, "QUEUETIMEWEIGHT 10\n");
	job = SUBMIT(.ago = 5 * MINUTE);
	job->site_factor = NICE_OFFSET + 100;
	drive_turn();
	cr_expect_eq(job->priority, 150);
	data = drive_ask("diagnose-priority", NULL);
	EXPECT_NUMBER(data, "/jobs/0/site", 100);
	EXPECT_NUMBER(data, "/jobs/0/priority", 150);
	EXPECT_NUMBER(data, "/jobs/0/maui_priority", 50);
	EXPECT_NUMBER(data, "/jobs/0/components/SERV/value", 50);
}

/* ---- bypass ---- */

Test(iteration, who_is_passed_by_backfill_is_counted)
{
	job_record_t *waits, *small, *other;

	drive_begin(FOUR_NODES, "QUEUETIMEWEIGHT 1\nBYPASSWEIGHT 100\n");
	waits = SUBMIT(.cpus = 16, .nodes = 4, .ago = HOUR);
	small = SUBMIT(.cpus = 1, .ago = MINUTE);
	other = SUBMIT(.cpus = 1, .ago = MINUTE);
	drive_turn();
	cr_expect_eq(waits->priority, 60);
	drive_pass(MINUTE);
	cr_assert(controller_try(small, false));
	drive_pass(MINUTE);
	cr_expect_eq(waits->priority, 162, "%u", waits->priority);
	cr_assert(controller_try(other, true)); /* the main scheduler bypasses no job */
	drive_pass(MINUTE);
	cr_expect_eq(waits->priority, 163, "%u", waits->priority);
	EXPECT_NUMBER(drive_ask("diagnose-priority", NULL), "/jobs/0/bypass", 1);
	drive_stop();
	cr_assert(drive_has_file("maui/jobs"));
	drive_start(); /* remembered across restarts */
	cr_expect_eq(waits->priority, 163, "%u", waits->priority);
}

/* ---- JOBPRIOACCRUALPOLICY ---- */

Test(iteration, a_held_job_accrues_nothing_by_fullpolicy)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, "QUEUETIMEWEIGHT 10\nJOBPRIOACCRUALPOLICY FULLPOLICY\n");
	job = SUBMIT(.held = true);
	drive_turn();
	drive_pass(HOUR);
	job->direct_set_prio = 0;
	job->state_reason = WAIT_NO_REASON;
	job->priority = 1;
	drive_turn();
	drive_pass(5 * MINUTE);
	cr_expect_eq(job->priority, 50, "%u", job->priority);
	drive_stop();
	drive_start();
	cr_expect_eq(job->priority, 50, "%u", job->priority);
}

/* Each iteration restarts its queue time, but the file stays as it is. */
Test(iteration, a_blocked_job_changes_no_file)
{
	job_record_t *runs, *waits;
	char *first, *last;

	drive_begin(FOUR_NODES, "QUEUETIMEWEIGHT 10\nUSERCFG[bin] MAXJOB=1\n");
	runs = SUBMIT(.user = "bin");
	cr_assert(controller_try(runs, true));
	waits = SUBMIT(.user = "bin", .ago = HOUR);
	drive_turn();
	drive_pass(MINUTE);
	first = drive_file("maui/jobs");
	cr_assert(first && strstr(first, " 253402300799 0\n"), "%s", first);
	drive_pass(MINUTE);
	drive_pass(MINUTE);
	last = drive_file("maui/jobs");
	cr_expect_str_eq(last, first);
	free(first);
	free(last);
	drive_kill();
	controller_end(runs, JOB_COMPLETE);
	drive_clock(NOW + HOUR);
	drive_start();
	drive_pass(5 * MINUTE);
	cr_expect_eq(waits->priority, 50, "%u", waits->priority);
	last = drive_file("maui/jobs");
	cr_expect(last && !strstr(last, " 253402300799 "), "%s", last);
	free(last);
}

/* ---- maui.cfg ---- */

Test(iteration, a_maui_cfg_with_errors_is_not_taken)
{
	job_record_t *job;
	struct json_object *data;

	drive_begin(FOUR_NODES, "QUEUETIMEWEIGHT 10\n");
	job = SUBMIT(.ago = 5 * MINUTE);
	drive_reconfigure("QUEUETIMEWEIGHT 20\nXFACTORWEIGHT many\n");
	cr_expect_eq(job->priority, 50);
	data = drive_ask("status", NULL);
	EXPECT_TEXT(data, "/policy/source", "file");
	EXPECT_NUMBER(data, "/policy/refused/errors", 1);
	EXPECT_NUMBER(data, "/policy/readings", 1);
	cr_expect(drive_logged("the policy that was in force stays"));
	drive_reconfigure("QUEUETIMEWEIGHT 20\n");
	cr_expect_eq(job->priority, 100);
	EXPECT_NULL(drive_ask("status", NULL), "/policy/refused");
}

Test(iteration, names_that_nobody_knows_are_told)
{
	static const char text[] = "QUEUETIMEWEIGHT 10\nFSUSERWIEGHT 10\nUSERCFG[bob] MAXJOBS=8\n";
	struct json_object *data;

	drive_begin(FOUR_NODES, text);
	data = drive_ask("status", NULL);
	EXPECT_TEXT(data, "/policy/source", "file");
	EXPECT_NUMBER(data, "/policy/unknown/errors", 2);
	drive_reconfigure("QUEUETIMEWEIGHT 10\nSIMTIME 1\n");
	EXPECT_NULL(drive_ask("status", NULL), "/policy/unknown");
}

Test(iteration, names_that_nobody_knows_are_errors_where_a_site_wants_that)
{
	char more[256];
	job_record_t *job;
	struct json_object *data;

	snprintf(more, sizeof(more), "PriorityParameters=maui_cfg=%s,maui_unknown=error\n",
		 drive_path("maui.cfg"));
	drive_machine(FOUR_NODES, more, "QUEUETIMEWEIGHT 10\n");
	drive_start();
	job = SUBMIT(.ago = 5 * MINUTE);
	drive_reconfigure("QUEUETIMEWEIGHT 20\nFSUSERWIEGHT 10\n");
	cr_expect_eq(job->priority, 50);
	data = drive_ask("status", NULL);
	EXPECT_NUMBER(data, "/policy/refused/errors", 1);
	EXPECT_NULL(data, "/policy/unknown");
	cr_expect(drive_logged("there is no parameter FSUSERWIEGHT: the nearest is FSUSERWEIGHT"));
}

Test(iteration, a_restart_with_errors_finds_the_last_good_copy)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, "QUEUETIMEWEIGHT 10\n");
	job = SUBMIT(.ago = 5 * MINUTE);
	drive_stop();
	drive_write_file("maui.cfg", "QUEUETIMEWEIGHT many\n");
	drive_start();
	cr_expect_eq(job->priority, 50);
	EXPECT_TEXT(drive_ask("status", NULL), "/policy/source", "last-good-copy");
}

Test(iteration, without_a_copy_what_is_right_is_in_force)
{
	job_record_t *job;
	struct json_object *data;

	drive_begin(FOUR_NODES, "QUEUETIMEWEIGHT 10\nXFACTORWEIGHT many\n");
	job = SUBMIT(.ago = 5 * MINUTE);
	cr_expect_eq(job->priority, 50);
	data = drive_ask("status", NULL);
	EXPECT_TEXT(data, "/policy/source", "partial");
	EXPECT_NUMBER(data, "/policy/left_out/errors", 1);
}

Test(iteration, without_a_maui_cfg_waiting_alone_counts)
{
	job_record_t *job;

	drive_machine(FOUR_NODES, "", "");
	cr_assert_eq(unlink(drive_path("maui.cfg")), 0);
	drive_start();
	job = SUBMIT(.ago = 5 * MINUTE);
	cr_expect_eq(job->priority, 5);
	EXPECT_TEXT(drive_ask("status", NULL), "/policy/source", "neutral");
	drive_reconfigure("QUEUETIMEWEIGHT 10\n");
	cr_expect_eq(job->priority, 50);
}

Test(iteration, parameters_that_make_no_sense_are_said_and_left_out)
{
	char more[256];

	snprintf(more, sizeof(more),
		 "PriorityParameters=maui_cfg=%s,maui_port=99999,maui_trigger_timeout=no,"
		 "maui_mode=light,maui_unknown=warning\n",
		 drive_path("maui.cfg"));
	drive_machine(FOUR_NODES, more, "QUEUETIMEWEIGHT 10\n");
	drive_start();
	cr_expect_eq(SUBMIT(.ago = 5 * MINUTE)->priority, 50);
	cr_expect(drive_logged("maui_port=99999 is not a port number"));
	cr_expect(drive_logged("maui_trigger_timeout=no is not a number"));
	cr_expect(drive_logged("maui_mode=light is unknown"));
	cr_expect(drive_logged("maui_unknown=warning is unknown"));
}

/* ---- the engine's life ---- */

Test(iteration, on_standby_nothing_is_touched)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, "QUEUETIMEWEIGHT 10\n");
	job = SUBMIT(.ago = 5 * MINUTE);
	drive_stop();
	job->priority = 17;
	drive_pass(HOUR);
	cr_expect_eq(job->priority, 17);
	cr_expect_str_eq(drive_refusal(0, "status", NULL), "this controller is on standby");
	drive_start();
	cr_expect_eq(job->priority, 650);
}

Test(iteration, a_damaged_file_costs_itself_alone)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, "QUEUETIMEWEIGHT 10\n");
	job = SUBMIT(.ago = 5 * MINUTE);
	drive_stop();
	drive_write_file("maui/jobs", "slurm-maui jobs 1\njob 7\n");
	drive_start();
	cr_expect_eq(job->priority, 50);
	cr_expect(drive_has_file("maui/jobs.damaged"));
	cr_expect(drive_logged("maui/jobs cannot be used"));
}

Test(iteration, arrays_and_purged_jobs)
{
	job_record_t *task;
	struct json_object *data;

	drive_begin(FOUR_NODES, "QUEUETIMEWEIGHT 10\n");
	SUBMIT(.id = 40, .ago = MINUTE);
	task = SUBMIT(.id = 43, .task_of_array = 40, .ago = 2 * MINUTE);
	data = drive_ask("diagnose-priority", NULL);
	cr_assert_eq(drive_length(data, "/jobs"), 2);
	EXPECT_TEXT(data, "/jobs/0/array", "40_3");
	EXPECT_NULL(data, "/jobs/1/array");
	controller_purge(task);
	cr_expect_eq(drive_length(drive_ask("diagnose-priority", NULL), "/jobs"), 1);
}
