/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "testsuite/unit/policy/fixture.h"

/* One factor under a few lines of maui.cfg, for a job changed as the line says. */
static double factor_of(struct fixture *fixture, enum maui_subcomponent sub)
{
	struct maui_priority_terms terms;

	fixture_evaluate(fixture, &terms);
	return terms.factor[sub];
}

static const struct {
	double queued, walltime;
	const char *minimum;
	double xfactor;
} xfactors[] = {
	{3600, 3600, "", 2}, /* the chapter's table */
	{16 * 3600, 4 * 3600, "", 5},
	{0, 3600, "", 1},
	{-500, 3600, "", 1}, /* submitted in the future */
	{0, 60, "XFMINWCLIMIT 600", 1},
	{3600, 60, "XFMINWCLIMIT 600", 7},
	{7200, 3600, "XFMINWCLIMIT 600", 3},
	{100, 0, "XFMINWCLIMIT 50", 3},
	{100, 50, "XFMINWCLIMIT -1", 3},
	{100, 50, "XFMINWCLIMIT 0", 3},
	{100, 0, "", 101}, /* no limit of its own: counts as one second */
	{100, 0, "XFMINWCLIMIT 0", 101},
	{100, -50, "", 101},
	{100, NAN, "", 101},
	{214000, (double)MAUI_INFINITY, "", 1.0001},
};

Test(priority_xfactor, is_one_and_the_wait_in_units_of_the_limit_or_the_least_limit)
{
	for (size_t i = 0; i < sizeof(xfactors) / sizeof(xfactors[0]); i++) {
		struct fixture fixture;
		double xfactor;

		fixture_open(&fixture, xfactors[i].minimum);
		fixture.job.queued_since = NOW - (int64_t)xfactors[i].queued;
		fixture.job.walltime = xfactors[i].walltime;
		xfactor = factor_of(&fixture, MAUI_SERV_XFACTOR);
		cr_expect_float_eq(xfactor, xfactors[i].xfactor, 1e-9, "line %zu: %g", i, xfactor);
		fixture_close(&fixture);
	}
}

static const struct {
	double target, queued, factor;
} targets[] = {
	{3600, 0, 7.71604938271605e-08},
	{3600, 2600, 1e-6},
	{3600, 3500, 1e-4},
	{3600, 3599, 1},
	{3600, 3600, 1e8},
	{3600, 3601, 100000001},
	{3600, 9999, 100006399},
	{0, 9999, 0},
	{-5, 9999, 0},
	{NAN, 9999, 0},
	{INFINITY, 9999, 0},
	{1, 1e9, 1e8 + 1e9 - 1},
};

Test(priority_target_queuetime, rises_towards_the_target_and_goes_on_by_the_second)
{
	struct fixture fixture;

	fixture_open(&fixture, "");
	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		double factor;

		fixture.credential[MAUI_QOS][1].queuetime_target = targets[i].target;
		fixture.job.queued_since = NOW - (int64_t)targets[i].queued;
		factor = factor_of(&fixture, MAUI_TARG_QUEUETIME);
		cr_expect_float_eq(factor, targets[i].factor, 1e-9 * targets[i].factor,
				   "line %zu: %.17g", i, factor);
	}
	fixture_close(&fixture);
}

static const struct {
	double target, queued, factor;
} xfactor_targets[] = {
	{10, 3600, 1.0 / 64},                                             /* xfactor 2 */
	{2.5, 3600, 4},        {2, 3600, 1e8},      {1, 3600, 100010000}, /* excess 1 */
	{1, 36000, 100100000}, {0.5, 0, 100005000}, {0, 3600, 0},
	{-1, 3600, 0},         {NAN, 3600, 0},
};

