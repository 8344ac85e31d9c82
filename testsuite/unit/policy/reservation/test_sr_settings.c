/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/policy/reservation/reservation_fixture.h"

Test(sr_settings, defaults)
{
	struct reservations reservations;
	const struct maui_sr *sr;

	reservations_open(&reservations, "SRCFG[x] TASKCOUNT=1\n");
	cr_assert_eq(maui_sr_list(reservations.settings, &sr), 1);
	cr_expect_str_eq(sr->name, "x");
	cr_expect(sr->usable && sr->dedicated && sr->period == MAUI_SR_DAY);
	cr_expect(sr->days == 127 && sr->depth == 2 && !sr->start && !sr->end);
	cr_expect(!sr->flags && !sr->priority && sr->task.procs == MAUI_SR_ALL);
	cr_expect(!sr->task.memory && !sr->task.disk && !sr->task.swap);
	cr_expect(sr->task_count == 1 && !sr->tasks_per_node && !sr->hosts && !sr->acl);
	cr_expect(!sr->partition && !sr->any_partitions && !sr->feature_count);
	cr_expect(sr->owner_type == MAUI_CREDENTIALS && !sr->charge_account && !sr->trigger);
	cr_expect(sr->origin.line == 1 && !strcmp(sr->origin.file, "maui.cfg"));
	reservations_close(&reservations);
}

Test(sr_settings, everything)
{
	struct reservations reservations;
	const struct maui_sr *sr;

	reservations_open(
		&reservations,
		"SRCFG[x] TASKCOUNT=3 TPN=2 RESOURCES=PROCS:2;MEM:1GB;DISK:5 PRIORITY=-7\n"
		"SRCFG[x] PERIOD=DAY DAYS=MON|FRI DEPTH=7 STARTTIME=8:00:00 ENDTIME=17:00:00\n"
		"SRCFG[x] ACCESS=SHARED FLAGS=BYNAME,SPACEFLEX NODEFEATURES=wide,fddi PARTITION=p\n"
		"SRCFG[x] OWNER=ACCT:jupiter CHARGEACCOUNT=saturn HOSTLIST=n[1-3],login\n"
		"SRCFG[x] USERLIST=bob,ann- USERLIST=joe\n");
	sr = maui_sr_find(reservations.settings, "x");
	cr_assert_not_null(sr);
	cr_expect(sr->usable && !sr->dedicated &&
		  sr->flags == (MAUI_SR_BYNAME | MAUI_SR_SPACEFLEX));
	cr_expect(sr->task_count == 3 && sr->tasks_per_node == 2 && sr->priority == -7);
	cr_expect(sr->task.procs == 2 && sr->task.memory == 1024 && sr->task.disk == 5);
	cr_expect(sr->days == (1u << 1 | 1u << 5) && sr->depth == 7);
	cr_expect(sr->start == 28800 && sr->end == 61200);
	cr_expect(sr->feature_count == 2 && !strcmp(sr->features[1], "fddi"));
	cr_expect_str_eq(sr->partition, "p");
	cr_expect_str_eq(sr->owner_name, "jupiter");
	cr_expect(sr->owner_type == MAUI_ACCOUNT && sr->owner == 1);
	cr_expect_str_eq(sr->charge_account, "saturn");
	cr_expect_eq(maui_sr_hosts_count(sr->hosts), 2);
	cr_expect_eq(maui_acl_items(sr->acl, &(const struct maui_acl_item *){NULL}), 3);
	cr_expect_null(maui_sr_find(reservations.settings, "y"));
	reservations_close(&reservations);
}

