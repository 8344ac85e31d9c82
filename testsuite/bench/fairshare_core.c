/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the fairshare core alone costs: one pass of maui_fairshare_charge() over running jobs, one
 * pass of the ledger, which finds out what is to be charged and charges it, one roll into a new
 * window, the text of the file of the one before, the factors of all credentials, what the factors
 * add to the priorities of as many pending jobs, and all targets' caps looked at once. CPU time of
 * this thread. `testsuite/bench/fairshare` runs it in several processes and reports.
 *
 *   bench-fairshare-core [JOBS [CREDENTIALS [REPEATS]]]
 *       a JSON object with every repeat's figures
 *
 * The jobs are the same in every run.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/fairshare/fairshare_file.h"
#include "common/policy/fairshare/fsledger.h"
#include "common/policy/priority/priority.h"
#include "testsuite/bench/core.h"

#define NOW             INT64_C(1700000000)
#define WINDOWS         24
#define INTERVAL        43200
#define POLL            60
#define MAX_JOBS        20000000
#define MAX_CREDENTIALS 1000000
#define MAX_REPEATS     1000
#define NAME_SIZE       16

struct job {
	uint32_t credential[MAUI_CREDENTIALS];
	double procs;
};

struct bench {
	size_t job_count;
	uint32_t count[MAUI_CREDENTIALS];
	struct job *jobs;
	struct maui_fairshare *fs;
	struct maui_fsledger *ledger;
	struct maui_priority_credential *credentials[MAUI_CREDENTIALS];
	char (*names[MAUI_CREDENTIALS])[NAME_SIZE];
	double *factor[MAUI_CREDENTIALS];
	/* Without the factors, and with them. */
	struct maui_priority_tables tables, tables_with_factors;
	struct maui_priority_policy *policy;
	struct maui_priority_job *pending;
	struct maui_priority_result *results;
	size_t blocked;
};

/* Users have targets, all others caps that some reach. */
static void make_targets(struct bench *bench, uint64_t *random)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		size_t size = bench->count[type] + 1;

		bench->credentials[type] = bench_allocate(size, sizeof(*bench->credentials[type]));
		bench->factor[type] = bench_allocate(size, sizeof(*bench->factor[type]));
		bench->names[type] = bench_allocate(size, sizeof(*bench->names[type]));
		for (uint32_t id = 1; id < size; id++) {
			bench->credentials[type][id].fs_target = (struct maui_fstarget){
				1 + bench_below(random, 100),
				type == MAUI_USER ? MAUI_FS_TARGET : MAUI_FS_CAP_RELATIVE};
			snprintf(bench->names[type][id], NAME_SIZE, "name%" PRIu32, id);
		}
		bench->tables.credential[type] = bench->credentials[type];
		if (maui_fairshare_reserve(bench->fs, type, bench->count[type]))
			bench_fail("out of memory");
	}
	bench->tables_with_factors = bench->tables;
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		bench->tables_with_factors.fs_factor[type] = bench->factor[type];
}

/* Fairshare of every type has a weight, and nothing else. */
static struct maui_priority_policy *make_policy(void)
{
	static const char text[] = "FSWEIGHT 1\nFSUSERWEIGHT 1\nFSGROUPWEIGHT 1\n"
				   "FSACCOUNTWEIGHT 1\nFSQOSWEIGHT 1\nFSCLASSWEIGHT 1\n"
				   "SERVICEWEIGHT 0\n";
	struct maui_priority_policy *policy;
	struct maui_config *config;
	struct maui_error error = {""};

	if (maui_config_parse("bench.cfg", text, sizeof(text) - 1, NULL, &config, &error))
		bench_fail("%s", error.text);
	policy = maui_priority_compile(config);
	if (maui_config_errors(config))
		bench_fail("the lines of maui.cfg have errors");
	maui_config_unref(config);
	return policy;
}

/* As many jobs wait as run, of the same credentials. */
static void make_pending(struct bench *bench)
{
	const struct maui_priority_weights *weights;

	bench->policy = make_policy();
	weights = maui_priority_weights(bench->policy, "none");
	for (size_t i = 0; i < bench->job_count; i++) {
		struct maui_priority_job *job = &bench->pending[i];

		job->weights = weights;
		memcpy(job->credential, bench->jobs[i].credential, sizeof(job->credential));
		job->queued_since = NOW;
		job->walltime = 3600;
		job->procs = bench->jobs[i].procs;
	}
}

