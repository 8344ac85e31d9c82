/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Throttling policies and QLIST: which jobs start, which are refused, and what then becomes of
 * them. */
#include "testsuite/unit/engine/drive.h"

#include "plugins/engine/api/engine.h"
#include "plugins/engine/api/select.h"
#include "plugins/engine/limits/limits.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"

#define SIX_NODES                                                                                  \
	"NodeName=n[1-6] CPUs=8 RealMemory=8000\n"                                                 \
	"PartitionName=batch Nodes=ALL Default=YES State=UP\n"                                     \
	"PartitionName=small Nodes=n[1-2] State=UP\n"

TestSuite(limits, .init = drive_init, .fini = drive_fini);

static void begin(const char *maui_cfg)
{
	drive_machine(SIX_NODES, "", maui_cfg);
	controller_qos("hi");
	controller_qos("low");
	drive_start();
}

static void expect_refused(job_record_t *job, const char *text)
{
	cr_expect_not(controller_try(job, true), "%s: it starts", text);
	cr_expect(job->state_desc && !strcmp(job->state_desc, text), "'%s', and not '%s'",
		  job->state_desc ? job->state_desc : "", text);
}

Test(limits, each_metric_of_each_credential)
{
	static const struct {
		const char *metric, *limit, *text; /* after the limit and the holder */
	} metrics[] = {
		{"JOB", "1", "1 in use"},
		{"PROC", "3", "2 in use, 2 asked for"},
		{"NODE", "1", "1 in use, 1 asked for"},
		{"PS", "1300", "1200 in use, 1200 asked for"},
		{"PE", "3", "2 in use, 2 asked for"},
		{"WC", "900", "600 in use, 600 asked for"},
		{"MEM", "150", "100 in use, 100 asked for"},
	};
	static const struct {
		const char *section, *holder;
	} holders[] = {
		{"USERCFG[bin]", "user bin"},       {"GROUPCFG[bin]", "group bin"},
		{"ACCOUNTCFG[art]", "account art"}, {"QOSCFG[hi]", "qos hi"},
		{"CLASSCFG[small]", "class small"}, {"SYSCFG", "the system"},
	};

	begin("");
	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
		for (size_t k = 0; k < sizeof(holders) / sizeof(holders[0]); k++) {
			char maui_cfg[96], text[96];
			job_record_t *jobs[2];

			snprintf(maui_cfg, sizeof(maui_cfg), "%s MAX%s=%s\n", holders[k].section,
				 metrics[i].metric, metrics[i].limit);
			snprintf(text, sizeof(text), "MAX%s limit of %s for %s (%s)",
				 metrics[i].metric, metrics[i].limit, holders[k].holder,
				 metrics[i].text);
			drive_reconfigure(maui_cfg);
			for (size_t at = 0; at < 2; at++)
				jobs[at] = SUBMIT(.user = "bin", .account = "art", .qos = "hi",
						  .partitions = "small", .cpus = 2, .minutes = 10,
						  .memory = 100);
			cr_expect(controller_try(jobs[0], true), "%s", maui_cfg);
			expect_refused(jobs[1], text);
			controller_end(jobs[0], JOB_COMPLETE);
			cr_expect(controller_try(jobs[1], true), "%s", maui_cfg);
			controller_end(jobs[1], JOB_COMPLETE);
			controller_purge(jobs[0]);
			controller_purge(jobs[1]);
		}
	cr_expect_not(drive_logged("maui: limits:"), "what was counted is what a recount gives");
}

Test(limits, of_one_job)
{
	static const struct {
		struct controller_job job;
		const char *text; /* NULL: it starts */
	} cases[] = {
		{{.cpus = 5}, "SYSTEMMAXPROCPERJOB limit of 4 for the system (5 asked for)"},
		{{.minutes = 61},
		 "SYSTEMMAXJOBWALLTIME limit of 3600 for the system (3660 asked for)"},
		{{.cpus = 2, .minutes = 31},
		 "SYSTEMMAXPROCSECONDPERJOB limit of 3660 for the system (3720 asked for)"},
		{{.user = "bin", .cpus = 2, .nodes = 2, .minutes = 1},
		 "MAXNODEPERJOB limit of 1 for user bin (2 asked for)"},
		{{.minutes = 60}, NULL},
	};

	begin("SYSTEMMAXPROCPERJOB 4\nSYSTEMMAXJOBWALLTIME 1:00:00\n"
	      "SYSTEMMAXPROCSECONDPERJOB 3660\nUSERCFG[bin] MAXNODEPERJOB=1\n");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		job_record_t *job = controller_submit(&cases[i].job);

		if (cases[i].text)
			expect_refused(job, cases[i].text);
		else
			cr_expect(controller_try(job, true));
	}
}

