/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests of setres, releaseres and res: what is made, who may make it, and what remains of it. */
#include "testsuite/unit/engine/drive.h"

#include <errno.h>
#include <sys/stat.h>

#include "plugins/engine/api/select.h"
#include "testsuite/unit/engine/faults.h"

#define ADMINS "NODEALLOCATIONPOLICY FIRSTAVAILABLE\nADMIN1 root man\nADMIN2 sys\nADMIN3 news\n"

TestSuite(setres, .init = drive_init, .fini = drive_fini);

static struct json_object *made(const char *arguments)
{
	return drive_ask("set-reservation", arguments);
}

/* Expects this outcome for one name. */
static void expect_released(uid_t uid, const char *name, const char *outcome)
{
	char arguments[96];
	struct json_object *data;

	snprintf(arguments, sizeof(arguments), "{'names':['%s']}", name);
	data = drive_ask_as(uid, "release-reservations", arguments);
	EXPECT_TEXT(data, "/reservations/0/name", name);
	EXPECT_TEXT(data, "/reservations/0/outcome", outcome);
}

Test(setres, what_is_made_is_in_slurm_and_on_disk)
{
	struct json_object *data;
	const slurmctld_resv_t *there;
	char *file;

	drive_begin(FOUR_NODES, ADMINS);
	data = made("{'hosts':['n[1-2]'],'acl':[{'list':'USERLIST','value':'bin'}],'name':'maint',"
		    "'start_in':3600,'duration':7200}");
	EXPECT_TEXT(data, "/name", "maint.0");
	EXPECT_NUMBER(data, "/start", NOW + HOUR);
	EXPECT_NUMBER(data, "/end", NOW + 3 * HOUR);
	EXPECT_TEXT(data, "/nodes", "n[1-2]");
	EXPECT_NUMBER(data, "/procs", 8);
	EXPECT_NUMBER(data, "/tasks", 8);
	EXPECT_TEXT(data, "/by_node/1/node", "n2");
	EXPECT_TRUE(data, "/select");
	there = controller_find_reservation("maint.0");
	cr_assert_not_null(there);
	cr_expect_eq(there->start_time, NOW + HOUR);
	cr_expect_eq(there->end_time, NOW + 3 * HOUR);
	cr_expect_str_eq(there->node_list, "n[1-2]");
	file = drive_file("maui/setres");
	cr_expect(file && strstr(file, "maint.0") && strstr(file, "USERLIST=bin"));
	free(file);
	data = drive_ask("diagnose-reservations", "{'name':'maint.0'}");
	EXPECT_TEXT(data, "/standing/0/period", "ONCE");
	EXPECT_NUMBER(data, "/standing/0/made", NOW);
	EXPECT_NUMBER(data, "/standing/0/made_by", 0);
	EXPECT_TEXT(data, "/standing/0/acl/0", "USER==bin+");
}

Test(setres, what_is_reserved)
{
	static const struct {
		const char *arguments, *nodes;
		int tasks;
	} cases[] = {
		{"{'hosts':['n2']}", "n2", 4},
		{"{'hosts':['n[1-2]']}", "n[1-2]", 8},
		{"{'hosts':['^n(1|3)$']}", "n[1,3]", 8},
		{"{'hosts':['n1','n4']}", "n[1,4]", 8},
		{"{'hosts':['ALL']}", "n[1-4]", 16},
		{"{'hosts':['all'],'partition':'small'}", "n[1-2]", 8},
		{"{'hosts':['ALL'],'task_limit':3}", "n[1-3]", 12},
		{"{'tasks':2}", "n[1-2]", 8},
		{"{'tasks':2,'task_limit':3}", "n[1-3]", 12},
		{"{'tasks':4,'resources':'PROCS=2'}", "n[1-2]", 4},
		{"{'tasks':1,'features':'fast'}", "n3", 4},
		{"{'tasks':2,'features':'fast|big'}", "n[3-4]", 8},
	};

	drive_begin("NodeName=n[1-2] CPUs=4 RealMemory=4000\n"
		    "NodeName=n3 CPUs=4 RealMemory=4000 Feature=fast\n"
		    "NodeName=n4 CPUs=4 RealMemory=4000 Feature=big\n"
		    "PartitionName=batch Nodes=ALL\nPartitionName=small Nodes=n[1-2]\n",
		    ADMINS);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct json_object *data = made(cases[i].arguments);
		const char *name = json_object_get_string(drive_at(data, "/name"));

		EXPECT_TEXT(data, "/nodes", cases[i].nodes);
		EXPECT_NUMBER(data, "/tasks", cases[i].tasks);
		EXPECT_NULL(data, "/end");
		cr_expect_not_null(controller_find_reservation(name));
		expect_released(0, name, "released");
		cr_expect_null(controller_find_reservation(name), "%s", cases[i].arguments);
	}
	cr_expect_eq(controller_reservation_count(), 0);
}

