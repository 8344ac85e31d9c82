/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who is in charge no more writes nothing to Slurm, wherever that finds it waiting (D-SYS-18). */
#include "testsuite/unit/engine/reservations_fixture.h"

#include <criterion/parameterized.h>

#include "plugins/engine/life.h"

TestSuite(writer, .init = drive_init, .fini = drive_fini);

/* One reservation goes, two come, one moves; bin's second job is parked, mail's is rejected, lp's has
 * another priority and no pass, and that of games gets one. */
#define BEFORE                                                                                     \
	FIRST "SRCFG[old] HOSTLIST=n1 PERIOD=INFINITY\n"                                           \
	      "SRCFG[own] HOSTLIST=n2 PERIOD=INFINITY\n"                                           \
	      "SRCFG[pass] HOSTLIST=n3 PERIOD=INFINITY USERLIST=lp\n"
#define AFTER                                                                                      \
	FIRST "SRCFG[own] HOSTLIST=n3 PERIOD=INFINITY\n"                                           \
	      "SRCFG[new] HOSTLIST=n1 PERIOD=INFINITY\n"                                           \
	      "SRCFG[games] HOSTLIST=n2 PERIOD=INFINITY USERLIST=games\n"                          \
	      "USERCFG[bin] MAXJOB=1\n"                                                            \
	      "CREDWEIGHT 1\nUSERWEIGHT 1\nQUEUETIMEWEIGHT 0\n"                                    \
	      "ENABLENEGJOBPRIORITY TRUE\nREJECTNEGPRIOJOBS TRUE\n"                                \
	      "USERCFG[mail] PRIORITY=-100\nUSERCFG[lp] PRIORITY=700\n"

/* What the engine may write of a job and of a reservation, in one text. */
static void append_job(const job_record_t *job, char *text, size_t size)
{
	size_t used = strlen(text);

	snprintf(text + used, size - used, "job %u: %u %d %x %x %u %s\n", job->job_id,
		 job->priority, (int)job->state_reason, (unsigned int)job->warn_flags,
		 (unsigned int)job->warn_time, (unsigned int)(job->bit_flags >> 32),
		 job->state_desc ? job->state_desc : "");
}

static void append_reservation(const char *name, char *text, size_t size)
{
	const slurmctld_resv_t *there = controller_find_reservation(name);
	size_t used = strlen(text);

	if (there)
		snprintf(text + used, size - used, "%s: %s %u\n", name, there->node_list,
			 there->max_start_delay);
}

#define JOBS 5
static job_record_t *jobs[JOBS];

static void describe(char *text, size_t size)
{
	static const char *const names[] = {"old.inf", "own.inf", "pass.inf", "new.inf",
					    "games.inf"};

	text[0] = '\0';
	for (size_t i = 0; i < JOBS; i++)
		append_job(jobs[i], text, size);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		append_reservation(names[i], text, size);
}

/* ---- in charge until the n-th wait for a lock ---- */

static int waits_left, waits_seen;
static char at_the_end[4096];

static void wait_for_lock(void)
{
	waits_seen++;
	if (--waits_left)
		return;
	engine_lock();
	engine_stand_by();
	engine_unlock();
	describe(at_the_end, sizeof(at_the_end));
}

static void prepare(void)
{
	drive_machine(FOUR_NODES, "", BEFORE);
	jobs[0] = JOB(.user = "bin");
	controller_runs(jobs[0], "n4");
	drive_start();
	jobs[1] = SUBMIT(.user = "bin");
	jobs[2] = SUBMIT(.user = "mail");
	jobs[3] = SUBMIT(.user = "lp");
	jobs[4] = SUBMIT(.user = "games");
	drive_turn();
}

/* What a turn changes if nothing stops it, so that the test below cannot be empty. */
Test(writer, the_turn_writes_all_there_is_to_write)
{
	char before[4096], after[4096];

	prepare();
	describe(before, sizeof(before));
	controller_waits = wait_for_lock;
	drive_reconfigure(AFTER);
	controller_waits = NULL;
	describe(after, sizeof(after));
	cr_expect_str_neq(before, after);
	expect_none("old.inf");
	expect_nodes("own.inf", "n3");
	expect_nodes("new.inf", "n1");
	cr_expect_eq(jobs[2]->priority, 0, "%s", after);
	cr_expect_neq(jobs[3]->priority, 1, "%s", after);
	cr_expect(jobs[4]->warn_flags & KILL_JOB_RESV, "%s", after);
	cr_expect_eq(jobs[1]->state_reason, WAIT_MAX_REQUEUE, "%s", after);
	cr_expect_geq(waits_seen, 8);
	cr_expect_lt(waits_seen, 40);
}

ParameterizedTestParameters(writer, a_turn_that_ends_at_a_lock)
{
	static int waits[40];

	for (int i = 0; i < 40; i++)
		waits[i] = i + 1;
	return cr_make_param_array(int, waits, 40);
}

ParameterizedTest(int *wait, writer, a_turn_that_ends_at_a_lock)
{
	char after[4096];

	prepare();
	waits_left = *wait;
	controller_waits = wait_for_lock;
	drive_reconfigure(AFTER);
	controller_waits = NULL;
	describe(after, sizeof(after));
	if (at_the_end[0])
		cr_expect_str_eq(at_the_end, after, "at lock %d:\n%sand then\n%s", *wait,
				 at_the_end, after);
}
