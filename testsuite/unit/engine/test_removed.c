/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Somebody removes state files, or all of them, while slurmctld runs: what is in memory is written
 * again at once, and the log and the status say what has happened (D-SYS-16).
 */
#include "testsuite/unit/engine/drive.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testsuite/unit/engine/faults.h"

/* All that has a file. */
#define EVERYTHING                                                                                 \
	"NODEALLOCATIONPOLICY FIRSTAVAILABLE\nADMIN1 root\nRMPOLLINTERVAL 30\n"                    \
	"JOBPRIOACCRUALPOLICY FULLPOLICY\nUSERCFG[bin] MAXJOB=5\n"                                 \
	"FSPOLICY DEDICATEDPS\nFSINTERVAL 24:00:00\nFSDEPTH 3\nFSDECAY 0.5\n"                      \
	"SRCFG[own] HOSTLIST=n[1-2] PERIOD=INFINITY USERLIST=bin,sys CHARGEACCOUNT=jupiter "       \
	"TRIGGER=\"start+1:00;exec@%s\"\n"

static void fini(void)
{
	faults_path(NULL, 0);
	drive_fini();
}

TestSuite(removed, .init = drive_init, .fini = fini);

/* What stands in them changes with time, or not. */
static const struct {
	const char *name;
	bool same;
} files[] = {
	{"idle", false},  {"jobs", false},    {"maui.cfg.last-good", true},
	{"names", true},  {"nodes", false},   {"reservations", true},
	{"setres", true}, {"triggers", true},
};

#define FILES (sizeof(files) / sizeof(*files))

static const char *path_of(const char *name)
{
	static char path[64];

	snprintf(path, sizeof(path), "maui/%s", name);
	return path;
}

/* A job waits, one runs, one held what it was in the queue for; setres has made a reservation. */
static void begin(void)
{
	char maui_cfg[1024];

	drive_write_file("program", "#!/bin/sh\nexit 0\n");
	cr_assert_eq(chmod(drive_path("program"), 0700), 0);
	snprintf(maui_cfg, sizeof(maui_cfg), EVERYTHING, drive_path("program"));
	drive_begin(FOUR_NODES, maui_cfg);
	drive_ask("set-reservation", "{'hosts':['n3'],'name':'maint','duration':72000}");
	cr_assert(
		controller_try(SUBMIT(.user = "bin", .cpus = 2, .on = "n4", .minutes = 600), true));
	SUBMIT(.user = "sys", .cpus = 4);
	drive_pass(10 * MINUTE);
	drive_turn();
	/* so that there is a file of jobs, which is written when there is something to say */
	drive_stop();
	drive_start();
	drive_pass(10 * MINUTE);
	drive_turn();
}

static void remove_below(const char *path)
{
	DIR *directory = opendir(path);
	struct dirent *entry;

	cr_assert_not_null(directory, "%s", path);
	while ((entry = readdir(directory))) {
		char below[512];

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		snprintf(below, sizeof(below), "%s/%s", path, entry->d_name);
		if (unlink(below))
			remove_below(below);
	}
	closedir(directory);
	cr_assert_eq(rmdir(path), 0, "%s", path);
}

static void expect_removed(const char *name)
{
	struct json_object *data = drive_ask("status", NULL);
	int at = drive_place(data, "/removed_files", "path", drive_path(path_of(name)));
	char pointer[64], line[96];

	snprintf(pointer, sizeof(pointer), "/removed_files/%d/why", at);
	cr_expect_not_null(strstr(json_object_get_string(drive_at(data, pointer)),
				  "and written again from memory"),
			   "%s", json_object_to_json_string(data));
	snprintf(line, sizeof(line), "maui/%s is gone, and is written again from memory", name);
	cr_expect(drive_logged(line), "%s", line);
}

Test(removed, each_file)
{
	begin();
	cr_expect_eq(drive_length(drive_ask("status", NULL), "/removed_files"), 0);
	for (size_t i = 0; i < FILES; i++) {
		char *before = drive_file(path_of(files[i].name)), *after;

		cr_assert_not_null(before, "%s", files[i].name);
		cr_assert_eq(unlink(drive_path(path_of(files[i].name))), 0);
		drive_pass(MINUTE);
		drive_turn();
		after = drive_file(path_of(files[i].name));
		cr_assert_not_null(after, "%s", files[i].name);
		cr_expect(!files[i].same || !strcmp(before, after), "%s: %s", files[i].name, after);
		expect_removed(files[i].name);
		free(before);
		free(after);
	}
	cr_expect_eq(drive_length(drive_ask("status", NULL), "/removed_files"), (int)FILES);
}

/* As by `rm -rf StateSaveLocation/maui`; then slurmctld is killed, and nothing is missing. */
Test(removed, the_whole_directory)
{
	begin();
	remove_below(drive_path("maui"));
	drive_pass(MINUTE);
	drive_turn();
	for (size_t i = 0; i < FILES; i++) {
		cr_expect(drive_has_file(path_of(files[i].name)), "%s", files[i].name);
		expect_removed(files[i].name);
	}
	cr_expect(drive_has_file("maui/stats/FS.1699833600"));
	drive_place(drive_ask("status", NULL), "/removed_files", "path",
		    drive_path("maui/stats/FS.1699833600"));
	drive_kill();
	drive_start();
	drive_pass(MINUTE);
	cr_expect_not_null(controller_find_reservation("maint.0"));
	cr_expect_not_null(controller_find_reservation("own.inf"));
	EXPECT_FALSE(drive_ask("diagnose-reservations", "{'name':'maint.0'}"),
		     "/standing/0/recovered");
}

/* A file that was never there is not gone, and one that cannot be looked at may be there. */
Test(removed, what_is_not_removed)
{
	drive_begin(FOUR_NODES, "ADMIN1 root\n");
	drive_pass(10 * MINUTE);
	drive_turn();
	cr_expect_not(drive_has_file("maui/setres"));
	cr_expect_eq(drive_length(drive_ask("status", NULL), "/removed_files"), 0);
	cr_expect_not(drive_logged("is gone, and is written again"));
}
