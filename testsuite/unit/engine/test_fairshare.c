/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fairshare: what jobs and idle reservations are charged, its files, its factor, and caps. */
#include "testsuite/unit/engine/drive.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>

#include "testsuite/unit/engine/faults.h"

#define DAYS      "FSPOLICY DEDICATEDPS\nFSINTERVAL 24:00:00\nFSDEPTH 3\nFSDECAY 0.5\n"
#define FIRST     "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n"
#define TODAY     "maui/stats/FS.1699833600" /* it began at midnight */
#define STANDS_IN "maui/stats/stands-in-for"
#define YESTERDAY "maui/stats/FS.1699747200"

TestSuite(fairshare, .init = drive_init, .fini = drive_fini);

static struct json_object *report(void)
{
	return drive_ask("diagnose-fairshare", NULL);
}

static void expect_usage(const char *type, const char *name, double usage)
{
	struct json_object *data = report();
	char pointer[64];

	snprintf(pointer, sizeof(pointer), "/credentials/%s", type);
	snprintf(pointer, sizeof(pointer), "/credentials/%s/%d/usage", type,
		 drive_place(data, pointer, "name", name));
	EXPECT_NUMBER(data, pointer, usage);
}

static job_record_t *started(const struct controller_job *wanted)
{
	job_record_t *job = controller_submit(wanted);

	cr_assert(controller_try(job, true));
	return job;
}
#define RUN(...) started(&(struct controller_job){__VA_ARGS__})

Test(fairshare, each_second_of_a_job_counts_once)
{
	struct json_object *data;
	job_record_t *job;

	drive_begin(FOUR_NODES, DAYS);
	job = RUN(.user = "bin", .account = "art", .cpus = 2);
	drive_pass(10 * MINUTE);
	expect_usage("user", "bin", 1200);
	drive_pass(20 * MINUTE);
	drive_turn();
	controller_end(job, JOB_COMPLETE);
	drive_turn();
	drive_pass(HOUR);
	expect_usage("user", "bin", 3600);
	expect_usage("group", "bin", 3600);
	expect_usage("account", "art", 3600);
	expect_usage("class", "batch", 3600);
	data = report();
	EXPECT_NUMBER(data, "/usage", 3600);
	EXPECT_NUMBER(data, "/windows/0/start", NOW - 12 * HOUR);
	EXPECT_NUMBER(data, "/counted", NOW + 90 * MINUTE);
	EXPECT_NUMBER(data, "/credentials/user/0/percent", 100);
	EXPECT_TEXT(data, "/policy", "DEDICATEDPS");
}

Test(fairshare, a_job_between_two_iterations_counts)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, DAYS);
	job = RUN(.user = "bin", .cpus = 3);
	drive_clock(NOW + 100);
	controller_end(job, JOB_COMPLETE);
	controller_purge(job);
	drive_turn();
	expect_usage("user", "bin", 300);
}

Test(fairshare, suspended_time_does_not_count)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, DAYS);
	job = RUN(.user = "bin");
	drive_pass(100);
	controller_suspend(job, true);
	drive_pass(1000);
	expect_usage("user", "bin", 100);
	controller_suspend(job, false);
	drive_pass(50);
	expect_usage("user", "bin", 150);
}

Test(fairshare, a_requeued_run_counts)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, DAYS);
	job = RUN(.user = "bin");
	drive_pass(100);
	drive_clock(NOW + 130);
	controller_requeue(job);
	drive_pass(70);
	expect_usage("user", "bin", 130);
	cr_assert(controller_try(job, true));
	drive_pass(50);
	expect_usage("user", "bin", 180);
}

static void remove_all(const char *name)
{
	char command[PATH_MAX + 20];

	snprintf(command, sizeof(command), "rm -r '%s'", drive_path(name));
	cr_assert_eq(system(command), 0, "%s", command); /* NOLINT(cert-env33-c) */
}

