/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A life of the engine (start, iterations, a roll, setres, a reconfiguration, a kill, another start)
 * once for each call in it that may fail: state and usage must be those of the life in which none
 * failed, or the log has said what is lost. Each life is a process of its own.
 *
 * FAULTS=all in the environment tries each call with each error that fits it; otherwise each call
 * with one of them in turn.
 */
#include "testsuite/unit/engine/drive.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testsuite/unit/engine/faults.h"

#define POLICY                                                                                     \
	"NODEALLOCATIONPOLICY FIRSTAVAILABLE\nADMIN1 root\nRMPOLLINTERVAL 30\n"                    \
	"FSPOLICY DEDICATEDPS\nFSINTERVAL 24:00:00\nFSDEPTH 2\nFSDECAY 0.5\n"                      \
	"JOBPRIOACCRUALPOLICY FULLPOLICY\nUSERCFG[games] MAXPROC=2\nGROUPCFG[sys] MAXPROC=2\n"     \
	"SRCFG[own] HOSTLIST=n[1-2] PERIOD=INFINITY USERLIST=bin,sys CHARGEACCOUNT=jupiter\n"      \
	"SRCFG[day] HOSTLIST=n2 PERIOD=DAY STARTTIME=13:00:00 ENDTIME=14:00:00 USERLIST=bin\n"

#define NAMES_AGAIN 10 /* seconds: then a name without an answer has been asked for once more */
#define STRIDE      7  /* in the unit step: prime to how many errors there are of each call */

TestSuite(faults);

/* ---- a life ---- */

static job_record_t *run(const char *user, const char *node)
{
	job_record_t *job = SUBMIT(.user = user, .cpus = 2, .on = node, .minutes = 600);

	controller_try(job, true);
	return job;
}

static void end(job_record_t *job)
{
	controller_end(job, JOB_COMPLETE);
	drive_turn();
}

/* An administrator who is refused tries again. */
static void set_reservation(void)
{
	const char *request = "{'hosts':['n3'],'name':'maint','duration':72000}";

	for (int i = 0; i < 3 && !drive_try("set-reservation", request); i++)
		drive_turn();
}

static void live(void)
{
	job_record_t *first, *second;

	drive_start();
	drive_pass(NAMES_AGAIN);
	first = run("bin", "n4");
	SUBMIT(.user = "sys", .cpus = 4, .held = true);
	drive_pass(2 * MINUTE);
	set_reservation();
	drive_pass(18 * MINUTE);
	end(first);
	second = run("sys", "n4");
	drive_pass(10 * MINUTE);
	drive_reconfigure(POLICY "QUEUETIMEWEIGHT 2\n");
	drive_pass(10 * MINUTE);
	drive_pass(5 * MINUTE);
	drive_turn();
	drive_kill();
	drive_start();
	drive_pass(15 * MINUTE);
	end(second);
	run("games", "n4");
	for (int i = 0; i < 4; i++)
		drive_pass(10 * MINUTE);
	drive_turn();
}

/* ---- what is left of it ---- */

enum part { USAGE, RESERVATIONS, JOBS, NODES, FILES, PARTS };

static const char *const part_names[PARTS] = {"usage", "reservations", "jobs", "nodes", "files"};

/* What the log says if something of it is lost; NULL: nothing may be. */
static const char *const losses[PARTS][5] = {
	[USAGE] = {"a restart would forget usage",
		   "a restart would forget idle cycles of reservations",
		   /* What is idle in them counts from a later time on. */
		   "standing reservations stay as they are", "is read again as soon as it can be"},
	[JOBS] = {"a restart would forget queue times and bypasses of jobs"},
	[NODES] = {"a restart would forget some of the usage of nodes"},
};

struct outcome {
	bool whole;  /* the life has come to its end */
	bool failed; /* a call did */
	unsigned int calls[FAULTS_CALLS];
	bool said[PARTS];
	char where[128];
	char part[PARTS][4096];
};

