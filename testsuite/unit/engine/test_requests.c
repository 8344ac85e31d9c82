/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The service's requests: invalid ones, who may ask, and answers that no other test looks at. */
#include "testsuite/unit/engine/drive.h"

#include "plugins/engine/service/service_requests.h"

TestSuite(requests, .init = drive_init, .fini = drive_fini);

/* Expects an error in answer to a text that drive_ask() would not send. */
static void expect_error(const char *text, const char *says)
{
	size_t size = 0;
	struct request *asked = request_read(text, strlen(text), 0);
	char *line = request_carry_out(asked, &size);
	struct json_object *answer;

	cr_assert_not_null(line, "%s", text);
	line[size - 1] = '\0';
	answer = json_tokener_parse(line);
	EXPECT_TEXT(answer, "/status", "error");
	EXPECT_TEXT(answer, "/error", says);
	json_object_put(answer);
	free(line);
	request_free(asked);
}

Test(requests, what_is_none)
{
	size_t size = 0;
	char *refusal;

	drive_begin(FOUR_NODES, "");
	expect_error("", "the request is not a JSON object");
	expect_error("[1]", "the request is not a JSON object");
	expect_error("{\"schema\":", "the request is not a JSON object");
	expect_error("{\"schema\":\"maui.request/2\",\"command\":\"status\"}",
		     "the request's schema is not maui.request/1");
	expect_error("{\"schema\":\"maui.request/1\"}", "the request names no command");
	expect_error("{\"schema\":\"maui.request/1\",\"command\":\"dance\"}", "unknown command");
	expect_error("{\"schema\":\"maui.request/1\",\"command\":\"status\",\"arguments\":[]}",
		     "arguments are not a JSON object");
	refusal = request_refusal("too long", &size);
	cr_assert_not_null(refusal);
	cr_expect(strstr(refusal, "\"error\":\"too long\""));
	free(refusal);
}

static void expect_refused_change(const char *challenge, const char *says)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "{\"schema\":\"maui.request/1\",\"command\":\"disable\",\"challenge\":\"%s\"}",
		 challenge);
	expect_error(text, says);
	EXPECT_FALSE(drive_ask("status", NULL), "/disabled");
}

Test(requests, who_changes_something_repeats_a_challenge_of_his_own)
{
	const char *stale = "the request repeats a challenge that is not the engine's, has been "
			    "used, or is older than 10 seconds: nothing was done, try again";
	const char *challenge;

	drive_begin(FOUR_NODES, "ADMIN1 bin\n");
	expect_error("{\"schema\":\"maui.request/1\",\"command\":\"disable\"}",
		     "the request changes something, and repeats no challenge of the engine's: use "
		     "the `maui` of the engine's release");
	expect_refused_change("", stale);
	expect_refused_change("0123456789abcdef0123456789abcdef", stale);
	challenge = json_object_get_string(
		drive_at(drive_ask_as(drive_uid("bin"), "challenge", NULL), "/challenge"));
	expect_refused_change(challenge, stale);
	challenge = json_object_get_string(drive_at(drive_ask("challenge", NULL), "/challenge"));
	drive_clock(NOW + 11);
	expect_refused_change(challenge, stale);
}

Test(requests, arguments_that_make_no_sense)
{
	static const struct {
		const char *command, *arguments;
	} cases[] = {
		{"diagnose-priority", "{'partition':'nosuch'}"},
		{"diagnose-priority", "{'user':'nosuchuser'}"},
		{"diagnose-priority", "{'jobs':17}"},
		{"diagnose-priority", "{'jobs':['a']}"},
		{"diagnose-blocked", "{'level':'middle'}"},
		{"diagnose-credentials", NULL},
		{"diagnose-credentials", "{'type':'shoe'}"},
		{"diagnose-fairshare", "{'type':17}"},
		{"show-reservations", "{'nodes':'yes'}"},
		{"explain-reservations", NULL},
		{"explain-reservations", "{'job':99}"},
		{"explain-nodes", "{'job':'x'}"},
		{"whatif", NULL},
		{"whatif", "{'text':'','path':'x','limit':0}"},
		{"whatif", "{'text':'#INCLUDE other.cfg','path':'x'}"},
		{"whatif", "{'text':'QUEUETIMEWEIGHT many','path':'x'}"},
	};

	drive_begin(FOUR_NODES, "");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_gt(strlen(drive_refusal(0, cases[i].command, cases[i].arguments)), 0);
}

/* ---- status and showconfig ---- */

