/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A name service that answers, says no, and does not answer, each with every error that it may
 * give: what is known stays, nobody gets past a limit or a list, and who could be meant waits.
 */
#include "testsuite/unit/engine/drive.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>

#include "plugins/engine/api/engine.h"
#include "plugins/engine/policy/principals_ask.h"

/* ---- the name service ---- */

static struct {
	struct {
		const char *name;
		uint32_t number;
	} user[8], group[8];
	int error;     /* of all calls; 0: it answers */
	size_t needed; /* ERANGE for buffers that are smaller */
	unsigned int calls;
} machine;

static int answer_record(const char *name, uint32_t number, bool user, size_t size,
			 const char **ret_name, uint32_t *ret_number)
{
	machine.calls++;
	*ret_name = NULL;
	if (machine.error)
		return machine.error;
	if (size < machine.needed)
		return ERANGE;
	for (size_t i = 0; i < 8; i++) {
		const char *known = user ? machine.user[i].name : machine.group[i].name;
		uint32_t its = user ? machine.user[i].number : machine.group[i].number;

		if (known && (name ? !strcmp(known, name) : its == number)) {
			*ret_name = known;
			*ret_number = its;
			return 0;
		}
	}
	return 0;
}

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker's names. */
static int answer_user(const char *name, uid_t uid, struct passwd *record, size_t size,
		       struct passwd **result)
{
	const char *found;
	uint32_t number = 0;
	int rc = answer_record(name, uid, true, size, &found, &number);

	*result = found ? record : NULL;
	*record = (struct passwd){.pw_name = (char *)found, .pw_uid = number};
	return rc;
}

static int answer_group(const char *name, gid_t gid, struct group *record, size_t size,
			struct group **result)
{
	const char *found;
	uint32_t number = 0;
	int rc = answer_record(name, gid, false, size, &found, &number);

	*result = found ? record : NULL;
	*record = (struct group){.gr_name = (char *)found, .gr_gid = number};
	return rc;
}

int __wrap_getpwnam_r(const char *name, struct passwd *record, char *buffer, size_t size,
		      struct passwd **result);
int __wrap_getpwuid_r(uid_t uid, struct passwd *record, char *buffer, size_t size,
		      struct passwd **result);
int __wrap_getgrnam_r(const char *name, struct group *record, char *buffer, size_t size,
		      struct group **result);
int __wrap_getgrgid_r(gid_t gid, struct group *record, char *buffer, size_t size,
		      struct group **result);

int __wrap_getpwnam_r(const char *name, struct passwd *record, char *buffer, size_t size,
		      struct passwd **result)
{
	(void)buffer;
	return answer_user(name, 0, record, size, result);
}

int __wrap_getpwuid_r(uid_t uid, struct passwd *record, char *buffer, size_t size,
		      struct passwd **result)
{
	(void)buffer;
	return answer_user(NULL, uid, record, size, result);
}

int __wrap_getgrnam_r(const char *name, struct group *record, char *buffer, size_t size,
		      struct group **result)
{
	(void)buffer;
	return answer_group(name, 0, record, size, result);
}

int __wrap_getgrgid_r(gid_t gid, struct group *record, char *buffer, size_t size,
		      struct group **result)
{
	(void)buffer;
	return answer_group(NULL, gid, record, size, result);
}
/* NOLINTEND(bugprone-reserved-identifier) */

static void set_user(size_t place, const char *name, uint32_t uid)
{
	machine.user[place].name = name;
	machine.user[place].number = uid;
}

static void set_group(size_t place, const char *name, uint32_t gid)
{
	machine.group[place].name = name;
	machine.group[place].number = gid;
}

static void init(void)
{
	drive_init();
	memset(&machine, 0, sizeof(machine));
	set_user(0, "root", 0);
	set_user(1, "alice", 5001);
	set_user(2, "bob", 5002);
	set_group(0, "root", 0);
	set_group(1, "staff", 600);
}

