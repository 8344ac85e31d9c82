/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/policy/fairshare/fairshare_fixture.h"

#include "testsuite/unit/policy/fixture.h"

/* ---- requests ------------------------------------------------------------------------------ */

static const struct {
	enum maui_fs_metric metric;
	double procs, walltime, pe, request;
} requests[] = {
	{MAUI_FS_DEDICATEDPS, 4, 3600, 9, 14400},
	{MAUI_FS_UTILIZEDPS, 4, 3600, 9, 14400},
	{MAUI_FS_DEDICATEDPES, 4, 3600, 9.5, 34200},
	{MAUI_FS_DEDICATEDPS, 4, (double)MAUI_INFINITY, 9, 1e18},
	{MAUI_FS_DEDICATEDPS, 4, INFINITY, 9, 1e18},
	{MAUI_FS_DEDICATEDPS, 0, INFINITY, 9, 0},
	{MAUI_FS_DEDICATEDPS, 4, 0, 9, 0},
	{MAUI_FS_DEDICATEDPS, 4, -5, 9, 0},
	{MAUI_FS_DEDICATEDPS, NAN, 5, 9, 0},
	{MAUI_FS_DEDICATEDPS, 1e300, 1e9, 9, 1e18},
};

Test(fairshare_request, is_the_metric_for_the_whole_time)
{
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		const struct maui_fairshare_settings settings = {.metric = requests[i].metric};
		double rate =
			maui_fairshare_rate(&settings, requests[i].procs, requests[i].pe, NULL);

		cr_expect_eq(maui_fairshare_request(rate, requests[i].walltime),
			     requests[i].request, "%zu", i);
	}
}

/* ---- caps ---------------------------------------------------------------------------------- */

/* The user "u" of lines has used `used` of `total`, in window 0. */
struct cap_case {
	const char *lines;
	double used, total, request;
	bool blocked;
};

static const struct cap_case cap_cases[] = {
	{"USERCFG[u] FSTARGET=100^\n", 50, 200, 50, false},
	{"USERCFG[u] FSTARGET=100^\n", 50, 200, 50.5, true},
	{"USERCFG[u] FSTARGET=100^\n", 100, 200, 0, true}, /* reached */
	{"USERCFG[u] FSTARGET=100^\n", 99, 200, 0, false},
	{"USERCFG[u] FSTARGET=100^\n", 0, 0, 100, false},
	{"USERCFG[u] FSTARGET=100^\n", 0, 0, 1e18, true},
	{"USERCFG[u] FSTARGET=50%\n", 50, 200, 50, false},
	{"USERCFG[u] FSTARGET=50%\n", 50, 200, 51, true},
	{"USERCFG[u] FSTARGET=50%\n", 100, 200, 0, true},
	{"USERCFG[u] FSTARGET=50%\n", 99, 200, 0, false},
	{"USERCFG[u] FSTARGET=0.001%\n", 0, 0, 1e18, false}, /* nothing used at all */
	/* Targets are not caps. */
	{"USERCFG[u] FSTARGET=1\n", 100, 200, 100, false},
	{"USERCFG[u] FSTARGET=1-\n", 100, 200, 100, false},
	{"USERCFG[u] FSTARGET=1+\n", 100, 200, 100, false},
	{"USERCFG[u] FSTARGET=0^\n", 100, 200, 100, false},
	/* D-FS-4: DEFAULT's apply, except to those with a target of their own. */
	{"USERCFG[DEFAULT] FSTARGET=100^\n", 50, 200, 51, true},
	{"USERCFG[DEFAULT] FSTARGET=50%\n", 150, 200, 0, true},
	{"USERCFG[DEFAULT] FSTARGET=100^\nUSERCFG[u] FSTARGET=200^\n", 50, 200, 51, false},
	{"USERCFG[DEFAULT] FSTARGET=100^\nUSERCFG[u] FSTARGET=20\n", 50, 200, 51, false},
	{"CLASSCFG[DEFAULT] FSTARGET=100^\n", 0, 200, 101, true},
	/* D-GRES-14: a job without the GRES adds nothing. */
	{"FSPOLICY DEDICATEDGRES[gpu]\nUSERCFG[u] FSTARGET=100^\n", 150, 200, 0, false},
	{"FSPOLICY DEDICATEDGRES[gpu]\nUSERCFG[u] FSTARGET=50%\n", 150, 200, 0, false},
	{"FSPOLICY DEDICATEDGRES[gpu]\nUSERCFG[u] FSTARGET=100^\n", 100, 200, 1, true},
	/* Off. */
	{"FSPOLICY [NONE]\nUSERCFG[u] FSTARGET=100^\n", 500, 500, 500, false},
};

struct world {
	struct maui_priority_policy *policy;
	struct maui_priority_credential credential[MAUI_CREDENTIALS][2];
	struct maui_priority_tables tables;
	struct maui_fairshare *fs;
};