Test(requests, status)
{
	struct json_object *data;

	drive_begin(FOUR_NODES, "RMPOLLINTERVAL 30\nADMIN1 root\n");
	SUBMIT(.user = "bin");
	drive_pass(30);
	data = drive_ask("status", NULL);
	EXPECT_TEXT(data, "/mode", "primary");
	EXPECT_TEXT(data, "/slurm_version", SLURM_VERSION_STRING);
	EXPECT_NUMBER(data, "/started", NOW);
	EXPECT_NUMBER(data, "/iteration", 2);
	EXPECT_NUMBER(data, "/last_iteration", NOW + 30);
	EXPECT_NUMBER(data, "/iteration_interval", 30);
	EXPECT_NUMBER(data, "/jobs", 1);
	EXPECT_TRUE(data, "/select");
	EXPECT_TEXT(data, "/policy/path", drive_path("maui.cfg"));
	EXPECT_NULL(data, "/statdir/directory");
}

Test(requests, showconfig_is_for_whom_maui_cfg_names)
{
	struct json_object *data;
	uid_t bin = drive_uid("bin"), sys = drive_uid("sys");

	drive_begin(FOUR_NODES, "ADMIN3 sys\nQUEUETIMEWEIGHT 12\nUSERCFG[bin] PRIORITY=3\n");
	cr_expect(strstr(drive_refusal(bin, "showconfig", NULL), "root, SlurmUser and ADMIN1..3"));
	data = drive_ask_as(sys, "showconfig", NULL);
	int at = drive_place(data, "/values", "parameter", "QUEUETIMEWEIGHT");
	struct json_object *value =
		json_object_array_get_idx(drive_at(data, "/values"), (size_t)at);
	EXPECT_TEXT(value, "/value", "12");
	EXPECT_NUMBER(value, "/origin/line", 2);
	drive_reconfigure("ADMIN3 ALL\n");
	drive_ask_as(bin, "showconfig", NULL);
}

/* ---- jobs ---- */

Test(requests, jobs_by_partition_user_and_number)
{
	static const struct {
		const char *arguments;
		int count;
	} cases[] = {
		{NULL, 4}, /* a job in two partitions counts twice */
		{"{'partition':'small'}", 2},
		{"{'user':'bin'}", 3},
		{"{'jobs':[51]}", 1},
		{"{'jobs':[50,51]}", 3},
		{"{'user':'sys','jobs':[51]}", 0},
	};

	drive_begin(FOUR_NODES, "");
	SUBMIT(.id = 50, .user = "bin", .partitions = "batch,small");
	SUBMIT(.id = 51, .user = "bin");
	SUBMIT(.id = 52, .user = "sys", .partitions = "small");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(
			drive_length(drive_ask("diagnose-priority", cases[i].arguments), "/jobs"),
			cases[i].count, "%s", cases[i].arguments);
}

Test(requests, each_job_is_told_with_what_stands_against_it)
{
	static const char *const kinds[] = {"user-hold", "system-hold", "dependency", "begin-time",
					    "class",     "limit",       "qos"};
	struct json_object *data;
	job_record_t *jobs[7];

	drive_machine(FOUR_NODES "PartitionName=closed Nodes=n4 State=DOWN\n", "",
		      "USERCFG[bin] MAXJOB=1\nUSERCFG[games] QLIST=low\n");
	controller_qos("hi");
	drive_start();
	controller_runs(JOB(.user = "bin"), "n1");
	jobs[0] = SUBMIT(.held = true);
	jobs[0]->state_reason = WAIT_HELD_USER;
	jobs[1] = SUBMIT(.held = true);
	jobs[2] = SUBMIT();
	jobs[2]->state_reason = WAIT_DEPENDENCY;
	jobs[3] = SUBMIT();
	jobs[3]->details->begin_time = NOW + HOUR;
	jobs[4] = SUBMIT(.partitions = "closed");
	jobs[5] = SUBMIT(.user = "bin");
	jobs[6] = SUBMIT(.user = "games", .qos = "hi");
	SUBMIT();
	data = drive_ask("diagnose-blocked", NULL);
	cr_assert_eq(drive_length(data, "/jobs"), 7);
	for (size_t i = 0; i < 7; i++) {
		char pointer[64];

		snprintf(pointer, sizeof(pointer), "/jobs/%zu/job", i);
		EXPECT_NUMBER(data, pointer, jobs[i]->job_id);
		snprintf(pointer, sizeof(pointer), "/jobs/%zu/kind", i);
		EXPECT_TEXT(data, pointer, kinds[i]);
		snprintf(pointer, sizeof(pointer), "/counts/%s", kinds[i]);
		EXPECT_NUMBER(data, pointer, 1);
	}
	EXPECT_NUMBER(data, "/counts/eligible", 1);
	EXPECT_NUMBER(data, "/jobs/3/begin", NOW + HOUR);
	EXPECT_TEXT(data, "/jobs/5/limit/name", "MAXJOB");
	EXPECT_TEXT(data, "/jobs/5/limit/holder", "bin");
	EXPECT_NUMBER(data, "/jobs/5/limit/usage", 1);
	EXPECT_TEXT(data, "/jobs/5/message",
		    "violates active HARD MAXJOB limit of 1 for user bin  (R: 1, U: 1)");
}

