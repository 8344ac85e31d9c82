/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>

#include "testsuite/unit/policy/limits/limits_fixture.h"

static int64_t used(const struct limits_fixture *fixture, enum maui_limit_metric metric)
{
	return maui_limit_usage_get(fixture->usage, MAUI_USER, 1, MAUI_LIMIT_ACTIVE, metric);
}

/*
 * The manual: 4 processors for an hour and 2 for six are 16 * 3600 outstanding processor-seconds.
 */
Test(limits_usage, outstanding_shrinks)
{
	struct limits_fixture fixture;
	struct maui_limit_job job;
	struct maui_limit_holding *first, *second;

	limits_open(&fixture, "USERCFG[u] MAXPS=1\n");
	job = limits_job(&fixture, "u - - - -");
	first = limits_start(&fixture, &job);
	job.procs = 2;
	job.walltime = 6 * 3600;
	second = limits_start(&fixture, &job);
	cr_expect_eq(used(&fixture, MAUI_LIMIT_PS), 16 * 3600);
	cr_expect_eq(used(&fixture, MAUI_LIMIT_WC), 7 * 3600);
	maui_limit_usage_advance(fixture.usage, NOW + 600);
	cr_expect_eq(used(&fixture, MAUI_LIMIT_PS), 4 * 3000 + 2 * 21000);
	maui_limit_usage_advance(fixture.usage, NOW + 3600);
	cr_expect_eq(used(&fixture, MAUI_LIMIT_PS), 2 * 18000);
	/* Past its end a job holds no time, but everything else. */
	maui_limit_usage_advance(fixture.usage, NOW + 7200);
	cr_expect_eq(used(&fixture, MAUI_LIMIT_PS), 2 * 14400);
	cr_expect_eq(used(&fixture, MAUI_LIMIT_PROC), 6);
	/* Time never goes back. */
	maui_limit_usage_advance(fixture.usage, NOW);
	cr_expect_eq(used(&fixture, MAUI_LIMIT_PS), 2 * 14400);
	/* Suspended: it does not shrink. */
	maui_limit_usage_take(fixture.usage, second);
	job.walltime = 14400;
	cr_assert_eq(maui_limit_usage_add(fixture.usage, second, &job, MAUI_LIMIT_SUSPENDED), 0);
	maui_limit_usage_advance(fixture.usage, NOW + 100000);
	cr_expect_eq(used(&fixture, MAUI_LIMIT_PS), 2 * 14400);
	cr_expect_eq(used(&fixture, MAUI_LIMIT_JOB), 2);
	maui_limit_usage_take(fixture.usage, first);
	maui_limit_usage_take(fixture.usage, second);
	for (int metric = 0; metric < MAUI_LIMIT_METRICS; metric++)
		cr_expect_eq(used(&fixture, metric), 0, "%d", metric);
	limits_close(&fixture);
}

Test(limits_usage, refuses_what_cannot_be)
{
	struct limits_fixture fixture;
	struct maui_limit_holding holding;
	struct maui_limit_job job;

	limits_open(&fixture, "");
	job = limits_job(&fixture, "u - - - -");
	job.credential[MAUI_CLASS] = MAUI_LIMIT_IDS;
	cr_expect_eq(maui_limit_usage_add(fixture.usage, &holding, &job, NOW), -ERANGE);
	cr_expect_eq(used(&fixture, MAUI_LIMIT_JOB), 0);
	cr_expect_eq(maui_limit_usage_get(fixture.usage, 9, 1, MAUI_LIMIT_ACTIVE, MAUI_LIMIT_JOB),
		     0);
	limits_close(&fixture);
}