Test(priority_target_xfactor, rises_towards_the_target_and_goes_on_by_10000_a_unit)
{
	struct fixture fixture;

	fixture_open(&fixture, "");
	for (size_t i = 0; i < sizeof(xfactor_targets) / sizeof(xfactor_targets[0]); i++) {
		double factor;

		fixture.credential[MAUI_QOS][1].xfactor_target = xfactor_targets[i].target;
		fixture.job.queued_since = NOW - (int64_t)xfactor_targets[i].queued;
		factor = factor_of(&fixture, MAUI_TARG_XFACTOR);
		cr_expect_float_eq(factor, xfactor_targets[i].factor,
				   1e-9 * xfactor_targets[i].factor, "line %zu: %.17g", i, factor);
	}
	fixture_close(&fixture);
}

Test(priority_target_xfactor, looks_at_the_xfactor_before_its_cap)
{
	struct fixture fixture;

	fixture_open(&fixture, "XFACTORCAP 1\nQOSCFG[q] XFTARGET=2\n");
	fixture.job.queued_since = NOW - 3600;
	cr_expect_eq(factor_of(&fixture, MAUI_SERV_XFACTOR), 1);
	cr_expect_eq(factor_of(&fixture, MAUI_TARG_XFACTOR), 1e8);
	fixture_close(&fixture);
}

Test(priority_queuetime, is_in_minutes_with_their_fraction_and_never_negative)
{
	struct fixture fixture;

	fixture_open(&fixture, "");
	fixture.job.queued_since = NOW - 90;
	cr_expect_eq(factor_of(&fixture, MAUI_SERV_QUEUETIME), 1.5);
	fixture.job.queued_since = NOW + 90;
	cr_expect_eq(factor_of(&fixture, MAUI_SERV_QUEUETIME), 0);
	fixture_close(&fixture);
}

Test(priority_resources, are_what_the_job_asks_for)
{
	struct fixture fixture;
	struct maui_priority_terms terms;

	fixture_open(&fixture, "");
	fixture.job.nodes = 3;
	fixture.job.procs = 8;
	fixture.job.memory = 1000;
	fixture.job.swap = 2000;
	fixture.job.disk = 3000;
	fixture.job.pe = 12.5;
	fixture.job.walltime = 100;
	fixture.job.bypass = 2;
	fixture.job.sp_violation = 1;
	fixture_evaluate(&fixture, &terms);
	cr_expect_eq(terms.factor[MAUI_RES_NODE], 3);
	cr_expect_eq(terms.factor[MAUI_RES_PROC], 8);
	cr_expect_eq(terms.factor[MAUI_RES_MEM], 1000);
	cr_expect_eq(terms.factor[MAUI_RES_SWAP], 2000);
	cr_expect_eq(terms.factor[MAUI_RES_DISK], 3000);
	cr_expect_eq(terms.factor[MAUI_RES_PS], 800);
	cr_expect_eq(terms.factor[MAUI_RES_PE], 12.5);
	cr_expect_eq(terms.factor[MAUI_RES_WALLTIME], 100);
	cr_expect_eq(terms.factor[MAUI_SERV_BYPASS], 2);
	cr_expect_eq(terms.factor[MAUI_SERV_SPVIOLATION], 1);
	fixture_close(&fixture);
}