Test(requests, a_dependency_that_can_never_be_satisfied_is_told_as_that)
{
	job_record_t *waits, *never;
	struct json_object *data;

	drive_begin(FOUR_NODES, "");
	waits = SUBMIT();
	waits->state_reason = WAIT_DEPENDENCY;
	never = SUBMIT();
	never->state_reason = WAIT_DEP_INVALID;
	data = drive_ask("diagnose-blocked", NULL);
	EXPECT_NUMBER(data, "/counts/dependency", 2);
	EXPECT_TEXT(data, "/jobs/0/text", "waits for other jobs");
	EXPECT_TEXT(data, "/jobs/0/message", "cannot be selected  (Dependency)");
	EXPECT_TEXT(data, "/jobs/1/kind", "dependency");
	EXPECT_TEXT(data, "/jobs/1/text",
		    "waits for other jobs: its dependency can never be satisfied");
	EXPECT_TEXT(data, "/jobs/1/message", "cannot be selected  (DependencyNeverSatisfied)");
}

Test(requests, the_last_look_is_enough_for_who_says_so)
{
	double before;

	drive_begin(FOUR_NODES, "");
	before = json_object_get_double(drive_at(drive_ask("status", NULL), "/iteration"));
	drive_ask("diagnose-priority", "{'last':true}");
	EXPECT_NUMBER(drive_ask("status", NULL), "/iteration", before);
	drive_ask("diagnose-priority", NULL);
	EXPECT_NUMBER(drive_ask("status", NULL), "/iteration", before + 1);
}

/* ---- credentials ---- */

Test(requests, credentials_with_their_limits)
{
	struct json_object *data;

	drive_machine(FOUR_NODES, "",
		      "USERCFG[bin] MAXJOB=2,4 PRIORITY=-50 FSTARGET=30+ QDEF=hi QLIST=hi,low\n"
		      "USERCFG[DEFAULT] MAXJOB=9\nCLASSCFG[batch] MAXPROC[USER]=8\n"
		      "QOSCFG[hi] MAXIPROC=6 OMAXJOB=3\nSYSCFG MAXPROC=12\n");
	controller_qos("hi");
	controller_qos("low");
	drive_start();
	cr_assert(controller_try(SUBMIT(.user = "bin", .qos = "low", .cpus = 3, .memory = 100),
				 true));
	SUBMIT(.user = "bin", .qos = "low", .cpus = 2);
	SUBMIT(.user = "games", .qos = "hi", .cpus = 2);
	data = drive_ask("diagnose-credentials", "{'type':'user'}");
	EXPECT_TRUE(data, "/limited");
	EXPECT_TRUE(data, "/enforced");
	EXPECT_TRUE(data, "/counted");
	EXPECT_TEXT(data, "/credentials/0/name", "bin");
	EXPECT_NUMBER(data, "/credentials/0/priority", -50);
	EXPECT_TEXT(data, "/credentials/0/qdef", "hi");
	EXPECT_TEXT(data, "/credentials/0/qlist/1", "low");
	EXPECT_TEXT(data, "/credentials/0/mark", "+");
	EXPECT_NUMBER(data, "/credentials/0/pending", 1);
	EXPECT_TEXT(data, "/credentials/0/limits/0/name", "MAXJOB");
	EXPECT_NUMBER(data, "/credentials/0/limits/0/soft", 2);
	EXPECT_NUMBER(data, "/credentials/0/limits/0/usage", 1);
	EXPECT_NUMBER(data, "/credentials/0/limits/0/soft_left", 1);
	EXPECT_NUMBER(data, "/credentials/0/limits/0/left", 3);
	EXPECT_NUMBER(data, "/credentials/0/active/procs", 3);
	EXPECT_NUMBER(data, "/credentials/0/active/memory", 100);
	EXPECT_NUMBER(data, "/credentials/0/active/procseconds", 3 * HOUR);
	EXPECT_NUMBER(data, "/credentials/0/eligible/jobs", 1);
	EXPECT_TEXT(data, "/credentials/2/name", "DEFAULT");
	EXPECT_TRUE(data, "/credentials/2/default");
	EXPECT_NUMBER(data, "/system/active/procs", 3);
	EXPECT_NUMBER(data, "/system/limits/0/left", 9);
	data = drive_ask("diagnose-credentials", "{'type':'qos','name':'hi'}");
	EXPECT_TEXT(data, "/credentials/0/listed_by/user/0", "bin");
	EXPECT_NUMBER(data, "/credentials/0/eligible/procs", 2);
	int override = drive_place(data, "/credentials/0/limits", "name", "OMAXJOB");
	cr_expect_geq(override, 0);
	data = drive_ask("diagnose-credentials", "{'type':'class','name':'batch'}");
	EXPECT_NUMBER(data, "/credentials/0/pending", 2);
	EXPECT_TEXT(data, "/credentials/0/limits/0/second", "bin");
	EXPECT_NUMBER(data, "/credentials/0/limits/0/left", 5);
	data = drive_ask("diagnose-credentials", "{'type':'group'}");
	cr_expect_eq(drive_length(data, "/credentials"), 3);
	data = drive_ask("diagnose-credentials", "{'type':'account'}");
	cr_expect_eq(drive_length(data, "/credentials"), 1, "DEFAULT alone");
}