Test(limits, of_pairs_and_of_default)
{
	job_record_t *jobs[4];

	begin("CLASSCFG[batch] MAXPROC[USER]=8 MAXPROC[USER:bin]=3\nUSERCFG[DEFAULT] MAXJOB=3\n"
	      "USERCFG[sys] MAXJOB=-1\n");
	for (size_t i = 0; i < 4; i++)
		jobs[i] = SUBMIT(.user = i < 2 ? "daemon" : "bin", .cpus = i < 2 ? 5 : 2);
	drive_turn(); /* from now on its users have names */
	cr_expect(controller_try(jobs[0], true));
	expect_refused(jobs[1], "MAXPROC[USER] limit of 8 for user daemon in class batch "
				"(5 in use, 5 asked for)");
	cr_expect(controller_try(jobs[2], true));
	expect_refused(jobs[3], "MAXPROC[USER] limit of 3 for user bin in class batch "
				"(2 in use, 2 asked for)");
	for (size_t i = 0; i < 4; i++)
		cr_expect(controller_try(SUBMIT(.user = "sys"), true), "unlimited");
	for (size_t i = 0; i < 3; i++)
		cr_expect(controller_try(SUBMIT(.user = "games"), true));
	drive_turn();
	expect_refused(SUBMIT(.user = "games"), "MAXJOB limit of 3 for user games (3 in use)");
}

Test(limits, what_a_job_gets_counts)
{
	job_record_t *first, *second;

	begin("USERCFG[bin] MAXNODE=1\n");
	for (int i = 0; i < 6; i++) {
		char node[] = "n1";

		node[1] = (char)('1' + i);
		cr_assert(controller_try(SUBMIT(.cpus = 5, .on = node), true));
	}
	first = SUBMIT(.user = "bin", .cpus = 4);
	expect_refused(first, "MAXNODE limit of 1 for user bin (0 in use, 2 asked for)");
	second = SUBMIT(.user = "bin", .cpus = 3);
	cr_expect(controller_try(second, true));
}

/* ---- what becomes of refused jobs ---- */

Test(limits, a_blocked_job_is_parked_until_something_changes)
{
	job_record_t *first, *second;
	uint32_t kicks;

	begin("USERCFG[bin] MAXJOB=1\n");
	first = SUBMIT(.user = "bin");
	second = SUBMIT(.user = "bin");
	cr_assert(controller_try(first, true));
	drive_turn();
	cr_expect_eq(second->state_reason, WAIT_MAX_REQUEUE, "the mark of the parked");
	cr_expect_str_eq(second->state_desc, "MAXJOB limit of 1 for user bin (1 in use)");
	cr_expect_gt(second->priority, 0);
	controller_end(first, JOB_COMPLETE);
	kicks = controller_counts.kicks;
	drive_turn();
	cr_expect_eq(second->state_reason, WAIT_NO_REASON);
	cr_expect_null(second->state_desc);
	cr_expect_gt(controller_counts.kicks, kicks, "the schedulers are told");
	cr_expect(controller_try(second, true));
}

Test(limits, a_refused_job_stands_in_nobodys_way)
{
	job_record_t *first, *second;
	uint32_t priority;

	begin("USERCFG[bin] MAXJOB=1\nCREDWEIGHT 1\nUSERWEIGHT 1\nUSERCFG[bin] PRIORITY=5000\n");
	first = SUBMIT(.user = "bin");
	second = SUBMIT(.user = "bin");
	priority = second->priority;
	cr_assert(controller_try(first, true));
	cr_expect_not(controller_try(second, true));
	cr_expect_eq(second->state_reason, COMPAT_WAIT_REFUSED, "the mark of the refused");
	cr_expect_lt(second->priority, 2, "for this pass it has a lower priority");
	drive_turn(); /* the pass is over */
	cr_expect_eq(second->priority, priority);
	cr_expect_eq(second->state_reason, WAIT_MAX_REQUEUE, "parked");
}

