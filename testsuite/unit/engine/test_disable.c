/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What goes on without the engine: `maui disable`, and shadow mode. */
#include "testsuite/unit/engine/drive.h"

#include <sys/stat.h>

#include "plugins/engine/api/select.h"
#include "plugins/engine/life.h"
#include "plugins/engine/runtime/statefile.h"

#define POLICY                                                                                     \
	"NODEALLOCATIONPOLICY FIRSTAVAILABLE\nADMIN1 root man\nADMIN2 sys\n"                       \
	"QUEUETIMEWEIGHT 0\nCREDWEIGHT 1\nUSERWEIGHT 1\n"                                          \
	"ENABLENEGJOBPRIORITY TRUE\nREJECTNEGPRIOJOBS TRUE\n"                                      \
	"USERCFG[games] MAXJOB=1\nUSERCFG[mail] PRIORITY=-3000\n"                                  \
	"SRCFG[own] PERIOD=INFINITY HOSTLIST=n2 USERLIST=bin\n"

TestSuite(disable, .init = drive_init, .fini = drive_fini);
TestSuite(shadow, .init = drive_init, .fini = drive_fini);

static struct {
	job_record_t *inside, *first, *parked, *rejected, *waits;
} jobs;

static void fill(void)
{
	jobs.inside = SUBMIT(.user = "bin", .on = "n2");
	jobs.first = SUBMIT(.user = "games", .on = "n1");
	cr_assert(controller_try(jobs.inside, true) && controller_try(jobs.first, true));
	jobs.parked = SUBMIT(.user = "games");
	jobs.rejected = SUBMIT(.user = "mail");
	jobs.waits = SUBMIT(.user = "bin", .on = "n2", .comment = "x=ADVRES:own");
	drive_ask("set-reservation", "{'hosts':['n4']}");
	drive_turn();
}

Test(disable, nothing_of_ours_is_left_but_priorities)
{
	struct json_object *data;

	drive_begin(FOUR_NODES, POLICY);
	fill();
	cr_assert_not_null(jobs.parked->state_desc);
	cr_assert_eq(jobs.rejected->priority, 0);
	cr_assert(jobs.waits->warn_flags & KILL_JOB_RESV);
	cr_assert_eq(controller_reservation_count(), 2);
	jobs.waits->site_factor = NICE_OFFSET + 2000000957; /* maui setspri 957 */
	jobs.parked->site_factor = NICE_OFFSET + 17;        /* maui setspri -r 17, or the site's */
	data = drive_ask("disable", NULL);
	EXPECT_TRUE(data, "/disabled");
	EXPECT_TRUE(data, "/finished");
	EXPECT_NUMBER(data, "/system_priorities", 1);
	EXPECT_NUMBER(data, "/system_priority_jobs/0", jobs.waits->job_id);
	EXPECT_NUMBER(data, "/blocked_jobs", 0);
	EXPECT_NUMBER(data, "/rejected_jobs", 0);
	EXPECT_NUMBER(data, "/passes", 0);
	EXPECT_NUMBER(data, "/asking_jobs", 1);
	EXPECT_NUMBER(data, "/reservation_count", 0);
	EXPECT_TEXT(data, "/state_directory", drive_path("maui"));
	cr_expect_null(jobs.parked->state_desc);
	cr_expect_gt(jobs.rejected->priority, 0);
	cr_expect_not(jobs.waits->warn_flags & KILL_JOB_RESV);
	cr_expect_not(jobs.inside->warn_flags & KILL_JOB_RESV);
	cr_expect_eq(controller_reservation_count(), 0);
	cr_expect(drive_has_file("maui/disabled"));
	cr_expect(controller_try(jobs.parked, true));
	cr_expect(controller_try(SUBMIT(.user = "sys", .on = "n2"), true));
	cr_expect(strstr(drive_refusal(0, "set-reservation", "{'hosts':['n1']}"), "disabled"));
	cr_expect_not(maui_engine_knows_reservation("own"));
}

