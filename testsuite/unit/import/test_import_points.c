/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random sites and jobs: under the maui.cfg that a site becomes, Maui's own arithmetic gives a job
 * the priority that the formulas of Slurm's manual give (slurm.conf(5), the page about
 * priority/multifactor), but for rounding.
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "common/import/import_number.h"
#include "common/import/import_points.h"
#include "common/import/import_priority.h"
#include "testsuite/unit/policy/fixture.h"

#define SITES 300
#define JOBS  50
/* An age, three sums of sizes, a partition, a QOS, an account, a user, and doubles of up to 1e9. */
#define ROUNDING (9 * MAUI_IMPORT_ROUNDING + 1e-4)

static const char *const qos_names[] = {"q", "r"};

struct site {
	struct maui_import_qos qos[2];
	struct maui_import_assoc assocs[3]; /* of root, the account a, and the user u in it */
	struct maui_import_priority priority;
	struct maui_import_partition partitions[3];
	struct maui_import_tres tres[3];
	uint64_t units[3][3];
};

static uint32_t up_to(uint32_t most)
{
	return (uint32_t)rand() % (most + 1);
}

static uint32_t random_weight(void)
{
	static const uint32_t most[] = {0, 1, 100, 65535, 1000000, 100000000};

	return up_to(most[rand() % 6]);
}

static void make_tres(struct site *site)
{
	static const enum maui_import_tres_kind kinds[] = {MAUI_IMPORT_CPU, MAUI_IMPORT_MEM,
							   MAUI_IMPORT_NODE};

	for (int t = 0; t < 3; t++) {
		struct maui_import_tres *tres = &site->tres[site->priority.tres_count];
		uint64_t *units = site->units[site->priority.tres_count];

		if (rand() % 2)
			continue;
		for (int i = 0; i < 3; i++)
			units[i] = 1 + up_to(rand() % 2 ? 0 : 5000);
		*tres = (struct maui_import_tres){
			kinds[t], "t=w",  "t", (double)random_weight() - (rand() % 8 ? 0 : 50),
			units,    1000000};
		site->priority.tres_count++;
	}
}

static void make_accounting(struct site *site)
{
	struct maui_import_priority *priority = &site->priority;

	for (int i = 0; i < 2; i++)
		site->qos[i] = (struct maui_import_qos){qos_names[i], up_to(rand() % 4 ? 2000 : 1)};
	site->assocs[0] = (struct maui_import_assoc){.account = "root", .priority = up_to(3)};
	site->assocs[1] = (struct maui_import_assoc){
		.account = "a", .priority = up_to(100), .parent = "root"};
	site->assocs[2] = (struct maui_import_assoc){
		.account = "a", .user = "u", .priority = up_to(100), .parent = "a"};
	priority->qos = site->qos;
	priority->qos_count = 2;
	priority->assocs = site->assocs;
	priority->assoc_count = 3;
	priority->no_normal_qos = rand() % 2;
	priority->no_normal_assoc = rand() % 2;
	priority->weight[MAUI_IMPORT_QOS] = random_weight() / 4096;
	priority->weight[MAUI_IMPORT_ASSOC] = random_weight() / 4096;
}

static void make_site(struct site *site)
{
	static const char *const names[] = {"c", "d", "e"};

	memset(site, 0, sizeof(*site));
	for (int i = 0; i < 3; i++)
		site->partitions[i] =
			(struct maui_import_partition){names[i], up_to(rand() % 2 ? 9 : 65535)};
	site->priority = (struct maui_import_priority){
		.type = "priority/multifactor",
		.slurmdbd = rand() % 8 != 0,
		.accrue_always = true,
		.favor_small = rand() % 2,
		.no_normal_part = rand() % 2,
		.no_normal_tres = rand() % 4 == 0,
		.max_age = 60 * (uint64_t)up_to(rand() % 4 ? 40000 : 3),
		.nodes = 1 + up_to(3000),
		.cpus = 1 + up_to(500000),
		.tres = site->tres,
		.partitions = site->partitions,
		.partition_count = 3,
	};
	site->priority.weight[MAUI_IMPORT_AGE] = random_weight();
	site->priority.weight[MAUI_IMPORT_SIZE] = random_weight();
	site->priority.weight[MAUI_IMPORT_PARTITION] = random_weight() / 65536;
	site->priority.weight[MAUI_IMPORT_FAIRSHARE] = random_weight();
	site->priority.fairshare = "fair tree";
	make_tres(site);
	make_accounting(site);
}

/* ---- what Slurm's manual says ---- */

static double slurm_age(const struct maui_import_priority *priority, double waited)
{
	double factor = waited / (double)priority->max_age;

	if (!priority->slurmdbd || !priority->max_age)
		return 0;
	return priority->weight[MAUI_IMPORT_AGE] * (factor < 1 ? factor : 1);
}

static double slurm_size(const struct maui_import_priority *priority,
			 const struct maui_priority_job *job)
{
	double large = (job->nodes / priority->nodes + job->procs / (double)priority->cpus) / 2;

	return priority->weight[MAUI_IMPORT_SIZE] * (priority->favor_small ? 1 - large : large);
}

static double slurm_partition(const struct maui_import_priority *priority)
{
	double most = 1;

	for (int i = 0; i < 3; i++)
		most = fmax(most, priority->partitions[i].factor);
	return priority->weight[MAUI_IMPORT_PARTITION] * (double)priority->partitions[0].factor /
	       (priority->no_normal_part ? 1 : most);
}