/* What select_nodes() of later releases leaves of a refused job. */
Test(limits, a_mark_that_is_overwritten_is_restored)
{
	job_record_t *first, *second;

	begin("USERCFG[bin] MAXJOB=1\n");
	first = SUBMIT(.user = "bin");
	second = SUBMIT(.user = "bin");
	cr_assert(controller_try(first, true));
	cr_expect_not(controller_try(second, true));
	second->state_reason = WAIT_RESOURCES;
	xfree(second->state_desc);
	cr_expect_not(controller_try(SUBMIT(.user = "bin"), true), "the pass goes on");
	cr_expect_eq(second->state_reason, COMPAT_WAIT_REFUSED);
	cr_expect_str_eq(second->state_desc, "MAXJOB limit of 1 for user bin (1 in use)");
}

Test(limits, what_slurm_says_later_stays)
{
	job_record_t *first, *second;

	begin("USERCFG[bin] MAXJOB=1\n");
	first = SUBMIT(.user = "bin");
	second = SUBMIT(.user = "bin");
	cr_assert(controller_try(first, true));
	cr_expect_not(controller_try(second, true));
	second->state_reason = WAIT_RESOURCES;
	xfree(second->state_desc);
	second->state_desc = xstrdup("Nodes required for job are DOWN");
	cr_expect_not(controller_try(SUBMIT(.user = "bin"), true), "the pass goes on");
	cr_expect_eq(second->state_reason, WAIT_RESOURCES);
	cr_expect_str_eq(second->state_desc, "Nodes required for job are DOWN");
}

static void reserve_from_priority(const char *parameters)
{
	xfree(slurm_conf.sched_params);
	slurm_conf.sched_params = xstrdup(parameters);
}

/* A priority of 0 is a hold, and the reason is what select_nodes() leaves: any. */
Test(limits, a_refused_job_is_not_held_for_good)
{
	static const enum job_state_reason reasons[] = {COMPAT_WAIT_REFUSED, WAIT_RESOURCES,
							WAIT_NODE_NOT_AVAIL, WAIT_HELD};

	drive_machine(SIX_NODES, "",
		      "USERCFG[bin] MAXJOB=1\nCREDWEIGHT 1\nUSERWEIGHT 1\n"
		      "USERCFG[bin] PRIORITY=5000\n");
	reserve_from_priority("bf_min_prio_reserve=1");
	drive_start();
	cr_assert(controller_try(SUBMIT(.user = "bin"), true));
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		job_record_t *job = SUBMIT(.user = "bin");

		cr_expect_not(controller_try(job, true));
		cr_expect_eq(job->priority, 0, "for this pass");
		job->state_reason = reasons[i];
		if (reasons[i] != COMPAT_WAIT_REFUSED)
			xfree(job->state_desc);
		drive_turn();
		cr_expect_eq(job->priority, 5000, "%d: %u", reasons[i], job->priority);
		cr_expect_eq(job->state_reason, WAIT_MAX_REQUEUE, "%d: parked", reasons[i]);
	}
}

/* The priority is lowered below what the main scheduler takes, which knows no range. */
Test(limits, a_refused_job_is_below_the_main_schedulers_bound)
{
	static const struct {
		const char *parameters;
		uint32_t lowered;
	} cases[] = {
		{"bf_min_prio_reserve=2", 1},
		{"bf_min_prio_reserve=4294967295", 1},
		{"bf_min_prio_reserve=4294967296", 0}, /* 0 */
		{"bf_min_prio_reserve=4294967298", 1}, /* 2 */
		{"bf_min_prio_reserve=-3", 0},
		{"bf_min_prio_reserve=", 0},
		{"defer, BF_MIN_PRIO_RESERVE=2", 1},
		{"bf_min_prio_reserve=2x,bf_min_prio_reserve=1", 1},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		job_record_t *job;

		if (!i) {
			drive_machine(SIX_NODES, "", "USERCFG[bin] MAXJOB=1\n");
			drive_start();
			cr_assert(controller_try(SUBMIT(.user = "bin"), true));
		}
		reserve_from_priority(cases[i].parameters);
		drive_reconfigure("USERCFG[bin] MAXJOB=1\n");
		job = SUBMIT(.user = "bin");
		cr_expect_not(controller_try(job, true));
		cr_expect_eq(job->priority, cases[i].lowered, "%s: %u", cases[i].parameters,
			     job->priority);
		drive_turn();
	}
}