Test(setres, names)
{
	drive_begin(FOUR_NODES, ADMINS "SRCFG[foo.3] HOSTLIST=n4 PERIOD=INFINITY\n");
	EXPECT_TEXT(made("{'hosts':['n1']}"), "/name", "SYSTEM.0");
	EXPECT_TEXT(made("{'hosts':['n1']}"), "/name", "SYSTEM.1");
	EXPECT_TEXT(made("{'hosts':['n1'],'acl':[{'list':'USERLIST','value':'bin:sys'}]}"), "/name",
		    "bin.0");
	EXPECT_TEXT(made("{'hosts':['n1'],'name':'foo'}"), "/name", "foo.4");
	controller_reservation("bar.7", "n1", NOW, NOW + DAY, "sys");
	EXPECT_TEXT(made("{'hosts':['n1'],'name':'bar'}"), "/name", "bar.8");
}

Test(setres, what_is_refused)
{
	static const struct {
		const char *arguments, *says;
	} cases[] = {
		{"{}", "what is to be reserved"},
		{"{'hosts':['n1'],'tasks':2}", "what is to be reserved"},
		{"{'tasks':0}", "what is to be reserved"},
		{"{'tasks':-1}", "tasks is not a number"},
		{"{'tasks':'2'}", "tasks is not a JSON int"},
		{"{'hosts':[]}", "hosts: there are none"},
		{"{'hosts':['n1 n2']}", "is not a host expression"},
		{"{'hosts':['n9']}", "n9"},
		{"{'hosts':['n1'],'colour':'red'}", "does not know the argument colour"},
		{"{'hosts':['n1'],'start':1,'start_in':1}", "either start or start_in, not both"},
		{"{'hosts':['n1'],'end_in':9,'duration':1}", "either an end or a duration"},
		{"{'hosts':['n1'],'start_in':9,'end_in':9}", "invalid timeframe"},
		{"{'hosts':['n1'],'task_limit':0}", "task_limit"},
		{"{'tasks':3,'task_limit':2}", "task_limit"},
		{"{'tasks':1,'features':'a|b:c'}", "not both"},
		{"{'hosts':['n1'],'acl':[{'list':'SHOELIST','value':'42'}]}", "not a list with a"},
		{"{'hosts':['n1'],'acl':[17]}", "not a list with a"},
		{"{'hosts':['n1'],'acl':[{'list':'USERLIST','value':'a b'}]}", "has blanks"},
		{"{'hosts':['n1'],'name':'a/b'}", "cannot be the name of a reservation"},
		{"{'hosts':['n1'],'flags':'FAST'}", "FAST"},
		{"{'hosts':['n1'],'owner':'nobody'}", "OWNER"},
		{"{'hosts':['n1'],'partition':'moon'}", "moon"},
		{"{'tasks':5}", "cannot create reservation (4 of 5 tasks"},
		{"{'tasks':1,'resources':'PROCS=9'}", "cannot create reservation"},
		{"{'tasks':1,'resources':'PROCS=1','flags':'MAINT'}", "MAINT needs whole nodes"},
	};

	drive_begin(FOUR_NODES, ADMINS);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *said = drive_refusal(0, "set-reservation", cases[i].arguments);

		cr_expect(strstr(said, cases[i].says), "%s: %s", cases[i].arguments, said);
	}
	cr_expect_eq(controller_reservation_count(), 0, "nothing of it is left");
	cr_expect_eq(drive_length(drive_ask("show-reservations", NULL), "/reservations"), 0);
}

