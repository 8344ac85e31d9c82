/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The init() of each plugin, as it is built: it takes none of Slurm's locks and waits for nobody
 * (S-ENG-7). The mock slurmctld holds all locks, the association manager's too, and taking one of
 * them again aborts the test.
 */
#include "testsuite/unit/engine/drive.h"

#include <dlfcn.h>
#include <string.h>

#include "plugins/engine/api/engine.h"
#include "src/common/assoc_mgr.h"

#define MAUI_CFG "USERCFG[bin] MAXJOB=1\nSRCFG[a] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin\n"

TestSuite(init, .init = drive_init, .fini = drive_fini);

static int call(void *file, const char *name)
{
	int (*function)(void);
	void *address = dlsym(file, name);

	cr_assert_not_null(address, "%s", name);
	memcpy(&function, &address, sizeof(function));
	return function();
}

static void *load(const char *path)
{
	void *file = dlopen(path, RTLD_LAZY);

	cr_assert_not_null(file, "%s", dlerror());
	return file;
}

/* As where Slurm reads its state, and something there needs the plugin for the first time. */
static int init_under_locks(void *file)
{
	assoc_mgr_lock_t all = {.assoc = WRITE_LOCK,
				.file = WRITE_LOCK,
				.qos = WRITE_LOCK,
				.res = WRITE_LOCK,
				.tres = WRITE_LOCK,
				.user = WRITE_LOCK,
				.wckey = WRITE_LOCK};
	int rc;

	compat_play_slurmctld(); /* whose nodes have what only Slurm's own plugin can make */
	controller_lock_all();
	assoc_mgr_lock(&all);
	rc = call(file, "init");
	assoc_mgr_unlock(&all);
	controller_unlock_all();
	return rc;
}

static void init_priority(void)
{
	void *file = load(PRIORITY_PLUGIN);

	cr_expect_eq(init_under_locks(file), SLURM_SUCCESS);
	if (COMPAT_PRIORITY_STARTS_LATE)
		cr_expect_eq(call(file, "priority_p_thread_start"), SLURM_SUCCESS);
}

Test(init, priority)
{
	drive_machine(FOUR_NODES, "", MAUI_CFG);
	init_priority();
	cr_expect_null(controller_find_reservation("a.inf"));
	drive_turn();
	cr_expect_not_null(controller_find_reservation("a.inf"), "the engine is in charge");
}

Test(init, priority_with_slurmdbd)
{
	drive_machine(FOUR_NODES,
		      "AccountingStorageType=accounting_storage/slurmdbd\n"
		      "AccountingStorageEnforce=associations,limits\n",
		      MAUI_CFG);
	controller_assoc("physics", NULL, 1);
	init_priority();
	drive_turn();
	cr_expect_not_null(controller_find_reservation("a.inf"), "the engine is in charge");
}

Test(init, job_submit)
{
	drive_machine(FOUR_NODES, "", MAUI_CFG);
	cr_expect_eq(init_under_locks(load(JOB_SUBMIT_PLUGIN)), SLURM_SUCCESS);
}

/* There it makes a thread, which begins in the first second, and is over in the next. */
static void stop_watching(void)
{
	static int seconds;

	if (seconds++)
		maui_engine_shadow_stop();
}

Test(init, job_submit_of_a_shadow)
{
	drive_machine(FOUR_NODES, "", MAUI_CFG);
	xfree(slurm_conf.priority_type);
	slurm_conf.priority_type = xstrdup("priority/multifactor");
	xstrcat(slurm_conf.priority_params, ",maui_mode=shadow");
	cr_expect_eq(init_under_locks(load(JOB_SUBMIT_PLUGIN)), SLURM_SUCCESS);
	slurmctld_config.thread_id_save = pthread_self();
	drive_each_second = stop_watching;
	drive_turn();
	cr_expect(drive_logged("shadow mode: the engine computes and answers"));
}

Test(init, preempt)
{
	drive_machine(FOUR_NODES, "", MAUI_CFG);
	cr_expect_eq(init_under_locks(load(PREEMPT_PLUGIN)), SLURM_SUCCESS);
}

Test(init, select)
{
	drive_machine(FOUR_NODES, "", MAUI_CFG);
	xfree(slurm_conf.plugindir);
	slurm_conf.plugindir = xstrdup(INNER_DIRECTORY ":" ENGINE_DIRECTORY);
	cr_expect_eq(init_under_locks(load(SELECT_PLUGIN)), SLURM_SUCCESS);
	cr_expect_not(drive_logged("nodes are Slurm's own choice"));
}