Test(limits, a_bound_that_the_main_scheduler_does_not_take_is_told)
{
	static const char told[] = "SchedulerParameters lacks bf_min_prio_reserve=2";

	drive_machine(SIX_NODES, "", "USERCFG[bin] MAXJOB=1\n");
	reserve_from_priority("bf_min_prio_reserve=4294967295");
	drive_start();
	cr_expect(controller_try(SUBMIT(.user = "bin"), true));
	cr_expect_not(drive_logged(told));
	reserve_from_priority("bf_min_prio_reserve=4294967296");
	drive_reconfigure("USERCFG[bin] MAXJOB=1\n");
	cr_expect_not(controller_try(SUBMIT(.user = "bin"), true));
	cr_expect(drive_logged(told));
}

/* slurmctld was killed while the main scheduler looked at them. */
Test(limits, a_refused_job_is_not_held_after_a_crash)
{
	static const enum job_state_reason reasons[] = {COMPAT_WAIT_REFUSED, WAIT_RESOURCES,
							WAIT_NODE_NOT_AVAIL, WAIT_HELD};
	job_record_t *jobs[4], *held;

	drive_machine(SIX_NODES, "", "");
	for (size_t i = 0; i < 4; i++) {
		jobs[i] = JOB(.user = "bin");
		jobs[i]->priority = 0;
		jobs[i]->state_reason = reasons[i];
		jobs[i]->bit_flags |= COMPAT_OUR_LOWERED;
	}
	held = JOB(.user = "bin", .held = true);
	held->direct_set_prio = 1; /* scontrol hold */
	held->bit_flags |= COMPAT_OUR_LOWERED;
	drive_start();
	for (size_t i = 0; i < 4; i++) {
		cr_expect_gt(jobs[i]->priority, 0, "%d", reasons[i]);
		cr_expect_not(jobs[i]->bit_flags & COMPAT_OUR_LOWERED);
		cr_expect(controller_try(jobs[i], true));
	}
	cr_expect_eq(held->priority, 0, "an administrator's hold stays");
}

Test(limits, backfill_does_not_lower_a_priority)
{
	job_record_t *first, *second;

	begin("USERCFG[bin] MAXJOB=1\nCREDWEIGHT 1\nUSERWEIGHT 1\nUSERCFG[bin] PRIORITY=5000\n");
	first = SUBMIT(.user = "bin");
	second = SUBMIT(.user = "bin");
	cr_assert(controller_try(first, false));
	cr_expect_not(controller_try(second, false));
	cr_expect_eq(second->priority, 5000);
}

Test(limits, nothing_of_a_mark_is_left_behind)
{
	job_record_t *second;

	begin("USERCFG[bin] MAXJOB=1\n");
	cr_assert(controller_try(SUBMIT(.user = "bin"), true));
	second = SUBMIT(.user = "bin");
	drive_turn();
	cr_expect_eq(second->state_reason, WAIT_MAX_REQUEUE);
	drive_stop();
	cr_expect_eq(second->state_reason, WAIT_NO_REASON);
	cr_expect_null(second->state_desc);
}

/* ---- who is counted ---- */

Test(limits, who_runs_at_the_start_is_counted)
{
	job_record_t *before, *job;

	drive_machine(SIX_NODES, "", "USERCFG[bin] MAXJOB=1\n");
	before = JOB(.user = "bin", .cpus = 2);
	controller_runs(before, "n1");
	cr_assert_eq(maui_engine_start(), SLURM_SUCCESS);
	job = SUBMIT(.user = "bin");
	cr_expect_not(controller_try(job, true), "names are not known yet: nobody starts");
	drive_turn();
	expect_refused(job, "MAXJOB limit of 1 for user bin (1 in use)");
	controller_end(before, JOB_COMPLETE);
	cr_expect(controller_try(job, true));
	drive_stop();
}