Test(setres, notes_are_no_errors)
{
	struct json_object *data;

	drive_begin("NodeName=n[10-20] CPUs=1 RealMemory=1000\nPartitionName=batch Nodes=ALL\n",
		    ADMINS);
	data = made("{'hosts':['n1']}");
	EXPECT_NUMBER(data, "/node_count", 10);
	cr_assert_eq(drive_length(data, "/notes"), 1);
	cr_expect(strstr(json_object_get_string(drive_at(data, "/notes/0")),
			 "matches only part of the names"));
}

/* ---- when Slurm or the disk refuse ---- */

Test(setres, what_slurm_refuses_leaves_nothing)
{
	const char *said;

	drive_begin(FOUR_NODES, ADMINS);
	controller_reservation_error = ESLURM_RESERVATION_OVERLAP;
	said = drive_refusal(0, "set-reservation", "{'hosts':['n1']}");
	cr_expect(strstr(said, slurm_strerror(ESLURM_RESERVATION_OVERLAP)), "%s", said);
	controller_reservation_error = SLURM_SUCCESS;
	drive_turn();
	drive_pass(MINUTE);
	cr_expect_eq(controller_reservation_count(), 0);
}

/* The names of reservations are written before they are made, their settings after. */
Test(setres, what_the_names_of_reservations_cannot_be_written_for_is_refused_with_the_reason)
{
	const char *said;

	drive_begin(FOUR_NODES, ADMINS);
	drive_turn();
	faults_begin(FAULTS_WRITE, 1, ENOSPC);
	said = drive_refusal(0, "set-reservation", "{'hosts':['n1']}");
	cr_expect(faults_end());
	cr_expect(strstr(said, "maui/reservations: No space left on device"), "%s", said);
	unlink(drive_path("maui/reservations"));
	cr_assert_eq(mkdir(drive_path("maui/reservations"), 0700), 0);
	said = drive_refusal(0, "set-reservation", "{'hosts':['n1']}");
	cr_expect(strstr(said, "cannot write"), "%s", said);
	cr_expect_eq(controller_reservation_count(), 0);
	rmdir(drive_path("maui/reservations"));
	made("{'hosts':['n1']}");
	cr_expect_eq(controller_reservation_count(), 1);
}

Test(setres, what_cannot_be_written_leaves_nothing)
{
	const char *said;

	drive_begin(FOUR_NODES, ADMINS);
	drive_turn();
	made("{'hosts':['n2'],'name':'there'}");
	/* A directory of that name cannot be replaced by a file. */
	unlink(drive_path("maui/setres"));
	cr_assert_eq(mkdir(drive_path("maui/setres"), 0700), 0);
	said = drive_refusal(0, "set-reservation", "{'hosts':['n1']}");
	cr_expect(strstr(said, "cannot write"), "%s", said);
	cr_expect_null(controller_find_reservation("SYSTEM.0"));
	expect_released(0, "there.0", "failed");
	cr_expect_not_null(controller_find_reservation("there.0"));
	rmdir(drive_path("maui/setres"));
	expect_released(0, "there.0", "released");
}

/* ---- who may ---- */

Test(setres, who_may_make_and_release)
{
	static const struct {
		const char *user;
		bool may;
	} cases[] = {{"root", true}, {"man", true}, {"sys", true}, {"news", false}, {"bin", false}};

	drive_begin(FOUR_NODES, ADMINS);
	made("{'hosts':['n4'],'name':'other'}");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uid_t uid = drive_uid(cases[i].user);

		if (cases[i].may) {
			struct json_object *data =
				drive_ask_as(uid, "set-reservation", "{'hosts':['n1']}");

			expect_released(uid, json_object_get_string(drive_at(data, "/name")),
					"released");
			continue;
		}
		cr_expect(strstr(drive_refusal(uid, "set-reservation", "{'hosts':['n1']}"),
				 "only root, SlurmUser, ADMIN1 and ADMIN2"));
		cr_expect(
			strstr(drive_refusal(uid, "release-reservations", "{'names':['other.0']}"),
			       "only root, SlurmUser, ADMIN1 and ADMIN2"));
	}
	cr_expect_eq(controller_reservation_count(), 1);
}

