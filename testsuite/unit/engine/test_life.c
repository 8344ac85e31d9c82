/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine comes, goes, or does not come: who may start meanwhile (S-ENG-1). */
#include "testsuite/unit/engine/drive.h"

#include <criterion/parameterized.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/util/memory.h"
#include "plugins/engine/api/engine.h"
#include "plugins/engine/api/select.h"
#include "plugins/engine/runtime/runtime.h"
#include "testsuite/unit/asan_returns_null.h"
#include "plugins/engine/slurm/jobrec.h"

TestSuite(life, .init = drive_init, .fini = drive_fini);

static bool starts(void)
{
	job_record_t *job = SUBMIT(.user = "bin");
	bool started = controller_try(job, true);

	cr_expect_null(job->state_desc, "no policy refuses it");
	return started;
}

Test(life, before_and_after_its_time_in_charge_nobody_starts)
{
	drive_machine(FOUR_NODES, "", "");
	cr_expect_not(starts());
	drive_start();
	cr_expect(starts());
	drive_stop();
	cr_expect_not(starts());
	drive_start();
	cr_expect(starts());
}

Test(life, with_another_priority_plugin_it_is_not_awaited)
{
	drive_machine(FOUR_NODES, "", "");
	cr_expect_not(starts());
	xfree(slurm_conf.priority_type);
	slurm_conf.priority_type = xstrdup("priority/basic");
	maui_engine_select.loaded();
	cr_expect(starts());
}

/* From 23.11 on slurmctld goes on without it. */
Test(life, one_that_cannot_begin_is_no_longer_awaited)
{
	drive_machine(FOUR_NODES, "", "USERCFG[bin] MAXJOB=1\n");
	drive_threads_fail = true;
	cr_expect_eq(maui_engine_start(), SLURM_ERROR);
	cr_expect(starts());
	cr_expect(starts(), "there is nobody to judge by a limit");
}

/* ---- slurmctld first needs the plugin while it reads its state (S-ENG-7) ---- */

static void begin_early(const char *maui_cfg)
{
	drive_machine(FOUR_NODES, "", maui_cfg);
}

/* Before the engine's thread gets a lock. */
Test(life, no_limit_is_lifted_before_the_first_turn)
{
	job_record_t *job;

	begin_early("USERCFG[bin] MAXJOB=1\n");
	controller_runs(JOB(.user = "bin"), "n1");
	controller_lock_all();
	cr_assert_eq(maui_engine_start(), SLURM_SUCCESS);
	controller_unlock_all();
	job = SUBMIT(.user = "bin");
	cr_expect_not(controller_try(job, true));
	drive_turn();
	cr_expect_not(controller_try(job, true));
	cr_expect(controller_try(SUBMIT(.user = "sys"), true));
	drive_stop();
}

Test(life, priorities_are_mauis_before_the_first_turn)
{
	job_record_t *job;

	begin_early("USERCFG[bin] PRIORITY=1000\nCREDWEIGHT 1\nUSERWEIGHT 1\n"
		    "QUEUETIMEWEIGHT 0\nCLASSCFG[batch] PRIORITY=500\nCLASSWEIGHT 1\n");
	job = JOB(.user = "bin");
	controller_lock_all();
	cr_assert_eq(maui_engine_start(), SLURM_SUCCESS);
	job->priority = maui_engine_set_priority(job);
	cr_expect_geq(job->priority, 500, "%u: users are not known yet", job->priority);
	controller_unlock_all();
	drive_turn();
	cr_expect_eq(job->priority, 1500);
	drive_stop();
}

/* What killed slurmctld may have left behind. */
Test(life, a_lowered_job_is_held_until_it_is_restored)
{
	job_record_t *lowered, *held;

	begin_early("");
	lowered = JOB(.user = "bin");
	lowered->priority = 0;
	held = JOB(.user = "bin", .held = true);
	controller_lock_all();
	jobrec_mark_lowered(slurm_writer_of_call(), lowered, true);
	cr_assert_eq(maui_engine_start(), SLURM_SUCCESS);
	controller_unlock_all();
	cr_expect_not(controller_try(lowered, true));
	drive_turn();
	cr_expect_gt(lowered->priority, 0);
	cr_expect(controller_try(lowered, true));
	cr_expect_eq(held->priority, 0, "a hold stays");
	drive_stop();
}