TestSuite(name_service, .init = init, .fini = drive_fini);

static const int no_answers[] = {EIO,    EINTR,        EAGAIN,    EMFILE, ENFILE,
				 ENOMEM, ECONNREFUSED, ETIMEDOUT, ERANGE, EINVAL};
static const int noes[] = {0, ENOENT, ESRCH, EBADF, EPERM};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- jobs ---- */

/* A pending job of one CPU, which Slurm accepts now. */
static job_record_t *submit(uint32_t uid, uint32_t gid)
{
	job_record_t *job = JOB(.cpus = 1);

	job->user_id = uid;
	job->group_id = gid;
	controller_lock_all();
	job->priority = maui_engine_set_priority(job);
	controller_unlock_all();
	return job;
}

static bool starts(job_record_t *job)
{
	return controller_try(job, true);
}

static void expect_waits(job_record_t *job, const char *reason, int line)
{
	cr_expect_not(starts(job), "line %d: it starts", line);
	cr_expect(job->state_desc && strstr(job->state_desc, reason), "line %d: '%s', and not '%s'",
		  line, job->state_desc ? job->state_desc : "", reason);
}
#define EXPECT_WAITS(job, reason) expect_waits(job, reason, __LINE__)

#define NOT_SAID "could be one that maui.cfg names: the name service has not said yet"

/* ---- one call ---- */

Test(name_service, every_error_at_every_call)
{
	uint32_t number;
	char *name;

	drive_begin(FOUR_NODES, "");
	for (int type = MAUI_USER; type <= MAUI_GROUP; type++) {
		for (size_t i = 0; i < COUNT(noes); i++) {
			machine.error = noes[i];
			cr_expect_eq(
				principals_ask_number((enum maui_credential)type, "none", &number),
				MAUI_ANSWER_NONE, "%d", noes[i]);
			cr_expect_eq(principals_ask_name((enum maui_credential)type, 77, &name),
				     MAUI_ANSWER_NONE, "%d", noes[i]);
		}
		for (size_t i = 0; i < COUNT(no_answers); i++) {
			machine.error = no_answers[i];
			cr_expect_eq(
				principals_ask_number((enum maui_credential)type, "none", &number),
				MAUI_ANSWER_NOT_NOW, "%d", no_answers[i]);
			cr_expect_eq(principals_ask_name((enum maui_credential)type, 77, &name),
				     MAUI_ANSWER_NOT_NOW, "%d", no_answers[i]);
			cr_expect_null(name);
		}
	}
}

Test(name_service, a_group_of_many_members_is_found_with_a_larger_buffer)
{
	uint32_t number = 0;

	drive_begin(FOUR_NODES, "");
	machine.needed = 1 << 20;
	cr_expect_eq(principals_ask_number(MAUI_GROUP, "staff", &number), MAUI_ANSWER_FOUND);
	cr_expect_eq(number, 600);
	machine.needed = 1 << 30;
	cr_expect_eq(principals_ask_number(MAUI_GROUP, "other", &number), MAUI_ANSWER_NOT_NOW);
}

Test(name_service, digits_are_a_number_where_nobody_has_that_name)
{
	uint32_t number = 0;

	drive_begin(FOUR_NODES, "");
	cr_expect_eq(principals_ask_number(MAUI_USER, "1005", &number), MAUI_ANSWER_FOUND);
	cr_expect_eq(number, 1005);
	cr_expect_eq(principals_ask_number(MAUI_USER, "0104test", &number), MAUI_ANSWER_NONE);
	set_user(3, "1005", 5003);
	cr_expect_eq(principals_ask_number(MAUI_USER, "1005", &number), MAUI_ANSWER_FOUND);
	cr_expect_eq(number, 5003);
}

/* ---- digits as a name ---- */

#define DAYS  "FSPOLICY DEDICATEDPS\nFSINTERVAL 24:00:00\nFSDEPTH 3\nFSDECAY 0.5\n"
#define TODAY "maui/stats/FS.1699833600" /* it began at midnight */

