/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State files that cannot be read for a while, though nothing is wrong with them: none is written
 * over, and what is in it counts as soon as it can be read (D-SYS-15).
 */
#include "testsuite/unit/engine/drive.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testsuite/unit/engine/faults.h"

#define POLICY                                                                                     \
	"NODEALLOCATIONPOLICY FIRSTAVAILABLE\nADMIN1 root\nRMPOLLINTERVAL 30\n"                    \
	"FSPOLICY DEDICATEDPS\nFSINTERVAL 24:00:00\nFSDEPTH 3\nFSDECAY 0.5\n"                      \
	"JOBPRIOACCRUALPOLICY FULLPOLICY\n"                                                        \
	"SRCFG[own] HOSTLIST=n[1-2] PERIOD=INFINITY USERLIST=bin,sys CHARGEACCOUNT=jupiter\n"
#define TODAY "maui/stats/FS.1699833600"

static void fini(void)
{
	faults_path(NULL, 0);
	drive_fini();
}

TestSuite(unread, .init = drive_init, .fini = fini);

static void expect_usage(const char *type, const char *name, double usage)
{
	struct json_object *data = drive_ask("diagnose-fairshare", NULL);
	char pointer[64];

	snprintf(pointer, sizeof(pointer), "/credentials/%s", type);
	snprintf(pointer, sizeof(pointer), "/credentials/%s/%d/usage", type,
		 drive_place(data, pointer, "name", name));
	EXPECT_NUMBER(data, pointer, usage);
}

static job_record_t *run(const char *user)
{
	job_record_t *job = SUBMIT(.user = user, .cpus = 2, .on = "n4", .minutes = 600);

	cr_assert(controller_try(job, true));
	return job;
}

/* It is there, its content is that, and the status says how it stands. */
static void expect_unread(const char *name, const char *content)
{
	struct json_object *data = drive_ask("status", NULL);
	char *found = drive_file(name), damaged[128];

	cr_expect(found && !strcmp(found, content), "%s: %s", name, found ? found : "gone");
	free(found);
	snprintf(damaged, sizeof(damaged), "%s.damaged", name);
	cr_expect_not(drive_has_file(damaged), "%s", damaged);
	cr_assert_eq(drive_length(data, "/unread_files"), 1, "%s: %s", name,
		     json_object_to_json_string(data));
	EXPECT_TEXT(data, "/unread_files/0/path", drive_path(name));
}

static void expect_read(void)
{
	cr_expect_eq(drive_length(drive_ask("status", NULL), "/unread_files"), 0);
}

/* ---- fairshare ---- */

/* One job ends before, another goes on, a third one runs meanwhile. */
static void usage_survives(int code)
{
	job_record_t *before, *meanwhile;
	char *whole;

	drive_begin(FOUR_NODES, POLICY);
	before = run("bin");
	drive_pass(HOUR);
	controller_end(before, JOB_COMPLETE);
	controller_purge(before);
	run("sys");
	drive_pass(MINUTE);
	drive_stop();
	whole = drive_file(TODAY);
	faults_path(TODAY, code);
	drive_clock(NOW + HOUR + 3 * MINUTE);
	drive_start();
	expect_unread(TODAY, whole);
	meanwhile = run("games");
	drive_pass(10 * MINUTE);
	controller_end(meanwhile, JOB_COMPLETE);
	drive_turn();
	controller_purge(meanwhile);
	drive_pass(20 * MINUTE);
	expect_unread(TODAY, whole);
	expect_usage("user", "games", 1200);
	faults_path(NULL, 0);
	drive_pass(10 * MINUTE);
	drive_turn();
	expect_read();
	expect_usage("user", "bin", 2 * HOUR);
	expect_usage("user", "sys", 2 * 43 * MINUTE);
	expect_usage("user", "games", 1200);
	drive_stop();
	drive_start();
	expect_usage("user", "bin", 2 * HOUR);
	expect_usage("user", "sys", 2 * 43 * MINUTE);
	expect_usage("user", "games", 1200);
	expect_usage("account", "jupiter", 8 * 101 * MINUTE);
	free(whole);
}

Test(unread, a_window_of_fairshare)
{
	usage_survives(EMFILE);
}

Test(unread, a_window_of_fairshare_on_a_bad_disk)
{
	usage_survives(EIO);
}