Test(fairshare, files_that_somebody_removes_are_written_again)
{
	static const char *const removed[] = {TODAY, "maui/stats", "maui"};

	drive_begin(FOUR_NODES, DAYS);
	RUN(.user = "bin");
	drive_pass(HOUR);
	for (size_t i = 0; i < sizeof(removed) / sizeof(*removed); i++) {
		char *text;

		drive_pass(5 * MINUTE); /* CHECKPOINTINTERVAL */
		cr_assert(drive_has_file(TODAY), "%s", removed[i]);
		remove_all(removed[i]);
		drive_pass(MINUTE);
		text = drive_file(TODAY);
		cr_assert(text, "%s", removed[i]);
		cr_expect(strstr(text, i == 0   ? "User bin 3960.000"
				       : i == 1 ? "User bin 4320.000"
						: "User bin 4680.000"),
			  "%s: %s", removed[i], text);
		cr_expect(drive_has_file(YESTERDAY), "%s", removed[i]);
		free(text);
	}
	cr_expect(drive_logged("written again from memory"));
}

Test(fairshare, windows_roll_and_decay)
{
	struct json_object *data;
	job_record_t *job;

	drive_begin(FOUR_NODES, DAYS);
	job = RUN(.user = "bin", .minutes = 24 * 60);
	drive_pass(HOUR);
	controller_end(job, JOB_COMPLETE);
	drive_turn();
	drive_pass(DAY);
	expect_usage("user", "bin", HOUR / 2);
	RUN(.user = "sys", .cpus = 1, .minutes = 24 * 60);
	drive_pass(HOUR);
	data = report();
	EXPECT_NUMBER(data, "/usage", HOUR + HOUR / 2);
	EXPECT_NUMBER(data, "/windows/1/usage", HOUR);
	EXPECT_NUMBER(data, "/windows/1/weight", 0.5);
	EXPECT_NUMBER(data, "/credentials/user/0/percent", 100.0 / 3);
	drive_pass(DAY);
	drive_pass(DAY);
	data = report();
	EXPECT_NUMBER(data, "/windows/2/usage", 11 * HOUR); /* what sys used on that day */
}

Test(fairshare, dedicatedpes_count_what_is_scarce)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, DAYS "FSPOLICY DEDICATEDPES\n");
	job = RUN(.user = "bin", .cpus = 1, .memory = 2000); /* half of a node */
	drive_pass(100);
	expect_usage("user", "bin", 200);
	controller_end(job, JOB_COMPLETE);
}

Test(fairshare, utilizedps_count_what_was_used)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, DAYS "FSPOLICY UTILIZEDPS\n");
	job = RUN(.user = "bin", .cpus = 2);
	drive_pass(100);
	expect_usage("user", "bin", 200); /* as held, while nothing better is known */
	drive_clock(NOW + 200);
	controller_step_ends(job, 100);
	controller_end(job, JOB_COMPLETE);
	drive_turn();
	drive_pass(10);
	expect_usage("user", "bin", 100);
}

Test(fairshare, fast_nodes_count_more)
{
	drive_begin(FOUR_NODES, DAYS FIRST "USEMACHINESPEEDFORFS TRUE\nNODECFG[n1] SPEED=2\n");
	RUN(.user = "bin", .on = "n1");
	RUN(.user = "sys", .on = "n2");
	drive_pass(100);
	expect_usage("user", "bin", 200);
	expect_usage("user", "sys", 100);
}

/* ---- files ---- */

Test(fairshare, files_outlive_the_engine)
{
	job_record_t *job;
	char *text;

	drive_begin(FOUR_NODES, DAYS);
	job = RUN(.user = "bin", .account = "art", .cpus = 2);
	drive_pass(HOUR);
	drive_stop();
	text = drive_file(TODAY);
	cr_assert_not_null(text);
	cr_expect(strstr(text, "86400 Seconds)"), "%s", text);
	cr_expect(strstr(text, "\nUser bin 7200.000\n"), "%s", text);
	cr_expect(strstr(text, "\nAccount art 7200.000\n"), "%s", text);
	cr_expect(strstr(text, "\nTOTAL 7200.000\n"), "%s", text);
	free(text);
	drive_clock(NOW + HOUR + 100); /* while no controller is in charge the job runs on */
	drive_start();
	expect_usage("user", "bin", 7400);
	controller_end(job, JOB_COMPLETE);
	drive_turn();
	drive_pass(10 * MINUTE);
	expect_usage("user", "bin", 7400);
	text = drive_file(TODAY);
	cr_expect(text && strstr(text, "\nUser bin 7400.000\n"), "written meanwhile: %s", text);
	free(text);
}

