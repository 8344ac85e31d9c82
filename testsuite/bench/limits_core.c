/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the limits core alone costs: one job held against all limits, where every credential has 20
 * (seven active, seven idle, six of pairs with other credentials); the same where the job is asked
 * for at its start only (active and system limits); a job put on and taken off; and the eligibility
 * of all jobs, once per iteration, where most are eligible, and where nine in ten are not, as each
 * user may have one eligible job (MAXIJOB). Then the check at the start where each user has limits
 * on four GRES besides, of jobs that ask for none of them, for one, and for all four. CPU time of
 * this thread.
 *
 *   bench-limits-core [JOBS [CREDENTIALS [REPEATS]]]
 *       a JSON object with every repeat's figures
 *
 * The jobs are the same in every run. CREDENTIALS are users; there are as many groups and accounts
 * as a tenth of them, 50 QOS and 100 classes. Jobs are checked in the order in which they came:
 * every credential is another one than the last job's.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/limits/limits.h"
#include "testsuite/bench/core.h"

#define NOW             INT64_C(1700000000)
#define MAX_JOBS        20000000
#define MAX_CREDENTIALS 1000000
#define MAX_REPEATS     1000

struct bench {
	size_t job_count;
	uint32_t count[MAUI_CREDENTIALS];
	struct maui_limits *limits, *crowded_limits, *gres_limits;
	struct maui_limit_usage *usage, *crowded_usage, *gres_usage;
	struct maui_gres_table *gres;
	struct maui_limit_candidate *candidates; /* idle jobs */
	struct maui_limit_holding *holdings;     /* a tenth as many active ones, every tenth */
	struct maui_limit_holding *crowded_holdings, *gres_holdings;
	size_t blocked, eligible, crowded_eligible;
};

/* Names are their numbers with a letter in front. */
static uint32_t id_of(void *context, enum maui_credential type, const char *name)
{
	return (uint32_t)strtoul(name + 1, NULL, 10);
}

/* Every credential has a line of its own, with limits that are hard to reach, but for that of a
 * user's eligible jobs. */
static struct maui_limits *make_limits(const struct bench *bench, unsigned int idle_jobs, bool gres)
{
	static const char *const second[MAUI_CREDENTIALS] = {"CLASS", "CLASS", "CLASS", "CLASS",
							     "USER"};
	struct maui_limit_names names = {id_of, NULL};
	struct maui_config *config;
	struct maui_limits *limits;
	struct maui_error error = {""};
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		bench_fail("out of memory");
	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++)
		for (uint32_t id = 1; id <= bench->count[type]; id++)
			fprintf(stream,
				"%s[n%" PRIu32 "] MAXJOB=%u MAXPROC=900000 MAXNODE=900000 "
				"MAXPS=900000000000 MAXPE=900000 MAXWC=900000000 MAXMEM=900000000 "
				"MAXIJOB=%u MAXIPROC=900000 MAXINODE=900000 "
				"MAXIPS=900000000000 MAXIPE=900000 MAXIWC=900000000 "
				"MAXIMEM=900000000 MAXJOB[%s]=90000 MAXPROC[%s]=90000 "
				"MAXNODE[%s]=90000 MAXPE[%s]=90000 MAXMEM[%s]=90000000 "
				"MAXWC[%s]=90000000\n",
				maui_section_name(maui_credential_section(type)), id,
				id % 16 ? 90000u : 1u, type == MAUI_USER ? idle_jobs : 90000u,
				second[type], second[type], second[type], second[type],
				second[type], second[type]);
	for (uint32_t id = 1; gres && id <= bench->count[MAUI_USER]; id++)
		fprintf(stream,
			"USERCFG[n%" PRIu32 "] MAXGRES[gpu]=900000 MAXGRES[gpu:a100]=900000 "
			"MAXGRES[tape]=900000 MAXGRES[license:x]=900000\n",
			id);
	if (fclose(stream) || maui_config_parse("bench.cfg", text, size, NULL, &config, &error))
		bench_fail("%s", error.text);
	limits = maui_limits_compile(config, &names, 0);
	if (maui_config_errors(config))
		bench_fail("the lines of maui.cfg have errors");
	maui_config_unref(config);
	free(text);
	return limits;
}