Test(limits, the_suspended_count)
{
	job_record_t *first, *second;

	begin("USERCFG[bin] MAXJOB=1 MAXPS=7300\n");
	first = SUBMIT(.user = "bin", .cpus = 2);
	second = SUBMIT(.user = "bin");
	cr_assert(controller_try(first, true));
	drive_pass(30 * MINUTE);
	controller_suspend(first, true);
	drive_pass(10 * MINUTE);
	expect_refused(second, "MAXJOB limit of 1 for user bin (1 in use)");
	EXPECT_NUMBER(drive_ask("diagnose-credentials", "{'type':'user','name':'bin'}"),
		      "/credentials/0/active/procseconds", 2 * 30 * MINUTE);
	controller_suspend(first, false);
	drive_pass(10 * MINUTE);
	EXPECT_NUMBER(drive_ask("diagnose-credentials", "{'type':'user','name':'bin'}"),
		      "/credentials/0/active/procseconds", 2 * 20 * MINUTE);
	controller_end(first, JOB_COMPLETE);
	cr_expect(controller_try(second, true));
	cr_expect_not(drive_logged("maui: limits:"));
}

Test(limits, outstanding_time_shrinks_as_jobs_run)
{
	job_record_t *first, *second;

	begin("USERCFG[bin] MAXPS=4000\n");
	first = SUBMIT(.user = "bin");
	second = SUBMIT(.user = "bin", .minutes = 30);
	cr_assert(controller_try(first, true));
	expect_refused(second, "MAXPS limit of 4000 for user bin (3600 in use, 1800 asked for)");
	drive_pass(20 * MINUTE);
	cr_expect_not(controller_try(second, true), "2400 are left");
	drive_pass(5 * MINUTE);
	cr_expect(controller_try(second, true));
}

Test(limits, who_was_missed_is_mended_and_said)
{
	job_record_t *missed, *gone;

	begin("USERCFG[bin] MAXJOB=2\n");
	gone = SUBMIT(.user = "bin");
	cr_assert(controller_try(gone, true));
	drive_turn();
	missed = JOB(.user = "bin");
	controller_runs(missed, "n3");
	gone->job_state = JOB_COMPLETE;
	drive_turn();
	cr_expect(drive_logged("limits: 2 jobs had been counted wrongly, and are corrected"));
	EXPECT_NUMBER(drive_ask("diagnose-credentials", "{'type':'user','name':'bin'}"),
		      "/credentials/0/active/jobs", 1);
}

Test(limits, another_maui_cfg_counts_the_same_jobs)
{
	job_record_t *job;

	begin("");
	cr_assert(controller_try(SUBMIT(.user = "bin"), true));
	cr_assert(controller_try(SUBMIT(.user = "bin"), true));
	job = SUBMIT(.user = "bin");
	drive_reconfigure("USERCFG[bin] MAXJOB=1\n");
	cr_expect_str_eq(job->state_desc, "MAXJOB limit of 1 for user bin (2 in use)");
	drive_reconfigure("USERCFG[bin] MAXJOB=9\n");
	cr_expect_null(job->state_desc);
	cr_expect(controller_try(job, true));
}

Test(limits, without_the_select_plugin_nobody_is_held)
{
	drive_write_file("maui.cfg", "USERCFG[bin] MAXJOB=1\n");
	controller_begin(drive_path("."), SIX_NODES, "");
	cr_assert_eq(maui_engine_start(), SLURM_SUCCESS);
	drive_turn();
	cr_expect(controller_try(SUBMIT(.user = "bin"), true));
	cr_expect(controller_try(SUBMIT(.user = "bin"), true));
	cr_expect(drive_logged("limits of maui.cfg have no effect"));
	drive_stop();
}

/* ---- soft limits ---- */

Test(limits, over_a_soft_limit_a_job_goes_behind_all_others)
{
	job_record_t *first, *soft, *other;

	begin("USERCFG[bin] MAXJOB=1,2 PRIORITY=1000\nCREDWEIGHT 1\nUSERWEIGHT 1\n"
	      "USERCFG[sys] PRIORITY=10\n");
	first = SUBMIT(.user = "bin");
	cr_assert(controller_try(first, true));
	soft = SUBMIT(.user = "bin");
	other = SUBMIT(.user = "sys");
	drive_turn();
	cr_expect_lt(soft->priority, other->priority);
	EXPECT_TEXT(drive_ask("diagnose-blocked", NULL), "/jobs/0/level", "soft");
	cr_expect_eq(drive_length(drive_ask("diagnose-blocked", "{'level':'hard'}"), "/jobs"), 0);
	cr_expect(controller_try(other, true));
	cr_expect(controller_try(soft, true), "what the others leave it may have");
	expect_refused(SUBMIT(.user = "bin"), "MAXJOB limit of 2 for user bin (2 in use)");
}