/* Jobs come, go, overrun and are suspended; the recount agrees at every step. */
#define JOBS 200
Test(limits_usage, recount_agrees)
{
	static struct maui_limit_holding holdings[JOBS];
	static bool active[JOBS];
	const struct maui_limit_holding *list[JOBS];
	struct maui_error error = {""};
	struct limits_fixture fixture;
	int64_t now = NOW;
	size_t count;

	limits_open(&fixture, "CLASSCFG[c1] MAXJOB[USER]=2 MAXPS[USER:u1]=5\nSYSCFG MAXPS=1\n"
			      "GROUPCFG[DEFAULT] MAXIJOB[QOS]=3\n");
	srand(7);
	for (int step = 0; step < 3000; step++) {
		int which = rand() % JOBS;

		if (active[which])
			maui_limit_usage_take(fixture.usage, &holdings[which]);
		else {
			struct maui_limit_job job = {.procs = rand() % 9,
						     .nodes = rand() % 3,
						     .pe = rand() % 20,
						     .memory = rand() % 4096,
						     .walltime = rand() % 20000};
			bool suspended = rand() % 8 == 0;

			for (int type = 0; type < MAUI_CREDENTIALS; type++)
				job.credential[type] = rand() % 5;
			cr_assert_eq(maui_limit_usage_add(fixture.usage, &holdings[which], &job,
							  suspended ? MAUI_LIMIT_SUSPENDED
								    : now + job.walltime),
				     0);
		}
		active[which] = !active[which];
		if (step % 7 == 0)
			maui_limit_usage_advance(fixture.usage,
						 now += rand() % (step % 2 ? 200 : 9000));
		count = 0;
		for (int i = 0; i < JOBS; i++)
			if (active[i])
				list[count++] = &holdings[i];
		cr_assert_eq(maui_limit_usage_recount(fixture.usage, list, count, &error), 0,
			     "%d: %s", step, error.text);
	}
	/* And it reports a difference. */
	cr_assert_gt(count, 0);
	cr_expect_eq(maui_limit_usage_recount(fixture.usage, list, count - 1, &error), -EUCLEAN);
	cr_expect(strstr(error.text, "a recount gives"), "%s", error.text);
	limits_close(&fixture);
}