/* It could be read only when the engine ended: what was counted until then is not lost. */
Test(unread, a_window_that_can_be_read_when_the_engine_ends)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, POLICY);
	run("bin");
	drive_pass(HOUR);
	drive_stop();
	faults_path(TODAY, ESTALE);
	drive_start();
	job = run("sys");
	drive_pass(10 * MINUTE);
	controller_end(job, JOB_COMPLETE);
	drive_turn();
	controller_purge(job);
	faults_path(NULL, 0);
	drive_stop();
	drive_start();
	expect_usage("user", "bin", 2 * 70 * MINUTE);
	expect_usage("user", "sys", 20 * MINUTE);
}

/* ---- reservations ---- */

static void expect_reservations(bool open)
{
	slurmctld_resv_t *own = controller_find_reservation("own.inf");
	slurmctld_resv_t *maint = controller_find_reservation("maint.0");

	cr_assert_not_null(own);
	cr_assert_not_null(maint);
	cr_expect_eq(controller_reservation_count(), 2);
	cr_expect_eq(own->max_start_delay != 0, open);
}

static void reserve(void)
{
	drive_begin(FOUR_NODES, POLICY);
	drive_ask("set-reservation", "{'hosts':['n3'],'name':'maint','duration':72000,"
				     "'acl':[{'list':'USERLIST','value':'bin'}]}");
	drive_pass(MINUTE);
	expect_reservations(true);
}

Test(unread, reservations)
{
	char *whole;

	reserve();
	drive_stop();
	whole = drive_file("maui/reservations");
	faults_path("maui/reservations", EMFILE);
	drive_start();
	expect_unread("maui/reservations", whole);
	cr_expect(drive_logged("maui/reservations cannot be read now ("));
	drive_pass(10 * MINUTE);
	expect_reservations(false);
	drive_reconfigure("ADMIN1 root\nSRCFG[new] HOSTLIST=n4 PERIOD=INFINITY\n");
	drive_pass(10 * MINUTE);
	expect_reservations(false);
	cr_expect_not_null(strstr(drive_refusal(0, "set-reservation",
						"{'hosts':['n4'],'name':'more','duration':3600}"),
				  "cannot read its file of reservations now"));
	drive_reconfigure(POLICY);
	expect_unread("maui/reservations", whole);
	faults_path(NULL, 0);
	drive_pass(10 * MINUTE);
	drive_pass(MINUTE);
	expect_read();
	expect_reservations(true);
	drive_stop();
	free(whole);
}

/* Nobody but these two is let in; jobs on other nodes start as ever. */
Test(unread, nobody_gets_into_reservations_that_may_be_ours)
{
	job_record_t *job;

	reserve();
	faults_path("maui/reservations", EIO);
	drive_stop();
	drive_start();
	drive_pass(MINUTE);
	job = SUBMIT(.user = "bin", .on = "n1");
	drive_pass(MINUTE);
	cr_expect_not(controller_try(job, true));
	job = SUBMIT(.user = "bin", .on = "n4");
	drive_pass(MINUTE);
	cr_expect(controller_try(job, true));
	faults_path(NULL, 0);
	drive_pass(10 * MINUTE);
	drive_pass(MINUTE);
	job = SUBMIT(.user = "bin", .on = "n1");
	drive_pass(MINUTE);
	cr_expect(controller_try(job, true));
}

Test(unread, setres)
{
	char *whole;

	reserve();
	drive_stop();
	whole = drive_file("maui/setres");
	faults_path("maui/setres", EACCES);
	drive_start();
	drive_pass(10 * MINUTE);
	expect_unread("maui/setres", whole);
	expect_reservations(true);
	EXPECT_TRUE(drive_ask("diagnose-reservations", "{'name':'maint.0'}"),
		    "/standing/0/recovered");
	cr_expect_not_null(strstr(drive_refusal(0, "set-reservation",
						"{'hosts':['n4'],'name':'more','duration':3600}"),
				  "is not replaced until it has been read"));
	faults_path(NULL, 0);
	drive_pass(10 * MINUTE);
	drive_pass(MINUTE);
	expect_read();
	expect_reservations(true);
	EXPECT_FALSE(drive_ask("diagnose-reservations", "{'name':'maint.0'}"),
		     "/standing/0/recovered");
	drive_stop();
	free(whole);
}

