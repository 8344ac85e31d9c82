/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the reservations core alone costs: one job held against an access list of ten items and of a
 * thousand; a roll of standing reservations with DEPTH 30, which finds nothing to do; one placement
 * on a thousand nodes. CPU time of this thread.
 *
 *   bench-reservations-core [RESERVATIONS [JOBS [REPEATS]]]
 *       a JSON object with every repeat's figures
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/policy/reservation/acl.h"
#include "common/policy/reservation/sr_place.h"
#include "common/policy/reservation/sr_plan.h"
#include "testsuite/bench/core.h"

#define NOW              INT64_C(1700049600)
#define DEPTH            30
#define NODES            1000
#define MAX_RESERVATIONS 100000
#define MAX_JOBS         20000000
#define MAX_REPEATS      1000

struct bench {
	size_t count, jobs, granted;
	struct maui_sr_settings *settings;
	const struct maui_sr *list;
	const struct maui_acl *small, *large;
	struct maui_sr_existing *existing;
	size_t existing_count;
	struct maui_acl_job *asking;
	struct maui_sr_node *nodes;
};

/* Names are their numbers with a letter in front. */
static uint32_t id_of(void *context, enum maui_credential type, const char *name)
{
	return (uint32_t)strtoul(name + 1, NULL, 10);
}

static void write_lines(FILE *stream, size_t count)
{
	fprintf(stream, "SRCFG[small] TASKCOUNT=1 USERLIST=u1,u2,u3-,!u4 GROUPLIST=g1,g2 "
			"ACCOUNTLIST=!a1,a2 QOSLIST=q1= TIMELIMIT=1:00:00*\n"
			"SRCFG[large] TASKCOUNT=1 TIMELIMIT=1:00:00*");
	for (uint32_t id = 1; id < 1000; id++)
		fprintf(stream, " USERLIST=u%" PRIu32, id * 3);
	fputc('\n', stream);
	for (size_t i = 2; i < count; i++)
		fprintf(stream,
			"SRCFG[r%zu] TASKCOUNT=%zu DEPTH=%d STARTTIME=%zu:00:00 "
			"ENDTIME=%zu:30:00 USERLIST=u1\n",
			i, 1 + i % 64, DEPTH, i % 12, 12 + i % 12);
}

static void make_settings(struct bench *bench)
{
	struct maui_limit_names names = {id_of, NULL};
	struct maui_config *config;
	struct maui_error error = {""};
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		bench_fail("out of memory");
	write_lines(stream, bench->count);
	if (fclose(stream) || maui_config_parse("bench.cfg", text, size, NULL, &config, &error))
		bench_fail("%s", error.text);
	bench->settings = maui_sr_settings_compile(config, &names);
	if (maui_config_errors(config))
		bench_fail("the lines of maui.cfg have errors");
	maui_config_unref(config);
	free(text);
	bench->count = maui_sr_list(bench->settings, &bench->list);
	bench->small = bench->list[0].acl;
	bench->large = bench->list[1].acl;
}

/* What there is after the first roll. */
static void make_existing(struct bench *bench)
{
	struct maui_sr_plan plan;

	maui_sr_plan_make(bench->list, bench->count, NULL, 0, NOW, &plan);
	bench->existing = bench_allocate(plan.count, sizeof(*bench->existing));
	bench->existing_count = plan.count;
	for (size_t i = 0; i < plan.count; i++)
		bench->existing[i] = (struct maui_sr_existing){.sr = plan.steps[i].sr,
							       .date = plan.steps[i].window.date,
							       .start = plan.steps[i].window.from,
							       .end = plan.steps[i].window.end};
	maui_sr_plan_clear(&plan);
}