Test(limits_usage, a_recount_finds_what_only_one_side_has)
{
	static const struct {
		const char *kept[2], *counted[2];
		const char *why;
	} cases[] = {
		{{"u - - - -"},
		 {NULL},
		 "usage of user 1, metric JOB, is kept as 1, but a recount gives 0"},
		{{NULL},
		 {"u - - - -"},
		 "usage of user 1, metric JOB, is kept as 0, but a recount gives 1"},
		/* Each holder has as much in both, and only the pairs differ. */
		{{"u - - - c", "v - - - -"},
		 {"u - - - -", "v - - - c"},
		 "metric JOB, is kept as 1, but a recount gives 0"},
		{{"u - - - -", "- - - - c"},
		 {"u - - - c", "- - - - -"},
		 "metric JOB, is kept as 0, but a recount gives 1"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct maui_limit_holding *list[2];
		struct maui_limit_holding right[2];
		struct maui_error error = {""};
		struct limits_fixture fixture;
		struct maui_limit_job job;
		size_t count = 0;

		limits_open(&fixture, "CLASSCFG[c] MAXJOB[USER]=1\n");
		for (size_t k = 0; k < 2 && cases[i].kept[k]; k++) {
			job = limits_job(&fixture, cases[i].kept[k]);
			limits_start(&fixture, &job);
		}
		for (; count < 2 && cases[i].counted[count]; count++) {
			right[count] = (struct maui_limit_holding){
				.job = limits_job(&fixture, cases[i].counted[count]),
				.ends = NOW + 3600};
			list[count] = &right[count];
		}
		cr_expect_eq(maui_limit_usage_recount(fixture.usage, list, count, &error), -EUCLEAN,
			     "%zu", i);
		cr_expect(strstr(error.text, cases[i].why), "%zu: %s", i, error.text);
		limits_close(&fixture);
	}
}

/* As in the table of metrics. */
Test(limits_usage, what_is_outstanding_shrinks_while_a_job_runs_and_nothing_else_does)
{
	struct limits_fixture fixture;
	int64_t before[MAUI_LIMIT_METRICS];
	struct maui_limit_job job;

	limits_open(&fixture, "USERCFG[u] MAXJOB=1\n");
	job = limits_job(&fixture, "u - - - -");
	limits_start(&fixture, &job);
	for (int metric = 0; metric < MAUI_LIMIT_METRICS; metric++)
		before[metric] = used(&fixture, metric);
	maui_limit_usage_advance(fixture.usage, NOW + 100);
	for (int metric = 0; metric < MAUI_LIMIT_METRICS; metric++) {
		cr_expect_gt(before[metric], 0, "%d", metric);
		cr_expect_eq(used(&fixture, metric) < before[metric],
			     maui_limit_metric_info(metric)->outstanding, "%d", metric);
	}
	limits_close(&fixture);
}

/* ---- selection ----------------------------------------------------------------------------- */

#define CANDIDATES 4
static const struct {
	const char *lines;
	const char *who[CANDIDATES]; /* in priority order; '!' in front: exempt, '-': out */
	const char *hard, *soft;     /* a digit for each */
} selections[] = {
	{"", {"u - - - -", "u - - - -", "v - - - -", "!u - - - -"}, "1111", "1111"},
	{"USERCFG[DEFAULT] MAXIJOB=1\n",
	 {"u - - - -", "u - - - -", "v - - - -", "v - - - -"},
	 "1010",
	 "1010"},
	{"USERCFG[DEFAULT] MAXIPROC=8\n",
	 {"u - - - -", "u - - - -", "u - - - -", "v - - - -"},
	 "1101",
	 "1101"},
	/* There is no soft idle limit. */
	{"USERCFG[DEFAULT] MAXIJOB=1,2\n",
	 {"u - - - -", "u - - - -", "u - - - -", "v - - - -"},
	 "1101",
	 "1101"},
	/*
	 * A job that is not considered takes no place; one with a reservation does, and is not
	 * checked.
	 */
	{"USERCFG[DEFAULT] MAXIJOB=1\n",
	 {"-u - - - -", "!u - - - -", "!u - - - -", "u - - - -"},
	 "0110",
	 "0110"},
	/* Active limits do not count eligible jobs: all that fit individually are eligible. */
	{"USERCFG[DEFAULT] MAXJOB=1,2\n",
	 {"r - - - -", "r - - - -", "u - - - -", "u - - - -"},
	 "1111",
	 "0011"},
	{"USERCFG[DEFAULT] MAXJOB=1\n",
	 {"r - - - -", "u - - - -", "r - - - -", "u - - - -"},
	 "0101",
	 "0101"},
	{"SYSTEMMAXPROCPERJOB 3\n",
	 {"u - - - -", "!u - - - -", "u - - - -", "v - - - -"},
	 "0100",
	 "0100"},
	/* A job over a soft limit takes no place in the soft list. */
	{"USERCFG[DEFAULT] MAXJOB=1,2\nACCOUNTCFG[a] MAXIJOB=1\n",
	 {"r - a - -", "u - a - -", "u - - - -", "r - - - -"},
	 "1011",
	 "0110"},
	{"CLASSCFG[c] MAXIJOB[USER]=1\n",
	 {"u - - - c", "u - - - c", "v - - - c", "u - - - d"},
	 "1011",
	 "1011"},
};

#define MANY 60

/* xorshift64*: a number below limit. */
static uint32_t draw(uint64_t *state, uint32_t limit)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (uint32_t)((*state * UINT64_C(2685821657736338717) >> 32) * limit >> 32);
}