/* The job whose end has brought the plugin to life: its partition is gone from slurm.conf. */
Test(life, usage_of_a_job_that_ends_before_the_first_turn)
{
	slurmdb_assoc_rec_t *assoc;
	job_record_t *job;

	drive_machine(FOUR_NODES,
		      "AccountingStorageType=accounting_storage/slurmdbd\n"
		      "AccountingStorageEnforce=associations,limits\n",
		      "");
	controller_assoc("physics", NULL, 1);
	assoc = controller_assoc("physics", "bin", 1);
	job = JOB(.user = "bin", .account = "physics", .cpus = 2);
	controller_runs(job, "n1");
	job->assoc_ptr = assoc;
	assoc->usage->grp_used_tres_run_secs[TRES_ARRAY_CPU] = UINT64_C(2) * HOUR;
	drive_clock(NOW + 10 * MINUTE);
	controller_lock_all();
	cr_assert_eq(maui_engine_start(), SLURM_SUCCESS);
	controller_unlock_all();
	controller_end(job, JOB_NODE_FAIL);
	cr_expect_eq(assoc->usage->grp_used_tres_run_secs[TRES_ARRAY_CPU], 0);
	drive_turn();
	cr_expect_eq(assoc->usage->grp_used_tres_run_secs[TRES_ARRAY_CPU], 0);
	drive_stop();
}

/* FSPOLICY: an iteration sees what ended before it. */
Test(life, fairshare_of_a_job_that_ends_before_the_first_turn)
{
	job_record_t *job;

	begin_early("FSPOLICY DEDICATEDPS\nFSINTERVAL 3600\nFSDEPTH 2\n");
	drive_start();
	job = SUBMIT(.user = "bin", .cpus = 2);
	cr_assert(controller_try(job, true));
	drive_turn();
	drive_stop();
	drive_clock(NOW + 10 * MINUTE);
	controller_lock_all();
	cr_assert_eq(maui_engine_start(), SLURM_SUCCESS);
	controller_unlock_all();
	controller_end(job, JOB_NODE_FAIL);
	drive_turn();
	EXPECT_NUMBER(drive_ask("diagnose-fairshare", NULL), "/usage", 2 * 10 * MINUTE);
	drive_stop();
}

/* ---- the work of one time in charge has not ended when the next one begins ---- */

static int locks_left;
static bool begun_anew;

static bool in_charge(void)
{
	bool is;

	engine_lock();
	is = engine_in_charge();
	engine_unlock();
	return is;
}

/* Another controller was in charge meanwhile. */
static void end_and_begin_anew(void)
{
	if (--locks_left) {
		drive_hang(end_and_begin_anew);
		return;
	}
	maui_engine_stop();
	drive_write_file("maui.cfg", "");
	controller_lock_all();
	cr_assert_eq(maui_engine_start(), SLURM_SUCCESS);
	controller_unlock_all();
	cr_expect_not(in_charge(), "the work of the time before has not ended");
	cr_expect_not(starts());
	begun_anew = true;
}

ParameterizedTestParameters(life, work_that_hangs)
{
	static int locks[] = {1, 2, 3, 4};

	return cr_make_param_array(int, locks, sizeof(locks) / sizeof(*locks));
}

/* Whichever lock of slurmctld the thread waits for. */
ParameterizedTest(const int *lock, life, work_that_hangs)
{
	drive_begin(FOUR_NODES, "SRCFG[old] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin\n");
	locks_left = *lock;
	drive_hang(end_and_begin_anew);
	drive_reconfigure("SRCFG[other] HOSTLIST=n3 PERIOD=INFINITY USERLIST=bin\n");
	cr_assert(begun_anew, "the engine takes no lock %d", *lock);
	drive_turn();
	cr_expect(in_charge());
	cr_expect_eq(controller_reservation_count(), 0);
	cr_expect(starts());
	drive_stop();
}

static void end_only(void)
{
	maui_engine_stop();
	controller_lock_all();
	cr_assert_eq(maui_engine_start(), SLURM_SUCCESS);
	controller_unlock_all();
	maui_engine_stop();
}

Test(life, a_time_in_charge_that_ends_before_it_begins)
{
	drive_begin(FOUR_NODES, "");
	drive_hang(end_only);
	drive_turn();
	drive_turn();
	cr_expect_not(starts());
	drive_start();
	cr_expect(starts());
	drive_stop();
}

Test(life, an_allocation_that_fails_ends_slurmctld_and_says_so_in_its_log)
{
	int status;
	pid_t child;

	drive_begin(FOUR_NODES, "");
	child = fork();
	cr_assert_geq(child, 0);
	if (!child) {
		free(maui_malloc(1, PTRDIFF_MAX));
		_exit(0);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 1, "%d", status);
	cr_expect(drive_logged("fatal: maui: out of memory: cannot allocate 9223372036854775807 "
			       "bytes"));
	drive_stop();
}