/* Usage of the row of this name; of two of them that without a name, or the other. */
static void expect_usage(const char *type, const char *name, bool unnamed, double usage, int line)
{
	struct json_object *rows;
	char pointer[64];
	double found = -1;

	snprintf(pointer, sizeof(pointer), "/credentials/%s", type);
	rows = drive_at(drive_ask("diagnose-fairshare", NULL), pointer);
	cr_assert(rows, "line %d", line);
	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		if (!strcmp(json_object_get_string(json_object_object_get(row, "name")), name) &&
		    json_object_get_boolean(json_object_object_get(row, "unnamed")) == unnamed)
			found = json_object_get_double(json_object_object_get(row, "usage"));
	}
	cr_expect_float_eq(found, usage, 1e-6, "line %d: %s %s: %g, and not %g", line, type, name,
			   found, usage);
}

static void expect_apart(double number, double name, int line)
{
	expect_usage("user", "7001", true, number, line);
	expect_usage("user", "7001", false, name, line);
	expect_usage("group", "601", true, number, line);
	expect_usage("group", "601", false, name, line);
}

/* The user 7001 has the uid 5003, and nobody has the uid 7001; groups likewise. Both have a job;
 * returns that of uid 7001. */
static job_record_t *begin_with_digits(void)
{
	job_record_t *jobs[2];

	set_user(3, "7001", 5003);
	set_group(2, "601", 603);
	drive_begin(FOUR_NODES, DAYS);
	jobs[0] = submit(7001, 601);
	jobs[1] = submit(5003, 603);
	cr_assert(starts(jobs[0]));
	cr_assert(starts(jobs[1]));
	return jobs[0];
}

Test(name_service, usage_of_a_uid_without_a_name_is_not_that_of_the_user_of_these_digits)
{
	job_record_t *unnamed = begin_with_digits();
	char *text;

	drive_pass(100);
	expect_apart(100, 100, __LINE__);
	controller_end(unnamed, JOB_COMPLETE);
	drive_pass(50);
	drive_stop();
	text = drive_file(TODAY);
	cr_expect(strstr(text, "\nUser \"7001\" 150.000\n"), "%s", text);
	cr_expect(strstr(text, "\nUser 7001 100.000\n"), "%s", text);
	cr_expect(strstr(text, "\nGroup \"601\" 150.000\n"), "%s", text);
	cr_expect(strstr(text, "\nGroup 601 100.000\n"), "%s", text);
	free(text);
	drive_start();
	expect_apart(100, 150, __LINE__);
	drive_pass(10);
	expect_apart(100, 160, __LINE__);
}

/* What is idle is charged from the file "idle" after a kill. */
Test(name_service, idle_cycles_of_an_owner_of_digits_are_his)
{
	char *text;

	set_user(3, "7001", 5003);
	drive_begin(FOUR_NODES, DAYS "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n"
				     "SRCFG[own] HOSTLIST=n[1-2] PERIOD=INFINITY USERLIST=7001 "
				     "OWNER=USER:7001\n");
	drive_pass(100);
	text = drive_file("maui/idle");
	cr_expect(text && strstr(text, " \"7001\"\n"), "%s", text);
	free(text);
	drive_kill();
	drive_start();
	drive_turn();
	expect_usage("user", "7001", true, -1, __LINE__);
	expect_usage("user", "7001", false, 800, __LINE__);
}

/* ---- limits ---- */