static void bench_open(struct bench *bench, size_t reservations, size_t jobs)
{
	uint64_t random = UINT64_C(88172645463325252);

	*bench = (struct bench){.count = reservations,
				.jobs = jobs,
				.asking = bench_allocate(jobs, sizeof(*bench->asking)),
				.nodes = bench_allocate(NODES, sizeof(*bench->nodes))};
	make_settings(bench);
	make_existing(bench);
	for (size_t i = 0; i < jobs; i++) {
		for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++)
			bench->asking[i].credential[type] = bench_below(&random, type ? 5 : 3000);
		bench->asking[i].duration = bench_below(&random, 4000);
		bench->asking[i].procs = 1 + bench_below(&random, 64);
	}
	for (uint32_t i = 0; i < NODES; i++)
		bench->nodes[i] = (struct maui_sr_node){
			.up = true, .procs = 16 + bench_below(&random, 48), .memory = 65536};
}

static void bench_close(struct bench *bench)
{
	free(bench->asking);
	free(bench->nodes);
	free(bench->existing);
	maui_sr_settings_free(bench->settings);
}

enum { SMALL, LARGE, ROLL, PLACE, KINDS };

static const char *const kinds[KINDS] = {"acl_10_ns", "acl_1000_ns", "roll_ms", "place_ms"};

static double evaluate_all(struct bench *bench, const struct maui_acl *acl)
{
	double begun = bench_time();
	struct maui_acl_verdict verdict;

	for (size_t i = 0; i < bench->jobs; i++)
		bench->granted += maui_acl_evaluate(acl, &bench->asking[i], &verdict);
	return (bench_time() - begun) / (double)bench->jobs;
}

static double roll(const struct bench *bench)
{
	double begun = bench_time();
	struct maui_sr_plan plan;

	maui_sr_plan_make(bench->list, bench->count, bench->existing, bench->existing_count,
			  NOW + 60, &plan);
	if (plan.to_keep != bench->existing_count)
		bench_fail("%zu of %zu instances are kept", plan.to_keep, bench->existing_count);
	maui_sr_plan_clear(&plan);
	return (bench_time() - begun) / 1e6;
}

static double place(const struct bench *bench)
{
	const struct maui_sr_request request = {
		.sr = &bench->list[bench->count - 1], .from = NOW, .end = NOW + 3600};
	double begun = bench_time();
	struct maui_sr_placement placement;

	maui_sr_place(&request, bench->nodes, NODES, NULL, 0, &placement);
	maui_sr_placement_clear(&placement);
	return (bench_time() - begun) / 1e6;
}

static void run(struct bench *bench, double took[KINDS])
{
	bench->granted = 0;
	took[SMALL] = evaluate_all(bench, bench->small);
	took[LARGE] = evaluate_all(bench, bench->large);
	took[ROLL] = roll(bench);
	took[PLACE] = place(bench);
}

static void measure(size_t reservations, size_t jobs, size_t repeats)
{
	double(*took)[KINDS] = bench_allocate(repeats, sizeof(*took));
	struct bench bench;

	setenv("TZ", "Europe/Berlin", 1);
	tzset();
	bench_open(&bench, reservations, jobs);
	run(&bench, took[0]); /* not counted: the memory becomes real */
	for (size_t repeat = 0; repeat < repeats; repeat++)
		run(&bench, took[repeat]);
	printf("{\"reservations\": %zu, \"instances\": %zu, \"jobs\": %zu, \"granted\": %zu",
	       bench.count, bench.existing_count, jobs, bench.granted);
	for (int kind = 0; kind < KINDS; kind++)
		bench_print(kinds[kind], &took[0][kind], repeats, KINDS);
	printf("}\n");
	bench_close(&bench);
	free(took);
}

int main(int argc, char **argv)
{
	if (argc > 4)
		bench_fail("usage: bench-reservations-core [RESERVATIONS [JOBS [REPEATS]]]");
	measure(argc > 1 ? bench_number(argv[1], 3, MAX_RESERVATIONS) : 500,
		argc > 2 ? bench_number(argv[2], 3, MAX_JOBS) : 100000,
		argc > 3 ? bench_number(argv[3], 3, MAX_REPEATS) : 15);
	return 0;
}