static void world_open(struct world *world, const char *lines, uint32_t depth, double decay)
{
	struct maui_fairshare_settings settings;
	struct maui_config *config;
	char text[512];

	snprintf(text, sizeof(text), "FSPOLICY DEDICATEDPS\n%s", lines);
	config = config_from(text);
	maui_fairshare_settings(config, &settings);
	maui_config_unref(config);
	world->policy = policy_from(text);
	world->tables = (struct maui_priority_tables){0};
	settings.interval = 100;
	settings.depth = depth;
	settings.decay = decay;
	world->fs = maui_fairshare_new(&settings, 1000);
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		cr_assert_eq(maui_fairshare_reserve(world->fs, type, 1), 0);
		maui_priority_credential(world->policy, type, NULL, &world->credential[type][0]);
		maui_priority_credential(world->policy, type, fixture_names[type],
					 &world->credential[type][1]);
		world->tables.credential[type] = world->credential[type];
	}
}

static void world_close(struct world *world)
{
	maui_fairshare_free(world->fs);
	maui_priority_free(world->policy);
}

Test(fairshare_cap, blocks_what_is_over_it)
{
	for (size_t i = 0; i < sizeof(cap_cases) / sizeof(cap_cases[0]); i++) {
		const struct cap_case *this = &cap_cases[i];
		struct maui_fairshare_verdict verdict = {.blocked = true, .until = 77};
		struct world world;

		world_open(&world, this->lines, 4, 1);
		maui_fairshare_set(world.fs, MAUI_USER, 1, 0, this->used);
		maui_fairshare_set(world.fs, MAUI_FS_TOTAL, 0, 0, this->total);
		cr_expect_eq(
			maui_fairshare_cap(world.fs, &world.tables, ones, this->request, &verdict),
			this->blocked, "%zu: %s", i, this->lines);
		cr_expect_eq(verdict.blocked, this->blocked, "%zu", i);
		cr_expect_eq(!verdict.until, !this->blocked, "%zu", i);
		cr_expect_eq(maui_fairshare_cap(world.fs, &world.tables, ones, this->request, NULL),
			     this->blocked);
		/* Without the credential there is no cap. */
		cr_expect_not(maui_fairshare_cap(world.fs, &world.tables, nobody, this->request,
						 &verdict));
		world_close(&world);
	}
}

Test(fairshare_cap, is_looked_for_in_the_originals_order)
{
	static const struct {
		const char *lines;
		enum maui_credential type;
	} cases[] = {
		{"QOSCFG[q] FSTARGET=1^\nCLASSCFG[c] FSTARGET=1^\n", MAUI_CLASS},
		{"CLASSCFG[c] FSTARGET=1^\nACCOUNTCFG[a] FSTARGET=1^\n", MAUI_ACCOUNT},
		{"ACCOUNTCFG[a] FSTARGET=1^\nGROUPCFG[g] FSTARGET=1^\n", MAUI_GROUP},
		{"GROUPCFG[g] FSTARGET=1^\nUSERCFG[u] FSTARGET=1^\n", MAUI_USER},
		{"QOSCFG[q] FSTARGET=1^\nUSERCFG[u] FSTARGET=100^\n", MAUI_QOS},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_fairshare_verdict verdict;
		struct world world;

		world_open(&world, cases[i].lines, 4, 1);
		cr_expect(maui_fairshare_cap(world.fs, &world.tables, ones, 5, &verdict));
		cr_expect_eq(verdict.type, cases[i].type, "%zu: %d", i, verdict.type);
		world_close(&world);
	}
}

Test(fairshare_cap, is_told_in_its_own_unit)
{
	struct maui_fairshare_verdict verdict;
	struct world world;

	world_open(&world, "USERCFG[u] FSTARGET=20%\n", 4, 1);
	maui_fairshare_set(world.fs, MAUI_USER, 1, 0, 30);
	maui_fairshare_set(world.fs, MAUI_FS_TOTAL, 0, 1, 200);
	cr_expect(maui_fairshare_cap(world.fs, &world.tables, ones, 20, &verdict));
	cr_expect_eq(verdict.mode, MAUI_FS_CAP_RELATIVE);
	cr_expect_eq(verdict.cap, 20);
	expect_near(verdict.usage, 15.0);
	expect_near(verdict.request, 10.0);
	world_close(&world);
	world_open(&world, "USERCFG[u] FSTARGET=20^\n", 4, 1);
	maui_fairshare_set(world.fs, MAUI_USER, 1, 0, 15);
	cr_expect(maui_fairshare_cap(world.fs, &world.tables, ones, 6, &verdict));
	cr_expect_eq(verdict.mode, MAUI_FS_CAP_ABSOLUTE);
	cr_expect_eq(verdict.usage, 15);
	cr_expect_eq(verdict.request, 6);
	world_close(&world);
}

/* ---- until ---------------------------------------------------------------------------------- */