Test(disable, it_holds_through_restarts_until_it_is_undone)
{
	struct json_object *data;

	drive_begin(FOUR_NODES, POLICY);
	fill();
	drive_ask("disable", NULL);
	drive_stop();
	drive_start();
	EXPECT_TRUE(drive_ask("status", NULL), "/disabled");
	cr_expect_eq(controller_reservation_count(), 0);
	cr_expect(drive_logged("maui: disabled: only priorities are Maui's"));
	data = drive_ask("enable", NULL);
	EXPECT_FALSE(data, "/disabled");
	EXPECT_NUMBER(data, "/reservation_count", 2);
	cr_expect_not(drive_has_file("maui/disabled"));
	cr_expect_not_null(controller_find_reservation("own.inf"));
	cr_expect_not_null(controller_find_reservation("SYSTEM.0"));
	cr_expect_not_null(jobs.parked->state_desc);
	cr_expect_eq(jobs.rejected->priority, 0);
	drive_turn();
	cr_expect(controller_try(jobs.waits, true), "it has its pass again");
}

Test(disable, the_file_decides_when_slurm_conf_is_read)
{
	drive_begin(FOUR_NODES, POLICY);
	drive_write_file("maui/disabled", "by hand\n");
	drive_reconfigure(POLICY);
	EXPECT_TRUE(drive_ask("status", NULL), "/disabled");
	drive_turn();
	cr_expect_eq(controller_reservation_count(), 0);
	unlink(drive_path("maui/disabled"));
	drive_reconfigure(POLICY);
	EXPECT_FALSE(drive_ask("status", NULL), "/disabled");
}

Test(disable, what_cannot_be_written_is_not_done)
{
	const char *said;

	drive_begin(FOUR_NODES, POLICY);
	cr_assert_eq(mkdir(drive_path("maui/disabled.new"), 0700), 0);
	said = drive_refusal(0, "disable", NULL);
	cr_expect(strstr(said, "cannot write"), "%s", said);
	EXPECT_FALSE(drive_ask("status", NULL), "/disabled");
	cr_expect_not_null(controller_find_reservation("own.inf"));
}

Test(disable, who_may)
{
	drive_begin(FOUR_NODES, POLICY);
	cr_expect_not_null(drive_refusal(drive_uid("bin"), "disable", NULL));
	cr_expect_not_null(drive_refusal(drive_uid("sys"), "disable", NULL));
	drive_ask_as(drive_uid("man"), "disable", NULL);
	drive_ask_as(drive_uid("man"), "enable", NULL);
}

/* ---- shadow mode ---- */

/* As job_submit/maui's watch does when a controller is in charge. */
static void begin_shadow(void)
{
	engine_become_shadow();
	statefile_forbid(true);
	cr_assert_eq(engine_begin(ENGINE_SHADOW), SLURM_SUCCESS);
	drive_turn();
}

Test(shadow, it_computes_and_changes_nothing)
{
	struct json_object *data;
	job_record_t *job, *negative;

	drive_machine(FOUR_NODES, "", POLICY "USERCFG[bin] PRIORITY=70\n");
	job = JOB(.user = "bin");
	negative = JOB(.user = "mail");
	controller_runs(JOB(.user = "games"), "n1");
	JOB(.user = "games");
	job->priority = negative->priority = 4711;
	begin_shadow();
	cr_expect(drive_logged("its policy is judged in shadow mode"));
	cr_expect_not(drive_logged("in force"));
	cr_expect_eq(job->priority, 4711);
	cr_expect_eq(negative->priority, 4711);
	cr_expect_eq(controller_reservation_count(), 0);
	cr_expect_eq(controller_counts.created, 0);
	cr_expect_not(drive_has_file("maui"));
	data = drive_ask("diagnose-priority", "{'user':'bin'}");
	EXPECT_TRUE(data, "/shadow");
	EXPECT_NUMBER(data, "/jobs/0/slurm_priority", 4711);
	EXPECT_NUMBER(data, "/jobs/0/priority", (1 << 30) + 70);
	data = drive_ask("diagnose-blocked", NULL);
	EXPECT_NUMBER(data, "/counts/negative-priority", 1);
	EXPECT_NUMBER(data, "/counts/limit", 1);
	data = drive_ask("show-reservations", NULL);
	EXPECT_TEXT(data, "/reservations/0/name", "own.inf");
	EXPECT_FALSE(data, "/reservations/0/there");
	EXPECT_TRUE(data, "/reservations/0/would");
	EXPECT_TEXT(data, "/reservations/0/nodes", "n2");
	EXPECT_TEXT(drive_ask("status", NULL), "/mode", "shadow");
	cr_expect(strstr(drive_refusal(0, "set-reservation", "{'hosts':['n1']}"), "shadow mode"));
	cr_expect(strstr(drive_refusal(0, "disable", NULL), "shadow mode"));
	drive_reconfigure("USERCFG[bin] PRIORITY=x\n");
	cr_expect(drive_logged("the policy that was judged in shadow mode"));
	cr_expect_not(drive_logged("in force"));
	cr_expect_not(drive_logged("this is a bug in Slurm-Maui"));
}