Test(setres, with_resctlpolicy_any_users_reserve_for_themselves)
{
	static const struct {
		const char *arguments, *says; /* NULL: it is made */
	} cases[] = {
		{"{'tasks':1,'duration':600}", NULL},
		{"{'tasks':1,'duration':600,'acl':[{'list':'USERLIST','value':'bin'}]}", NULL},
		{"{'hosts':['n1'],'duration':600}", "only administrators may name hosts"},
		{"{'tasks':1}", "without an end"},
		{"{'tasks':1,'duration':600,'acl':[{'list':'USERLIST','value':'sys'}]}",
		 "for others"},
		{"{'tasks':1,'duration':600,'acl':[{'list':'GROUPLIST','value':'bin'}]}",
		 "for others"},
		{"{'tasks':1,'duration':600,'flags':'FORCE'}", "are for administrators"},
		{"{'tasks':1,'duration':600,'flags':'MAINT'}", "are for administrators"},
		{"{'tasks':1,'duration':600,'owner':'USER:bin'}", "dministrators"},
		{"{'tasks':1,'duration':600,'chargeaccount':'art'}", "dministrators"},
	};
	uid_t bin = drive_uid("bin");

	drive_begin(FOUR_NODES, ADMINS "RESCTLPOLICY ANY\n");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct json_object *data;
		const char *name;

		if (cases[i].says) {
			const char *said =
				drive_refusal(bin, "set-reservation", cases[i].arguments);

			cr_expect(strstr(said, cases[i].says), "%s: %s", cases[i].arguments, said);
			continue;
		}
		data = drive_ask_as(bin, "set-reservation", cases[i].arguments);
		name = json_object_get_string(drive_at(data, "/name"));
		cr_expect_eq(strncmp(name, "bin.", 4), 0, "%s", name);
		expect_released(drive_uid("games"), name, "not-allowed");
		data = drive_ask_as(bin, "diagnose-reservations", NULL);
		EXPECT_TEXT(data, "/standing/0/owner", "USER==bin");
		expect_released(bin, name, "released");
	}
}

Test(setres, with_resctlpolicy_any_a_user_has_ten_at_most)
{
	const char *order = "{'tasks':1,'duration':600,'resources':'PROCS=1'}";
	uid_t bin = drive_uid("bin");

	drive_begin(FOUR_NODES, ADMINS "RESCTLPOLICY ANY\n");
	for (int i = 0; i < 10; i++)
		drive_ask_as(bin, "set-reservation", order);
	cr_expect(strstr(drive_refusal(bin, "set-reservation", order),
			 "you have 10 reservations, as many as a user may"));
	cr_expect_eq(controller_reservation_count(), 10);
	drive_ask_as(drive_uid("games"), "set-reservation", order);
	expect_released(bin, "bin.3", "released");
	drive_ask_as(bin, "set-reservation", order);
	cr_expect_not_null(drive_refusal(bin, "set-reservation", order));
	drive_pass(HOUR);
	drive_ask_as(bin, "set-reservation", order);
	for (int i = 0; i < 12; i++)
		made("{'tasks':1,'resources':'PROCS=1','duration':600}");
}

Test(setres, no_name_looks_like_an_instance_of_a_standing_one)
{
	drive_begin(FOUR_NODES, "SRCFG[bin] HOSTLIST=n1 PERIOD=DAY USERLIST=sys DEPTH=1\n");
	cr_expect(strstr(drive_refusal(0, "set-reservation", "{'hosts':['n2'],'name':'bin'}"),
			 "bin is a standing reservation"));
	cr_expect(strstr(drive_refusal(0, "set-reservation", "{'hosts':['n2'],'name':'BIN'}"),
			 "is a standing reservation"));
	EXPECT_TEXT(made("{'hosts':['n2'],'acl':[{'list':'USERLIST','value':'bin'}]}"), "/name",
		    "SYSTEM.0");
	EXPECT_TEXT(made("{'hosts':['n3'],'acl':[{'list':'USERLIST','value':'sys'}]}"), "/name",
		    "sys.0");
}