/* As limits_wait(), of more jobs. */
static void limits_wait_many(const struct limits_fixture *fixture, struct maui_limit_usage *usage,
			     const struct maui_limit_job *jobs, size_t count)
{
	struct maui_limit_candidate candidates[MANY] = {0};

	for (size_t i = 0; i < count; i++)
		candidates[i] = (struct maui_limit_candidate){.job = jobs[i], .exempt = true};
	cr_assert_eq(maui_limits_select(fixture->limits, usage, candidates, count, NULL), 0);
}

Test(limits_select, lists)
{
	for (size_t i = 0; i < sizeof(selections) / sizeof(selections[0]); i++) {
		struct maui_limit_candidate candidates[CANDIDATES];
		struct maui_arena *verdicts = maui_arena_new();
		char hard[CANDIDATES + 1] = "", soft[CANDIDATES + 1] = "";
		struct limits_fixture fixture;
		struct maui_limit_job job;

		limits_open(&fixture, selections[i].lines);
		job = limits_job(&fixture, "r - - - -");
		limits_start(&fixture, &job);
		for (int j = 0; j < CANDIDATES; j++) {
			const char *who = selections[i].who[j];

			candidates[j] = (struct maui_limit_candidate){.hard = false};
			candidates[j].exempt = *who == '!';
			candidates[j].out = *who == '-';
			candidates[j].job =
				limits_job(&fixture, who + (*who == '!' || *who == '-'));
		}
		cr_assert_eq(maui_limits_select(fixture.limits, fixture.usage, candidates,
						CANDIDATES, verdicts),
			     0);
		for (int j = 0; j < CANDIDATES; j++) {
			hard[j] = candidates[j].hard ? '1' : '0';
			soft[j] = candidates[j].soft ? '1' : '0';
			cr_expect_eq(candidates[j].hard_verdict != NULL,
				     !candidates[j].hard && !candidates[j].out);
		}
		cr_expect_str_eq(hard, selections[i].hard, "%zu: %s", i, hard);
		cr_expect_str_eq(soft, selections[i].soft, "%zu: %s", i, soft);
		maui_arena_free(verdicts);
		limits_close(&fixture);
	}
}

/* One job after another, each against all limits. */
static void select_plainly(struct limits_fixture *fixture, struct maui_limit_usage *usage,
			   const struct maui_limit_candidate *candidates, size_t count,
			   enum maui_limit_level level, struct maui_limit_verdict *ret_verdicts)
{
	struct maui_limit_job eligible[MANY];
	size_t chosen = 0;

	for (size_t i = 0; i < count; i++) {
		limits_wait_many(fixture, usage, eligible, chosen);
		ret_verdicts[i] = (struct maui_limit_verdict){0};
		if (candidates[i].out)
			continue;
		if (!candidates[i].exempt)
			maui_limits_check(fixture->limits, usage, &candidates[i].job, level,
					  MAUI_LIMIT_ALL_MODES, &ret_verdicts[i]);
		if (!ret_verdicts[i].blocked)
			eligible[chosen++] = candidates[i].job;
	}
}

static void expect_verdict(const struct maui_limit_candidate *candidate, bool eligible,
			   const struct maui_limit_verdict *found,
			   const struct maui_limit_verdict *expected)
{
	cr_assert_eq(eligible, !candidate->out && !expected->blocked);
	cr_assert_eq(found != NULL, expected->blocked);
	cr_assert(!found || maui_limit_verdict_same(found, expected));
}