Test(requests, credentials_of_others_are_private)
{
	struct json_object *data;

	drive_machine(FOUR_NODES, "PrivateData=jobs,usage,users\n", "USERCFG[DEFAULT] MAXJOB=9\n");
	drive_start();
	SUBMIT(.user = "bin");
	SUBMIT(.user = "games");
	data = drive_ask_as(drive_uid("games"), "diagnose-credentials", "{'type':'user'}");
	cr_assert_eq(drive_length(data, "/credentials"), 2);
	EXPECT_TEXT(data, "/credentials/0/name", "games");
	EXPECT_TEXT(data, "/credentials/1/name", "DEFAULT");
	EXPECT_NULL(data, "/system/active");
	cr_expect_eq(
		drive_length(drive_ask("diagnose-credentials", "{'type':'user'}"), "/credentials"),
		3);
}

/* ---- explain-reservations ---- */

/* job_submit/maui turns `--reservation` into x=ADVRES, and clears Slurm's member. */
Test(requests, which_reservation_a_job_asks_for)
{
	static const struct {
		const char *comment, *asks;
		bool a, b;
	} cases[] = {
		{NULL, NULL, false, false},        {"x=ADVRES:a.inf", "a.inf", true, false},
		{"x=ADVRES:a", "a", true, false},  {"x=ADVRES:b", "b", false, true},
		{"x=ADVRES:c", "c", false, false},
	};

	drive_begin(FOUR_NODES, "SRCFG[a] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin\n"
				"SRCFG[b] HOSTLIST=n2 PERIOD=INFINITY USERLIST=bin\n");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct json_object *data, *all;
		char job[32];

		snprintf(job, sizeof(job), "{'job':%zu}", 60 + i);
		SUBMIT(.id = (uint32_t)(60 + i), .user = "bin", .comment = cases[i].comment);
		data = drive_ask("explain-reservations", job);
		if (cases[i].asks)
			EXPECT_TEXT(data, "/asks", cases[i].asks);
		else
			EXPECT_NULL(data, "/asks");
		all = drive_at(data, "/reservations");
		for (int b = 0; b < 2; b++) {
			size_t at = (size_t)drive_place(data, "/reservations", "name",
							b ? "b.inf" : "a.inf");
			struct json_object *one = json_object_array_get_idx(all, at);

			cr_expect_eq(json_object_get_boolean(drive_at(one, "/asked")),
				     b ? cases[i].b : cases[i].a, "case %zu: %d", i, b);
		}
	}
}

