/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which jobs an iteration visits: all that slurmctld has, also those it did not
 * tell of, while the queue changes between two slices of it.
 */
#include "testsuite/unit/engine/drive.h"

#include "plugins/engine/api/engine.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/runtime/runtime.h"

TestSuite(visit, .init = drive_init, .fini = drive_fini);

#define BY_WAITING "QUEUETIMEWEIGHT 10\n"
#define WAITED     50 /* after five minutes */

/* ---- jobs that the engine was not told of ---- */

Test(visit, a_job_that_slurm_did_not_tell_of_is_found)
{
	job_record_t *told, *untold;

	drive_begin(FOUR_NODES, BY_WAITING);
	told = SUBMIT(.ago = 5 * MINUTE);
	drive_turn();
	untold = JOB(.ago = 5 * MINUTE); /* as a task that is split from its array */
	drive_turn();
	cr_expect_eq(told->priority, WAITED);
	cr_expect_eq(untold->priority, WAITED, "%u", untold->priority);
}

/* As many jobs as before: that one of them has gone is found when it is visited. */
Test(visit, one_for_one_that_is_gone_is_found)
{
	job_record_t *gone, *untold;

	drive_begin(FOUR_NODES, BY_WAITING);
	gone = SUBMIT(.id = 100);
	SUBMIT(.id = 101);
	drive_turn();
	controller_purge(gone);
	untold = JOB(.id = 102, .ago = 5 * MINUTE);
	drive_turn();
	cr_expect(engine.refresh_wanted);
	drive_turn();
	cr_expect_eq(untold->priority, WAITED, "%u", untold->priority);
}

/* Slurm's ids begin anew after MaxJobId. */
Test(visit, ids_may_come_in_any_order)
{
	static const uint32_t ids[] = {900, 50, 901, 7, 300};
	job_record_t *jobs[10];

	drive_begin(FOUR_NODES, BY_WAITING);
	for (size_t i = 0; i < 5; i++)
		jobs[i] = SUBMIT(.id = ids[i], .ago = 5 * MINUTE);
	for (size_t i = 0; i < 5; i++)
		jobs[5 + i] = JOB(.id = ids[i] + 1000, .ago = 5 * MINUTE);
	drive_turn();
	for (size_t i = 0; i < 10; i++)
		cr_expect_eq(jobs[i]->priority, WAITED, "job %u: %u", jobs[i]->job_id,
			     jobs[i]->priority);
	EXPECT_NUMBER(drive_ask("status", NULL), "/jobs", 10);
}

Test(visit, a_job_told_of_twice_is_visited_once)
{
	job_record_t *job;

	drive_begin(FOUR_NODES, BY_WAITING);
	job = SUBMIT(.ago = 5 * MINUTE);
	SUBMIT();
	cr_assert(controller_try(job, true));
	drive_turn();
	controller_requeue(job);
	controller_lock_all();
	job->priority = maui_engine_set_priority(job);
	controller_unlock_all();
	drive_turn();
	EXPECT_NUMBER(drive_ask("status", NULL), "/jobs", 2);
}

/* Slurm tells of each start; should it once not, the job counts one iteration
 * later. */
Test(visit, a_start_that_slurm_did_not_tell_of_counts_soon)
{
	job_record_t *running, *waiting;

	drive_begin(FOUR_NODES, BY_WAITING "USERCFG[DEFAULT] MAXJOB=1\n");
	running = SUBMIT();
	waiting = SUBMIT();
	drive_turn();
	controller_runs(running, "n1");
	drive_turn();
	cr_expect(engine.refresh_wanted);
	drive_turn();
	cr_expect_not(controller_try(waiting, true));
}

/* What waited when slurmctld read its jobs anew may run by now. */
Test(visit, after_a_new_begin_all_jobs_are_looked_at)
{
	job_record_t *running, *waiting;

	drive_begin(FOUR_NODES, BY_WAITING "USERCFG[DEFAULT] MAXJOB=1\n");
	running = SUBMIT();
	waiting = SUBMIT();
	drive_turn();
	drive_stop();
	controller_runs(running, "n1");
	drive_start();
	drive_turn();
	cr_expect_not(controller_try(waiting, true));
}

/* ---- what happens between two slices ---- */