static struct maui_limit_job make_job(const struct bench *bench, uint64_t *random)
{
	struct maui_limit_job job = {.procs = 1 + bench_below(random, 64),
				     .nodes = bench_below(random, 4),
				     .pe = 1 + bench_below(random, 64),
				     .memory = bench_below(random, 1000),
				     .walltime = 60 + bench_below(random, 86400)};

	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++)
		job.credential[type] = 1 + bench_below(random, bench->count[type]);
	return job;
}

/* Of count GRES, from the first on, 1 to 8 each. */
static const struct maui_gres *make_gres(struct bench *bench, unsigned int count, uint64_t *random)
{
	struct maui_gres_amounts amounts = {0};

	for (unsigned int i = 0; i < count; i++)
		maui_gres_set(&amounts, i, 1 + bench_below(random, 8));
	return maui_gres_intern(bench->gres, &amounts);
}

/* All jobs ask for so many GRES from now on. */
static void ask_for(struct bench *bench, unsigned int count)
{
	uint64_t random = UINT64_C(88172645463325252);

	for (size_t i = 0; i < bench->job_count; i++)
		bench->candidates[i].job.gres = make_gres(bench, count, &random);
}

static void bench_open(struct bench *bench, size_t jobs, uint32_t credentials)
{
	uint64_t random = UINT64_C(88172645463325252);

	*bench = (struct bench){
		.job_count = jobs,
		.count = {credentials, credentials / 10 + 1, credentials / 10 + 1, 50, 100},
		.candidates = bench_allocate(jobs, sizeof(struct maui_limit_candidate)),
		.holdings = bench_allocate(jobs, sizeof(struct maui_limit_holding)),
		.crowded_holdings = bench_allocate(jobs, sizeof(struct maui_limit_holding)),
		.gres_holdings = bench_allocate(jobs, sizeof(struct maui_limit_holding)),
		.gres = maui_gres_table_new()};
	bench->limits = make_limits(bench, 90000, false);
	bench->crowded_limits = make_limits(bench, 1, false);
	bench->gres_limits = make_limits(bench, 90000, true);
	bench->gres_usage = maui_limit_usage_new(bench->gres_limits, NOW);
	bench->usage = maui_limit_usage_new(bench->limits, NOW);
	bench->crowded_usage = maui_limit_usage_new(bench->crowded_limits, NOW);
	if (!bench->usage || !bench->crowded_usage || !bench->gres_usage || !bench->gres)
		bench_fail("out of memory");
	for (size_t i = 0; i < jobs; i++) {
		struct maui_limit_job job = make_job(bench, &random);

		bench->candidates[i].job = make_job(bench, &random);
		/* One active job for ten idle ones. */
		if (i % 10 == 0 &&
		    (maui_limit_usage_add(bench->usage, &bench->holdings[i], &job,
					  NOW + job.walltime) ||
		     maui_limit_usage_add(bench->crowded_usage, &bench->crowded_holdings[i], &job,
					  NOW + job.walltime)))
			bench_fail("out of memory");
		job.gres = make_gres(bench, 4, &random);
		if (i % 10 == 0 && maui_limit_usage_add(bench->gres_usage, &bench->gres_holdings[i],
							&job, NOW + job.walltime))
			bench_fail("out of memory");
	}
}

static void bench_close(struct bench *bench)
{
	free(bench->candidates);
	free(bench->holdings);
	free(bench->crowded_holdings);
	free(bench->gres_holdings);
	maui_limit_usage_free(bench->usage);
	maui_limit_usage_free(bench->crowded_usage);
	maui_limit_usage_free(bench->gres_usage);
	maui_gres_table_unref(bench->gres);
	maui_limits_free(bench->limits);
	maui_limits_free(bench->crowded_limits);
	maui_limits_free(bench->gres_limits);
}

enum { CHECK, START, CHANGE, SELECT, SELECT_CROWDED, GRES_NONE, GRES_ONE, GRES_FOUR, KINDS };

static const char *const kinds[KINDS] = {"check_ns",
					 "start_check_ns",
					 "take_and_add_ns",
					 "select_ns_per_job",
					 "select_crowded_ns_per_job",
					 "start_check_gres_none_ns",
					 "start_check_gres_one_ns",
					 "start_check_gres_four_ns"};

static void check_all(struct bench *bench, const struct maui_limits *limits,
		      const struct maui_limit_usage *usage, unsigned int modes)
{
	struct maui_limit_verdict verdict;

	bench->blocked = 0;
	for (size_t i = 0; i < bench->job_count; i++)
		bench->blocked += maui_limits_check(limits, usage, &bench->candidates[i].job,
						    MAUI_LIMIT_HARD, modes, &verdict);
}