/* ---- releaseres ---- */

Test(setres, what_becomes_of_names)
{
	drive_begin(FOUR_NODES, ADMINS "SRCFG[a] HOSTLIST=n1 PERIOD=DAY USERLIST=bin DEPTH=1\n");
	controller_reservation("other", "n2", NOW, NOW + DAY, "sys");
	expect_released(0, "nosuch.0", "not-there");
	expect_released(0, "other", "not-ours");
	expect_released(0, "a", "standing");
	expect_released(0, "a.20231113", "cancelled");
	cr_expect_null(controller_find_reservation("a.20231113"));
	drive_pass(HOUR);
	drive_stop();
	drive_start();
	cr_expect_null(controller_find_reservation("a.20231113"), "it is cancelled for its period");
	drive_pass(DAY);
	cr_expect_not_null(controller_find_reservation("a.20231114"));
	cr_expect_str_eq(drive_refusal(0, "release-reservations", "{}"),
			 "the request names no reservation");
	cr_expect_str_eq(drive_refusal(0, "release-reservations", "{'names':[17]}"),
			 "the request has a name that no reservation can have");
}

/* ---- who gets in, and its end ---- */

Test(setres, into_one_without_a_list_nobody_gets)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, ADMINS);
	made("{'hosts':['n[1-3]']}");
	job = SUBMIT(.on = "n1");
	cr_expect_str_eq(controller_lands(job), "");
	cr_expect_str_eq(controller_lands(SUBMIT(.on = "n1", .comment = "x=ADVRES:SYSTEM.0")), "");
	expect_released(0, "SYSTEM.0", "released");
	cr_expect_str_eq(controller_lands(job), "n1");
}

Test(setres, a_list_lets_in_whom_it_names)
{
	drive_begin(FOUR_NODES, ADMINS);
	made("{'hosts':['n1'],'flags':'BYNAME','acl':[{'list':'USERLIST','value':'bin'}]}");
	made("{'hosts':['n2'],'acl':[{'list':'USERLIST','value':'bin'},"
	     "{'list':'ACCOUNTLIST','value':'art'}]}");
	cr_expect_str_eq(controller_lands(SUBMIT(.user = "bin", .on = "n1")), "");
	cr_expect_str_eq(controller_lands(SUBMIT(.user = "bin", .comment = "x=ADVRES:bin.0")),
			 "n1");
	cr_expect_str_eq(controller_lands(SUBMIT(.user = "sys", .account = "art", .on = "n2")),
			 "n2");
	cr_expect_str_eq(controller_lands(SUBMIT(.user = "sys", .account = "sea", .on = "n2")), "");
}

Test(setres, it_goes_at_its_end)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, ADMINS);
	made("{'hosts':['n1'],'duration':600,'acl':[{'list':'USERLIST','value':'bin'}]}");
	job = SUBMIT(.user = "bin", .on = "n1");
	cr_assert_str_eq(controller_lands(job), "n1");
	drive_pass(9 * MINUTE);
	cr_expect_not_null(controller_find_reservation("bin.0"));
	drive_pass(2 * MINUTE);
	drive_turn();
	cr_expect_null(controller_find_reservation("bin.0"));
	cr_expect(IS_JOB_RUNNING(job));
	EXPECT_NUMBER(drive_ask("status", NULL), "/jobs", 0);
	cr_expect_eq(drive_length(drive_ask("show-reservations", NULL), "/reservations"), 0);
}

static bool is_maint(const char *name)
{
	const slurmctld_resv_t *there = controller_find_reservation(name);

	cr_assert_not_null(there, "%s", name);
	return there->flags & RESERVE_FLAG_MAINT;
}