/* What is known of jobs that ask for the same changes no verdict. */
Test(limits_select, as_one_after_another)
{
	static const char *const lines[] = {
		"USERCFG[DEFAULT] MAXJOB=2,3 MAXPROC=12,20\nACCOUNTCFG[DEFAULT] MAXIJOB=4\n",
		"USERCFG[DEFAULT] MAXJOB=2\nCLASSCFG[DEFAULT] MAXIPROC=17 MAXPROC[USER]=9\n",
		"USERCFG[DEFAULT] MAXIJOB=3\nSYSTEMMAXPROCPERJOB 5\nGROUPCFG[DEFAULT] "
		"MAXPS=40000\n",
		"QOSCFG[q] OMAXJOB=5\nUSERCFG[DEFAULT] MAXJOB=1\nACCOUNTCFG[a] MAXIMEM[USER]=300\n",
	};
	static const char *const who[] = {"u g a q c", "u g b q c", "v g a q c", "v h b - d",
					  "u h a - d", "w g a q d", "w h b - c", "- g a q c"};
	uint64_t state = 1;

	for (size_t i = 0; i < 4 * 50; i++) {
		struct maui_limit_candidate candidates[MANY] = {0};
		struct maui_limit_verdict hard[MANY], soft[MANY];
		struct maui_arena *verdicts = maui_arena_new();
		struct limits_fixture fixture;

		limits_open(&fixture, lines[i % 4]);
		for (size_t k = 0; k < 4; k++) {
			struct maui_limit_job job = limits_job(&fixture, who[draw(&state, 8)]);

			limits_start(&fixture, &job);
		}
		for (size_t k = 0; k < MANY; k++) {
			candidates[k].job = limits_job(&fixture, who[draw(&state, 8)]);
			candidates[k].job.procs = 1 + draw(&state, 6);
			candidates[k].exempt = !draw(&state, 10);
			candidates[k].out = !draw(&state, 10);
		}
		select_plainly(&fixture, fixture.usage, candidates, MANY, MAUI_LIMIT_HARD, hard);
		select_plainly(&fixture, fixture.usage, candidates, MANY, MAUI_LIMIT_SOFT, soft);
		cr_assert_eq(maui_limits_select(fixture.limits, fixture.usage, candidates, MANY,
						verdicts),
			     0);
		for (size_t k = 0; k < MANY; k++) {
			expect_verdict(&candidates[k], candidates[k].hard,
				       candidates[k].hard_verdict, &hard[k]);
			expect_verdict(&candidates[k], candidates[k].soft,
				       candidates[k].soft_verdict, &soft[k]);
		}
		maui_arena_free(verdicts);
		limits_close(&fixture);
	}
}

/* A copy is checked and selected with while the original keeps changing. */
Test(limits_usage, copy_stands_still)
{
	struct limits_fixture fixture;
	struct maui_limit_usage *copy;
	struct maui_limit_job job, other;
	struct maui_limit_holding *first;

	limits_open(&fixture, "USERCFG[u] MAXJOB=1 MAXIJOB=2\nCLASSCFG[c] MAXPROC[USER]=4 "
			      "MAXIPROC[USER]=8 MAXJOB[GROUP]=9 MAXJOB[QOS]=9\n");
	job = limits_job(&fixture, "u - - - c");
	other = limits_job(&fixture, "v - - - c");
	first = limits_start(&fixture, &job);
	copy = maui_limit_usage_copy(fixture.usage);
	cr_assert(copy);
	maui_limit_usage_take(fixture.usage, first);
	cr_expect(maui_limits_check(fixture.limits, copy, &job, MAUI_LIMIT_HARD,
				    MAUI_LIMIT_START_ONLY, NULL));
	cr_expect_not(maui_limits_check(fixture.limits, fixture.usage, &job, MAUI_LIMIT_HARD,
					MAUI_LIMIT_START_ONLY, NULL));
	/* Its eligible jobs are taken over, even if the original has never seen their users. */
	limits_wait(&fixture, copy, (struct maui_limit_job[]){job, job, other}, 3);
	maui_limit_usage_set_idle(fixture.usage, copy);
	cr_expect_eq(
		maui_limit_usage_get(fixture.usage, MAUI_USER, 1, MAUI_LIMIT_IDLE, MAUI_LIMIT_JOB),
		2);
	cr_expect_eq(
		maui_limit_usage_get(fixture.usage, MAUI_USER, 2, MAUI_LIMIT_IDLE, MAUI_LIMIT_PROC),
		4);
	cr_expect(maui_limits_check(fixture.limits, fixture.usage, &job, MAUI_LIMIT_HARD,
				    MAUI_LIMIT_BIT(MAUI_LIMIT_IDLE), NULL));
	maui_limit_usage_free(copy);
	limits_close(&fixture);
}