static void expect_file(const char *name, const char *text)
{
	char *found = drive_file(name);

	cr_expect(found && strstr(found, text), "%s: %s", name, found ? found : "not there");
	free(found);
}

/* A file of the original program: it does not say what it counts. */
static void write_originals(void)
{
	cr_assert_eq(mkdir(drive_path("maui"), 0700), 0);
	cr_assert_eq(mkdir(drive_path("maui/stats"), 0700), 0);
	drive_write_file(
		YESTERDAY,
		"# FS Data File (Duration: 86400 seconds)  Starting: Sun Nov 12 00:00:00\n\n"
		"user bin 150000.000\nacct acme 400000.000\nsched batch 600000.000\n");
}

Test(fairshare, files_of_the_original_are_read)
{
	write_originals();
	drive_write_file(TODAY, "rubbish\n");
	drive_begin(FOUR_NODES, DAYS);
	expect_usage("user", "bin", 75000);
	expect_usage("account", "acme", 200000);
	EXPECT_NUMBER(report(), "/usage", 300000);
	EXPECT_NUMBER(report(), "/windows/0/usage", 0);
}

/* From 23.11 on a reconfigure is a new process, which knows of another FSPOLICY by the files
 * alone. */
Test(fairshare, a_file_that_does_not_say_what_it_counts_does_so_soon)
{
	write_originals();
	drive_begin(FOUR_NODES, DAYS);
	expect_usage("user", "bin", 75000);
	drive_pass(MINUTE);
	expect_usage("user", "bin", 75000);
	drive_stop();
	expect_file(YESTERDAY, "\n# Metric: DEDICATEDPS\n");
	expect_file(YESTERDAY, "\nUser bin 150000.000\n");
}

Test(fairshare, statdir_is_another)
{
	char maui_cfg[256];
	char *text;

	drive_begin(FOUR_NODES, DAYS);
	RUN(.user = "bin");
	drive_pass(100);
	snprintf(maui_cfg, sizeof(maui_cfg), DAYS "STATDIR %s\n", drive_path("elsewhere"));
	drive_reconfigure(maui_cfg);
	drive_pass(MINUTE);
	drive_pass(10 * MINUTE);
	text = drive_file("elsewhere/FS.1699833600");
	cr_expect(text && strstr(text, "User bin "), "%s", text);
	free(text);
	EXPECT_TEXT(report(), "/directory", drive_path("elsewhere"));
	snprintf(maui_cfg, sizeof(maui_cfg), DAYS "STATDIR %s\n", drive_path("no/such"));
	drive_reconfigure(maui_cfg);
	EXPECT_TEXT(report(), "/directory", drive_path("maui/stats"));
	EXPECT_TEXT(drive_ask("status", NULL), "/statdir/missing", drive_path("no/such"));
	cr_expect(drive_logged("is not a usable directory"));
	expect_usage("user", "bin", 100 + 11 * MINUTE);
	cr_assert_eq(mkdir(drive_path("no"), 0700), 0);
	drive_pass(MINUTE);
	drive_pass(MINUTE);
	EXPECT_TEXT(report(), "/directory", drive_path("no/such"));
	expect_usage("user", "bin", 100 + 13 * MINUTE);
}