static void change_all(struct bench *bench)
{
	for (size_t i = 0; i < bench->job_count; i += 10) {
		struct maui_limit_job job = bench->holdings[i].job;

		maui_limit_usage_take(bench->usage, &bench->holdings[i]);
		if (maui_limit_usage_add(bench->usage, &bench->holdings[i], &job,
					 NOW + job.walltime))
			bench_fail("out of memory");
	}
}

/* How many are eligible. */
static size_t select_all(struct bench *bench, const struct maui_limits *limits,
			 struct maui_limit_usage *usage, double *ret_took)
{
	double begun = bench_time();
	struct maui_arena *verdicts = maui_arena_new();
	size_t eligible = 0;

	if (!verdicts ||
	    maui_limits_select(limits, usage, bench->candidates, bench->job_count, verdicts))
		bench_fail("out of memory");
	maui_arena_free(verdicts);
	*ret_took = (bench_time() - begun) / (double)bench->job_count;
	for (size_t i = 0; i < bench->job_count; i++)
		eligible += bench->candidates[i].hard;
	maui_limit_usage_clear_idle(usage);
	return eligible;
}

/* The second time: what was measured before may have filled the caches with other tables. */
static double check_starts(struct bench *bench, const struct maui_limits *limits,
			   const struct maui_limit_usage *usage)
{
	double begun;

	check_all(bench, limits, usage, MAUI_LIMIT_START_ONLY);
	begun = bench_time();
	check_all(bench, limits, usage, MAUI_LIMIT_START_ONLY);
	return (bench_time() - begun) / (double)bench->job_count;
}

static double check_gres(struct bench *bench, unsigned int count)
{
	double took;

	ask_for(bench, count);
	took = check_starts(bench, bench->gres_limits, bench->gres_usage);
	ask_for(bench, 0);
	return took;
}

static void run(struct bench *bench, double took[KINDS])
{
	double jobs = (double)bench->job_count, begun = bench_time();

	check_all(bench, bench->limits, bench->usage, MAUI_LIMIT_ALL_MODES);
	took[CHECK] = (bench_time() - begun) / jobs;
	if (bench->blocked > bench->job_count / 2)
		bench_fail("%zu of %zu jobs are blocked early", bench->blocked, bench->job_count);
	took[START] = check_starts(bench, bench->limits, bench->usage);
	took[GRES_NONE] = check_gres(bench, 0);
	begun = bench_time();
	change_all(bench);
	took[CHANGE] = (bench_time() - begun) / (jobs / 10);
	bench->eligible = select_all(bench, bench->limits, bench->usage, &took[SELECT]);
	bench->crowded_eligible = select_all(bench, bench->crowded_limits, bench->crowded_usage,
					     &took[SELECT_CROWDED]);
	took[GRES_ONE] = check_gres(bench, 1);
	took[GRES_FOUR] = check_gres(bench, 4);
}

static void measure(size_t jobs, uint32_t credentials, size_t repeats)
{
	double(*took)[KINDS] = bench_allocate(repeats, sizeof(*took));
	struct bench bench;

	bench_open(&bench, jobs, credentials);
	run(&bench, took[0]); /* not counted: the memory becomes real */
	for (size_t repeat = 0; repeat < repeats; repeat++)
		run(&bench, took[repeat]);
	printf("{\"jobs\": %zu, \"users\": %" PRIu32 ", \"blocked\": %zu, \"eligible\": %zu, "
	       "\"crowded_eligible\": %zu",
	       jobs, credentials, bench.blocked, bench.eligible, bench.crowded_eligible);
	for (int kind = 0; kind < KINDS; kind++)
		bench_print(kinds[kind], &took[0][kind], repeats, KINDS);
	printf("}\n");
	bench_close(&bench);
	free(took);
}

int main(int argc, char **argv)
{
	if (argc > 4)
		bench_fail("usage: bench-limits-core [JOBS [CREDENTIALS [REPEATS]]]");
	measure(argc > 1 ? bench_number(argv[1], 1, MAX_JOBS) : 100000,
		argc > 2 ? (uint32_t)bench_number(argv[2], 1, MAX_CREDENTIALS) : 10000,
		argc > 3 ? bench_number(argv[3], 1, MAX_REPEATS) : 15);
	return 0;
}