/* Backfill, which may be all that tries it, does so every 30 seconds. */
Test(limits, what_is_over_a_soft_limit_only_by_its_nodes_starts_when_it_is_tried_again)
{
	job_record_t *job, *other;

	begin("USERCFG[bin] MAXPROC=2,8\n");
	other = SUBMIT(.user = "sys");
	cr_assert(controller_try(other, true));
	job = SUBMIT(.user = "bin", .exclusive = true);
	cr_expect_not(controller_try(job, true), "it asks for one processor, and would get 8");
	drive_turn();
	controller_end(other, JOB_COMPLETE);
	drive_pass(90);
	cr_expect(controller_try(job, true));
}

/* ---- idle limits ---- */

Test(limits, so_many_jobs_of_a_user_are_eligible)
{
	job_record_t *jobs[3];
	struct json_object *data;

	begin("USERCFG[bin] MAXIJOB=2\n");
	for (size_t i = 0; i < 3; i++)
		jobs[i] = SUBMIT(.user = "bin", .ago = (int64_t)(10 - i) * MINUTE);
	drive_turn();
	cr_expect_null(jobs[0]->state_desc);
	cr_expect_null(jobs[1]->state_desc);
	cr_expect_str_eq(jobs[2]->state_desc, "MAXIJOB limit of 2 for user bin (2 eligible)");
	data = drive_ask("diagnose-blocked", "{'counts':true}");
	EXPECT_NUMBER(data, "/counts/eligible", 2);
	EXPECT_NUMBER(data, "/counts/limit", 1);
	cr_assert(controller_try(jobs[0], true));
	drive_turn();
	cr_expect_null(jobs[2]->state_desc, "one more is eligible now");
}

/* ---- QLIST ---- */

Test(limits, a_qos_that_is_not_in_the_list_does_not_start)
{
	job_record_t *hi, *low;

	begin("USERCFG[bin] QLIST=low\n");
	hi = SUBMIT(.user = "bin", .qos = "hi");
	low = SUBMIT(.user = "bin", .qos = "low");
	cr_expect_not(controller_try(hi, true));
	cr_assert_not_null(hi->state_desc);
	cr_expect(strstr(hi->state_desc, "QLIST"), "%s", hi->state_desc);
	cr_expect(controller_try(low, true));
	drive_turn();
	EXPECT_TEXT(drive_ask("diagnose-blocked", NULL), "/jobs/0/kind", "qos");
	drive_reconfigure("USERCFG[bin] QLIST=low,hi\n");
	cr_expect(controller_try(hi, true));
}

/* ---- parts of a heterogeneous job ---- */

Test(limits, a_heterogeneous_job_is_judged_as_a_whole)
{
	job_record_t *parts[2];

	begin("USERCFG[bin] MAXPROC=5\n");
	parts[0] = SUBMIT(.user = "bin", .cpus = 3);
	parts[1] = SUBMIT(.user = "bin", .cpus = 3);
	controller_join(parts, 2);
	expect_refused(parts[0], "MAXPROC limit of 5 for user bin (0 in use, 6 asked for)");
	drive_turn();
	cr_expect_str_eq(parts[1]->state_desc,
			 "MAXPROC limit of 5 for user bin (0 in use, 6 asked for)");
	drive_reconfigure("USERCFG[bin] MAXPROC=6\n");
	cr_expect(controller_try(parts[0], false));
	cr_expect(controller_try(parts[1], false));
}

static void update_comes(job_record_t *job)
{
	controller_lock_all();
	maui_engine_before_change(job);
	controller_unlock_all();
}