static void bench_open(struct bench *bench, size_t jobs, uint32_t credentials)
{
	struct maui_fairshare_settings settings = {.metric = MAUI_FS_DEDICATEDPS,
						   .interval = INTERVAL,
						   .depth = WINDOWS,
						   .decay = 0.9};
	uint64_t random = UINT64_C(88172645463325252);

	*bench = (struct bench){
		.job_count = jobs,
		.count = {credentials, credentials / 10 + 1, credentials / 10 + 1, 50, 100},
		.jobs = bench_allocate(jobs, sizeof(struct job)),
		.fs = maui_fairshare_new(&settings, NOW),
		.ledger = maui_fsledger_new(),
		.pending = bench_allocate(jobs, sizeof(struct maui_priority_job)),
		.results = bench_allocate(jobs, sizeof(struct maui_priority_result))};
	if (!bench->fs || !bench->ledger)
		bench_fail("out of memory");
	make_targets(bench, &random);
	/* One job in 16 lacks the credential. */
	for (size_t i = 0; i < jobs; i++) {
		for (int type = 0; type < MAUI_CREDENTIALS; type++)
			bench->jobs[i].credential[type] =
				bench_below(&random, 16)
					? 1 + bench_below(&random, bench->count[type])
					: 0;
		bench->jobs[i].procs = 1 + bench_below(&random, 256);
	}
	make_pending(bench);
	/* All windows hold something. */
	for (uint32_t k = 0; k < WINDOWS; k++)
		for (int type = 0; type < MAUI_CREDENTIALS; type++)
			for (uint32_t id = 1; id <= bench->count[type]; id++)
				maui_fairshare_set(bench->fs, type, id, k,
						   bench_below(&random, 1000000));
}

static void bench_close(struct bench *bench)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		free(bench->credentials[type]);
		free(bench->factor[type]);
		free(bench->names[type]);
	}
	free(bench->jobs);
	free(bench->pending);
	free(bench->results);
	maui_priority_free(bench->policy);
	maui_fsledger_free(bench->ledger);
	maui_fairshare_free(bench->fs);
}

/* All running jobs used what they hold since the last pass. */
static void charge(struct bench *bench, int64_t now)
{
	for (size_t i = 0; i < bench->job_count; i++)
		maui_fairshare_charge(bench->fs, bench->jobs[i].credential, bench->jobs[i].procs,
				      now - POLL, now);
}

/* The same, where what they have used is found out from what they have run. */
static void pass(struct bench *bench, int64_t now)
{
	maui_fsledger_begin(bench->ledger, bench->fs, now, -1);
	for (size_t i = 0; i < bench->job_count; i++) {
		struct maui_run run = {.job_id = (uint32_t)i + 1,
				       .start = NOW,
				       .resumed = NOW,
				       .until = now,
				       .seconds = now - NOW,
				       .rate = bench->jobs[i].procs};

		memcpy(run.credential, bench->jobs[i].credential, sizeof(run.credential));
		maui_fsledger_report(bench->ledger, bench->fs, &run, NULL);
	}
	maui_fsledger_end(bench->ledger);
}

static void factors(struct bench *bench)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		maui_fairshare_factors(bench->fs, type, bench->credentials[type],
				       bench->count[type] + 1, bench->factor[type]);
}

/* All pending jobs' priorities. */
static void evaluate(struct bench *bench, const struct maui_priority_tables *tables)
{
	maui_priority_evaluate_all(bench->policy, tables, bench->pending, bench->job_count, NOW,
				   bench->results);
}

static const char *name_of(void *context, enum maui_credential type, uint32_t id)
{
	const struct bench *bench = context;

	return bench->names[type][id];
}

/* What the current window's file would be: all that a write costs beside the disk. */
static void write_text(struct bench *bench, size_t *ret_size)
{
	struct maui_fairshare_output output = {.counted = NOW, .name = name_of, .context = bench};
	char *text;

	if (maui_fairshare_file_write(bench->fs, 0, &output, &text, ret_size, NULL))
		bench_fail("out of memory");
	free(text);
}

static void caps(struct bench *bench)
{
	struct maui_fairshare_verdict verdict;

	for (size_t i = 0; i < bench->job_count; i++)
		bench->blocked += maui_fairshare_cap(bench->fs, &bench->tables,
						     bench->jobs[i].credential, 3600, &verdict);
}