/* ---- the rest ---- */

/* Is not touched while it cannot be read, and written again after that. */
static void is_left_alone(const char *name, int code, bool changes)
{
	job_record_t *job;
	char *whole, *after;

	reserve();
	job = run("bin");
	SUBMIT(.user = "sys", .cpus = 4, .held = true);
	drive_pass(6 * MINUTE);
	drive_stop();
	whole = drive_file(name);
	cr_assert_not_null(whole, "%s", name);
	faults_path(name, code);
	drive_start();
	drive_pass(10 * MINUTE);
	controller_end(job, JOB_COMPLETE);
	drive_pass(10 * MINUTE);
	expect_unread(name, whole);
	drive_stop();
	drive_start();
	expect_unread(name, whole);
	faults_path(NULL, 0);
	drive_pass(10 * MINUTE);
	drive_pass(10 * MINUTE);
	expect_read();
	drive_stop();
	after = drive_file(name);
	cr_expect(after && (!changes || strcmp(after, whole) != 0), "%s: %s", name, after);
	free(after);
	free(whole);
}

Test(unread, jobs)
{
	is_left_alone("maui/jobs", EMFILE, true);
}

/* A limit had restarted its queue time when the file was written. */
Test(unread, queue_time_of_a_job_that_was_blocked)
{
	job_record_t *job, *waits;

	drive_begin(FOUR_NODES, "QUEUETIMEWEIGHT 10\nUSERCFG[bin] MAXJOB=1\n");
	job = run("bin");
	waits = SUBMIT(.user = "bin", .ago = HOUR);
	drive_turn();
	drive_pass(MINUTE);
	drive_stop();
	controller_end(job, JOB_COMPLETE);
	faults_path("maui/jobs", EMFILE);
	drive_start();
	cr_expect_eq(waits->priority, 610, "%u", waits->priority);
	faults_path(NULL, 0);
	drive_pass(10 * MINUTE);
	expect_read();
	drive_pass(5 * MINUTE);
	cr_expect_eq(waits->priority, 50, "%u", waits->priority);
}

Test(unread, nodes)
{
	is_left_alone("maui/nodes", ENFILE, true);
}

Test(unread, idle)
{
	is_left_alone("maui/idle", ENOMEM, false);
}

/* A link to what is not mounted now is no missing file. */
Test(unread, a_link_to_nothing)
{
	char path[256], target[256];

	reserve();
	drive_stop();
	snprintf(path, sizeof(path), "%s", drive_path("maui/reservations"));
	snprintf(target, sizeof(target), "%s", drive_path("elsewhere"));
	cr_assert_eq(rename(path, target), 0);
	cr_assert_eq(symlink(drive_path("nowhere"), path), 0);
	drive_start();
	drive_pass(10 * MINUTE);
	expect_reservations(false);
	cr_assert_eq(rename(target, path), 0);
	drive_pass(10 * MINUTE);
	drive_pass(MINUTE);
	expect_read();
	expect_reservations(true);
}

/* A file in a loop of links: even root cannot tell whether it is there. */
static void hide(const char *name)
{
	char path[256], hidden[264];

	snprintf(path, sizeof(path), "%s", drive_path(name));
	snprintf(hidden, sizeof(hidden), "%s.hidden", path);
	rename(path, hidden);
	cr_assert_eq(symlink(path, path), 0);
}

static void show(const char *name)
{
	char path[256], hidden[264];

	snprintf(path, sizeof(path), "%s", drive_path(name));
	snprintf(hidden, sizeof(hidden), "%s.hidden", path);
	cr_assert_eq(unlink(path), 0);
	rename(hidden, path);
}

/* The name service is asked again meanwhile: who it has named before is kept in addition. */
Test(unread, names)
{
	char *whole;

	reserve();
	drive_stop();
	whole = drive_file("maui/names");
	cr_assert_not_null(whole);
	faults_path("maui/names", EIO);
	drive_start();
	drive_pass(10 * MINUTE);
	expect_unread("maui/names", whole);
	faults_path(NULL, 0);
	drive_pass(10 * MINUTE);
	drive_pass(MINUTE);
	expect_read();
	free(whole);
}