static const struct {
	const char *what, *lines;
	uint32_t depth;
	double decay;
	double user[4], total[4], request;
	int64_t until; /* 0: not blocked. The current window began at 1000, and lasts for 100. */
} releases[] = {
	{"decays below", "USERCFG[u] FSTARGET=30^\n", 4, 0.5, {100}, {100}, 5, 1200},
	{"at the cap is not below", "USERCFG[u] FSTARGET=25^\n", 4, 0.5, {100}, {100}, 0, 1300},
	{"rolls out", "USERCFG[u] FSTARGET=30^\n", 4, 1, {0, 0, 100}, {0, 0, 100}, 5, 1200},
	{"rolls out late", "USERCFG[u] FSTARGET=30^\n", 4, 1, {100}, {100}, 5, 1400},
	{"one window", "USERCFG[u] FSTARGET=30^\n", 1, 1, {100}, {100}, 5, 1100},
	{"no decay, no past", "USERCFG[u] FSTARGET=30^\n", 4, 0, {100}, {100}, 5, 1100},
	{"just fits when all is gone", "USERCFG[u] FSTARGET=30^\n", 4, 1, {1}, {1}, 30, 1400},
	{"asks for too much", "USERCFG[u] FSTARGET=30^\n", 4, 1, {100}, {100}, 31, INT64_MAX},
	{"too much alone", "USERCFG[u] FSTARGET=30^\n", 4, 1, {0}, {0}, 31, INT64_MAX},
	/* The total decays alike: the share stays, until the windows differ. */
	{"percent", "USERCFG[u] FSTARGET=30%\n", 4, 0.5, {100}, {100}, 0, 1400},
	{"percent, others older", "USERCFG[u] FSTARGET=50%\n", 4, 1, {10, 90}, {100, 100}, 0, 1300},
	{"percent, request weighs more",
	 "USERCFG[u] FSTARGET=50%\n",
	 4,
	 0.5,
	 {10},
	 {100},
	 41,
	 1400},
	{"percent, infinite request", "USERCFG[u] FSTARGET=50%\n", 4, 0.5, {10}, {100}, 1e18, 1400},
};

Test(fairshare_cap, says_until_when)
{
	for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++) {
		struct maui_fairshare_verdict verdict;
		struct world world;
		int64_t now = 1000;

		world_open(&world, releases[i].lines, releases[i].depth, releases[i].decay);
		for (uint32_t k = 0; k < 4; k++) {
			maui_fairshare_set(world.fs, MAUI_USER, 1, k, releases[i].user[k]);
			maui_fairshare_set(world.fs, MAUI_FS_TOTAL, 0, k, releases[i].total[k]);
		}
		cr_expect(maui_fairshare_cap(world.fs, &world.tables, ones, releases[i].request,
					     &verdict),
			  "%s", releases[i].what);
		cr_expect_eq(verdict.until, releases[i].until, "%s: %ld", releases[i].what,
			     (long)verdict.until);
		/* And so it happens. */
		while (now < 2000 &&
		       maui_fairshare_cap(world.fs, &world.tables, ones, releases[i].request, NULL))
			maui_fairshare_advance(world.fs, now += 100);
		cr_expect_eq(now, releases[i].until == INT64_MAX ? 2000 : releases[i].until,
			     "%s: in truth %ld", releases[i].what, (long)now);
		world_close(&world);
	}
}

/* ---- factors -------------------------------------------------------------------------------- */

Test(fairshare_factors, are_those_of_targets_and_usage)
{
	static const struct {
		const char *policy, *target;
		double factor; /* at a usage of 45 percent */
	} cases[] = {
		{"DEDICATEDPS", "50", 5},     {"DEDICATEDPS", "25", -20},
		{"DEDICATEDPS", "50+", 5},    {"DEDICATEDPS", "25+", 0},
		{"DEDICATEDPS", "25-", -20},  {"DEDICATEDPS", "50-", 0},
		{"DEDICATEDPS", "10%", 0},    {"DEDICATEDPS", "10^", 0},
		{"DEDICATEDPS", "0", 0},      {"DEDICATEDPS%", "50", 0.1},
		{"DEDICATEDPS%", "30", -0.5}, {"DEDICATEDPS%", "30+", 0},
		{"[NONE]", "50", 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double factor[2] = {77, 77};
		struct world world;
		char lines[128];

		snprintf(lines, sizeof(lines), "FSPOLICY %s\nGROUPCFG[g] FSTARGET=%s\n",
			 cases[i].policy, cases[i].target);
		world_open(&world, lines, 4, 0.5);
		maui_fairshare_factors(world.fs, MAUI_GROUP, world.credential[MAUI_GROUP], 2,
				       factor);
		cr_expect_eq(factor[1], 0, "%s: nothing was used", lines);
		maui_fairshare_set(world.fs, MAUI_GROUP, 1, 1, 90);
		maui_fairshare_set(world.fs, MAUI_FS_TOTAL, 0, 1, 200);
		maui_fairshare_factors(world.fs, MAUI_GROUP, world.credential[MAUI_GROUP], 2,
				       factor);
		expect_near(factor[1], cases[i].factor, "%s", lines);
		cr_expect_eq(factor[0], 0);
		world_close(&world);
	}
}