/* Of gpu 3, of tape 2. */
Test(priority_resources, gres_count_by_their_weights)
{
	static const struct {
		const char *lines;
		double weight, factor, sum; /* sum: what it adds to the priority of nothing else */
	} cases[] = {
		{"", 0, 0, 0},
		{"GRESWEIGHT[gpu] 100\nRESWEIGHT 1\n", 1, 300, 300},
		{"GRESWEIGHT[gpu] 100\n", 1, 300, 0}, /* RESWEIGHT is 0 */
		{"GRESWEIGHT[gpu] 100\nGRESWEIGHT[tape] 7\nRESWEIGHT 2\n", 1, 314, 628},
		{"GRESWEIGHT 10\nGRESWEIGHT[gpu] 2\nRESWEIGHT 1\n", 10, 6, 60},
		{"GRESWEIGHT 0\nGRESWEIGHT[gpu] 2\nRESWEIGHT 1\n", 0, 6, 0},
		{"GRESWEIGHT 10\nRESWEIGHT 1\n", 10, 0, 0},
		{"GRESWEIGHT[gpu] 100\nGRESCAP 250\nRESWEIGHT 1\n", 1, 250, 250},
		{"GRESWEIGHT[gpu] -100\nRESWEIGHT 1\nENABLENEGJOBPRIORITY TRUE\n", 1, -300, -300},
		{"GRESWEIGHT[gpu] 0\nGRESWEIGHT[tape] 5\nRESWEIGHT 1\n", 1, 10, 10},
		{"GRESWEIGHT[gpu] 5\nGRESWEIGHT[gpu] 6\nRESWEIGHT 1\n", 1, 18, 18},
		{"GRESWEIGHT[GPU] 5\nRESWEIGHT 1\n", 1, 0, 0}, /* case counts */
	};
	static const struct maui_gres_amounts asked = {3, {3, 2}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_gres_table *table = maui_gres_table_new();
		struct maui_priority_terms terms, without;
		struct fixture fixture;
		char lines[300];

		/* They get the first two numbers. */
		snprintf(lines, sizeof(lines),
			 "QUEUETIMEWEIGHT 0\nUSERCFG[x] MAXGRES[gpu]=9 MAXGRES[tape]=9\n%s",
			 cases[i].lines);
		fixture_open(&fixture, lines);
		fixture_evaluate(&fixture, &without);
		cr_expect_eq(without.factor[MAUI_RES_GRES], 0, "%s", lines);
		fixture.job.gres = maui_gres_intern(table, &asked);
		fixture_evaluate(&fixture, &terms);
		cr_expect_eq(terms.weight[MAUI_RES_GRES], cases[i].weight, "%s", lines);
		cr_expect_eq(terms.factor[MAUI_RES_GRES], cases[i].factor, "%s", lines);
		cr_expect_eq(terms.sum - without.sum, cases[i].sum, "%s", lines);
		fixture.job.gres = &maui_gres_most; /* memory was short: nothing is known */
		fixture_evaluate(&fixture, &terms);
		cr_expect_eq(terms.sum, without.sum, "%s", lines);
		fixture_close(&fixture);
		maui_gres_table_unref(table);
	}
}

/* What-if: the weights of one maui.cfg, amounts by the numbers of another. */
Test(priority_resources, gres_may_have_the_numbers_of_another_configuration)
{
	static const struct maui_gres_amounts asked = {3, {3, 2}};
	struct maui_config *other = config_from("USERCFG[x] MAXGRES[tape]=9 MAXGRES[gpu]=9\n");
	struct maui_gres_table *table = maui_gres_table_new();
	struct maui_priority_terms terms;
	struct fixture fixture;

	fixture_open(&fixture, "GRESWEIGHT[gpu] 100\nGRESWEIGHT[tape] 7\nPROCWEIGHT[p] 2\n");
	fixture.job.gres = maui_gres_intern(table, &asked);
	fixture_evaluate(&fixture, &terms);
	cr_expect_eq(terms.factor[MAUI_RES_GRES], 314);
	cr_expect_eq(maui_priority_number_by(fixture.policy, other), 0);
	fixture_evaluate(&fixture, &terms);
	cr_expect_eq(terms.factor[MAUI_RES_GRES], 221);
	fixture.job.weights = maui_priority_weights(fixture.policy, "p");
	fixture_evaluate(&fixture, &terms);
	cr_expect_eq(terms.factor[MAUI_RES_GRES], 221);
	maui_config_unref(other);
	other = config_from("USERCFG[x] MAXGRES[tape]=9\n");
	cr_expect_eq(maui_priority_number_by(fixture.policy, other), 1);
	fixture_evaluate(&fixture, &terms);
	cr_expect_eq(terms.factor[MAUI_RES_GRES], 21);
	maui_config_unref(other);
	fixture_close(&fixture);
	maui_gres_table_unref(table);
}

