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
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/policy/reservation/acl.h"
#include "common/policy/reservation/sr_place.h"
#include "common/policy/reservation/sr_plan.h"

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

static void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("bench-reservations-core: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	exit(1);
}

static void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		fail("out of memory");
	return memory;
}

/* xorshift64*: the same jobs everywhere, whatever the C library. */
static uint32_t below(uint64_t *state, uint32_t limit)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (uint32_t)((*state * UINT64_C(2685821657736338717) >> 32) * limit >> 32);
}

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
		fail("out of memory");
	write_lines(stream, bench->count);
	if (fclose(stream) || maui_config_parse("bench.cfg", text, size, NULL, &config, &error) ||
	    maui_sr_settings_compile(config, &names, &bench->settings, &error))
		fail("%s", error.text);
	if (maui_config_errors(config))
		fail("the lines of maui.cfg have errors");
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

	if (maui_sr_plan_make(bench->list, bench->count, NULL, 0, NOW, &plan, NULL))
		fail("out of memory");
	bench->existing = allocate(plan.count, sizeof(*bench->existing));
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
				.asking = allocate(jobs, sizeof(*bench->asking)),
				.nodes = allocate(NODES, sizeof(*bench->nodes))};
	make_settings(bench);
	make_existing(bench);
	for (size_t i = 0; i < jobs; i++) {
		for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++)
			bench->asking[i].credential[type] = below(&random, type ? 5 : 3000);
		bench->asking[i].duration = below(&random, 4000);
		bench->asking[i].procs = 1 + below(&random, 64);
	}
	for (uint32_t i = 0; i < NODES; i++)
		bench->nodes[i] = (struct maui_sr_node){
			.up = true, .procs = 16 + below(&random, 48), .memory = 65536};
}

static void bench_close(struct bench *bench)
{
	free(bench->asking);
	free(bench->nodes);
	free(bench->existing);
	maui_sr_settings_free(bench->settings);
}

static double thread_cpu(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

enum { SMALL, LARGE, ROLL, PLACE, KINDS };

static const char *const kinds[KINDS] = {"acl_10_ns", "acl_1000_ns", "roll_ms", "place_ms"};

static double evaluate_all(struct bench *bench, const struct maui_acl *acl)
{
	double begun = thread_cpu();
	struct maui_acl_verdict verdict;

	for (size_t i = 0; i < bench->jobs; i++)
		bench->granted += maui_acl_evaluate(acl, &bench->asking[i], &verdict);
	return (thread_cpu() - begun) / (double)bench->jobs;
}

static double roll(const struct bench *bench)
{
	double begun = thread_cpu();
	struct maui_sr_plan plan;

	if (maui_sr_plan_make(bench->list, bench->count, bench->existing, bench->existing_count,
			      NOW + 60, &plan, NULL))
		fail("out of memory");
	if (plan.to_keep != bench->existing_count)
		fail("%zu of %zu instances are kept", plan.to_keep, bench->existing_count);
	maui_sr_plan_clear(&plan);
	return (thread_cpu() - begun) / 1e6;
}

static double place(const struct bench *bench)
{
	const struct maui_sr_request request = {
		.sr = &bench->list[bench->count - 1], .from = NOW, .end = NOW + 3600};
	double begun = thread_cpu();
	struct maui_sr_placement placement;

	if (maui_sr_place(&request, bench->nodes, NODES, NULL, 0, &placement, NULL))
		fail("out of memory");
	maui_sr_placement_clear(&placement);
	return (thread_cpu() - begun) / 1e6;
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
	double(*took)[KINDS] = allocate(repeats, sizeof(*took));
	struct bench bench;

	setenv("TZ", "Europe/Berlin", 1);
	tzset();
	bench_open(&bench, reservations, jobs);
	run(&bench, took[0]); /* not counted: the memory becomes real */
	for (size_t repeat = 0; repeat < repeats; repeat++)
		run(&bench, took[repeat]);
	printf("{\"reservations\": %zu, \"instances\": %zu, \"jobs\": %zu, \"granted\": %zu",
	       bench.count, bench.existing_count, jobs, bench.granted);
	for (int kind = 0; kind < KINDS; kind++) {
		printf(", \"%s\": [", kinds[kind]);
		for (size_t repeat = 0; repeat < repeats; repeat++)
			printf("%s%.3f", repeat ? ", " : "", took[repeat][kind]);
		printf("]");
	}
	printf("}\n");
	bench_close(&bench);
	free(took);
}

static size_t number(const char *text, size_t limit)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*end || value < 3 || value > limit)
		fail("'%s' is no number from 3 to %zu", text, limit);
	return value;
}

int main(int argc, char **argv)
{
	if (argc > 4)
		fail("usage: bench-reservations-core [RESERVATIONS [JOBS [REPEATS]]]");
	measure(argc > 1 ? number(argv[1], MAX_RESERVATIONS) : 500,
		argc > 2 ? number(argv[2], MAX_JOBS) : 100000,
		argc > 3 ? number(argv[3], MAX_REPEATS) : 15);
	return 0;
}