Test(setres, maintenance_stays_maintenance)
{
	struct json_object *data;

	drive_begin(FOUR_NODES, ADMINS);
	made("{'hosts':['n1'],'name':'fix','flags':'MAINT'}");
	made("{'hosts':['n2'],'name':'keep'}");
	cr_expect(is_maint("fix.0"));
	cr_expect_not(is_maint("keep.0"));
	data = drive_ask("diagnose-reservations", "{'name':'fix.0'}");
	EXPECT_TEXT(data, "/standing/0/flags/0", "MAINT");
	EXPECT_TRUE(data, "/reservations/0/maint");
	EXPECT_FALSE(drive_ask("show-reservations", "{'name':'keep.0'}"), "/reservations/0/maint");
	cr_expect_str_eq(controller_lands(SUBMIT(.user = "bin", .on = "n1")), "");
	drive_stop();
	drive_start();
	drive_turn();
	cr_expect(is_maint("fix.0"));
	/* Changed by hand, it is restored; so is one that is not for maintenance. */
	controller_find_reservation("fix.0")->flags &= ~(uint64_t)RESERVE_FLAG_MAINT;
	controller_find_reservation("keep.0")->flags |= RESERVE_FLAG_MAINT;
	last_resv_update = time(NULL);
	drive_pass(2 * MINUTE);
	drive_turn();
	cr_expect(is_maint("fix.0"));
	cr_expect_not(is_maint("keep.0"));
	/* If the file is lost, Slurm's flag is all that is left of it. */
	drive_stop();
	drive_write_file("maui/setres", "slurm-maui setres 1\nrubbish\n");
	drive_start();
	drive_pass(2 * MINUTE);
	drive_turn();
	cr_expect(is_maint("fix.0"));
	cr_expect_not(is_maint("keep.0"));
	expect_released(0, "fix.0", "released");
	cr_expect_null(controller_find_reservation("fix.0"));
}

/* Of one that Slurm does not have: whether it would get the flag. */
Test(setres, maintenance_that_is_missing_is_maintenance)
{
	drive_begin(FOUR_NODES, ADMINS "SRCFG[fix] HOSTLIST=n9 PERIOD=INFINITY FLAGS=MAINT\n"
				       "SRCFG[keep] HOSTLIST=n9 PERIOD=INFINITY\n");
	drive_turn();
	EXPECT_FALSE(drive_ask("show-reservations", "{'name':'fix'}"), "/reservations/0/there");
	EXPECT_TRUE(drive_ask("show-reservations", "{'name':'fix'}"), "/reservations/0/maint");
	EXPECT_FALSE(drive_ask("show-reservations", "{'name':'keep'}"), "/reservations/0/maint");
}

Test(setres, a_standing_reservation_for_maintenance_may_admit_jobs)
{
	drive_begin(FOUR_NODES, ADMINS "SRCFG[fix] HOSTLIST=n1 PERIOD=INFINITY FLAGS=MAINT "
				       "USERLIST=bin\n");
	drive_turn();
	cr_expect(is_maint("fix.inf"));
	cr_expect_str_eq(controller_lands(SUBMIT(.user = "sys", .on = "n1")), "");
	cr_expect_str_eq(controller_lands(SUBMIT(.user = "bin", .on = "n1")), "n1");
	drive_reconfigure(ADMINS "SRCFG[fix] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin\n");
	drive_turn();
	cr_expect_not(is_maint("fix.inf"));
}

Test(setres, a_restart_keeps_it_and_a_damaged_file_keeps_everybody_out)
{
	struct json_object *data;

	drive_begin(FOUR_NODES, ADMINS);
	made("{'hosts':['n1'],'acl':[{'list':'USERLIST','value':'bin'}],'name':'keep'}");
	drive_stop();
	drive_start();
	cr_expect_eq(controller_counts.created, 1);
	cr_expect_str_eq(controller_lands(SUBMIT(.user = "bin", .on = "n1")), "n1");
	drive_stop();
	drive_write_file("maui/setres", "slurm-maui setres 1\nrubbish\n");
	drive_start();
	cr_expect(drive_has_file("maui/setres.damaged"));
	cr_expect_not_null(controller_find_reservation("keep.0"));
	data = drive_ask("diagnose-reservations", NULL);
	EXPECT_TRUE(data, "/standing/0/recovered");
	cr_expect_str_eq(controller_lands(SUBMIT(.user = "bin", .on = "n1")), "");
	expect_released(0, "keep.0", "released");
}
