/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting jobs of a Slurm under lines of maui.cfg: priorities, places, and what moves a job. */
#include "common/queue/compare.h"
#include "testsuite/unit/queue/queue_fixture.h"

#define MOST 8

struct compared {
	struct maui_policy *policy;
	struct maui_compare_job rows[MOST];
	size_t count;
	struct maui_comparison result;
};

static struct maui_compare_job *add(struct compared *of, int64_t number, const char *user,
				    const char *class, int64_t slurm)
{
	struct maui_compare_job *row = &of->rows[of->count++];

	*row = (struct maui_compare_job){
		.number = number,
		.names = {[MAUI_USER] = user,
			  [MAUI_GROUP] = "staff",
			  [MAUI_ACCOUNT] = "phys",
			  [MAUI_QOS] = "normal",
			  [MAUI_CLASS] = class},
		.submitted = NOW - 600,
		.accrued = NOW - 300,
		.walltime = 3600,
		.nodes = 1,
		.procs = 4,
		.slurm = slurm,
		.parts_known = true,
	};
	return row;
}

static void open_with(struct compared *of, const char *lines)
{
	*of = (struct compared){.policy = queue_policy(lines)};
}

static void judge(struct compared *of)
{
	const struct maui_resources machine = {.procs = 100};

	maui_compare(of->policy, &machine, of->rows, of->count, NOW, &of->result);
}

static void done(struct compared *of)
{
	maui_compare_clear(&of->result);
	maui_policy_unref(of->policy);
}

static const struct maui_compared *job_of(const struct compared *of, int64_t number)
{
	for (size_t i = 0; i < of->result.count; i++)
		if (of->rows[of->result.jobs[i].slurm_row].number == number)
			return &of->result.jobs[i];
	cr_assert(false, "job %d is not compared", (int)number);
	return NULL;
}

Test(compare, a_priority_is_made_of_all_that_slurm_has)
{
	struct compared of;
	struct maui_compare_job *row;

	open_with(&of, "JOBPRIOACCRUALPOLICY ALWAYS\nQUEUETIMEWEIGHT 2\nUSERWEIGHT "
		       "1\nUSERCFG[alice] PRIORITY=30\n"
		       "ACCOUNTWEIGHT 1\nACCOUNTCFG[phys] PRIORITY=100\nQOSWEIGHT 3\n"
		       "QOSCFG[normal] PRIORITY=7\nCLASSWEIGHT 10\nCLASSCFG[gold] PRIORITY=5\n"
		       "RESWEIGHT 1\nPROCWEIGHT 0.5\nNODEWEIGHT -1\nGROUPWEIGHT 1\n"
		       "GROUPCFG[DEFAULT] PRIORITY=1000\nGRESWEIGHT[gpu] 11\n"
		       "FSWEIGHT 1\nFSTREEWEIGHT 40\n");
	row = add(&of, 1, "alice", "gold", 5);
	row->nice = 3;
	row->site_factor = 4;
	row->fairshare = 0.5;
	maui_gres_set(&row->gres, 0, 2);
	judge(&of);
	cr_expect_float_eq(row->maui_part[MAUI_COMPARE_AGE], 2 * 10, 1e-9);
	cr_expect_float_eq(row->maui_part[MAUI_COMPARE_ASSOC], 130, 1e-9);
	cr_expect_float_eq(row->maui_part[MAUI_COMPARE_QOS], 21, 1e-9);
	cr_expect_float_eq(row->maui_part[MAUI_COMPARE_PARTITION], 50, 1e-9);
	cr_expect_float_eq(row->maui_part[MAUI_COMPARE_SIZE], 1000 + 2 - 1 + 22, 1e-9);
	cr_expect_float_eq(row->maui_part[MAUI_COMPARE_FAIRSHARE], 20, 1e-9);
	cr_expect_eq(row->maui, 20 + 130 + 21 + 50 + 1023 + 20 - 3 + 4);
	done(&of);
}

Test(compare, a_tree_without_any_share_is_unknown)
{
	struct compared of;

	open_with(&of, "FSWEIGHT 1\nFSTREEWEIGHT 40\n");
	add(&of, 1, "alice", "gold", 5);
	judge(&of);
	cr_expect(of.result.tree_unknown);
	maui_compare_clear(&of.result);
	add(&of, 2, "alice", "gold", 5)->fairshare = 0.1;
	judge(&of);
	cr_expect_not(of.result.tree_unknown);
	done(&of);
	open_with(&of, "FSWEIGHT 0\nFSTREEWEIGHT 40\n");
	add(&of, 1, "alice", "gold", 5);
	judge(&of);
	cr_expect_not(of.result.tree_unknown);
	done(&of);
}

