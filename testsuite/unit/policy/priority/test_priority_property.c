/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random jobs under random policies: what must hold for all of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "testsuite/unit/policy/fixture.h"

#define POLICIES         60
#define JOBS             400
#define CREDENTIAL_COUNT 12

static void start_random(void)
{
	const char *given = getenv("MAUI_TEST_SEED");
	unsigned int seed =
		given ? (unsigned int)strtoul(given, NULL, 10) : (unsigned int)time(NULL);

	fprintf(stderr, "seed %u (MAUI_TEST_SEED repeats it)\n", seed);
	srand(seed);
}

static bool one_in(int n)
{
	return rand() % n == 0;
}

static double random_between(double low, double high)
{
	return low + (high - low) * rand() / RAND_MAX;
}

/* Everyday numbers, and occasionally what nobody should write. */
static double random_number(bool wild)
{
	static const double strange[] = {0,      -1,  1e15,     -1e15,     1e308,      -1e308,
					 1e-320, NAN, INFINITY, -INFINITY, 2140000000, 9.3e18};

	if (wild && one_in(3))
		return strange[rand() % (sizeof(strange) / sizeof(strange[0]))];
	return one_in(3) ? rand() % 100 - 20 : random_between(-1000, 100000);
}

static struct maui_priority_policy *random_policy(void)
{
	char lines[16384];
	size_t length = 0;

#define ADD(...) length += snprintf(lines + length, sizeof(lines) - length, __VA_ARGS__)
	for (int i = 0; i < MAUI_COMPONENTS; i++) {
		ADD("%s %d\n", maui_key_info(maui_components[i].weight_key)->name,
		    rand() % 2001 - 500);
		if (one_in(3))
			ADD("%s %d\n", maui_key_info(maui_components[i].cap_key)->name,
			    rand() % 100000);
	}
	for (int i = 0; i < MAUI_SUBCOMPONENTS; i++) {
		if (one_in(2))
			ADD("%s %.3f\n", maui_key_info(maui_subcomponents[i].weight_key)->name,
			    random_between(-100, 1000));
		if (one_in(4))
			ADD("%s %d\n", maui_key_info(maui_subcomponents[i].cap_key)->name,
			    rand() % 1000);
		if (one_in(6))
			ADD("%s[p] 1000000000000000\n",
			    maui_key_info(maui_subcomponents[i].weight_key)->name);
	}
	if (one_in(2))
		ADD("XFMINWCLIMIT %d\n", rand() % 1000);
	if (one_in(2))
		ADD("ENABLENEGJOBPRIORITY TRUE\n");
	if (one_in(2))
		ADD("REJECTNEGPRIOJOBS TRUE\n");
#undef ADD
	return policy_from(lines);
}

struct world {
	struct maui_priority_credential credential[MAUI_CREDENTIALS][CREDENTIAL_COUNT];
	double fs_factor[MAUI_CREDENTIALS][CREDENTIAL_COUNT];
	struct maui_priority_tables tables;
	struct maui_priority_job jobs[JOBS];
};

static void random_credential(struct maui_priority_credential *credential, bool wild)
{
	credential->priority = random_number(wild);
	credential->has_priority = one_in(2);
	credential->queuetime_weight = random_number(wild);
	credential->xfactor_weight = random_number(wild);
	credential->queuetime_target = one_in(2) ? 0 : random_number(wild);
	credential->xfactor_target = one_in(2) ? 0 : random_number(wild);
	credential->class_weight = one_in(2) ? 0 : random_number(wild);
}

static void random_job(struct maui_priority_job *job, const struct maui_priority_policy *policy,
		       bool wild)
{
	job->weights = maui_priority_weights(policy, one_in(3) ? "p" : NULL);
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		job->credential[type] = rand() % CREDENTIAL_COUNT;
	job->queued_since = NOW - rand() % 1000000 + 1000;
	if (wild && one_in(10))
		job->queued_since = one_in(2) ? INT64_MIN : INT64_MAX;
	job->walltime = random_number(wild);
	job->nodes = random_number(wild);
	job->procs = random_number(wild);
	job->memory = random_number(wild);
	job->swap = random_number(wild);
	job->disk = random_number(wild);
	job->pe = random_number(wild);
	job->bypass = random_number(wild);
	job->sp_violation = random_number(wild);
	job->class_priority = random_number(wild);
	job->tree = random_number(wild);
	job->system_priority_mode = rand() % 3;
	job->system_priority = wild && one_in(5) ? INT64_MAX : rand() % 5000 - 1000;
}

static void make_world(struct world *world, const struct maui_priority_policy *policy, bool wild)
{
	memset(world, 0, sizeof(*world));
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		for (int i = 0; i < CREDENTIAL_COUNT; i++) {
			random_credential(&world->credential[type][i], wild);
			world->fs_factor[type][i] = random_number(wild) / 100;
		}
		world->tables.credential[type] = world->credential[type];
		world->tables.fs_factor[type] = one_in(4) ? NULL : world->fs_factor[type];
	}
	for (int i = 0; i < JOBS; i++)
		random_job(&world->jobs[i], policy, wild);
}

static bool same_bits(double a, double b)
{
	uint64_t bits_a, bits_b;

	memcpy(&bits_a, &a, sizeof(a));
	memcpy(&bits_b, &b, sizeof(b));
	return bits_a == bits_b;
}

