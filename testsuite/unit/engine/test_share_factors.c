/* SPDX-License-Identifier: GPL-2.0-or-later */
/* FSTREEWEIGHT: the factors of Slurm's share tree in priorities, sprio's terms and what-if. */
#include "testsuite/unit/engine/drive.h"

#include "plugins/engine/api/engine.h"

TestSuite(share_factors, .init = drive_init, .fini = drive_fini);

#define TREE "QUEUETIMEWEIGHT 0\nFSWEIGHT 1\nFSTREEWEIGHT 1000\nFSTREEWEIGHT[small] 10\n"

static slurmdb_assoc_rec_t *bin, *sys, *games;

static void begin(const char *maui_cfg, uint32_t flags)
{
	drive_machine(FOUR_NODES, "AccountingStorageType=accounting_storage/slurmdbd\n", maui_cfg);
	slurm_conf.priority_flags = flags;
	controller_assoc("art", NULL, 1);
	controller_assoc("sea", NULL, 1);
	bin = controller_assoc("art", "bin", 1);
	sys = controller_assoc("art", "sys", 3);
	games = controller_assoc("sea", "games", 1);
	drive_start();
	bin->usage->fs_factor = 0.25;
	sys->usage->fs_factor = 0.5;
	games->usage->fs_factor = 1;
}

static job_record_t *waits(const slurmdb_assoc_rec_t *assoc, const char *partitions)
{
	job_record_t *job = JOB(.user = assoc ? assoc->user : "mail",
				.account = assoc ? assoc->acct : NULL, .partitions = partitions);

	job->assoc_id = assoc ? assoc->id : 0;
	job->priority = maui_engine_set_priority(job);
	return job;
}

Test(share_factors, each_job_has_that_of_its_association)
{
	job_record_t *first, *second, *without, *both;

	begin(TREE, PRIORITY_FLAGS_FAIR_TREE);
	first = waits(bin, "batch");
	second = waits(games, "batch");
	without = waits(NULL, "batch");
	both = waits(sys, "batch,small");
	drive_turn();
	cr_expect_eq(first->priority, 250);
	cr_expect_eq(second->priority, 1000);
	cr_expect_leq(without->priority, 2, "%u: Slurm's least", without->priority);
	cr_expect_eq(compat_priority_at(both, 0), 500);
	cr_expect_eq(compat_priority_at(both, 1), 5);
	bin->usage->fs_factor = 0.75;
	drive_turn();
	cr_expect_eq(first->priority, 750);
	EXPECT_NUMBER(drive_ask("diagnose-priority", "{'user':'bin'}"),
		      "/jobs/0/components/FS/subcomponents/FSTREE/factor", 0.75);
}

Test(share_factors, a_new_job_and_sprio_have_that_of_the_last_iteration)
{
	struct maui_engine_terms terms;
	slurmdb_assoc_rec_t *late;
	job_record_t *job, *latest;

	begin(TREE, PRIORITY_FLAGS_FAIR_TREE);
	drive_turn();
	sys->usage->fs_factor = 0.125;
	job = waits(sys, "batch");
	cr_expect_eq(job->priority, 500);
	maui_engine_terms(job, job->part_ptr, false, &terms);
	cr_expect_eq(terms.result.weighted[MAUI_FS], 500);
	drive_turn();
	cr_expect_eq(job->priority, 125);
	late = controller_assoc("art", "mail", 1);
	late->usage->fs_factor = 0.5;
	latest = waits(late, "batch");
	cr_expect_leq(latest->priority, 2, "no iteration has seen the association");
	drive_turn();
	cr_expect_eq(latest->priority, 500);
}