Test(name_service, limits_of_a_uid_without_a_name_are_not_those_of_the_user_of_these_digits)
{
	struct json_object *data;
	job_record_t *jobs[2];

	set_user(3, "7001", 5003);
	set_group(2, "601", 603);
	drive_begin(FOUR_NODES, "USERCFG[7001] MAXJOB=3\nUSERCFG[DEFAULT] MAXJOB=5\n"
				"GROUPCFG[601] MAXJOB=3\nGROUPCFG[DEFAULT] MAXJOB=5\n"
				"CLASSCFG[batch] MAXJOB[USER]=4\n");
	jobs[0] = submit(7001, 601);
	jobs[1] = submit(5003, 603);
	cr_assert(starts(jobs[0]));
	cr_assert(starts(jobs[1]));
	drive_turn();
	for (int i = 0; i < 2; i++) {
		data = drive_ask("diagnose-credentials", i ? "{'type':'group','name':'601'}"
							   : "{'type':'user','name':'7001'}");
		cr_expect_eq(drive_length(data, "/credentials"), 2);
		EXPECT_NULL(data, "/credentials/0/unnamed");
		EXPECT_NUMBER(data, "/credentials/0/limits/0/hard", 3);
		EXPECT_TRUE(data, "/credentials/1/unnamed");
		EXPECT_NUMBER(data, "/credentials/1/limits/0/hard", 5);
		EXPECT_NUMBER(data, "/credentials/1/limits/0/usage", 1);
	}
	data = drive_ask("diagnose-credentials", "{'type':'class','name':'batch'}");
	cr_assert_eq(drive_length(data, "/credentials/0/limits"), 2);
	EXPECT_TEXT(data, "/credentials/0/limits/0/second", "7001");
	EXPECT_TEXT(data, "/credentials/0/limits/1/second", "7001");
	EXPECT_TRUE(data, "/credentials/0/limits/0/second_unnamed");
	EXPECT_NULL(data, "/credentials/0/limits/1/second_unnamed");
}

/* The user and the uid each wait for a limit of theirs; returns what diagnose-blocked says. */
static struct json_object *block_with_digits(const char *maui_cfg)
{
	bool started[4];

	set_user(3, "7001", 5003);
	set_group(2, "601", 603);
	drive_begin(FOUR_NODES, maui_cfg);
	for (int i = 0; i < 4; i++)
		started[i] = starts(i % 2 ? submit(5003, 603) : submit(7001, 601));
	cr_assert(started[0] && started[1] && !started[2] && !started[3]);
	drive_turn();
	return drive_ask("diagnose-blocked", NULL);
}

static void expect_holders(const char *maui_cfg, const char *member, const char *name)
{
	struct json_object *data = block_with_digits(maui_cfg);
	char pointer[64], unnamed[80];

	for (int i = 0; i < 2; i++) {
		snprintf(pointer, sizeof(pointer), "/jobs/%d/limit/%s", i, member);
		snprintf(unnamed, sizeof(unnamed), "%s_unnamed", pointer);
		EXPECT_TEXT(data, pointer, name);
		if (i)
			EXPECT_NULL(data, unnamed);
		else
			EXPECT_TRUE(data, unnamed);
	}
}

Test(name_service, a_limit_that_blocks_a_uid_without_a_name_is_not_the_users_of_these_digits)
{
	expect_holders("USERCFG[DEFAULT] MAXJOB=1\n", "holder", "7001");
}

Test(name_service, a_limit_that_blocks_a_gid_without_a_name_is_not_the_groups_of_these_digits)
{
	expect_holders("GROUPCFG[DEFAULT] MAXJOB=1\n", "holder", "601");
}

Test(name_service, a_pair_that_blocks_a_uid_without_a_name_is_not_the_users_of_these_digits)
{
	expect_holders("CLASSCFG[batch] MAXJOB[USER]=1\n", "second", "7001");
}

Test(name_service, a_cap_that_blocks_a_uid_without_a_name_is_not_the_users_of_these_digits)
{
	struct json_object *data;

	set_user(3, "7001", 5003);
	drive_begin(FOUR_NODES, DAYS "USERCFG[DEFAULT] FSTARGET=1^\n");
	cr_expect_not(starts(submit(7001, 0)));
	cr_expect_not(starts(submit(5003, 0)));
	drive_turn();
	data = drive_ask("diagnose-fairshare", NULL);
	cr_assert_eq(drive_length(data, "/blocked"), 2);
	EXPECT_TEXT(data, "/blocked/0/name", "7001");
	EXPECT_TEXT(data, "/blocked/1/name", "7001");
	EXPECT_TRUE(data, "/blocked/0/unnamed");
	EXPECT_NULL(data, "/blocked/1/unnamed");
}