#define MANY 700 /* three slices */

static job_record_t *many[MANY];
static unsigned int holds;

/* The job write lock is waited for while the first slice has been stored, and
 * the others have not been read. */
static void change_the_rest(void)
{
	many[0]->priority = 1;
	controller_purge(many[MANY - 1]);
	many[MANY - 2]->time_limit = 120;
	controller_considers(many[MANY - 3], "small");
	many[MANY - 4]->direct_set_prio = 1;
	many[MANY - 4]->priority = 4711;
	many[MANY - 5]->details->submit_time++; /* as after a requeue */
	SUBMIT(.id = 5000);
	JOB(.id = 1);
}

static void wait_for_second_slice(void)
{
	if (++holds == 2)
		drive_hang(change_the_rest);
	else
		drive_hang(wait_for_second_slice);
}

Test(visit, the_queue_may_change_between_slices)
{
	drive_begin(FOUR_NODES, BY_WAITING);
	for (uint32_t i = 0; i < MANY; i++)
		many[i] = SUBMIT(.id = 1000 + i, .ago = 5 * MINUTE);
	drive_hang(wait_for_second_slice);
	drive_turn();
	cr_expect_eq(holds, 2);
	for (uint32_t i = 1; i < MANY - 5; i++)
		cr_expect_eq(many[i]->priority, WAITED, "job %u: %u", many[i]->job_id,
			     many[i]->priority);
	cr_expect_eq(many[MANY - 2]->priority, WAITED);
	cr_expect_eq(many[MANY - 4]->priority, 4711);
	drive_turn();
	cr_expect_eq(many[0]->priority, WAITED, "%u", many[0]->priority);
	EXPECT_NUMBER(drive_ask("status", NULL), "/jobs", MANY + 1);
}

static void end_of_charge(void)
{
	drive_stop();
}

static void wait_for_third_lock(void)
{
	if (++holds == 2)
		drive_hang(end_of_charge);
	else
		drive_hang(wait_for_third_lock);
}

Test(visit, who_is_no_longer_in_charge_stores_nothing)
{
	drive_begin(FOUR_NODES, BY_WAITING);
	for (uint32_t i = 0; i < MANY; i++) {
		many[i] = SUBMIT(.id = 1000 + i, .ago = 5 * MINUTE);
		many[i]->priority = 7;
	}
	drive_hang(wait_for_third_lock);
	drive_turn();
	cr_expect_eq(many[0]->priority, WAITED);
	cr_expect_eq(many[MANY - 1]->priority, 7);
}

/* An iteration has used the memory of the last snapshot, and has then stopped. */
Test(visit, the_last_snapshot_is_made_again_when_it_is_gone)
{
	drive_begin(FOUR_NODES, BY_WAITING);
	SUBMIT(.id = 100);
	drive_turn();
	engine_lock();
	job_queue.snapshot = maui_snapshot_unref(job_queue.snapshot);
	engine_unlock();
	cr_expect_eq(drive_length(drive_ask("diagnose-priority", "{'last': true}"), "/jobs"), 1);
}

/* ---- credentials that are new ---- */

/* Their factors and names are looked up before their jobs are evaluated. */
Test(visit, a_new_account_counts_in_its_first_iteration)
{
	job_record_t *jobs[MANY];

	drive_begin(FOUR_NODES, "QUEUETIMEWEIGHT 0\nCREDWEIGHT 1\nACCOUNTWEIGHT 1\nUSERWEIGHT 1\n"
				"ACCOUNTCFG[new] PRIORITY=30\nACCOUNTCFG[old] PRIORITY=20\n"
				"USERCFG[bin] PRIORITY=5\n");
	SUBMIT(.account = "old");
	drive_turn();
	for (uint32_t i = 0; i < MANY; i++)
		jobs[i] = JOB(.account = i % 2 ? "new" : "old", .user = i % 3 ? "bin" : "root");
	drive_turn();
	for (uint32_t i = 0; i < MANY; i++)
		cr_expect_eq(jobs[i]->priority, (i % 2 ? 30 : 20) + (i % 3 ? 5 : 0), "%u: %u", i,
			     jobs[i]->priority);
	EXPECT_NUMBER(drive_ask("status", NULL), "/jobs", MANY + 1);
}