static double slurm_tres(const struct maui_import_priority *priority,
			 const struct maui_priority_job *job)
{
	double sum = 0;

	for (size_t i = 0; i < priority->tres_count; i++) {
		const struct maui_import_tres *tres = &priority->tres[i];
		double asked = tres->kind == MAUI_IMPORT_CPU   ? job->procs
			       : tres->kind == MAUI_IMPORT_MEM ? job->memory
							       : job->nodes;

		sum += tres->weight * asked /
		       (priority->no_normal_tres ? 1 : (double)tres->units[0]);
	}
	return sum;
}

static double slurm_qos(const struct maui_import_priority *priority)
{
	double most = fmax(priority->qos[0].priority, priority->qos[1].priority);

	return priority->weight[MAUI_IMPORT_QOS] * (double)priority->qos[0].priority /
	       (priority->no_normal_qos || most == 0 ? 1 : most);
}

static double slurm_assoc(const struct maui_import_priority *priority)
{
	double most = 0;

	for (int i = 0; i < 3; i++)
		most = fmax(most, priority->assocs[i].priority);
	return priority->weight[MAUI_IMPORT_ASSOC] * (double)priority->assocs[2].priority /
	       (priority->no_normal_assoc || most == 0 ? 1 : most);
}

static double slurm_fairshare(const struct maui_import_priority *priority,
			      const struct maui_priority_job *job)
{
	return priority->slurmdbd ? priority->weight[MAUI_IMPORT_FAIRSHARE] * job->tree : 0;
}

/* ---- */

static void write_cfg(const struct maui_import *import, char *text, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < import->line_count; i++) {
		const struct maui_import_line *own = &import->lines[i];

		used += (size_t)snprintf(text + used, size - used, "%s %s # %s\n", own->key,
					 own->value, own->why);
		cr_assert_lt(used, size);
	}
}

static void make_job(const struct maui_import_priority *priority, struct maui_priority_job *job)
{
	uint64_t units[3] = {priority->cpus, 1000000, priority->nodes};

	for (size_t i = 0; i < priority->tres_count; i++) {
		const struct maui_import_tres *tres = &priority->tres[i];

		if (tres->units[0] < units[tres->kind])
			units[tres->kind] = tres->units[0];
	}
	job->procs = 1 + up_to((uint32_t)units[MAUI_IMPORT_CPU] - 1);
	job->memory = up_to((uint32_t)units[MAUI_IMPORT_MEM]);
	job->nodes = 1 + up_to((uint32_t)units[MAUI_IMPORT_NODE] - 1);
	job->queued_since = NOW - up_to(2000000);
	job->tree = up_to(1000) / 1000.0;
}

/* What a replay gives the job: the same, cut. */
static void compare_own(const struct maui_import_priority *priority,
			const struct maui_priority_job *job, double expected)
{
	const struct maui_import_greatest greatest = maui_import_greatest(priority);
	const struct maui_import_request request = {.waited = NOW - job->queued_since,
						    .fairshare = job->tree,
						    .nodes = (uint32_t)job->nodes,
						    .cpus = (uint32_t)job->procs,
						    .memory = (uint64_t)job->memory,
						    .assoc = 2};
	double points = maui_import_points(priority, &greatest, &request);

	if (!priority->max_age) /* which an import leaves out: everybody has the same */
		expected += priority->slurmdbd ? priority->weight[MAUI_IMPORT_AGE] : 0;
	expected = expected < 1 ? 1 : expected < UINT32_MAX ? expected : UINT32_MAX;
	cr_assert(points > expected - 1.001 && points < expected + 0.001, "%f, not %f", points,
		  expected);
}

static void compare_job(const struct maui_import_priority *priority, struct fixture *fixture,
			const char *text)
{
	const struct maui_priority_job *job = &fixture->job;
	struct maui_priority_terms terms;
	double expected;

	make_job(priority, &fixture->job);
	fixture_evaluate(fixture, &terms);
	expected = slurm_age(priority, (double)(NOW - job->queued_since)) +
		   slurm_size(priority, job) + slurm_partition(priority) +
		   slurm_tres(priority, job) + slurm_qos(priority) + slurm_assoc(priority) +
		   slurm_fairshare(priority, job);
	cr_assert(fabs(terms.sum - expected) < ROUNDING,
		  "%s%g processors, %g nodes, %g MB: %f, not %f", text, job->procs, job->nodes,
		  job->memory, terms.sum, expected);
	compare_own(priority, job, expected);
}

Test(import_points, a_job_has_the_points_that_slurm_gives)
{
	const char *given = getenv("MAUI_TEST_SEED");
	unsigned int seed =
		given ? (unsigned int)strtoul(given, NULL, 10) : (unsigned int)time(NULL);
	char text[8192];

	fprintf(stderr, "seed %u (MAUI_TEST_SEED repeats it)\n", seed);
	srand(seed);
	for (int i = 0; i < SITES; i++) {
		struct fixture fixture;
		struct maui_import import;
		struct site site;

		make_site(&site);
		maui_import_begin(&import);
		maui_import_translate_priority(&site.priority, &import);
		write_cfg(&import, text, sizeof(text));
		fixture_open(&fixture, text);
		fixture.job.weights = maui_priority_weights(fixture.policy, "c");
		fixture.job.class_priority = site.partitions[0].factor;
		for (int k = 0; k < JOBS; k++)
			compare_job(&site.priority, &fixture, text);
		fixture_close(&fixture);
		maui_import_clear(&import);
	}
}