/* Every error, while slurmctld runs. */
Test(name_service, limits_stay_while_it_is_down)
{
	drive_begin(FOUR_NODES, "USERCFG[alice] MAXJOB=1\nGROUPCFG[staff] MAXPROC=1\n");
	for (size_t i = 0; i < COUNT(no_answers); i++) {
		job_record_t *jobs[3];

		machine.error = no_answers[i];
		drive_pass(HOUR);
		for (size_t k = 0; k < 2; k++)
			jobs[k] = submit(5001, 0);
		jobs[2] = submit(0, 600);
		cr_expect(starts(jobs[0]), "%d: who was known starts", no_answers[i]);
		EXPECT_WAITS(jobs[1], "MAXJOB limit of 1 for user alice");
		cr_expect(starts(jobs[2]), "%d: who was known starts", no_answers[i]);
		EXPECT_WAITS(submit(0, 600), "MAXPROC limit of 1 for group staff");
		controller_end(jobs[0], JOB_COMPLETE);
		controller_end(jobs[2], JOB_COMPLETE);
	}
	cr_expect(drive_logged("the name service does not answer for 2 users and groups"));
	machine.error = 0;
	drive_pass(HOUR);
	cr_expect(drive_logged("the name service answers for all users and groups of maui.cfg "
			       "again"));
}

Test(name_service, limits_stay_over_a_restart)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, "USERCFG[alice] MAXJOB=1\n");
	job = submit(5002, 600); /* bob and staff are known by their jobs */
	drive_turn();
	cr_expect(starts(job));
	drive_pass(MINUTE);
	drive_stop();
	machine.error = ECONNREFUSED;
	drive_start();
	cr_expect(starts(submit(5001, 600)), "alice was known");
	EXPECT_WAITS(submit(5001, 600), "MAXJOB limit of 1 for user alice");
	job = submit(5002, 600);
	drive_turn();
	cr_expect(starts(job), "bob was known");
}

/* A name that was never known: whoever could be it waits, and he alone. */
Test(name_service, who_could_be_a_name_never_known_waits)
{
	job_record_t *alice, *bob;

	machine.error = EIO;
	drive_begin(FOUR_NODES, "USERCFG[alice] MAXJOB=1\n");
	alice = submit(5001, 600);
	bob = submit(5002, 600);
	EXPECT_WAITS(alice, "user 5001 " NOT_SAID);
	EXPECT_WAITS(bob, "user 5002 " NOT_SAID);
	drive_pass(MINUTE);
	EXPECT_WAITS(alice, NOT_SAID);
	machine.error = 0;
	drive_pass(HOUR);
	cr_expect(starts(bob));
	cr_expect(starts(alice));
	EXPECT_WAITS(submit(5001, 600), "MAXJOB limit of 1 for user alice");
}

/* ---- who comes later than the rule ---- */

Test(name_service, a_user_made_later_is_limited_from_his_first_job)
{
	job_record_t *jobs[3];

	drive_begin(FOUR_NODES, "USERCFG[late] MAXJOB=1\nGROUPCFG[lategrp] MAXPROC=2\n");
	set_user(3, "late", 5003);
	set_group(2, "lategrp", 603);
	drive_clock(NOW + 10);
	for (size_t i = 0; i < 3; i++)
		jobs[i] = submit(5003, 0);
	EXPECT_WAITS(jobs[0], "user 5003 " NOT_SAID);
	drive_pass(1);
	cr_expect(starts(jobs[0]));
	EXPECT_WAITS(jobs[1], "MAXJOB limit of 1 for user late");
	EXPECT_WAITS(jobs[2], "MAXJOB limit of 1 for user late");
	for (size_t i = 0; i < 3; i++)
		jobs[i] = submit(0, 603);
	drive_pass(1);
	cr_expect(starts(jobs[0]));
	cr_expect(starts(jobs[1]));
	EXPECT_WAITS(jobs[2], "MAXPROC limit of 2 for group lategrp");
}