/* It stays disabled where it was, and at the start nothing is made until it is known. */
Test(unread, disabled)
{
	reserve();
	drive_ask("disable", NULL);
	drive_pass(MINUTE);
	cr_assert_eq(controller_reservation_count(), 0);
	hide("maui/disabled");
	drive_reconfigure(POLICY);
	EXPECT_TRUE(drive_ask("status", NULL), "/disabled");
	cr_assert_eq(drive_length(drive_ask("status", NULL), "/unread_files"), 1);
	drive_stop();
	drive_start();
	drive_pass(10 * MINUTE);
	cr_expect_eq(controller_reservation_count(), 0);
	cr_expect(drive_logged("maui/disabled cannot be read now ("));
	cr_expect_not_null(strstr(drive_refusal(0, "set-reservation",
						"{'hosts':['n4'],'name':'more','duration':3600}"),
				  "disabled"));
	show("maui/disabled");
	drive_pass(10 * MINUTE);
	drive_pass(MINUTE);
	expect_read();
	EXPECT_TRUE(drive_ask("status", NULL), "/disabled");
	cr_expect_eq(controller_reservation_count(), 0);
	drive_ask("enable", NULL);
	drive_pass(MINUTE);
	EXPECT_FALSE(drive_ask("status", NULL), "/disabled");
	expect_reservations(true);
}

/* Of an engine that is not disabled reservations and limits stay. */
Test(unread, whether_it_is_disabled)
{
	job_record_t *job;

	reserve();
	drive_stop();
	hide("maui/disabled");
	drive_start();
	drive_reconfigure("ADMIN1 root\nUSERCFG[sys] MAXPROC=1\n");
	drive_pass(10 * MINUTE);
	cr_expect_not_null(controller_find_reservation("own.inf"), "no longer wanted");
	job = SUBMIT(.user = "sys", .cpus = 2, .on = "n4");
	drive_pass(MINUTE);
	cr_expect_not(controller_try(job, true), "over its limit");
	show("maui/disabled");
	drive_pass(10 * MINUTE);
	drive_pass(MINUTE);
	expect_read();
	EXPECT_FALSE(drive_ask("status", NULL), "/disabled");
	cr_expect_null(controller_find_reservation("own.inf"), "it is known now");
}

/* An order is carried out although it is not known what was before. */
Test(unread, disabled_is_removed_by_an_order)
{
	reserve();
	drive_stop();
	hide("maui/disabled");
	drive_start();
	drive_ask("enable", NULL);
	drive_pass(MINUTE);
	expect_read();
	EXPECT_FALSE(drive_ask("status", NULL), "/disabled");
	expect_reservations(true);
}

/* maui.cfg is wrong, and its last good copy is needed, but cannot be read. */
Test(unread, the_last_good_copy)
{
	reserve();
	drive_stop();
	drive_write_file("maui.cfg", "ADMIN1 root\nXFACTORWEIGHT many\n");
	hide("maui/maui.cfg.last-good");
	drive_start();
	drive_pass(10 * MINUTE);
	cr_assert_eq(drive_length(drive_ask("status", NULL), "/unread_files"), 1);
	cr_expect(drive_logged("the last good copy cannot be read now ("));
	EXPECT_TEXT(drive_ask("status", NULL), "/policy/source", "partial");
	expect_reservations(false);
	show("maui/maui.cfg.last-good");
	drive_pass(10 * MINUTE);
	drive_pass(MINUTE);
	expect_read();
	EXPECT_TEXT(drive_ask("status", NULL), "/policy/source", "last-good-copy");
	expect_reservations(true);
	drive_reconfigure(POLICY);
	EXPECT_TEXT(drive_ask("status", NULL), "/policy/source", "file");
}

/* Without a good copy nothing is known of what is wanted: that is no reason to remove it. */
Test(unread, maui_cfg)
{
	reserve();
	drive_stop();
	cr_assert_eq(remove(drive_path("maui/maui.cfg.last-good")), 0);
	faults_path("/maui.cfg", EMFILE);
	drive_start();
	drive_pass(10 * MINUTE);
	expect_reservations(false);
	EXPECT_TEXT(drive_ask("status", NULL), "/policy/source", "neutral");
	faults_path(NULL, 0);
	drive_pass(10 * MINUTE);
	drive_pass(MINUTE);
	EXPECT_TEXT(drive_ask("status", NULL), "/policy/source", "file");
	expect_reservations(true);
}