static void expect_agreement(const struct maui_priority_terms *terms,
			     const struct maui_priority_result *result)
{
	double weight = terms->component_weight[MAUI_CRED];

	for (int c = 0; c < MAUI_COMPONENTS; c++)
		cr_assert(same_bits(result->weighted[c],
				    terms->component_weight[c] * terms->component[c]));
	cr_assert(same_bits(result->cred_class, weight * terms->weight[MAUI_CRED_CLASS] *
							terms->factor[MAUI_CRED_CLASS]));
	cr_assert(same_bits(result->cred_qos,
			    weight * terms->weight[MAUI_CRED_QOS] * terms->factor[MAUI_CRED_QOS]));
	cr_assert(same_bits(result->sum, terms->sum));
	cr_assert_eq(result->priority, terms->priority);
	cr_assert_eq(result->rejected, terms->rejected);
}

static void expect_finite(const struct maui_priority_terms *terms)
{
	for (int i = 0; i < MAUI_SUBCOMPONENTS; i++) {
		cr_assert(isfinite(terms->factor[i]), "%s", maui_subcomponents[i].name);
		cr_assert(isfinite(terms->weight[i]), "%s", maui_subcomponents[i].name);
	}
	for (int c = 0; c < MAUI_COMPONENTS; c++) {
		cr_assert(isfinite(terms->component[c]), "%s", maui_components[c].name);
		cr_assert(isfinite(terms->component_weight[c]), "%s", maui_components[c].name);
	}
	cr_assert(isfinite(terms->sum));
	cr_assert(isfinite(terms->exact));
}

static void try_policies(bool wild)
{
	static struct maui_priority_result results[JOBS];
	struct world *world = malloc(sizeof(*world));

	cr_assert_not_null(world);
	start_random();
	for (int i = 0; i < POLICIES; i++) {
		struct maui_priority_policy *policy = random_policy();

		make_world(world, policy, wild);
		maui_priority_evaluate_all(policy, &world->tables, world->jobs, JOBS, NOW, results);
		for (int j = 0; j < JOBS; j++) {
			struct maui_priority_terms terms;

			maui_priority_evaluate(policy, &world->tables, &world->jobs[j], NOW,
					       &terms);
			expect_finite(&terms);
			expect_agreement(&terms, &results[j]);
		}
		maui_priority_free(policy);
	}
	free(world);
}

Test(priority_property, one_job_and_all_jobs_agree_to_the_last_bit)
{
	try_policies(false);
}

Test(priority_property, no_number_however_strange_gives_nan_or_infinity)
{
	try_policies(true);
}

/* The sum by the chapter's formula, from the returned terms. */
static double documented_sum(const struct maui_priority_weights *weights,
			     const struct maui_priority_terms *terms)
{
	double sum = 0;

	for (int c = 0; c < MAUI_USAGE; c++) {
		double component = 0;

		for (int i = maui_components[c].first; i <= (int)maui_components[c].last; i++)
			component += terms->weight[i] * terms->factor[i];
		if (weights->component_cap[c] > 0 && component > weights->component_cap[c])
			component = weights->component_cap[c];
		sum += weights->component[c] * component;
	}
	return sum;
}

Test(priority_property, the_terms_add_up_to_the_sum_and_keep_their_caps)
{
	struct world *world = malloc(sizeof(*world));

	cr_assert_not_null(world);
	start_random();
	for (int i = 0; i < POLICIES; i++) {
		struct maui_priority_policy *policy = random_policy();

		make_world(world, policy, false);
		for (int j = 0; j < JOBS; j++) {
			const struct maui_priority_weights *weights = world->jobs[j].weights;
			struct maui_priority_terms terms;
			double sum, largest = 1;

			maui_priority_evaluate(policy, &world->tables, &world->jobs[j], NOW,
					       &terms);
			for (int k = 0; k < MAUI_SUBCOMPONENTS; k++) {
				double term = terms.weight[k] * terms.factor[k] *
					      weights->component[maui_subcomponents[k].component];

				largest = fmax(largest, fabs(term));
				cr_assert(!(weights->sub_cap[k] > 0) ||
					  terms.factor[k] <= weights->sub_cap[k]);
			}
			sum = documented_sum(weights, &terms);
			cr_assert_leq(fabs(sum - terms.sum), 1e-12 * largest, "%.17g, %.17g", sum,
				      terms.sum);
		}
		maui_priority_free(policy);
	}
	free(world);
}

Test(priority_property, waiting_longer_never_lowers_a_job_whose_weights_are_not_negative)
{
	struct fixture fixture;

	start_random();
	fixture_open(&fixture,
		     "SERVWEIGHT 3\nTARGWEIGHT 2\nXFACTORWEIGHT 100\nTARGETQUEUETIMEWEIGHT 1\n"
		     "TARGETXFACTORWEIGHT 1\nQOSCFG[q] QTTARGET=36000 XFTARGET=8\n");
	for (int i = 0; i < 200; i++) {
		struct maui_priority_terms before, after;

		fixture.job.walltime = 1 + rand() % 100000;
		fixture.job.queued_since = NOW - rand() % 100000;
		fixture_evaluate(&fixture, &before);
		fixture.job.queued_since -= 1 + rand() % 5000;
		fixture_evaluate(&fixture, &after);
		cr_expect_geq(after.sum, before.sum);
		cr_expect_geq(after.priority, before.priority);
	}
	fixture_close(&fixture);
}

Test(priority_property, no_jobs_are_fine)
{
	struct fixture fixture;

	fixture_open(&fixture, "");
	maui_priority_evaluate_all(fixture.policy, &fixture.tables, NULL, 0, NOW, NULL);
	fixture_close(&fixture);
}