Test(limits_usage, without_pairs_a_copy_has_what_the_holders_have)
{
	struct limits_fixture fixture;
	struct maui_limit_usage *copy;
	struct maui_limit_job job;

	limits_open(&fixture, "USERCFG[u] MAXIJOB=2\n");
	job = limits_job(&fixture, "u - - - -");
	limits_start(&fixture, &job);
	copy = maui_limit_usage_copy(fixture.usage);
	cr_assert(copy);
	cr_expect_eq(maui_limit_usage_get(copy, MAUI_USER, 1, MAUI_LIMIT_ACTIVE, MAUI_LIMIT_JOB),
		     1);
	limits_wait(&fixture, copy, &job, 1);
	maui_limit_usage_set_idle(fixture.usage, copy);
	cr_expect_eq(
		maui_limit_usage_get(fixture.usage, MAUI_USER, 1, MAUI_LIMIT_IDLE, MAUI_LIMIT_JOB),
		1);
	maui_limit_usage_free(copy);
	limits_close(&fixture);
}

/* More pairs than the map's initial room, several times over. */
Test(limits_usage, each_of_thousands_of_pairs_is_found_again)
{
	static struct maui_limit_holding holdings[3000];
	size_t count = sizeof(holdings) / sizeof(holdings[0]);
	struct limits_fixture fixture;
	struct maui_limit_job job;
	char who[32];

	limits_open(&fixture, "CLASSCFG[c] MAXJOB[USER]=1\n");
	for (size_t i = 0; i < count; i++) {
		snprintf(who, sizeof(who), "u%zu - - - c", i);
		job = limits_job(&fixture, who);
		cr_assert_not(maui_limits_check(fixture.limits, fixture.usage, &job,
						MAUI_LIMIT_HARD, MAUI_LIMIT_START_ONLY, NULL),
			      "%s", who);
		cr_assert_eq(maui_limit_usage_add(fixture.usage, &holdings[i], &job, NOW + 60), 0);
	}
	for (size_t i = 0; i < count; i += 3)
		maui_limit_usage_take(fixture.usage, &holdings[i]);
	for (size_t i = 0; i < count; i++) {
		snprintf(who, sizeof(who), "u%zu - - - c", i);
		job = limits_job(&fixture, who);
		cr_assert_eq(maui_limits_check(fixture.limits, fixture.usage, &job, MAUI_LIMIT_HARD,
					       MAUI_LIMIT_START_ONLY, NULL),
			     i % 3 != 0, "%s", who);
	}
	limits_close(&fixture);
}

/* A part of a heterogeneous job adds everything but one more job. */
Test(limits_usage, parts_count_as_one_job)
{
	struct limits_fixture fixture;
	struct maui_limit_job job;

	limits_open(&fixture, "USERCFG[u] MAXJOB=1\n");
	job = limits_job(&fixture, "u - - - -");
	limits_start(&fixture, &job);
	cr_expect(maui_limits_check(fixture.limits, fixture.usage, &job, MAUI_LIMIT_HARD,
				    MAUI_LIMIT_START_ONLY, NULL));
	job.part = true;
	cr_expect_not(maui_limits_check(fixture.limits, fixture.usage, &job, MAUI_LIMIT_HARD,
					MAUI_LIMIT_START_ONLY, NULL));
	limits_start(&fixture, &job);
	cr_expect_eq(used(&fixture, MAUI_LIMIT_JOB), 1);
	cr_expect_eq(used(&fixture, MAUI_LIMIT_PROC), 8);
	limits_close(&fixture);
}