Test(priority_resources, gres_weights_name_a_gres)
{
	static const struct {
		const char *line;
		const char *problem;
	} cases[] = {
		{"GRESWEIGHT[gpu,USER] 1\n", "GRESWEIGHT takes no credential in brackets"},
		{"GRESWEIGHT[gpu,] 1\n", "GRESWEIGHT takes no credential in brackets"},
		{"GRESWEIGHT[USER] 1\n",
		 "GRESWEIGHT: 'USER' does not begin with the name of a GRES, as in "
		 "GRESWEIGHT[gpu] or GRESWEIGHT[gpu:a100]"},
		{"GRESWEIGHT[a b] 1\n",
		 "GRESWEIGHT: 'a b' does not begin with the name of a GRES, as in "
		 "GRESWEIGHT[gpu] or GRESWEIGHT[gpu:a100]"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_config *config = config_from(cases[i].line);
		const struct maui_problem *problems;
		size_t count = maui_config_problems(config, &problems);

		cr_assert_eq(count, 1, "%s", cases[i].line);
		cr_expect_eq(problems->severity, MAUI_ERROR);
		cr_expect_str_eq(problems->text, cases[i].problem);
		maui_config_unref(config);
	}
}

Test(priority_caps, hold_from_above_on_the_factor_and_on_the_components_sum)
{
	struct fixture fixture;
	struct maui_priority_terms terms;

	fixture_open(&fixture, "CREDWEIGHT 2\nCREDCAP 70\nUSERWEIGHT 3\nUSERCAP 20\nGROUPWEIGHT 1\n"
			       "GROUPCAP 5\nUSERCFG[u] PRIORITY=50\nGROUPCFG[g] PRIORITY=-1000\n");
	fixture_evaluate(&fixture, &terms);
	cr_expect_eq(terms.factor[MAUI_CRED_USER], 20);
	cr_expect_eq(terms.factor[MAUI_CRED_GROUP], -1000, "caps do not hold from below");
	cr_expect_eq(terms.component[MAUI_CRED], 60 - 1000);
	fixture.credential[MAUI_GROUP][1].priority = 900;
	fixture_evaluate(&fixture, &terms);
	cr_expect_eq(terms.component[MAUI_CRED], 65, "the group's 900 count as 5");
	fixture.credential[MAUI_USER][1].priority = 19;
	fixture.credential[MAUI_GROUP][1].priority = 5;
	fixture_evaluate(&fixture, &terms);
	cr_expect_eq(terms.sum, 2 * 62);
	fixture_close(&fixture);
}

Test(priority_caps, hold_on_a_component_before_its_weight)
{
	struct fixture fixture;
	struct maui_priority_terms terms;

	fixture_open(&fixture, "RESWEIGHT -2\nRESCAP 10\nPROCWEIGHT 1\n");
	fixture.job.procs = 500;
	fixture_evaluate(&fixture, &terms);
	cr_expect_eq(terms.component[MAUI_RES], 10);
	cr_expect_eq(terms.sum, -20);
	cr_expect_eq(terms.priority, 1);
	fixture_close(&fixture);
}

Test(priority_fairshare, example_of_the_chapter_gives_minus_25000)
{
	struct fixture fixture;
	struct maui_priority_terms terms;
	static const double usage[MAUI_CREDENTIALS] = {45, 65, 35, 25, 20};

	fixture_open(&fixture,
		     "FSWEIGHT 100\nFSUSERWEIGHT 10\nFSGROUPWEIGHT 20\nFSACCOUNTWEIGHT 30\n"
		     "FSQOSWEIGHT 40\nFSCLASSWEIGHT 0\nUSERCFG[u] FSTARGET=50\n"
		     "ACCOUNTCFG[a] FSTARGET=25\nQOSCFG[q] FSTARGET=10.0+\n");
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		fixture.fs_factor[type][1] = maui_fstarget_factor(
			&fixture.credential[type][1].fs_target, usage[type], false);
		fixture.tables.fs_factor[type] = fixture.fs_factor[type];
	}
	fixture_evaluate(&fixture, &terms);
	cr_expect_eq(terms.component_weight[MAUI_FS] * terms.component[MAUI_FS], -25000);
	fixture_close(&fixture);
}