/* Stock Slurm leaves the classic factor to sshare. */
Test(share_factors, the_classic_factor_is_computed_as_sshare_does)
{
	job_record_t *job, *child;

	begin(TREE, 0);
	bin->usage->fs_factor = 0.9;
	bin->usage->usage_efctv = 0.5;
	bin->usage->shares_norm = 0.25;
	sys->shares_raw = SLURMDB_FS_USE_PARENT;
	sys->usage->fs_assoc_ptr->usage->usage_efctv = 0.5;
	sys->usage->fs_assoc_ptr->usage->shares_norm = 0.5;
	job = waits(bin, "batch");
	child = waits(sys, "batch");
	drive_turn();
	cr_expect_eq(job->priority, 250, "2^-(0.5 / 0.25), and not %u", job->priority);
	cr_expect_eq(child->priority, 500, "its account's, and not %u", child->priority);
}

Test(share_factors, an_effective_usage_that_stock_has_not_computed_is_computed)
{
	job_record_t *job;

	begin(TREE, 0);
	assoc_mgr_root_assoc->usage->usage_raw = 100;
	bin->usage->usage_raw = 25;
	bin->usage->usage_efctv = (long double)NO_VAL;
	bin->usage->shares_norm = 0.4375;
	bin->usage->fs_assoc_ptr->usage->usage_efctv = 1;
	job = waits(bin, "batch");
	drive_turn();
	/* Its quarter, and a quarter of the rest of its account's: 0.4375. */
	cr_expect_eq(job->priority, 500, "2^-1, and not %u", job->priority);
}

Test(share_factors, a_reconfigure_brings_and_takes_them)
{
	job_record_t *job;

	begin("QUEUETIMEWEIGHT 0\n", PRIORITY_FLAGS_FAIR_TREE);
	job = waits(sys, "batch");
	drive_turn();
	cr_expect_leq(job->priority, 2);
	drive_reconfigure(TREE);
	drive_turn();
	cr_expect_eq(job->priority, 500);
	drive_reconfigure("QUEUETIMEWEIGHT 0\nFSWEIGHT 1\n");
	drive_turn();
	cr_expect_leq(job->priority, 2);
}

#define THEN "{'path':'x','text':'QUEUETIMEWEIGHT 0\\nFSWEIGHT 1\\nFSTREEWEIGHT 2000\\n'}"

Test(share_factors, whatif_has_them_though_todays_policy_does_not_count_them)
{
	struct json_object *data;

	begin("QUEUETIMEWEIGHT 0\n", PRIORITY_FLAGS_FAIR_TREE);
	waits(bin, "batch");
	waits(games, "batch");
	data = drive_ask("whatif", THEN);
	EXPECT_NUMBER(data, "/priorities_changed", 2);
	int at = drive_place(data, "/movers", "user", "games");
	struct json_object *mover =
		json_object_array_get_idx(drive_at(data, "/movers"), (size_t)at);
	EXPECT_NUMBER(mover, "/priority/then", 2000);
	EXPECT_NUMBER(mover, "/components/FS/then", 2000);
	EXPECT_TEXT(mover, "/most", "FS");
	cr_expect_eq(drive_length(data, "/notes"), 0);
}

Test(share_factors, whatif_takes_those_of_the_same_moment_for_both_sides)
{
	struct json_object *data;

	begin(TREE, PRIORITY_FLAGS_FAIR_TREE);
	waits(bin, "batch");
	waits(games, "batch");
	drive_turn();
	games->usage->fs_factor = 0.125; /* no iteration has seen it */
	data = drive_ask("whatif", "{'path':'x','text':'QUEUETIMEWEIGHT 0\\nFSWEIGHT 1\\n"
				   "FSTREEWEIGHT 1000\\n'}");
	EXPECT_NUMBER(data, "/priorities_changed", 0);
}

Test(share_factors, without_associations_they_are_0_and_whatif_says_so)
{
	struct json_object *data;
	job_record_t *job;

	drive_begin(FOUR_NODES, TREE);
	job = SUBMIT(.user = "bin");
	job->assoc_id = 7;
	drive_turn();
	cr_expect_leq(job->priority, 2);
	data = drive_ask("whatif", THEN);
	EXPECT_TEXT(data, "/notes/0/name", "FSTREEWEIGHT");
}