Test(compare, a_capped_component_divides_its_points)
{
	struct compared of;

	open_with(&of, "CREDWEIGHT 2\nCREDCAP 50\nQOSWEIGHT 1\nQOSCFG[normal] PRIORITY=75\n"
		       "CLASSWEIGHT 1\nCLASSCFG[gold] PRIORITY=25\nQUEUETIMEWEIGHT 0\n");
	add(&of, 1, "alice", "gold", 5);
	judge(&of);
	cr_expect_float_eq(of.rows[0].maui_part[MAUI_COMPARE_QOS], 75, 1e-9);
	cr_expect_float_eq(of.rows[0].maui_part[MAUI_COMPARE_PARTITION], 25, 1e-9);
	cr_expect_eq(of.rows[0].maui, 100);
	done(&of);
}

Test(compare, age_goes_by_the_accrual_policy)
{
	struct compared of;

	open_with(&of, "QUEUETIMEWEIGHT 1\nJOBPRIOACCRUALPOLICY FULLPOLICY\n");
	add(&of, 1, "alice", "gold", 5);
	add(&of, 2, "alice", "gold", 5)->stopped = true;
	add(&of, 3, "alice", "gold", 5)->accrued = 0;
	judge(&of);
	cr_expect_float_eq(of.rows[0].maui_part[MAUI_COMPARE_AGE], 5, 1e-9);
	cr_expect_float_eq(of.rows[1].maui_part[MAUI_COMPARE_AGE], 0, 1e-9);
	cr_expect_float_eq(of.rows[2].maui_part[MAUI_COMPARE_AGE], 10, 1e-9);
	done(&of);
}

Test(compare, the_highest_partition_counts_on_each_side)
{
	struct compared of;

	open_with(&of, "CLASSWEIGHT 1\nCLASSCFG[gold] PRIORITY=500\nCLASSCFG[iron] PRIORITY=20\n"
		       "QUEUETIMEWEIGHT 0\n");
	add(&of, 1, "alice", "gold", 10);
	add(&of, 1, "alice", "iron", 90);
	add(&of, 2, "bob", "iron", 50);
	judge(&of);
	cr_expect_eq(of.result.count, 2);
	cr_expect_eq(job_of(&of, 1)->slurm_row, 1);
	cr_expect_eq(job_of(&of, 1)->maui_row, 0);
	cr_expect_eq(of.result.kendall.tau, 1);
	cr_expect_eq(of.result.moved, 0);
	done(&of);
}

Test(compare, what_moves_a_job_is_the_part_that_differs_most)
{
	struct compared of;

	open_with(&of, "QOSWEIGHT 1\nQOSCFG[normal] PRIORITY=100\nQUEUETIMEWEIGHT 0\n");
	for (int64_t i = 0; i < 4; i++) {
		struct maui_compare_job *row = add(&of, i + 1, "alice", "gold", 100);

		row->slurm_part[MAUI_COMPARE_QOS] = 100;
		row->slurm_part[MAUI_COMPARE_FAIRSHARE] = i == 3 ? 3000 : 0;
		row->slurm += i == 3 ? 3000 : 0;
	}
	judge(&of);
	cr_expect_eq(of.rows[of.result.jobs[0].slurm_row].number, 4);
	cr_expect_eq(of.result.jobs[0].slurm_place, 1);
	cr_expect_eq(of.result.jobs[0].maui_place, 4);
	cr_expect_eq(maui_compare_reason(&of.result, of.rows, &of.result.jobs[0]),
		     MAUI_COMPARE_FAIRSHARE);
	cr_expect(of.result.slurm_any[MAUI_COMPARE_FAIRSHARE]);
	cr_expect_not(of.result.maui_any[MAUI_COMPARE_FAIRSHARE]);
	cr_expect_eq(of.result.slurm_mean[MAUI_COMPARE_FAIRSHARE], 750);
	cr_expect_not(of.result.kendall.defined); /* the file gives all the same */
	done(&of);
}

Test(compare, a_priority_set_by_hand_stays)
{
	struct compared of;

	open_with(&of, "QUEUETIMEWEIGHT 7\n");
	add(&of, 1, "alice", "gold", 12345)->by_hand = true;
	add(&of, 2, "alice", "gold", 5)->parts_known = false;
	judge(&of);
	cr_expect_eq(of.rows[0].maui, 12345);
	for (int64_t i = 1; i <= 2; i++)
		cr_expect_eq(maui_compare_reason(&of.result, of.rows, job_of(&of, i)),
			     MAUI_COMPARE_PARTS);
	done(&of);
}

Test(compare, no_jobs_have_no_order)
{
	struct compared of;

	open_with(&of, "");
	judge(&of);
	cr_expect_eq(of.result.count, 0);
	cr_expect_not(of.result.kendall.defined);
	done(&of);
}