/* Otherwise a restart would add STATDIR's new windows to their copies. */
Test(fairshare, what_stood_in_is_forgotten_although_its_file_could_not_be_removed)
{
	char maui_cfg[256];

	snprintf(maui_cfg, sizeof(maui_cfg), DAYS "STATDIR %s\n", drive_path("no/such"));
	drive_begin(FOUR_NODES, maui_cfg);
	RUN(.user = "bin", .minutes = 3000);
	drive_pass(100);
	cr_assert(drive_has_file(STANDS_IN));
	cr_assert_eq(mkdir(drive_path("no"), 0700), 0);
	faults_begin(FAULTS_UNLINK, 1, EIO);
	drive_pass(MINUTE);
	drive_pass(MINUTE);
	cr_assert(faults_end());
	cr_expect(drive_has_file(STANDS_IN));
	EXPECT_TEXT(report(), "/directory", drive_path("no/such"));
	drive_pass(MINUTE);
	drive_pass(20 * HOUR);
	drive_pass(MINUTE);
	cr_expect_not(drive_has_file(STANDS_IN));
	drive_stop();
	drive_start();
	drive_pass(MINUTE);
	drive_pass(MINUTE);
	EXPECT_TEXT(report(), "/directory", drive_path("no/such"));
	EXPECT_NUMBER(report(), "/windows/0/usage", 8 * HOUR + 100 + 6 * MINUTE);
}

Test(fairshare, another_interval_begins_anew)
{
	drive_begin(FOUR_NODES, DAYS);
	RUN(.user = "bin");
	drive_pass(100);
	drive_reconfigure(DAYS "FSINTERVAL 12:00:00\n");
	cr_expect(drive_logged("FSINTERVAL is now 43200 seconds, and was 86400"));
	drive_pass(50);
	EXPECT_NUMBER(report(), "/interval", 43200);
	expect_usage("user", "bin", 50);
	drive_reconfigure("");
	EXPECT_TEXT(report(), "/policy", "[NONE]");
	drive_reconfigure(DAYS);
	expect_usage("user", "bin", 150);
}

#define PES DAYS "FSPOLICY DEDICATEDPES\n"

Test(fairshare, another_metric_begins_anew)
{
	drive_begin(FOUR_NODES, DAYS);
	RUN(.user = "bin", .cpus = 1, .memory = 2000); /* as much as 2 processors */
	drive_pass(100);
	drive_reconfigure(PES);
	cr_expect(drive_logged("FSPOLICY is now DEDICATEDPES, and was DEDICATEDPS"));
	cr_expect(drive_logged("it is kept"));
	expect_file(TODAY ".DEDICATEDPS", "\n# Metric: DEDICATEDPS\n");
	expect_file(TODAY ".DEDICATEDPS", "\nUser bin 100.000\n");
	drive_pass(50);
	EXPECT_TEXT(report(), "/policy", "DEDICATEDPES");
	expect_usage("user", "bin", 100);
	drive_reconfigure(DAYS); /* taken up, and goes on */
	expect_file(TODAY ".DEDICATEDPES", "\nUser bin 100.000\n");
	cr_expect_not(drive_has_file(TODAY ".DEDICATEDPS"));
	drive_pass(30);
	expect_usage("user", "bin", 130);
	drive_stop();
	expect_file(TODAY, "\nUser bin 130.000\n");
	drive_start();
	expect_usage("user", "bin", 130);
}

/* What ends just before has a rate of the old metric already: it counts by the new one as long as
 * Slurm knows how long it ran, and then not at all. */
static void end_before_change(const char *from, const char *to, double ended)
{
	job_record_t *over, *requeued, *gone;

	drive_begin(FOUR_NODES, from);
	over = RUN(.user = "bin", .cpus = 1, .memory = 2000);
	requeued = RUN(.user = "sys", .cpus = 1, .memory = 2000);
	gone = RUN(.user = "games", .cpus = 1, .memory = 2000);
	drive_pass(100);
	drive_clock(NOW + 130);
	controller_end(over, JOB_COMPLETE);
	controller_requeue(requeued);
	controller_end(gone, JOB_COMPLETE);
	controller_purge(gone);
	drive_reconfigure(to);
	drive_pass(10);
	expect_usage("user", "bin", ended);
	EXPECT_NUMBER(report(), "/usage", ended);
}

Test(fairshare, processors_of_a_run_that_ended_are_no_pe)
{
	end_before_change(DAYS, PES, 60);
}

Test(fairshare, pe_of_a_run_that_ended_are_no_processors)
{
	end_before_change(PES, DAYS, 30);
}