/* The uid has had jobs before it got its name. */
Test(name_service, a_number_that_gets_its_name_later_is_asked_for_by_its_next_job)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, "USERCFG[late] MAXJOB=1\n");
	job = submit(5003, 0);
	drive_pass(5);
	cr_expect(starts(job), "nobody has his number");
	set_user(3, "late", 5003);
	drive_clock(NOW + 20);
	job = submit(5003, 0);
	EXPECT_WAITS(job, "user 5003 " NOT_SAID);
	drive_pass(1);
	EXPECT_WAITS(job, "MAXJOB limit of 1 for user late");
}

Test(name_service, who_was_made_anew_has_the_limits_of_his_name)
{
	job_record_t *jobs[2];

	drive_begin(FOUR_NODES, "USERCFG[alice] MAXJOB=1\nUSERCFG[nobody-yet] MAXJOB=5\n");
	set_user(1, "alice", 6001);
	for (size_t i = 0; i < 2; i++)
		jobs[i] = submit(6001, 0);
	EXPECT_WAITS(jobs[0], NOT_SAID);
	drive_pass(5);
	cr_expect(starts(jobs[0]));
	EXPECT_WAITS(jobs[1], "MAXJOB limit of 1 for user alice");
}

/* ---- who has left ---- */

Test(name_service, who_has_left_keeps_his_limits_until_his_number_is_anothers)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, "USERCFG[alice] MAXJOB=1\n");
	set_user(1, NULL, 0);
	drive_pass(HOUR);
	job = submit(5001, 0);
	drive_pass(5);
	cr_expect(starts(job));
	EXPECT_WAITS(submit(5001, 0), "MAXJOB limit of 1 for user alice");
	set_user(1, "carol", 5001);
	drive_pass(HOUR);
	cr_expect(starts(submit(5001, 0)), "carol has no limit");
}

/* ---- administrative reservations ---- */

#define RESERVE(user)                                                                              \
	"{'hosts':['n1'],'acl':[{'list':'USERLIST','value':'" user "'}],'duration':60}"

Test(name_service, a_reservation_is_named_by_any_user)
{
	set_user(3, "DOM\\alice", 5005);
	drive_begin(FOUR_NODES, "");
	EXPECT_TEXT(drive_ask("set-reservation", RESERVE("DOM\\\\alice")), "/name", "DOM.alice.0");
}

Test(name_service, a_reservation_for_somebody_unknown_is_refused_and_says_why)
{
	drive_begin(FOUR_NODES, "");
	machine.error = EIO;
	cr_expect(strstr(drive_refusal(0, "set-reservation", RESERVE("zoe")),
			 "does not answer for user 'zoe'"));
	machine.error = 0;
	cr_expect(strstr(drive_refusal(0, "set-reservation", RESERVE("zoe")),
			 "there is no user 'zoe' on this machine"));
	set_user(3, "zoe", 5006);
	EXPECT_TEXT(drive_ask("set-reservation", RESERVE("zoe")), "/name", "zoe.0");
}

/* ---- how often ---- */

Test(name_service, it_is_asked_again_with_growing_pauses)
{
	unsigned int calls[4];

	drive_begin(FOUR_NODES, "USERCFG[alice] MAXJOB=1\n");
	machine.error = EAGAIN;
	drive_pass(HOUR);
	for (size_t i = 0; i < COUNT(calls); i++) {
		unsigned int before = machine.calls;

		for (int second = 0; second < 60; second++)
			drive_pass(1);
		calls[i] = machine.calls - before;
	}
	cr_expect_geq(calls[0], 2, "soon");
	cr_expect_leq(calls[0], 8, "%u", calls[0]);
	cr_expect_leq(calls[3], 1, "%u", calls[3]);
	machine.error = 0;
	drive_pass(300);
	EXPECT_NUMBER(drive_ask("status", NULL), "/names/unanswered", 0);
}