Test(sr_settings, periods)
{
	static const struct {
		const char *lines;
		enum maui_sr_period period;
		uint32_t depth;
		int64_t start, end;
	} cases[] = {
		{"PERIOD=WEEK STARTTIME=1:08:00:00 ENDTIME=5:17:00:00", MAUI_SR_WEEK, 2, 115200,
		 493200},
		{"PERIOD=WEEK WSTARTTIME=1:08:00:00 WENDTIME=5:17:00:00", MAUI_SR_WEEK, 2, 115200,
		 493200},
		{"PERIOD=week STARTTIME=60 WSTARTTIME=120 WENDTIME=600", MAUI_SR_WEEK, 2, 60, 600},
		{"PERIOD=INFINITY DEPTH=5 STARTTIME=60 ENDTIME=50", MAUI_SR_INFINITY, 1, 0, 0},
		{"PERIOD=INFINITE WSTARTTIME=120 WENDTIME=600", MAUI_SR_INFINITY, 1, 0, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct reservations reservations;
		const struct maui_sr *sr;
		char lines[256];

		snprintf(lines, sizeof(lines), "SRCFG[x] TASKCOUNT=1 %s\n", cases[i].lines);
		reservations_open(&reservations, lines);
		sr = maui_sr_find(reservations.settings, "x");
		cr_expect(sr->usable && sr->period == cases[i].period &&
				  sr->depth == cases[i].depth && sr->start == cases[i].start &&
				  sr->end == cases[i].end,
			  "%s", cases[i].lines);
		cr_expect(!sr->week_start && !sr->week_end, "%s", cases[i].lines);
		reservations_close(&reservations);
	}
}

/* Problems as "line:column E text", and whether the reservation can be made. */
Test(sr_settings, problems)
{
	static const struct {
		const char *lines;
		bool usable;
		const char *problem; /* the first one; "" none */
	} cases[] = {
		{"SRCFG[x] TASKCOUNT=1 USERLIST=a\n", true, ""},
		{"SRCFG[x] TASKCOUNT=1\n", true,
		 "1:1 W SRCFG[x] has no access list: no job may use it"},
		{"SRCFG[x] USERLIST=a\n", false,
		 "1:1 E SRCFG[x]: neither TASKCOUNT nor HOSTLIST says what to reserve; "
		 "the reservation is not made"},
		{"SRCFG[x] USERLIST=a\nSRCFG[x] HOSTLIST=n1,n(,n2\n", true,
		 "2:10 E HOSTLIST: 'n(' is ignored: Unmatched ( or \\("},
		{"SRCFG[x] USERLIST=a HOSTLIST=n( TASKCOUNT=1\n", false,
		 "1:21 E HOSTLIST: 'n(' is ignored: Unmatched ( or \\("},
		{"SRCFG[x] USERLIST=a TASKCOUNT=1 RESOURCES=MEM:512\n", false,
		 "1:33 E RESOURCES: a task without processors cannot be reserved, write PROCS:1 or "
		 "more; the reservation is not made"},
		{"SRCFG[x] USERLIST=a TASKCOUNT=1 RESOURCES=PROCS:1,GRES=gpu:2\n", true,
		 "1:33 W RESOURCES: GRES choose the nodes, which are reserved whole: not every "
		 "Slurm reserves a GRES"},
		{"SRCFG[x] USERLIST=a TASKCOUNT=1 RESOURCES=PROCS:1,MEM:512\n", true,
		 "1:33 W RESOURCES: MEM and DISK choose the nodes; Slurm reserves processors and "
		 "nodes only"},
		{"SRCFG[x] USERLIST=a TASKCOUNT=1 STARTTIME=20:00:00 ENDTIME=6:00:00\n", false,
		 "1:33 E SRCFG[x] ends before it starts and is never made: write two reservations, "
		 "one up to midnight and one from midnight"},
		{"SRCFG[x] USERLIST=a TASKCOUNT=1 PERIOD=WEEK DAYS=MON\n", true,
		 "1:45 W DAYS has no effect unless PERIOD is DAY"},
		{"SRCFG[x] USERLIST=a TASKCOUNT=1 FLAGS=OWNERPREEMPT\n", true,
		 "1:33 W FLAGS: OWNERPREEMPT has no effect without OWNER"},
		{"SRCFG[x] USERLIST=a TASKCOUNT=1 FLAGS=OWNERPREEMPT OWNER=USER:a\n", true, ""},
		{"SRCFG[x] USERLIST=a TASKCOUNT=1 FLAGS=BYNAME\n", true, ""},
		{"SRCFG[x] USERLIST=a TASKCOUNT=1 TRIGGER=start+5:00:exec@/bin/mail\n", true, ""},
		{"SRCFG[x] USERLIST=a TASKCOUNT=1 TRIGGER=start+x;exec@/bin/mail\n", true,
		 "1:33 E TRIGGER, character 7: the offset is not [[HH:]MM:]SS of a year at most; "
		 "nothing is triggered"},
		{"SRCFG[x] TASKCOUNT=1 JOBATTRLIST=PREEMPTEE,RED\n", true,
		 "1:22 W JOBATTRLIST: no job has the attribute 'RED'"},
		{"SRCFG[x] TASKCOUNT=1 USERLIST=a UNTIL=2027-06-30 EXCLUDEHOSTLIST=n1,n[3-5]\n",
		 true, ""},
		/* Hosts that are left out do not say what to reserve, and are left out or nothing is. */
		{"SRCFG[x] USERLIST=a EXCLUDEHOSTLIST=n1\n", false,
		 "1:1 E SRCFG[x]: neither TASKCOUNT nor HOSTLIST says what to reserve; the "
		 "reservation "
		 "is not made"},
		{"SRCFG[x] TASKCOUNT=1 USERLIST=a EXCLUDEHOSTLIST=n1,n(\n", false,
		 "1:33 E EXCLUDEHOSTLIST: 'n(' is ignored: Unmatched ( or \\("},
		{"SRCFG[a,b] TASKCOUNT=1 USERLIST=a\n", false,
		 "1:1 E SRCFG[a,b]: the name has characters that --reservation does not take; the "
		 "reservation is not made"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct reservations reservations;
		const struct maui_problem *problems;
		const struct maui_sr *sr;
		char text[300] = "";

		reservations_open(&reservations, cases[i].lines);
		cr_assert_eq(maui_sr_list(reservations.settings, &sr), 1);
		if (maui_sr_problems(reservations.settings, &problems))
			snprintf(text, sizeof(text), "%u:%u %c %s", problems->origin.line,
				 problems->origin.column,
				 problems->severity == MAUI_ERROR ? 'E' : 'W', problems->text);
		cr_expect_str_eq(text, cases[i].problem, "%s%s", cases[i].lines, text);
		cr_expect_eq(sr->usable, cases[i].usable, "%s", cases[i].lines);
		reservations_close(&reservations);
	}
}

Test(sr_settings, problems_of_a_line_without_any_attribute_have_a_place)
{
	static const char *const lines[] = {"SRCFG[x]\n", "SRCFG[x] HOSTLST=n1\n",
					    "SRCFG[x] PERIOD=FORTNIGHT\n", "SRCFG[/] HOSTLST\n"};
	struct reservations reservations;
	const struct maui_problem *problems;
	const struct maui_sr *sr;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		size_t count;

		reservations_open(&reservations, lines[i]);
		cr_assert_eq(maui_sr_list(reservations.settings, &sr), 1, "%s", lines[i]);
		cr_expect(sr->origin.file && sr->origin.line == 1 && sr->origin.column == 1);
		count = maui_sr_problems(reservations.settings, &problems);
		cr_expect_geq(count, 2);
		for (size_t k = 0; k < count; k++) {
			cr_assert_not_null(problems[k].origin.file, "%s: %s", lines[i],
					   problems[k].text);
			cr_expect_str_eq(problems[k].origin.file, "maui.cfg");
			cr_expect(problems[k].origin.line == 1 && problems[k].origin.column);
		}
		reservations_close(&reservations);
	}
}

Test(sr_settings, none)
{
	struct reservations reservations;
	const struct maui_problem *problems;
	const struct maui_sr *sr;

	reservations_open(&reservations, "USERCFG[x] PRIORITY=1\n");
	cr_expect_eq(maui_sr_list(reservations.settings, &sr), 0);
	cr_expect_eq(maui_sr_problems(reservations.settings, &problems), 0);
	reservations_close(&reservations);
	cr_expect_eq(maui_sr_list(NULL, &sr), 0);
	cr_expect_eq(maui_sr_problems(NULL, &problems), 0);
	cr_expect_null(maui_sr_find(NULL, "x"));
	cr_expect_null(maui_sr_settings_free(NULL));
	cr_expect_eq(maui_sr_flag_find("byname"), MAUI_SR_BYNAME);
	cr_expect_eq(maui_sr_flag_find("nosuch"), 0);
}

Test(sr_settings, where_they_are_placed)
{
	static const char lines[] = "NODEALLOCATIONPOLICY FASTEST\n"
				    "NODEALLOCATIONPOLICY[p] MINRESOURCE\n";
	struct maui_config *config = NULL;
	const struct maui_sr anywhere = {.name = "x"}, in_p = {.name = "y", .partition = "p"};

	cr_assert_eq(maui_config_parse("maui.cfg", lines, strlen(lines), NULL, &config, NULL), 0);
	cr_expect_eq(maui_sr_allocation_policy(config, &anywhere), MAUI_FASTEST);
	cr_expect_eq(maui_sr_allocation_policy(config, &in_p), MAUI_MINRESOURCE);
	maui_config_unref(config);
}

Test(sr_settings, a_name_is_as_long_as_slurm_can_have_it)
{
	for (int size = MAUI_SR_NAME_MAX - 1; size <= (int)MAUI_SR_NAME_MAX + 1; size++) {
		struct reservations reservations;
		const struct maui_sr *sr;
		char lines[300];

		snprintf(lines, sizeof(lines), "SRCFG[%0*d] TASKCOUNT=1 USERLIST=a\n", size, 7);
		reservations_open(&reservations, lines);
		cr_assert_eq(maui_sr_list(reservations.settings, &sr), 1);
		cr_expect_eq(sr->usable, size <= (int)MAUI_SR_NAME_MAX, "%d", size);
		reservations_close(&reservations);
	}
}

Test(sr_settings, flags_have_their_names)
{
	cr_expect_str_eq(maui_sr_flag_name(MAUI_SR_BYNAME), "BYNAME");
	cr_expect_eq(maui_sr_flag_find(maui_sr_flag_name(MAUI_SR_BESTEFFORT)), MAUI_SR_BESTEFFORT);
	cr_expect_null(maui_sr_flag_name(0));
	cr_expect_null(maui_sr_flag_name(1u << 30));
}