static void add(char text[4096], const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(char text[4096], const char *format, ...)
{
	size_t size = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + size, 4096 - size, format, arguments);
	va_end(arguments);
}

static void look_at_usage(char text[4096])
{
	static const char *const types[] = {"user", "group", "account", "class"};
	struct json_object *data = drive_ask("diagnose-fairshare", NULL);

	for (int i = 0; i < 4; i++) {
		struct json_object *list;
		char pointer[64];

		snprintf(pointer, sizeof(pointer), "/credentials/%s", types[i]);
		list = drive_at(data, pointer);
		for (size_t j = 0; list && j < json_object_array_length(list); j++) {
			struct json_object *one = json_object_array_get_idx(list, j);

			add(text, "%s %s %.2f\n", types[i],
			    json_object_get_string(drive_at(one, "/name")),
			    json_object_get_double(drive_at(one, "/usage")));
		}
	}
	add(text, "total %.2f\n", json_object_get_double(drive_at(data, "/usage")));
}

/* Of an administrative one: its number may have been given away for nothing. */
static void look_at_reservations(char text[4096])
{
	static const char *const named[] = {"own.inf", "day.20231113", "day.20231114",
					    "maint.0", "maint.1",      "maint.2"};

	for (int i = 0; i < 6; i++) {
		const slurmctld_resv_t *one = controller_find_reservation(named[i]);

		if (one)
			add(text, "%.*s %s %s\n", i < 3 ? 12 : 5, one->name, one->node_list,
			    one->max_start_delay ? "open" : "closed");
	}
	add(text, "%u\n", controller_reservation_count());
}

/* The lines of a file that begin with this word. */
static void look_at_lines(char text[4096], const char *name, const char *word)
{
	char *file = drive_file(name), *rest = file, *line;

	while (rest && (line = strsep(&rest, "\n")))
		if (!strncmp(line, word, strlen(word)))
			add(text, "%s\n", line);
	free(file);
}

static void look_at_files(char text[4096])
{
	static const char *const names[] = {"jobs",   "nodes", "reservations",
					    "setres", "idle",  "stats/FS.1699833600"};
	struct json_object *unread;

	for (int i = 0; i < 6; i++) {
		char name[64];

		snprintf(name, sizeof(name), "maui/%s.damaged", names[i]);
		if (drive_has_file(name))
			add(text, "%s\n", name);
	}
	unread = drive_at(drive_ask("status", NULL), "/unread_files");
	add(text, "%zu unread\n", unread ? json_object_array_length(unread) : 0);
}

/* After another restart: what is on the disk counts. */
static void look(struct outcome *outcome)
{
	for (int i = 0; i < PARTS; i++)
		for (int j = 0; j < 5 && losses[i][j]; j++)
			outcome->said[i] |= drive_logged(losses[i][j]);
	drive_stop();
	look_at_lines(outcome->part[JOBS], "maui/jobs", "job ");
	look_at_lines(outcome->part[NODES], "maui/nodes", "node ");
	drive_start();
	drive_turn();
	look_at_usage(outcome->part[USAGE]);
	look_at_reservations(outcome->part[RESERVATIONS]);
	look_at_files(outcome->part[FILES]);
	outcome->whole = true;
}

/* In a process of its own. n 0: nothing fails. */
static struct outcome live_with(enum faults_call call, unsigned int n, int code)
{
	struct outcome *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct outcome outcome;
	pid_t child;

	cr_assert(shared != MAP_FAILED);
	child = fork();
	cr_assert(child >= 0);
	if (!child) {
		drive_init();
		drive_machine(FOUR_NODES, "", POLICY);
		faults_begin(call, n, code);
		live();
		shared->failed = faults_end();
		snprintf(shared->where, sizeof(shared->where), "%s", faults_where());
		for (int i = 0; i < FAULTS_CALLS; i++)
			shared->calls[i] = faults_count(i);
		look(shared);
		drive_fini();
		_exit(0);
	}
	cr_assert_eq(waitpid(child, NULL, 0), child);
	outcome = *shared;
	munmap(shared, sizeof(*shared));
	return outcome;
}

