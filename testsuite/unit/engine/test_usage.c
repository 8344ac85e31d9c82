/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the engine counts for associations and QOS instead of Slurm's own priority plugin. */
#include "testsuite/unit/engine/drive.h"

#include "plugins/engine/api/engine.h"

TestSuite(usage, .init = drive_init, .fini = drive_fini);

static slurmdb_assoc_rec_t *art, *bin, *sys;
static slurmdb_qos_rec_t *normal;

/* Nothing fades, unless a test says so. */
static void begin(void)
{
	drive_machine(FOUR_NODES, "AccountingStorageType=accounting_storage/slurmdbd\n", "");
	slurm_conf.priority_decay_hl = 0;
	slurm_conf.priority_flags = 0;
	normal = controller_qos("normal");
	art = controller_assoc("art", NULL, 1);
	controller_assoc("sea", NULL, 1);
	bin = controller_assoc("art", "bin", 1);
	sys = controller_assoc("art", "sys", 3);
	drive_start();
}

static job_record_t *runs(slurmdb_assoc_rec_t *assoc, uint32_t cpus)
{
	job_record_t *job =
		SUBMIT(.user = assoc->user, .account = assoc->acct, .qos = "normal", .cpus = cpus);

	job->assoc_ptr = assoc;
	job->assoc_id = assoc->id;
	cr_assert(controller_try(job, true));
	return job;
}

static void expect_raw(const slurmdb_assoc_rec_t *assoc, double usage)
{
	cr_expect_float_eq((double)assoc->usage->usage_raw, usage, 1e-6, "%s: %f, and not %f",
			   assoc->user ? assoc->user : assoc->acct, (double)assoc->usage->usage_raw,
			   usage);
}

Test(usage, each_second_is_in_one_pass_or_in_the_end)
{
	job_record_t *job;

	begin();
	job = runs(bin, 2);
	drive_pass(10 * MINUTE);
	expect_raw(bin, 1200);
	expect_raw(art, 1200);
	expect_raw(assoc_mgr_root_assoc, 1200);
	cr_expect_float_eq((double)normal->usage->usage_raw, 1200, 1e-6);
	cr_expect_float_eq(bin->usage->grp_used_wall, 600, 1e-6);
	cr_expect_float_eq((double)bin->usage->usage_tres_raw[TRES_ARRAY_CPU], 1200, 1e-6);
	drive_clock(NOW + 15 * MINUTE);
	controller_end(job, JOB_COMPLETE);
	expect_raw(bin, 1800);
	drive_pass(10 * MINUTE);
	expect_raw(bin, 1800);
}

Test(usage, what_running_jobs_may_still_use_is_reserved)
{
	job_record_t *job;

	begin();
	job = runs(bin, 2);
	drive_pass(10 * MINUTE);
	cr_expect_eq(bin->usage->grp_used_tres_run_secs[TRES_ARRAY_CPU], 2 * 50 * MINUTE);
	cr_expect_eq(normal->usage->grp_used_tres_run_secs[TRES_ARRAY_CPU], 2 * 50 * MINUTE);
	drive_pass(10 * MINUTE);
	cr_expect_eq(art->usage->grp_used_tres_run_secs[TRES_ARRAY_CPU], 2 * 40 * MINUTE);
	controller_end(job, JOB_COMPLETE);
	cr_expect_eq(art->usage->grp_used_tres_run_secs[TRES_ARRAY_CPU], 0);
}

Test(usage, the_factor_of_a_qos_counts)
{
	begin();
	normal->usage_factor = 0.5;
	runs(bin, 2);
	drive_pass(10 * MINUTE);
	expect_raw(bin, 600);
	cr_expect_eq(bin->usage->grp_used_tres_run_secs[TRES_ARRAY_CPU], 50 * MINUTE);
}

Test(usage, usage_fades_by_its_half_life)
{
	job_record_t *job;

	begin();
	job = runs(bin, 2);
	drive_pass(10 * MINUTE);
	controller_end(job, JOB_COMPLETE);
	slurm_conf.priority_decay_hl = HOUR;
	drive_pass(HOUR);
	expect_raw(bin, 600);
	expect_raw(assoc_mgr_root_assoc, 600);
	cr_expect_float_eq((double)normal->usage->usage_raw, 600, 1e-6);
	normal->flags |= QOS_FLAG_NO_DECAY;
	drive_pass(HOUR);
	expect_raw(bin, 300);
	cr_expect_float_eq((double)normal->usage->usage_raw, 600, 1e-6);
}