Test(requests, how_a_job_stands_to_reservations)
{
	struct json_object *data;

	drive_begin(FOUR_NODES,
		    "SRCFG[a] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin,sys- TIMELIMIT=2:00:00*\n"
		    "SRCFG[b] HOSTLIST=n2 PERIOD=DAY STARTTIME=20:00:00 USERLIST=bin\n");
	SUBMIT(.id = 60, .user = "bin", .account = "art", .minutes = 90);
	SUBMIT(.id = 61, .user = "sys", .minutes = 300);
	data = drive_ask("explain-reservations", "{'job':60}");
	EXPECT_TEXT(data, "/user", "bin");
	EXPECT_TEXT(data, "/account", "art");
	EXPECT_TEXT(data, "/state", "pending");
	EXPECT_TEXT(data, "/pass", "engine");
	EXPECT_NUMBER(data, "/walltime", 5400);
	EXPECT_NUMBER(data, "/start", NOW);
	struct json_object *a = json_object_array_get_idx(
		drive_at(data, "/reservations"),
		(size_t)drive_place(data, "/reservations", "name", "a.inf"));
	EXPECT_TRUE(a, "/meets");
	EXPECT_TRUE(a, "/admitted");
	EXPECT_TEXT(a, "/affinity", "positive");
	EXPECT_NULL(a, "/end");
	struct json_object *b = json_object_array_get_idx(
		drive_at(data, "/reservations"),
		(size_t)drive_place(data, "/reservations", "name", "b.20231113"));
	EXPECT_FALSE(b, "/meets");
	EXPECT_TRUE(b, "/admitted");
	EXPECT_NULL(data, "/asks");
	EXPECT_FALSE(b, "/asked");
	data = drive_ask("explain-reservations", "{'job':61}");
	EXPECT_FALSE(data, "/reservations/0/admitted");
	EXPECT_NULL(data, "/reservations/0/affinity");
	drive_reconfigure("");
	cr_expect_eq(drive_length(drive_ask("explain-reservations", "{'job':60}"), "/reservations"),
		     0);
}

Test(requests, reservations_node_by_node)
{
	struct json_object *data;

	drive_begin(FOUR_NODES, "SRCFG[a] HOSTLIST=n[1-2] PERIOD=INFINITY USERLIST=bin\n");
	controller_reservation("other", "n3", NOW - HOUR, NOW + HOUR, "sys");
	cr_assert(controller_try(SUBMIT(.user = "bin", .cpus = 3, .on = "n1"), true));
	drive_turn();
	data = drive_ask("diagnose-reservations", "{'nodes':true}");
	EXPECT_TRUE(data, "/known");
	cr_assert_eq(drive_length(data, "/reservations"), 2);
	EXPECT_TRUE(data, "/reservations/0/ours");
	EXPECT_NUMBER(data, "/reservations/0/procs", 8);
	EXPECT_NUMBER(data, "/reservations/0/used_procs", 3);
	EXPECT_TRUE(data, "/reservations/0/open");
	EXPECT_FALSE(data, "/reservations/1/ours");
	EXPECT_TEXT(data, "/reservations/1/users", "sys");
	EXPECT_NUMBER(data, "/active_procs", 12);
	cr_assert_eq(drive_length(data, "/nodes"), 3);
	EXPECT_TEXT(data, "/nodes/2/node", "n3");
	EXPECT_NUMBER(data, "/nodes/2/reservation", 1);
	data = drive_ask("show-reservations", "{'name':'a'}");
	cr_expect_eq(drive_length(data, "/reservations"), 1);
}

/* ---- whatif ---- */

#define TODAY "QUEUETIMEWEIGHT 0\nCREDWEIGHT 1\nUSERWEIGHT 1\nADMIN3 sys\n"

Test(requests, whatif_says_who_moves_and_changes_nothing)
{
	struct json_object *data;
	job_record_t *first, *second;

	drive_begin(FOUR_NODES, TODAY "USERCFG[bin] PRIORITY=50\nUSERCFG[games] PRIORITY=20\n");
	first = SUBMIT(.user = "bin");
	second = SUBMIT(.user = "games");
	SUBMIT(.user = "mail");
	data = drive_ask("whatif", "{'path':'/new/maui.cfg','text':'QUEUETIMEWEIGHT 0\\nCREDWEIGHT "
				   "1\\nUSERWEIGHT 2\\nUSERCFG[bin] PRIORITY=5\\n"
				   "USERCFG[games] PRIORITY=20\\nUSERCFG[mail] MAXPROC=0,-1\\n'}");
	EXPECT_NUMBER(data, "/jobs", 3);
	EXPECT_NUMBER(data, "/ranks_changed", 2);
	EXPECT_NUMBER(data, "/priorities_changed", 2);
	EXPECT_NUMBER(data, "/newly_blocked", 0);
	int at = drive_place(data, "/movers", "user", "games");
	struct json_object *mover =
		json_object_array_get_idx(drive_at(data, "/movers"), (size_t)at);
	EXPECT_NUMBER(mover, "/job", second->job_id);
	EXPECT_NUMBER(mover, "/rank/today", 2);
	EXPECT_NUMBER(mover, "/rank/then", 1);
	EXPECT_NUMBER(mover, "/priority/today", 20);
	EXPECT_NUMBER(mover, "/priority/then", 40);
	EXPECT_TEXT(mover, "/most", "CRED");
	cr_expect_eq(first->priority, 50);
	drive_turn();
	cr_expect_eq(first->priority, 50);
	EXPECT_NUMBER(drive_ask("status", NULL), "/policy/readings", 0);
}