Test(fairshare, measured_use_corrects_no_other_metric)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, DAYS "FSPOLICY UTILIZEDPS\n");
	job = RUN(.user = "bin", .cpus = 2);
	drive_pass(100);
	drive_clock(NOW + 120);
	controller_step_ends(job, 10);
	drive_reconfigure(DAYS);
	drive_clock(NOW + 200);
	controller_end(job, JOB_COMPLETE);
	drive_turn();
	drive_pass(10);
	expect_usage("user", "bin", 200);
}

/* ---- its effects ---- */

Test(fairshare, who_used_less_goes_first)
{
	job_record_t *used, *unused;

	drive_begin(FOUR_NODES, DAYS "QUEUETIMEWEIGHT 0\nFSWEIGHT 1\nFSUSERWEIGHT 10\n"
				     "USERCFG[DEFAULT] FSTARGET=50\n");
	RUN(.user = "bin");
	drive_pass(HOUR);
	used = SUBMIT(.user = "bin");
	unused = SUBMIT(.user = "sys");
	drive_turn();
	cr_expect_eq(unused->priority, 500); /* 50 points below its target */
	cr_expect_lt(used->priority, 10);
	EXPECT_NUMBER(drive_ask("diagnose-priority", "{'user':'sys'}"),
		      "/jobs/0/components/FS/subcomponents/FSUSER/factor", 50);
}

Test(fairshare, a_hard_cap_stops_jobs_until_usage_decays)
{
	struct json_object *data;
	job_record_t *first, *second;

	drive_begin(FOUR_NODES, DAYS "USERCFG[bin] FSTARGET=10000^\n");
	first = RUN(.user = "bin", .cpus = 2); /* 7200 */
	drive_pass(HOUR);
	controller_end(first, JOB_COMPLETE);
	drive_turn();
	second = SUBMIT(.user = "bin", .cpus = 1);
	cr_expect_not(controller_try(second, true), "7200 and 3600 are more than 10000");
	cr_assert_not_null(second->state_desc);
	cr_expect(strstr(second->state_desc, "FSTARGET"), "%s", second->state_desc);
	drive_turn();
	EXPECT_TEXT(drive_ask("diagnose-blocked", NULL), "/jobs/0/kind", "fairshare-cap");
	data = report();
	EXPECT_TEXT(data, "/blocked/0/name", "bin");
	EXPECT_TEXT(data, "/blocked/0/mode", "cap-ps");
	EXPECT_NUMBER(data, "/blocked/0/cap", 10000);
	EXPECT_NUMBER(data, "/blocked/0/usage", 7200);
	EXPECT_NUMBER(data, "/blocked/0/request", 3600);
	EXPECT_NUMBER(data, "/blocked/0/until", NOW + 12 * HOUR);
	first = RUN(.user = "bin", .minutes = 40); /* 2400 fit */
	controller_end(first, JOB_COMPLETE);
	drive_pass(12 * HOUR);
	cr_expect(controller_try(second, true), "half of it counts today");
}

Test(fairshare, a_cap_in_percent)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, DAYS "USERCFG[bin] FSTARGET=30%\n");
	RUN(.user = "sys");
	RUN(.user = "bin");
	drive_pass(HOUR);
	job = SUBMIT(.user = "bin");
	cr_expect_not(controller_try(job, true));
	drive_turn();
	EXPECT_TEXT(report(), "/blocked/0/mode", "cap-percent");
	EXPECT_NULL(report(), "/blocked/1");
}