Test(shadow, the_select_plugin_leaves_everything_to_slurm)
{
	job_record_t *first, *second;

	drive_machine(FOUR_NODES, "", POLICY);
	begin_shadow();
	first = JOB(.user = "games", .on = "n2");
	second = JOB(.user = "games", .on = "n2");
	cr_expect(controller_try(first, true));
	cr_expect(controller_try(second, true), "over its limit, on nodes that would be reserved");
	controller_suspend(first, true);
	controller_suspend(first, false);
	controller_end(first, JOB_COMPLETE);
	drive_pass(MINUTE);
	cr_expect_eq(controller_reservation_count(), 0);
	cr_expect_not(maui_engine_knows_reservation("own"));
}

/* ---- the shadow's watch ---- */

static struct {
	unsigned int second;
	char conf[256];
} watch;

static const char *mode(void)
{
	return json_object_get_string(drive_at(drive_ask("status", NULL), "/mode"));
}

/* What slurmctld goes through, a second at a time. */
static void live(void)
{
	drive_clock(NOW + ++watch.second);
	switch (watch.second) {
	case 1: /* it is a backup: nothing happens */
		cr_expect_str_eq(drive_refusal(0, "status", NULL), "this controller is on standby");
		slurmctld_config.thread_id_save = pthread_self();
		break;
	case 2: /* it is in charge, which is noticed in this second */
		break;
	case 3:
		drive_turn();
		cr_expect_str_eq(mode(), "shadow");
		drive_write_file("maui.cfg", "QUEUETIMEWEIGHT 5\n");
		slurm_conf.last_update = NOW + 2; /* scontrol reconfigure */
		break;
	case 4:
		drive_turn();
		EXPECT_NUMBER(drive_ask("status", NULL), "/policy/readings", 1);
		xfree(slurm_conf.priority_params); /* maui_mode=shadow is removed */
		slurm_conf.priority_params = xstrdup(watch.conf);
		slurm_conf.last_update = NOW + 3;
		break;
	case 5:
		cr_expect_str_eq(drive_refusal(0, "status", NULL), "this controller is on standby");
		cr_expect(drive_logged("shadow mode ends"));
		break;
	default:
		maui_engine_shadow_stop();
	}
}

Test(shadow, the_watch_looks_at_who_is_in_charge)
{
	char slurm_conf_lines[512];

	snprintf(watch.conf, sizeof(watch.conf), "maui_cfg=%s", drive_path("maui.cfg"));
	snprintf(slurm_conf_lines, sizeof(slurm_conf_lines),
		 "PriorityType=priority/multifactor\nPriorityParameters=%s,maui_mode=shadow\n",
		 watch.conf);
	drive_machine(FOUR_NODES, slurm_conf_lines, "");
	slurm_conf.last_update = NOW - HOUR;
	drive_each_second = live;
	cr_expect_eq(maui_engine_shadow_start(), SLURM_SUCCESS);
	drive_turn();
	cr_expect_eq(watch.second, 6);
	cr_expect_not(drive_has_file("maui"));
}

Test(shadow, there_is_none_unless_slurm_conf_asks_for_it)
{
	drive_machine(FOUR_NODES, "", "");
	cr_expect_eq(maui_engine_shadow_start(), SLURM_SUCCESS);
	xfree(slurm_conf.priority_type);
	slurm_conf.priority_type = xstrdup("priority/basic");
	cr_expect_eq(maui_engine_shadow_start(), SLURM_SUCCESS);
	drive_turn();
	cr_expect_not(engine_is_shadow());
}