/* ---- answers ---- */

static void expect_unanswered(struct json_object *data, int unanswered)
{
	if (unanswered)
		EXPECT_NUMBER(data, "/names_unanswered", unanswered);
	else
		cr_expect_null(drive_at(data, "/names_unanswered"));
}

/* What two answers say of a job that waits. */
static void expect_names(uint32_t job, const char *user, const char *group, int unanswered)
{
	struct json_object *data = drive_ask("diagnose-priority", NULL);
	char arguments[32];

	EXPECT_TEXT(data, "/jobs/0/user", user);
	EXPECT_TEXT(data, "/jobs/0/group", group);
	expect_unanswered(data, unanswered);
	snprintf(arguments, sizeof(arguments), "{'job':%u}", job);
	data = drive_ask("explain-nodes", arguments);
	EXPECT_TEXT(data, "/user", user);
	expect_unanswered(data, unanswered ? 1 : 0);
}

/* Of alice and staff. */
static uint32_t submit_one(void)
{
	job_record_t *job = submit(5001, 600);

	drive_turn();
	return job->job_id;
}

Test(name_service, answers_have_the_last_name_known_and_say_so)
{
	uint32_t job;

	drive_begin(FOUR_NODES, "USERCFG[alice] MAXJOB=0\nGROUPCFG[staff] MAXJOB=9\n");
	job = submit_one();
	machine.needed = 1 << 20; /* of a group with many members */
	expect_names(job, "alice", "staff", 0);
	machine.needed = 0;
	for (size_t i = 0; i < COUNT(no_answers); i++) {
		machine.error = no_answers[i];
		expect_names(job, "alice", "staff", 2);
	}
	for (size_t i = 0; i < COUNT(noes); i++) {
		machine.error = noes[i];
		machine.user[1].name = machine.group[1].name = NULL;
		expect_names(job, "5001", "600", 0);
	}
}

Test(name_service, answers_have_a_number_if_no_name_was_ever_known)
{
	machine.error = EIO;
	drive_begin(FOUR_NODES, "USERCFG[alice] MAXJOB=1\n");
	expect_names(submit_one(), "5001", "600", 2);
}

Test(name_service, a_user_who_is_asked_for_is_known_or_not_or_it_is_not_known_now)
{
	drive_begin(FOUR_NODES, "USERCFG[alice] MAXJOB=0\n");
	submit_one();
	machine.error = EAGAIN;
	EXPECT_TEXT(drive_ask("diagnose-priority", "{'user':'alice'}"), "/jobs/0/user", "alice");
	EXPECT_TEXT(drive_ask("diagnose-priority", "{'user':'5001'}"), "/jobs/0/user", "alice");
	cr_expect(strstr(drive_refusal(0, "diagnose-priority", "{'user':'zoe'}"),
			 "does not answer: give the user's number"));
	machine.error = ENOENT;
	cr_expect(strstr(drive_refusal(0, "diagnose-priority", "{'user':'zoe'}"),
			 "there is no such user on this machine"));
}

/* ---- administrators ---- */

Test(name_service, an_administrator_who_was_not_known_is_asked_for_again)
{
	machine.error = EIO;
	drive_begin(FOUR_NODES, "ADMIN1 alice\n");
	cr_expect(strstr(drive_refusal(5001, "showconfig", NULL), "ADMIN1..3"));
	machine.error = 0;
	for (int second = 0; second < 60; second++)
		drive_pass(1);
	cr_expect_not_null(drive_ask_as(5001, "showconfig", NULL));
}