Test(fairshare, reports_show_targets_and_who_may_see_them)
{
	struct json_object *data;

	drive_machine(FOUR_NODES, "PrivateData=usage,jobs\n",
		      DAYS "USERCFG[bin] FSTARGET=10-\nUSERCFG[DEFAULT] FSTARGET=20\n"
			   "ACCOUNTCFG[art] FSTARGET=5+\n");
	drive_start();
	RUN(.user = "bin", .account = "art");
	RUN(.user = "games");
	drive_pass(HOUR);
	data = drive_ask("diagnose-fairshare", "{'type':'user'}");
	cr_assert_eq(drive_length(data, "/credentials/user"), 3);
	EXPECT_TEXT(data, "/credentials/user/0/name", "bin");
	EXPECT_TEXT(data, "/credentials/user/0/mode", "ceiling");
	EXPECT_TEXT(data, "/credentials/user/0/mark", "-");
	EXPECT_TRUE(data, "/credentials/user/0/off_target");
	EXPECT_NUMBER(data, "/credentials/user/1/target", 20);
	EXPECT_TEXT(data, "/credentials/user/2/name", "DEFAULT");
	EXPECT_TEXT(report(), "/credentials/account/0/mode", "floor");
	data = drive_ask_as(drive_uid("games"), "diagnose-fairshare", NULL);
	cr_assert_eq(drive_length(data, "/credentials/user"), 2);
	EXPECT_TEXT(data, "/credentials/user/0/name", "games");
	controller_operator = drive_uid("games");
	data = drive_ask_as(controller_operator, "diagnose-fairshare", NULL);
	cr_expect_eq(drive_length(data, "/credentials/user"), 3);
	cr_expect_not_null(drive_refusal(0, "diagnose-fairshare", "{'type':'shoe'}"));
}

/* ---- idle cycles ---- */

#define OWNED                                                                                      \
	DAYS FIRST "SRCFG[own] HOSTLIST=n[1-2] PERIOD=INFINITY USERLIST=bin,sys "                  \
		   "CHARGEACCOUNT=jupiter\n"

Test(fairshare, what_stands_idle_in_a_reservation_is_charged)
{
	job_record_t *inside;

	drive_begin(FOUR_NODES, OWNED);
	drive_pass(100);
	expect_usage("account", "jupiter", 8 * 100);
	EXPECT_NUMBER(report(), "/usage", 800);
	inside = RUN(.user = "bin", .cpus = 3, .on = "n1");
	RUN(.user = "games", .cpus = 3, .on = "n3"); /* elsewhere */
	drive_pass(100);
	expect_usage("account", "jupiter", 800 + 5 * 100);
	controller_suspend(inside, true);
	drive_pass(10);
	expect_usage("account", "jupiter", 1300 + 8 * 10);
	controller_suspend(inside, false);
	drive_pass(10);
	expect_usage("account", "jupiter", 1380 + 5 * 10);
	drive_clock(NOW + 230);
	controller_end(inside, JOB_COMPLETE);
	drive_pass(10);
	expect_usage("account", "jupiter", 1430 + 5 * 10 + 8 * 10);
	EXPECT_NUMBER(report(), "/usage", 1560 + 3 * (100 + 10 + 10) + 3 * 140);
}

Test(fairshare, a_node_that_is_down_is_not_idle)
{
	drive_begin(FOUR_NODES, OWNED);
	drive_pass(100);
	controller_state("n1", NODE_STATE_IDLE | NODE_STATE_DRAIN);
	drive_turn();
	drive_pass(100);
	expect_usage("account", "jupiter", 800 + 400);
}

Test(fairshare, an_owner_answers_where_no_account_does)
{
	drive_begin(FOUR_NODES, DAYS FIRST "SRCFG[own] HOSTLIST=n[1-2] PERIOD=INFINITY "
					   "USERLIST=bin OWNER=USER:bin\n");
	drive_pass(100);
	expect_usage("user", "bin", 800);
	drive_reconfigure(DAYS);
	drive_pass(100);
	expect_usage("user", "bin", 800);
}

Test(fairshare, idle_cycles_outlive_the_engine)
{
	drive_begin(FOUR_NODES, OWNED);
	drive_pass(100);
	drive_stop();
	drive_clock(NOW + 200); /* no controller in charge: nothing is charged */
	drive_start();
	expect_usage("account", "jupiter", 800);
	drive_pass(10);
	expect_usage("account", "jupiter", 880);
	drive_stop();
	drive_write_file("maui/idle", "slurm-maui idle 1\nrubbish\n");
	drive_start();
	cr_expect(drive_has_file("maui/idle.damaged"));
	expect_usage("account", "jupiter", 880);
}