/* A hold of a job whose priority is 0 already leaves no trace in Slurm. */
Test(limits, an_update_finds_the_jobs_own_priority)
{
	job_record_t *first, *job, *task;
	uint32_t own;

	drive_machine(SIX_NODES, "SchedulerParameters=bf_min_prio_reserve=1\n",
		      "USERCFG[bin] MAXJOB=1\n");
	drive_start();
	first = SUBMIT(.user = "bin");
	job = SUBMIT(.user = "bin");
	task = SUBMIT(.user = "bin");
	own = job->priority;
	cr_expect(controller_try(first, true));
	expect_refused(job, "MAXJOB limit of 1 for user bin (1 in use)");
	cr_assert_eq(job->priority, 0, "the pass is over, and no thread has run since");
	task->priority = 0; /* as if it had been split from this one just now */
	task->bit_flags |= COMPAT_OUR_LOWERED;
	update_comes(task);
	cr_expect_eq(job->priority, own);
	cr_expect_eq(task->priority, 1);
	cr_expect_not(task->bit_flags & COMPAT_OUR_LOWERED);
	controller_lock_all();
	task->priority = 0;
	task->direct_set_prio = 1;
	controller_unlock_all();
	update_comes(task);
	cr_expect_eq(task->priority, 0, "a hold stays one");
}

/* ---- jobs that cannot be counted ---- */

/* No limit is lifted by it: nobody starts until all active jobs are counted. */
Test(limits, a_job_that_could_not_be_counted_lifts_no_limit)
{
	job_record_t *first, *second;

	begin("USERCFG[bin] MAXJOB=1\n");
	first = SUBMIT(.user = "bin");
	second = SUBMIT(.user = "bin");
	drive_limits_full = true;
	cr_assert(controller_try(first, true));
	drive_turn();
	cr_expect_not(controller_try(second, true));
	cr_expect(drive_logged("no job starts until limits can be counted again"));
	drive_limits_full = false;
	drive_turn();
	expect_refused(second, "MAXJOB limit of 1 for user bin (1 in use)");
	controller_end(first, JOB_COMPLETE);
	cr_expect(controller_try(second, true));
}

/* Another policy counts them anew: those that have no place are in no sum, and must not be taken
 * from one. */
Test(limits, jobs_that_could_not_be_counted_anew_are_not_taken_away)
{
	job_record_t *first, *second, *third;

	begin("USERCFG[bin] MAXJOB=2\n");
	first = SUBMIT(.user = "bin");
	second = SUBMIT(.user = "bin");
	cr_assert(controller_try(first, true));
	cr_assert(controller_try(second, true));
	drive_turn();
	drive_limits_full = true;
	drive_reconfigure("USERCFG[bin] MAXJOB=2 MAXPROC=2\n");
	third = SUBMIT(.user = "bin");
	cr_expect_not(controller_try(third, true));
	controller_end(first, JOB_COMPLETE);
	drive_limits_full = false;
	drive_turn();
	EXPECT_NUMBER(drive_ask("diagnose-credentials", "{'type':'user','name':'bin'}"),
		      "/credentials/0/active/jobs", 1);
	cr_expect(controller_try(third, true));
	expect_refused(SUBMIT(.user = "bin"), "MAXJOB limit of 2 for user bin (2 in use)");
	cr_expect_not(drive_logged("maui: limits:"));
}

/* ---- what wants an iteration later ---- */

/* What it would get where it is not tried next counts, too: else it is free in either for the other,
 * and nobody says why it waits. */
Test(limits, a_job_of_several_partitions_that_would_get_too_much_in_each)
{
	static const char text[] = "MAXPROC limit of 2 for user bin (0 in use, 8 asked for)";
	job_record_t *job;

	begin("USERCFG[bin] MAXPROC=2\n");
	job = SUBMIT(.user = "bin", .partitions = "batch,small", .exclusive = true);
	expect_refused(job, text);
	controller_considers(job, "small");
	expect_refused(job, text);
	drive_turn();
	cr_expect(job->state_desc && !strcmp(job->state_desc, text), "'%s'", job->state_desc);
	EXPECT_NUMBER(drive_ask("diagnose-blocked", "{}"), "/counts/limit", 1);
	controller_considers(job, "batch");
	expect_refused(job, text);
	drive_reconfigure("USERCFG[bin] MAXPROC=8\n");
	cr_expect(controller_try(job, true));
}

