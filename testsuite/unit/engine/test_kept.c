/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State files of a later Slurm-Maui: each is left as it is, unread and unwritten, whatever happens meanwhile,
 * and the log and the status say so (D-SYS-13).
 */
#include "testsuite/unit/engine/drive.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "plugins/engine/api/select.h"

/* All that has a file: fairshare, idle cycles, a trigger, who may make administrative reservations. */
#define EVERYTHING                                                                                 \
	"NODEALLOCATIONPOLICY FIRSTAVAILABLE\nADMIN1 root\n"                                       \
	"FSPOLICY DEDICATEDPS\nFSINTERVAL 24:00:00\nFSDEPTH 3\nFSDECAY 0.5\n"                      \
	"SRCFG[own] HOSTLIST=n[1-2] PERIOD=INFINITY USERLIST=bin,sys CHARGEACCOUNT=jupiter "       \
	"TRIGGER=\"start+1:00;exec@%s\"\n"

#define TODAY     "stats/FS.1699833600" /* it began at midnight */
#define YESTERDAY "stats/FS.1699747200"

TestSuite(kept, .init = drive_init, .fini = drive_fini);

/* Runs, waits, reserves. */
static void live(void)
{
	job_record_t *job = SUBMIT(.user = "bin", .account = "art", .cpus = 2, .on = "n4");

	cr_assert(controller_try(job, true));
	SUBMIT(.user = "sys", .cpus = 4);
	drive_pass(2 * MINUTE);
	drive_turn();
	controller_end(job, JOB_COMPLETE);
	drive_pass(10 * MINUTE);
	drive_turn();
}

static void begin(void)
{
	char maui_cfg[1024];

	drive_write_file("program", "#!/bin/sh\nexit 0\n");
	cr_assert_eq(chmod(drive_path("program"), 0700), 0);
	snprintf(maui_cfg, sizeof(maui_cfg), EVERYTHING, drive_path("program"));
	drive_begin(FOUR_NODES, maui_cfg);
	drive_ask("set-reservation", "{'hosts':['n3'],'name':'maint','duration':72000}");
	live();
}

static void expect_content(const char *name, const char *content)
{
	char *found = drive_file(name);

	cr_expect(found && !strcmp(found, content), "%s: %s", name, found ? found : "gone");
	free(found);
}

static void expect_kept(const char *name)
{
	struct json_object *data = drive_ask("status", NULL);
	int known = strcmp(name, "maui/jobs") ? 1 : 2;
	char why[128];

	snprintf(why, sizeof(why),
		 "a later Slurm-Maui wrote it: it has version %d of its format, and this one "
		 "reads %d",
		 known + 1, known);
	cr_assert_eq(drive_length(data, "/kept_files"), 1, "%s: %s", name,
		     json_object_to_json_string(data));
	EXPECT_TEXT(data, "/kept_files/0/path", drive_path(name));
	EXPECT_TEXT(data, "/kept_files/0/why", why);
}

/* It was written before; now it is from the future, and the same things happen again. */
static void expect_untouched(const char *name, const char *content)
{
	char damaged[64], line[128];

	begin();
	drive_stop();
	cr_assert(drive_has_file(name), "%s", name);
	drive_write_file(name, content);
	drive_start();
	expect_kept(name);
	snprintf(line, sizeof(line), "%s is kept as it is, and not read (a later", name);
	cr_expect(drive_logged(line), "%s", line);
	live();
	expect_content(name, content);
	drive_stop();
	expect_content(name, content);
	snprintf(damaged, sizeof(damaged), "%s.damaged", name);
	cr_expect_not(drive_has_file(damaged));
	cr_assert_eq(remove(drive_path(name)), 0);
	drive_start();
	cr_expect_eq(drive_length(drive_ask("status", NULL), "/kept_files"), 0);
	live();
	drive_stop();
}

static void expect_state_untouched(const char *name)
{
	char path[64], content[128];

	snprintf(path, sizeof(path), "maui/%s", name);
	snprintf(content, sizeof(content), "slurm-maui %s %d\nsomething new\n", name,
		 strcmp(name, "jobs") ? 2 : 3);
	expect_untouched(path, content);
}

Test(kept, jobs)
{
	expect_state_untouched("jobs");
	cr_expect(drive_has_file("maui/jobs"), "a new one");
}

Test(kept, nodes)
{
	expect_state_untouched("nodes");
}

Test(kept, idle)
{
	expect_state_untouched("idle");
}

Test(kept, triggers)
{
	expect_state_untouched("triggers");
}

/* What was taken back meanwhile is not in it. */
Test(kept, reclaims)
{
	const char *content = "slurm-maui reclaims 2\nsomething new\n";

	begin();
	drive_stop();
	drive_write_file("maui/reclaims", content);
	drive_start();
	expect_kept("maui/reclaims");
	drive_stop();
	expect_content("maui/reclaims", content);
}

/* What Slurm has stays, and nothing is made. */
Test(kept, reservations)
{
	const char *content = "slurm-maui reservations 2\nsomething new\n";

	expect_state_untouched("reservations");
	drive_write_file("maui/reservations", content);
	drive_start();
	drive_reconfigure("SRCFG[new] HOSTLIST=n4 PERIOD=INFINITY USERLIST=bin\n");
	drive_pass(10 * MINUTE);
	cr_expect_not_null(controller_find_reservation("own.inf"), "no longer wanted");
	cr_expect_null(controller_find_reservation("new.inf"), "wanted");
	drive_stop();
	expect_content("maui/reservations", content);
}

/* Closed for everybody; orders are refused with the reason. */
Test(kept, setres)
{
	const char *content = "slurm-maui setres 2\nsomething new\n";

	begin();
	drive_stop();
	drive_write_file("maui/setres", content);
	drive_start();
	expect_kept("maui/setres");
	cr_expect_not_null(controller_find_reservation("maint.0"));
	EXPECT_TRUE(drive_ask("diagnose-reservations", "{'name':'maint.0'}"),
		    "/standing/0/recovered");
	cr_expect_not_null(strstr(drive_refusal(0, "set-reservation",
						"{'hosts':['n4'],'name':'more','duration':3600}"),
				  "is not replaced: a later Slurm-Maui wrote it"));
	cr_expect_null(controller_find_reservation("more.0"));
	live();
	drive_stop();
	expect_content("maui/setres", content);
	cr_expect_not(drive_has_file("maui/setres.damaged"));
}

/* The other windows are written as before. */
Test(kept, a_window_of_fairshare)
{
	char *today;

	begin();
	drive_stop();
	cr_assert(drive_has_file("maui/" YESTERDAY));
	cr_assert_eq(remove(drive_path("maui/" TODAY)), 0);
	drive_write_file("maui/" YESTERDAY, "# Fairshare Data File\n# Version: 2\nall is new\n");
	drive_start();
	expect_kept("maui/" YESTERDAY);
	live();
	drive_stop();
	expect_content("maui/" YESTERDAY, "# Fairshare Data File\n# Version: 2\nall is new\n");
	today = drive_file("maui/" TODAY);
	cr_expect(today && strstr(today, "\nUser bin "), "%s", today ? today : "not there");
	free(today);
}

Test(kept, the_window_of_today)
{
	expect_untouched("maui/" TODAY, "# FS Data File\n# Version: 2\nall is new\n");
	cr_expect(drive_has_file("maui/" TODAY), "a new one");
}
