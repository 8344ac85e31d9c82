/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the limits core alone costs: one job held against all limits, where every credential has 20
 * (seven active, seven idle, six of pairs with other credentials); the same where the job is asked
 * for at its start only (active and system limits); a job put on and taken off; and the eligibility
 * of all jobs, once per iteration, where most are eligible, and where nine in ten are not, as each
 * user may have one eligible job (MAXIJOB). CPU time of this thread.
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
	struct maui_limits *limits, *crowded_limits;
	struct maui_limit_usage *usage, *crowded_usage;
	struct maui_limit_candidate *candidates; /* idle jobs */
	struct maui_limit_holding *holdings;     /* a tenth as many active ones, every tenth */
	struct maui_limit_holding *crowded_holdings;
	size_t blocked, eligible, crowded_eligible;
};

/* Names are their numbers with a letter in front. */
static uint32_t id_of(void *context, enum maui_credential type, const char *name)
{
	return (uint32_t)strtoul(name + 1, NULL, 10);
}

/* Every credential has a line of its own, with limits that are hard to reach, but for that of a
 * user's eligible jobs. */
static struct maui_limits *make_limits(const struct bench *bench, unsigned int idle_jobs)
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
	if (fclose(stream) || maui_config_parse("bench.cfg", text, size, NULL, &config, &error) ||
	    maui_limits_compile(config, &names, &limits, &error))
		bench_fail("%s", error.text);
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

static void bench_open(struct bench *bench, size_t jobs, uint32_t credentials)
{
	uint64_t random = UINT64_C(88172645463325252);

	*bench = (struct bench){
		.job_count = jobs,
		.count = {credentials, credentials / 10 + 1, credentials / 10 + 1, 50, 100},
		.candidates = bench_allocate(jobs, sizeof(struct maui_limit_candidate)),
		.holdings = bench_allocate(jobs, sizeof(struct maui_limit_holding)),
		.crowded_holdings = bench_allocate(jobs, sizeof(struct maui_limit_holding))};
	bench->limits = make_limits(bench, 90000);
	bench->crowded_limits = make_limits(bench, 1);
	bench->usage = maui_limit_usage_new(bench->limits, NOW);
	bench->crowded_usage = maui_limit_usage_new(bench->crowded_limits, NOW);
	if (!bench->usage || !bench->crowded_usage)
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
	}
}

static void bench_close(struct bench *bench)
{
	free(bench->candidates);
	free(bench->holdings);
	free(bench->crowded_holdings);
	maui_limit_usage_free(bench->usage);
	maui_limit_usage_free(bench->crowded_usage);
	maui_limits_free(bench->limits);
	maui_limits_free(bench->crowded_limits);
}

enum { CHECK, START, CHANGE, SELECT, SELECT_CROWDED, KINDS };

static const char *const kinds[KINDS] = {"check_ns", "start_check_ns", "take_and_add_ns",
					 "select_ns_per_job", "select_crowded_ns_per_job"};

static void check_all(struct bench *bench, unsigned int modes)
{
	struct maui_limit_verdict verdict;

	bench->blocked = 0;
	for (size_t i = 0; i < bench->job_count; i++)
		bench->blocked +=
			maui_limits_check(bench->limits, bench->usage, &bench->candidates[i].job,
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
	size_t eligible = 0;

	if (maui_limits_select(limits, usage, bench->candidates, bench->job_count))
		bench_fail("out of memory");
	*ret_took = (bench_time() - begun) / (double)bench->job_count;
	for (size_t i = 0; i < bench->job_count; i++)
		eligible += bench->candidates[i].hard;
	maui_limit_usage_clear_idle(usage);
	return eligible;
}

static void run(struct bench *bench, double took[KINDS])
{
	double jobs = (double)bench->job_count, begun = bench_time();

	check_all(bench, MAUI_LIMIT_ALL_MODES);
	took[CHECK] = (bench_time() - begun) / jobs;
	if (bench->blocked > bench->job_count / 2)
		bench_fail("%zu of %zu jobs are blocked early", bench->blocked, bench->job_count);
	begun = bench_time();
	check_all(bench, MAUI_LIMIT_START_ONLY);
	took[START] = (bench_time() - begun) / jobs;
	begun = bench_time();
	change_all(bench);
	took[CHANGE] = (bench_time() - begun) / (jobs / 10);
	bench->eligible = select_all(bench, bench->limits, bench->usage, &took[SELECT]);
	bench->crowded_eligible = select_all(bench, bench->crowded_limits, bench->crowded_usage,
					     &took[SELECT_CROWDED]);
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