/* Where its nodes are larger it would get too much; where they are smaller, it starts. */
Test(limits, a_job_of_several_partitions_starts_where_it_gets_less)
{
	job_record_t *job;

	drive_begin("NodeName=n[1-2] CPUs=4 RealMemory=4000\n"
		    "NodeName=m[1-2] CPUs=2 RealMemory=4000\n"
		    "PartitionName=batch Nodes=n[1-2] Default=YES State=UP\n"
		    "PartitionName=small Nodes=m[1-2] State=UP\n",
		    "USERCFG[bin] MAXPROC=2\n");
	job = SUBMIT(.user = "bin", .partitions = "batch,small", .exclusive = true);
	expect_refused(job, "MAXPROC limit of 2 for user bin (0 in use, 4 asked for)");
	drive_turn();
	cr_expect(!job->state_desc || !strstr(job->state_desc, "limit"), "%s", job->state_desc);
	controller_considers(job, "small");
	cr_expect(controller_try(job, true));
}

/* Every turn of drive.c is an iteration: when the next one would be is the engine's own. */
static double retry_of_roll(void)
{
	double retry;

	engine_lock();
	retry = engine.retry;
	engine_unlock();
	return retry;
}

/* When a refused job is tried again. */
static double retry_of_jobs(void)
{
	double retry;

	engine_lock();
	retry = limits_module.due(monotonic_seconds());
	engine_unlock();
	return retry;
}

#define THREE_NODES                                                                                \
	"NodeName=n[1-3] CPUs=4 RealMemory=4000\n"                                                 \
	"PartitionName=batch Nodes=ALL Default=YES State=UP\n"

Test(limits, a_refusal_does_not_put_off_a_roll)
{
	job_record_t *job;
	double retry;

	drive_machine(THREE_NODES, "",
		      "USERCFG[bin] MAXNODE=1\n"
		      "SRCFG[a] HOSTLIST=n3 PERIOD=INFINITY USERLIST=sys\n");
	controller_runs(JOB(.user = "sys", .cpus = 3), "n1");
	controller_runs(JOB(.user = "sys", .cpus = 3), "n2");
	controller_reservation_error = ESLURM_NODES_BUSY;
	drive_start();
	retry = retry_of_roll();
	cr_assert_lt(retry, INFINITY);
	cr_expect_eq(retry_of_jobs(), INFINITY);
	drive_clock(NOW + 1);
	job = SUBMIT(.user = "bin", .cpus = 2);
	expect_refused(job, "MAXNODE limit of 1 for user bin (0 in use, 2 asked for)");
	cr_expect_eq(retry_of_roll(), retry);
	cr_expect_gt(retry_of_jobs(), retry);
	cr_expect_lt(retry_of_jobs(), INFINITY);
	drive_clock(NOW + MINUTE);
	cr_expect_eq(retry_of_jobs(), INFINITY, "it has asked for an iteration");
	drive_stop();
}

/* ---- periods ---- */

Test(limits, what_a_period_lifts_is_listed_by_itself)
{
	struct json_object *data;

	drive_begin(FOUR_NODES, "PERIODCFG[ever] PERIOD=DAY\n"
				"USERCFG[bin] MAXJOB=4 MAXJOB[PERIOD:ever]=-1 MAXPROC=8\n"
				"SYSCFG MAXNODE=4 MAXNODE[PERIOD:ever]=-1\n");
	cr_assert_not_null(SUBMIT(.user = "bin"));
	drive_turn();
	data = drive_ask("diagnose-credentials", "{'type':'user','name':'bin'}");
	cr_assert_eq(drive_length(data, "/credentials/0/limits"), 1);
	EXPECT_TEXT(data, "/credentials/0/limits/0/name", "MAXPROC");
	EXPECT_NULL(data, "/credentials/0/limits/0/next");
	cr_assert_eq(drive_length(data, "/credentials/0/lifted"), 1);
	EXPECT_TEXT(data, "/credentials/0/lifted/0/name", "MAXJOB[PERIOD:ever]");
	EXPECT_TEXT(data, "/credentials/0/lifted/0/period", "ever");
	EXPECT_NUMBER(data, "/credentials/0/lifted/0/hard", -1);
	EXPECT_NULL(data, "/credentials/0/lifted/0/left");
	EXPECT_TEXT(data, "/system/lifted/0/name", "MAXNODE[PERIOD:ever]");
}