Test(usage, it_is_reset_by_the_period)
{
	job_record_t *job;

	begin();
	slurm_conf.priority_reset_period = PRIORITY_RESET_DAILY;
	job = runs(bin, 2);
	drive_pass(10 * MINUTE);
	controller_end(job, JOB_COMPLETE);
	drive_pass(DAY);
	expect_raw(bin, 0);
	cr_expect(drive_logged("the usage of all associations and QOS is reset"));
	runs(bin, 1);
	drive_pass(10 * MINUTE);
	slurm_conf.priority_reset_period = PRIORITY_RESET_NOW;
	maui_engine_usage_cleared();
	drive_turn();
	expect_raw(bin, 0);
	drive_pass(10 * MINUTE);
	expect_raw(bin, 600);
}

Test(usage, a_restart_counts_what_ran_meanwhile)
{
	begin();
	runs(bin, 1);
	drive_pass(10 * MINUTE);
	drive_stop();
	cr_assert(drive_has_file("priority_last_decay_ran"));
	drive_clock(NOW + 15 * MINUTE);
	drive_start();
	expect_raw(bin, 900);
	drive_stop();
	drive_write_file("priority_last_decay_ran", "short");
	drive_start();
	cr_expect(drive_logged("priority_last_decay_ran cannot be used"));
}

Test(usage, shares_by_the_classic_algorithm)
{
	slurmdb_assoc_rec_t *other;

	begin();
	runs(bin, 3);
	runs(sys, 1);
	drive_pass(10 * MINUTE);
	cr_expect_float_eq((double)bin->usage->usage_norm, 0.75, 1e-6);
	cr_expect_float_eq((double)art->usage->usage_efctv, 1, 1e-6);
	/* Its own usage, and its share of the rest of its account's. */
	cr_expect_float_eq((double)bin->usage->usage_efctv, 0.75 + 0.25 * 0.25, 1e-6);
	cr_expect_float_eq((double)sys->usage->usage_efctv, 0.25 + 0.75 * 0.75, 1e-6);
	/* By its quarter of the shares, which are halved by each such part of the usage. */
	cr_expect_float_eq(bin->usage->fs_factor, exp2(-(0.75 + 0.25 * 0.25) / 0.25), 1e-6);
	other = controller_assoc("art", "games", 4);
	maui_engine_set_assoc_usage(other);
	cr_expect_float_eq((double)other->usage->usage_efctv, 0.5, 1e-6);
}

Test(usage, fair_tree_ranks_users)
{
	slurmdb_assoc_rec_t *games;

	begin();
	slurm_conf.priority_flags = PRIORITY_FLAGS_FAIR_TREE;
	games = controller_assoc("sea", "games", 1);
	runs(bin, 3);
	runs(sys, 1);
	drive_pass(10 * MINUTE);
	cr_expect_float_eq(games->usage->fs_factor, 1, 1e-6, "sea has used nothing");
	cr_expect_float_eq(sys->usage->fs_factor, 2.0 / 3, 1e-6);
	cr_expect_float_eq(bin->usage->fs_factor, 1.0 / 3, 1e-6);
	cr_expect_float_eq((double)bin->usage->level_fs, 0.25 / 0.75, 1e-6);
}

/* As in test_share_tree.c: sea's best user shares the place of art's last. */
Test(usage, fair_tree_ranks_tied_accounts_one_after_another)
{
	slurmdb_assoc_rec_t *games, *man;

	begin();
	slurm_conf.priority_flags = PRIORITY_FLAGS_FAIR_TREE;
	games = controller_assoc("sea", "games", 1);
	man = controller_assoc("sea", "man", 1);
	runs(bin, 1);
	runs(sys, 2);
	runs(games, 1);
	runs(man, 2);
	drive_pass(10 * MINUTE);
	cr_expect_float_eq(sys->usage->fs_factor, 1, 1e-6);
	cr_expect_float_eq(bin->usage->fs_factor, 0.75, 1e-6);
	cr_expect_float_eq(games->usage->fs_factor, 0.75, 1e-6);
	cr_expect_float_eq(man->usage->fs_factor, 0.25, 1e-6);
}