Test(requests, whatif_says_who_is_blocked_and_who_is_freed)
{
	struct json_object *data;
	job_record_t *bin, *games, *mail;

	drive_begin(FOUR_NODES, TODAY "USERCFG[games] MAXJOB=1\nUSERCFG[mail] MAXPROC=1\n");
	cr_assert(controller_try(SUBMIT(.user = "bin"), true));
	cr_assert(controller_try(SUBMIT(.user = "games"), true));
	cr_assert(controller_try(SUBMIT(.user = "mail"), true));
	bin = SUBMIT(.user = "bin");
	games = SUBMIT(.user = "games");
	mail = SUBMIT(.user = "mail");
	data = drive_ask("whatif", "{'path':'x','text':'USERCFG[bin] MAXJOB=1\\n"
				   "USERCFG[mail] MAXJOB=1\\n"
				   "SRCFG[new] HOSTLIST=n1 USERLIST=bin\\n'}");
	EXPECT_NUMBER(data, "/newly_blocked", 1);
	EXPECT_NUMBER(data, "/newly_blocked_jobs/0/job", bin->job_id);
	EXPECT_TEXT(data, "/newly_blocked_jobs/0/kind", "limit");
	EXPECT_TEXT(data, "/newly_blocked_jobs/0/level", "hard");
	EXPECT_TEXT(data, "/newly_blocked_jobs/0/text",
		    "MAXJOB limit of 1 for user bin (1 in use)");
	EXPECT_NUMBER(data, "/freed", 1);
	EXPECT_NUMBER(data, "/freed_jobs/0/job", games->job_id);
	EXPECT_NUMBER(data, "/blocked_otherwise", 1);
	EXPECT_NUMBER(data, "/blocked_otherwise_jobs/0/job", mail->job_id);
	EXPECT_NUMBER(data, "/blocked/today", 2);
	EXPECT_NUMBER(data, "/blocked/then", 2);
	drive_place(data, "/notes", "name", "SRCFG");
	data = drive_ask("whatif", "{'path':'x','text':'ENABLENEGJOBPRIORITY TRUE\\n"
				   "REJECTNEGPRIOJOBS TRUE\\nQUEUETIMEWEIGHT 0\\nCREDWEIGHT 1\\n"
				   "USERWEIGHT 1\\nUSERCFG[bin] PRIORITY=-5\\n'}");
	EXPECT_TEXT(data, "/newly_blocked_jobs/0/kind", "negative-priority");
	cr_expect(strstr(drive_refusal(drive_uid("bin"), "whatif", "{'path':'x','text':''}"),
			 "ADMIN1..3"));
	drive_ask_as(drive_uid("sys"), "whatif", "{'path':'x','text':''}");
}

Test(requests, whatif_asks_the_windows_of_fairshare)
{
	struct json_object *data;
	job_record_t *job;

	drive_begin(FOUR_NODES, "FSPOLICY DEDICATEDPS\nFSINTERVAL 24:00:00\nQUEUETIMEWEIGHT 0\n");
	job = SUBMIT(.user = "bin");
	cr_assert(controller_try(job, true));
	drive_pass(30 * MINUTE);
	SUBMIT(.user = "bin");
	SUBMIT(.user = "games");
	data = drive_ask("whatif",
			 "{'path':'x','text':'FSPOLICY DEDICATEDPS\\nFSINTERVAL "
			 "24:00:00\\nQUEUETIMEWEIGHT 0\\nUSERCFG[bin] FSTARGET=4000^\\n'}");
	EXPECT_NUMBER(data, "/newly_blocked", 1);
	EXPECT_TEXT(data, "/newly_blocked_jobs/0/kind", "fairshare-cap");
}