/* That what was timed was the work it is said to be. */
static void check_total(const struct bench *bench)
{
	double expected = 0;

	for (size_t i = 0; i < bench->job_count; i++)
		expected += bench->jobs[i].procs * POLL;
	if (maui_fairshare_usage(bench->fs, MAUI_FS_TOTAL, 0, 0) != expected)
		bench_fail("the window's total is not the jobs' usage");
}

/* The same of the priorities: nearly every job has a factor. */
static void check_factors(const struct bench *bench)
{
	size_t zero = 0;

	for (size_t i = 0; i < bench->job_count; i++)
		zero += bench->results[i].weighted[MAUI_FS] == 0;
	if (zero > bench->job_count / 4)
		bench_fail("fairshare is 0 in %zu of %zu jobs", zero, bench->job_count);
}

enum { CHARGE, PASS, ROLL, TEXT, FACTORS, EVALUATION, FACTOR, CAPS, KINDS };

static const char *const kinds[KINDS] = {
	"charge_ns_per_job", "pass_ns_per_job",       "roll_ms",           "text_ms",
	"factors_ms",        "evaluation_ns_per_job", "factor_ns_per_job", "caps_ns_per_job"};

/* What the factors add: the difference. Before each, the one that is not timed makes the caches
 * alike. */
static void run_pending(struct bench *bench, double took[KINDS])
{
	double begun, without;

	evaluate(bench, &bench->tables);
	begun = bench_time();
	evaluate(bench, &bench->tables);
	without = (bench_time() - begun) / (double)bench->job_count;
	evaluate(bench, &bench->tables_with_factors);
	begun = bench_time();
	evaluate(bench, &bench->tables_with_factors);
	took[EVALUATION] = (bench_time() - begun) / (double)bench->job_count;
	took[FACTOR] = took[EVALUATION] - without;
	check_factors(bench);
}

static void run(struct bench *bench, int64_t now, double took[KINDS])
{
	double begun = bench_time();
	size_t size;

	charge(bench, now);
	took[CHARGE] = (bench_time() - begun) / (double)bench->job_count;
	check_total(bench);
	begun = bench_time();
	factors(bench);
	took[FACTORS] = (bench_time() - begun) / 1e6;
	run_pending(bench, took);
	begun = bench_time();
	caps(bench);
	took[CAPS] = (bench_time() - begun) / (double)bench->job_count;
	pass(bench, now); /* of the time since the last repeat */
	begun = bench_time();
	pass(bench, now + POLL);
	took[PASS] = (bench_time() - begun) / (double)bench->job_count;
	begun = bench_time();
	write_text(bench, &size);
	took[TEXT] = (bench_time() - begun) / 1e6;
	if (size < bench->count[MAUI_USER]) /* that all are in it */
		bench_fail("the file has %zu bytes only", size);
	begun = bench_time();
	if (maui_fairshare_advance(bench->fs, now + INTERVAL) != 1)
		bench_fail("no window has begun");
	took[ROLL] = (bench_time() - begun) / 1e6;
}

static void measure(size_t jobs, uint32_t credentials, size_t repeats)
{
	double(*took)[KINDS] = bench_allocate(repeats, sizeof(*took));
	int64_t now = NOW - NOW % INTERVAL + POLL;
	struct bench bench;

	bench_open(&bench, jobs, credentials);
	maui_fairshare_advance(bench.fs, now += INTERVAL);
	run(&bench, now, took[0]); /* not counted: the memory becomes real */
	for (size_t repeat = 0; repeat < repeats; repeat++)
		run(&bench, now += INTERVAL, took[repeat]);
	printf("{\"jobs\": %zu, \"users\": %" PRIu32 ", \"windows\": %d, \"blocked\": %zu", jobs,
	       credentials, WINDOWS, bench.blocked / (repeats + 1));
	for (int kind = 0; kind < KINDS; kind++)
		bench_print(kinds[kind], &took[0][kind], repeats, KINDS);
	printf("}\n");
	bench_close(&bench);
	free(took);
}

int main(int argc, char **argv)
{
	if (argc > 4)
		bench_fail("usage: bench-fairshare-core [JOBS [CREDENTIALS [REPEATS]]]");
	measure(argc > 1 ? bench_number(argv[1], 1, MAX_JOBS) : 100000,
		argc > 2 ? (uint32_t)bench_number(argv[2], 1, MAX_CREDENTIALS) : 10000,
		argc > 3 ? bench_number(argv[3], 1, MAX_REPEATS) : 15);
	return 0;
}