/* ---- all of them ---- */

static const int errors[FAULTS_CALLS][9] = {
	[FAULTS_OPEN] = {EIO, EACCES, EMFILE, ENFILE, ENOMEM, ESTALE, EINTR, EROFS},
	[FAULTS_READ] = {EIO, ESTALE, EINTR, ENOMEM},
	[FAULTS_FSTAT] = {EIO, ESTALE, ENOMEM},
	[FAULTS_WRITE] = {ENOSPC, EIO, EDQUOT, ESTALE, EINTR, EROFS},
	[FAULTS_FSYNC] = {EIO, ENOSPC, EDQUOT, ESTALE, EROFS},
	[FAULTS_RENAME] = {EIO, ENOSPC, EACCES, EDQUOT, EROFS, ESTALE, ENOMEM},
	[FAULTS_UNLINK] = {EIO, EACCES, EROFS, ESTALE, ENOMEM},
	[FAULTS_CLOSE] = {EIO, EINTR, ENOSPC, EDQUOT, ESTALE},
	[FAULTS_USER] = {EIO, EINTR, EAGAIN, EMFILE, ENFILE, ENOMEM, ETIMEDOUT, ERANGE},
	[FAULTS_GROUP] = {EIO, EINTR, EAGAIN, EMFILE, ENFILE, ENOMEM, ETIMEDOUT, ERANGE},
};

static int count_errors(enum faults_call call)
{
	int count = 0;

	while (errors[call][count])
		count++;
	return count;
}

static unsigned int points, lost;

static void compare(const struct outcome *good, enum faults_call call, unsigned int n, int code)
{
	struct outcome outcome = live_with(call, n, code);

	points++;
	cr_expect(outcome.whole, "the %u. %s fails (%s): the engine died at %s", n,
		  faults_name(call), strerror(code), outcome.where);
	for (int i = 0; outcome.whole && i < PARTS; i++) {
		bool same = !strcmp(outcome.part[i], good->part[i]);

		lost += !same && outcome.said[i];
		cr_expect(same || outcome.said[i],
			  "the %u. %s fails (%s, %s): %s:\n%s, and without that:\n%s", n,
			  faults_name(call), strerror(code), outcome.where, part_names[i],
			  outcome.part[i], good->part[i]);
	}
}

Test(faults, each_call_that_fails_costs_nothing_that_the_log_does_not_say, .timeout = 3600)
{
	bool all = getenv("FAULTS") && !strcmp(getenv("FAULTS"), "all");
	struct outcome good = live_with(FAULTS_OPEN, 0, 0);

	cr_assert(good.whole);
	cr_assert_not_null(strstr(good.part[RESERVATIONS], "own.inf n[1-2] open"), "%s",
			   good.part[RESERVATIONS]);
	cr_assert_not_null(strstr(good.part[RESERVATIONS], "maint n3 open"), "%s",
			   good.part[RESERVATIONS]);
	cr_assert_not_null(strstr(good.part[USAGE], "user bin "), "%s", good.part[USAGE]);
	cr_assert_not_null(strstr(good.part[JOBS], "job "), "no job was ever held");
	for (int call = 0; call < FAULTS_CALLS; call++) {
		int kinds = count_errors(call);

		for (unsigned int n = 1; n <= good.calls[call]; n += all ? 1 : STRIDE)
			for (int i = 0; i < (all ? kinds : 1); i++)
				compare(&good, call, n,
					errors[call]
					      [all ? i : (int)(n / STRIDE % (unsigned int)kinds)]);
	}
	printf("%u points of failure; in %u of them the log said what was lost\n", points, lost);
}
