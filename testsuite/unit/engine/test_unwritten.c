/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A full disk: the status names each file that cannot be written, until it is. */
#include "testsuite/unit/engine/drive.h"

#include <errno.h>
#include <string.h>

#include "testsuite/unit/engine/faults.h"

#define POLICY                                                                                     \
	"NODEALLOCATIONPOLICY FIRSTAVAILABLE\nADMIN1 root\nRMPOLLINTERVAL 30\n"                    \
	"FSPOLICY DEDICATEDPS\nFSINTERVAL 24:00:00\nFSDEPTH 3\n"

static void fini(void)
{
	faults_end();
	drive_fini();
}

TestSuite(unwritten, .init = drive_init, .fini = fini);

static void pass(void)
{
	for (size_t i = 0; i < 10; i++) {
		drive_pass(MINUTE);
		drive_turn();
	}
}

static void expect_unwritten(const char *name)
{
	struct json_object *data = drive_ask("status", NULL);
	int at = drive_place(data, "/unwritten_files", "path", drive_path(name));
	char pointer[64];

	snprintf(pointer, sizeof(pointer), "/unwritten_files/%d/why", at);
	cr_expect_not_null(
		strstr(json_object_get_string(drive_at(data, pointer)), "No space left on device"),
		"%s", json_object_to_json_string(data));
}

Test(unwritten, until_there_is_room)
{
	drive_begin(FOUR_NODES, POLICY);
	cr_assert(
		controller_try(SUBMIT(.user = "bin", .cpus = 2, .on = "n4", .minutes = 600), true));
	pass();
	cr_expect_eq(drive_length(drive_ask("status", NULL), "/unwritten_files"), 0);
	faults_begin(FAULTS_WRITE, 1, ENOSPC);
	faults_go_on();
	cr_expect_not(drive_try("set-reservation", "{'hosts':['n3'],'name':'maint'}"));
	pass();
	expect_unwritten("maui/reservations");
	expect_unwritten("maui/stats");
	cr_expect(faults_end());
	pass();
	cr_expect_eq(drive_length(drive_ask("status", NULL), "/unwritten_files"), 0);
	cr_expect(drive_try("set-reservation", "{'hosts':['n3'],'name':'maint'}"));
}