Test(priority_fairshare, the_share_tree_counts_where_it_is_off)
{
	static const struct {
		const char *caps;
		double tree, expected;
	} cases[] = {
		{"", 0.3, 60000},
		{"", 0, 0},
		{"FSTREECAP 0.25\n", 0.3, 50000},
		{"FSTREECAP 0.5\n", 0.3, 60000},
		{"FSCAP 20000\n", 0.3, 40000},
		{"", NAN, 0},
		{"", -1, 0},
		{"FSTREEWEIGHT -10\n", 1, -20},
		{"FSWEIGHT 0\n", 1, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture fixture;
		struct maui_priority_terms terms;
		char lines[200];

		snprintf(lines, sizeof(lines), "FSWEIGHT 2\nFSTREEWEIGHT 100000\n%s",
			 cases[i].caps);
		fixture_open(&fixture, lines);
		fixture.job.tree = cases[i].tree;
		fixture_evaluate(&fixture, &terms);
		cr_expect_eq(terms.component_weight[MAUI_FS] * terms.component[MAUI_FS],
			     cases[i].expected, "%s: %g", lines, terms.sum);
		fixture_close(&fixture);
	}
}

Test(priority_fairshare, the_share_tree_adds_to_targets)
{
	struct fixture fixture;
	struct maui_priority_terms terms;

	fixture_open(&fixture, "FSWEIGHT 1\nFSUSERWEIGHT 10\nFSTREEWEIGHT 100\n");
	fixture.fs_factor[MAUI_USER][1] = -4;
	fixture.tables.fs_factor[MAUI_USER] = fixture.fs_factor[MAUI_USER];
	fixture.job.tree = 0.75;
	fixture_evaluate(&fixture, &terms);
	cr_expect_eq(terms.component[MAUI_FS], 75 - 40);
	cr_expect_eq(terms.factor[MAUI_FS_TREE], 0.75);
	fixture_close(&fixture);
}

Test(priority_fairshare, is_0_where_it_is_off)
{
	struct fixture fixture;
	struct maui_priority_terms terms;

	fixture_open(&fixture, "FSWEIGHT 100\nFSUSERWEIGHT 10\nUSERCFG[u] FSTARGET=50\n");
	fixture_evaluate(&fixture, &terms); /* no table of factors */
	cr_expect_eq(terms.component[MAUI_FS], 0);
	fixture_close(&fixture);
}

Test(priority_weights, get_the_qoss_additions_and_the_groups_class_weight)
{
	struct fixture fixture;
	struct maui_priority_terms terms;

	fixture_open(&fixture,
		     "CLASSWEIGHT 2\nXFACTORWEIGHT 3\nQOSCFG[q] QTWEIGHT=5000 XFWEIGHT=-4\n"
		     "GROUPCFG[g] CLASSWEIGHT=7\nCLASSCFG[c] PRIORITY=10\n");
	fixture_evaluate(&fixture, &terms);
	cr_expect_eq(terms.weight[MAUI_SERV_QUEUETIME], 5001);
	cr_expect_eq(terms.weight[MAUI_SERV_XFACTOR], -1);
	cr_expect_eq(terms.weight[MAUI_CRED_CLASS], 7);
	cr_expect_eq(terms.component[MAUI_CRED], 70);
	cr_expect_eq(terms.component[MAUI_SERV], -1);
	fixture.job.credential[MAUI_QOS] = MAUI_NO_CREDENTIAL;
	fixture.job.credential[MAUI_GROUP] = MAUI_NO_CREDENTIAL;
	fixture_evaluate(&fixture, &terms);
	cr_expect_eq(terms.weight[MAUI_SERV_QUEUETIME], 1);
	cr_expect_eq(terms.weight[MAUI_CRED_CLASS], 2);
	fixture_close(&fixture);
}

Test(priority_class, is_the_partitions_own_only_where_maui_cfg_gives_none)
{
	struct fixture fixture;

	fixture_open(&fixture, "CLASSWEIGHT 1\nCLASSCFG[c] PRIORITY=10\n");
	fixture.job.class_priority = 77;
	cr_expect_eq(factor_of(&fixture, MAUI_CRED_CLASS), 10);
	fixture.job.credential[MAUI_CLASS] = MAUI_NO_CREDENTIAL;
	cr_expect_eq(factor_of(&fixture, MAUI_CRED_CLASS), 77);
	fixture_close(&fixture);
}

static const struct {
	const char *lines;
	int64_t user; /* the whole sum */
	enum maui_system_priority mode;
	int64_t system;
	int64_t priority;
	bool rejected;
} stored[] = {
	{"", 500, MAUI_NO_SYSTEM_PRIORITY, 0, 500, false},
	{"", 500, MAUI_NO_SYSTEM_PRIORITY, 999, 500, false},
	{"", 0, MAUI_NO_SYSTEM_PRIORITY, 0, 1, false},
	{"", -500, MAUI_NO_SYSTEM_PRIORITY, 0, 1, false},
	{"ENABLENEGJOBPRIORITY TRUE\n", 0, MAUI_NO_SYSTEM_PRIORITY, 0, 0, false},
	{"ENABLENEGJOBPRIORITY TRUE\n", -500, MAUI_NO_SYSTEM_PRIORITY, 0, -500, false},
	{"REJECTNEGPRIOJOBS TRUE\n", -500, MAUI_NO_SYSTEM_PRIORITY, 0, 1, false},
	{"ENABLENEGJOBPRIORITY TRUE\nREJECTNEGPRIOJOBS TRUE\n", -500, MAUI_NO_SYSTEM_PRIORITY, 0,
	 -500, true},
	{"ENABLENEGJOBPRIORITY TRUE\nREJECTNEGPRIOJOBS TRUE\n", 0, MAUI_NO_SYSTEM_PRIORITY, 0, 0,
	 false},
	{"", 2000000000, MAUI_NO_SYSTEM_PRIORITY, 0, 1000000000, false},
	{"ENABLENEGJOBPRIORITY TRUE\n", -2000000000, MAUI_NO_SYSTEM_PRIORITY, 0, -2000000000,
	 false},
	/* setspri */
	{"", 500, MAUI_ABSOLUTE_PRIORITY, 5, 1000000005, false},
	{"", 500, MAUI_ABSOLUTE_PRIORITY, 1000, 1000001000, false},
	{"", 500, MAUI_ABSOLUTE_PRIORITY, 0, 500, false}, /* clears */
	{"", 500, MAUI_RELATIVE_PRIORITY, 100000, 100500, false},
	{"", 500, MAUI_RELATIVE_PRIORITY, 0, 500, false},
	{"", -500, MAUI_RELATIVE_PRIORITY, 10, 11, false},              /* after the floor */
	{"", 2000000000, MAUI_RELATIVE_PRIORITY, 7, 1000000007, false}, /* and after the clamp */
	{"", 500, MAUI_RELATIVE_PRIORITY, -1000, -500, false},
	{"REJECTNEGPRIOJOBS TRUE\n", 500, MAUI_RELATIVE_PRIORITY, -1000, -500, true},
	{"", 500, MAUI_RELATIVE_PRIORITY, INT64_MAX, INT64_C(1) << 62, false},
	{"", 500, MAUI_RELATIVE_PRIORITY, INT64_MIN, -(INT64_C(1) << 62), false},
	{"", 500, (enum maui_system_priority)9, 7, 500, false},
};

Test(priority_stored, is_floored_then_clamped_then_gets_the_system_priority)
{
	for (size_t i = 0; i < sizeof(stored) / sizeof(stored[0]); i++) {
		struct fixture fixture;
		struct maui_priority_terms terms;
		char lines[200];

		snprintf(lines, sizeof(lines), "USERWEIGHT 1\n%s", stored[i].lines);
		fixture_open(&fixture, lines);
		fixture.credential[MAUI_USER][1].priority = (double)stored[i].user;
		fixture.job.system_priority_mode = stored[i].mode;
		fixture.job.system_priority = stored[i].system;
		fixture_evaluate(&fixture, &terms);
		cr_expect_eq(terms.sum, stored[i].user, "line %zu: %g", i, terms.sum);
		cr_expect_eq(terms.priority, stored[i].priority, "line %zu: %lld", i,
			     (long long)terms.priority);
		cr_expect_eq(terms.rejected, stored[i].rejected, "line %zu", i);
		fixture_close(&fixture);
	}
}

Test(priority_stored, is_truncated_towards_zero)
{
	struct fixture fixture;
	struct maui_priority_terms terms;

	fixture_open(&fixture, "ENABLENEGJOBPRIORITY TRUE\n");
	fixture.job.queued_since = NOW - 119; /* 1.98 minutes */
	fixture_evaluate(&fixture, &terms);
	cr_expect_eq(terms.priority, 1);
	fixture_close(&fixture);
	fixture_open(&fixture, "ENABLENEGJOBPRIORITY TRUE\nSERVWEIGHT -1\n");
	fixture.job.queued_since = NOW - 119;
	fixture_evaluate(&fixture, &terms);
	cr_expect_eq(terms.priority, -1);
	fixture_close(&fixture);
}

Test(priority_factors, that_are_not_numbers_count_as_0)
{
	struct fixture fixture;
	struct maui_priority_terms terms;

	fixture_open(&fixture, "CLASSWEIGHT 1\n");
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		fixture.credential[type][1].priority = NAN;
		fixture.fs_factor[type][1] = NAN;
		fixture.tables.fs_factor[type] = fixture.fs_factor[type];
	}
	fixture.credential[MAUI_GROUP][1].class_weight = NAN;
	fixture.credential[MAUI_QOS][1].queuetime_weight = NAN;
	fixture.job.class_priority = NAN;
	fixture.job.procs = fixture.job.memory = fixture.job.pe = fixture.job.walltime = NAN;
	fixture_evaluate(&fixture, &terms);
	for (int i = 0; i < MAUI_SUBCOMPONENTS; i++)
		cr_expect_eq(terms.factor[i], i == MAUI_SERV_XFACTOR, "%s: %g",
			     maui_subcomponents[i].name, terms.factor[i]);
	cr_expect_eq(terms.weight[MAUI_CRED_CLASS], 1);
	cr_expect_eq(terms.weight[MAUI_SERV_QUEUETIME], 1);
	fixture_close(&fixture);
}

Test(priority_usage, has_no_part_in_the_start_priority)
{
	struct fixture fixture;
	struct maui_priority_terms terms;

	fixture_open(&fixture, "USAGEWEIGHT 5\nUSAGECONSUMEDWEIGHT 6\n");
	fixture_evaluate(&fixture, &terms);
	cr_expect_eq(terms.factor[MAUI_USAGE_CONSUMED], 0);
	cr_expect_eq(terms.weight[MAUI_USAGE_CONSUMED], 6);
	cr_expect_eq(terms.component[MAUI_USAGE], 0);
	cr_expect_eq(terms.component_weight[MAUI_USAGE], 5);
	fixture_close(&fixture);
}
