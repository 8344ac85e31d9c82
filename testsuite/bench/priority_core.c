/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the priority core alone costs: maui_priority_evaluate_all() over synthetic pending jobs with
 * every component on, nanoseconds of this thread's CPU time per job. `testsuite/bench/priority
 * core` runs it and reports.
 *
 *   bench-priority-core [JOBS [REPEATS]]
 *       a JSON object: for each population of credentials every repeat's figure
 *   bench-priority-core --weights
 *       the lines of maui.cfg that put every component on, for other benchmarks
 *
 * The populations take turns, so that a busy machine slows all of them alike. The jobs are the same
 * in every run.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/priority/pe.h"
#include "common/policy/priority/priority.h"
#include "testsuite/bench/core.h"

#define NOW         INT64_C(1700000000)
#define MAX_JOBS    20000000
#define MAX_REPEATS 1000
#define NAME_SIZE   32
/* One in so many partitions has weights of its own, RESWEIGHT[c8]. */
#define OWN_WEIGHTS 8

struct population {
	const char *name;
	uint32_t count[MAUI_CREDENTIALS]; /* users, groups, accounts, QOS, classes */
};

static const struct population populations[] = {
	{"few", {10, 5, 5, 3, 4}},
	{"many", {20000, 2000, 2000, 50, 100}},
};
#define POPULATIONS (sizeof(populations) / sizeof(populations[0]))

static const char *const sections[MAUI_CREDENTIALS] = {"USERCFG", "GROUPCFG", "ACCOUNTCFG",
						       "QOSCFG", "CLASSCFG"};
static const char letters[MAUI_CREDENTIALS] = {'u', 'g', 'a', 'q', 'c'};

/* One population with its jobs. */
struct bench {
	struct maui_priority_policy *policy;
	struct maui_priority_credential *credential[MAUI_CREDENTIALS];
	double *fs_factor[MAUI_CREDENTIALS];
	struct maui_priority_tables tables;
	struct maui_priority_job *jobs;
};

/* Every component and subcomponent has a weight, each subcomponent a cap that some jobs reach. */
static void print_weights(FILE *file)
{
	for (int i = 0; i < MAUI_COMPONENTS; i++)
		fprintf(file, "%sWEIGHT %d\n", maui_components[i].name, 1 + i);
	for (int i = 0; i < MAUI_SUBCOMPONENTS; i++) {
		fprintf(file, "%s %d\n", maui_key_info(maui_subcomponents[i].weight_key)->name,
			1 + i % 7);
		fprintf(file, "%s %d\n", maui_key_info(maui_subcomponents[i].cap_key)->name,
			100000);
	}
}

static void print_credentials(FILE *file, const struct population *population)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		for (uint32_t id = 1; id <= population->count[type]; id++)
			fprintf(file, "%s[%c%" PRIu32 "] PRIORITY=%" PRIu32 "%s\n", sections[type],
				letters[type], id, id % 1000,
				type == MAUI_QOS
					? " QTWEIGHT=2 XFWEIGHT=3 QTTARGET=12:00:00 XFTARGET=4.0"
					: "");
	}
	for (uint32_t id = OWN_WEIGHTS; id <= population->count[MAUI_CLASS]; id += OWN_WEIGHTS)
		fprintf(file, "RESWEIGHT[c%" PRIu32 "] 7\n", id);
}

static struct maui_priority_policy *make_policy(const struct population *population)
{
	struct maui_priority_policy *policy;
	struct maui_config *config;
	struct maui_error error = {""};
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);

	if (!file)
		bench_fail("out of memory");
	print_weights(file);
	print_credentials(file, population);
	if (fclose(file))
		bench_fail("out of memory");
	if (maui_config_parse("bench.cfg", text, size, NULL, &config, &error))
		bench_fail("%s", error.text);
	if (maui_config_errors(config))
		bench_fail("the generated maui.cfg has errors");
	policy = maui_priority_compile(config);
	maui_config_unref(config);
	free(text);
	return policy;
}

static void make_tables(struct bench *bench, const struct population *population, uint64_t *random)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		size_t size = population->count[type] + 1;

		bench->credential[type] = bench_allocate(size, sizeof(*bench->credential[type]));
		bench->fs_factor[type] = bench_allocate(size, sizeof(*bench->fs_factor[type]));
		for (uint32_t id = 0; id < size; id++) {
			char name[NAME_SIZE];

			snprintf(name, sizeof(name), "%c%" PRIu32, letters[type], id);
			maui_priority_credential(bench->policy, type, id ? name : NULL,
						 &bench->credential[type][id]);
			bench->fs_factor[type][id] = (double)bench_below(random, 10000) / 100 - 50;
		}
		bench->tables.credential[type] = bench->credential[type];
		bench->tables.fs_factor[type] = bench->fs_factor[type];
	}
}

static void make_job(const struct bench *bench, const struct population *population,
		     uint64_t *random, struct maui_priority_job *ret_job)
{
	static const struct maui_resources machine = {65536, 268435456, 0, 1073741824, NULL};
	struct maui_resources request;
	char class_name[NAME_SIZE];

	/* One job in 16 lacks the credential. */
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		ret_job->credential[type] =
			bench_below(random, 16) ? 1 + bench_below(random, population->count[type])
						: MAUI_NO_CREDENTIAL;
	snprintf(class_name, sizeof(class_name), "c%" PRIu32, ret_job->credential[MAUI_CLASS]);
	ret_job->weights = maui_priority_weights(bench->policy, class_name);
	ret_job->queued_since = NOW - bench_below(random, 7 * 86400);
	ret_job->walltime = 60.0 * (1 + bench_below(random, 7 * 1440));
	ret_job->nodes = 1 + bench_below(random, 64);
	ret_job->procs = ret_job->nodes * (1 + bench_below(random, 128));
	ret_job->memory = ret_job->procs * (1 + bench_below(random, 8000));
	ret_job->disk = bench_below(random, 4) ? 0 : 1000.0 * bench_below(random, 1000);
	ret_job->bypass = bench_below(random, 8);
	ret_job->sp_violation = 0;
	ret_job->class_priority = bench_below(random, 100);
	/* One in 100 was raised by an administrator. */
	if (!bench_below(random, 100)) {
		ret_job->system_priority_mode = MAUI_RELATIVE_PRIORITY;
		ret_job->system_priority = bench_below(random, 1000);
	}
	request = (struct maui_resources){ret_job->procs, ret_job->memory, 0, ret_job->disk, NULL};
	ret_job->pe = maui_pe(&request, &machine);
}

static void bench_open(struct bench *bench, const struct population *population, size_t count)
{
	uint64_t random = UINT64_C(88172645463325252);

	bench->policy = make_policy(population);
	make_tables(bench, population, &random);
	bench->jobs = bench_allocate(count, sizeof(*bench->jobs));
	for (size_t i = 0; i < count; i++)
		make_job(bench, population, &random, &bench->jobs[i]);
}

static void bench_close(struct bench *bench)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		free(bench->credential[type]);
		free(bench->fs_factor[type]);
	}
	free(bench->jobs);
	maui_priority_free(bench->policy);
}

/* Nanoseconds per job of one repeat. */
static double run(const struct bench *bench, size_t count, struct maui_priority_result *results)
{
	double begun = bench_time();

	maui_priority_evaluate_all(bench->policy, &bench->tables, bench->jobs, count, NOW, results);
	return (bench_time() - begun) / (double)count;
}

/*
 * That what was timed was the work it is said to be: nearly every component of nearly every job
 * counts.
 */
static void check(const struct maui_priority_result *results, size_t count)
{
	size_t zero[MAUI_COMPONENTS] = {0};

	for (size_t i = 0; i < count; i++)
		for (int c = 0; c < MAUI_COMPONENTS; c++)
			zero[c] += results[i].weighted[c] == 0;
	for (int c = 0; c < MAUI_COMPONENTS; c++)
		if (c != MAUI_USAGE && zero[c] > count / 4) /* USAGE is of running jobs */
			bench_fail("%s is 0 in %zu of %zu jobs", maui_components[c].name, zero[c],
				   count);
}

static void measure(size_t count, size_t repeats)
{
	struct maui_priority_result *results = bench_allocate(count, sizeof(*results));
	double *took = bench_allocate(POPULATIONS * repeats, sizeof(*took));
	struct bench benches[POPULATIONS] = {0};

	for (size_t p = 0; p < POPULATIONS; p++) {
		bench_open(&benches[p], &populations[p], count);
		run(&benches[p], count, results); /* untimed: the memory becomes real */
		check(results, count);
	}
	for (size_t repeat = 0; repeat < repeats; repeat++)
		for (size_t p = 0; p < POPULATIONS; p++)
			took[p * repeats + repeat] = run(&benches[p], count, results);

	printf("{\"jobs\": %zu, \"job_bytes\": %zu, \"result_bytes\": %zu, \"ns_per_job\": {",
	       count, sizeof(struct maui_priority_job), sizeof(struct maui_priority_result));
	for (size_t p = 0; p < POPULATIONS; p++) {
		printf("%s\"%s\": [", p ? ", " : "", populations[p].name);
		for (size_t repeat = 0; repeat < repeats; repeat++)
			printf("%s%.2f", repeat ? ", " : "", took[p * repeats + repeat]);
		printf("]");
		bench_close(&benches[p]);
	}
	printf("}}\n");
	free(results);
	free(took);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--weights"))
		print_weights(stdout);
	else if (argc <= 3)
		measure(argc > 1 ? bench_number(argv[1], 1, MAX_JOBS) : 1000000,
			argc > 2 ? bench_number(argv[2], 1, MAX_REPEATS) : 15);
	else
		bench_fail("usage: bench-priority-core [JOBS [REPEATS]] | --weights");
	return 0;
}
