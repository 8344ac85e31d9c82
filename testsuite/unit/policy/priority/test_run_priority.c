/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "common/policy/priority/run_priority.h"
#include "testsuite/unit/policy/fixture.h"

#define ALL_ONE                                                                                    \
	"USAGEWEIGHT 1\nUSAGECONSUMEDWEIGHT 1\nUSAGEREMAININGWEIGHT 1\n"                           \
	"USAGEEXECUTIONTIMEWEIGHT 1\nUSAGEPERCENTWEIGHT 1\n"

static const struct {
	const char *lines;
	double procs, walltime, elapsed, start_priority, expected;
} cases[] = {
	{"", 4, 3600, 900, 500, 500}, /* USAGEWEIGHT is 0 unless said otherwise */
	{ALL_ONE "USAGEWEIGHT 2\n", 4, 3600, 900, 0, 30650}, /* 2 * (3600 + 10800 + 900 + 25) */
	{ALL_ONE "USAGEWEIGHT 2\n", 4, 3600, 900, -50, 30600},
	{ALL_ONE, 1, 100, 0, 0, 100},
	{"USAGEWEIGHT 1\nUSAGEPERCENTWEIGHT 1\n", 1, 3600, 900, 0, 25},
	{"USAGEWEIGHT 1\nUSAGEPERCENTWEIGHT 1\n", 1, 3600, 7200, 0, 200},
	{"USAGEWEIGHT 1\nUSAGEPERCENTWEIGHT 1\n", 1, 800, 1, 0, 0.125},    /* with its fraction */
	{"USAGEWEIGHT 1\nUSAGEREMAININGWEIGHT 1\n", 2, 100, 150, 0, -100}, /* past its limit */
	{"USAGEWEIGHT -1\nUSAGEEXECUTIONTIMEWEIGHT 3\n", 2, 100, 150, 0, -450},
	/* caps: of the factor, and of the component */
	{"USAGEWEIGHT 1\nUSAGECONSUMEDWEIGHT 2\nUSAGECONSUMEDCAP 10\n", 2, 100, 50, 0, 20},
	{"USAGEWEIGHT 3\nUSAGECONSUMEDWEIGHT 2\nUSAGECAP 7\n", 2, 100, 50, 0, 21},
	/* no limit */
	{"USAGEWEIGHT 1\nUSAGEPERCENTWEIGHT 1\n", 1, (double)MAUI_INFINITY, 21400000, 0, 1},
	{"USAGEWEIGHT 1\nUSAGEPERCENTWEIGHT 1\n", 1, 0, 2, 0, 200},
};

Test(run_priority, adds_the_documented_usage_terms_to_the_start_priority)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture fixture;
		double priority;

		fixture_open(&fixture, cases[i].lines);
		fixture.job.procs = cases[i].procs;
		fixture.job.walltime = cases[i].walltime;
		priority = maui_run_priority(&fixture.job, NOW - (int64_t)cases[i].elapsed,
					     cases[i].start_priority, NOW, NULL);
		cr_expect_float_eq(priority, cases[i].expected, 1e-9, "line %zu: %g", i, priority);
		fixture_close(&fixture);
	}
}

Test(run_priority, shows_its_terms_and_leaves_the_others_alone)
{
	struct fixture fixture;
	struct maui_priority_terms terms;

	fixture_open(&fixture, ALL_ONE "USAGEREMAININGWEIGHT 7\nUSAGEPERCENTCAP 20\n");
	fixture.job.procs = 4;
	for (int i = 0; i < MAUI_SUBCOMPONENTS; i++)
		terms.factor[i] = terms.weight[i] = 42;
	for (int i = 0; i < MAUI_COMPONENTS; i++)
		terms.component[i] = terms.component_weight[i] = 42;
	maui_run_priority(&fixture.job, NOW - 900, 0, NOW, &terms);
	cr_expect_eq(terms.factor[MAUI_USAGE_CONSUMED], 3600);
	cr_expect_eq(terms.factor[MAUI_USAGE_REMAINING], 10800);
	cr_expect_eq(terms.factor[MAUI_USAGE_EXECUTIONTIME], 900);
	cr_expect_eq(terms.factor[MAUI_USAGE_PERCENT], 20);
	for (int i = 0; i < MAUI_SUBCOMPONENTS; i++)
		cr_expect_eq(terms.weight[i], i < MAUI_USAGE_CONSUMED || i > MAUI_USAGE_PERCENT ? 42
					      : i == MAUI_USAGE_REMAINING                       ? 7
									  : 1);
	cr_expect_eq(terms.component[MAUI_USAGE], 3600 + 7 * 10800 + 900 + 20);
	cr_expect_eq(terms.component_weight[MAUI_USAGE], 1);
	for (int i = 0; i < MAUI_USAGE_CONSUMED; i++)
		cr_expect_eq(terms.factor[i], 42);
	for (int i = 0; i < MAUI_USAGE; i++)
		cr_expect(terms.component[i] == 42 && terms.component_weight[i] == 42);
	fixture_close(&fixture);
}

Test(run_priority, of_a_job_that_does_not_run_is_its_start_priority)
{
	struct fixture fixture;

	fixture_open(&fixture, ALL_ONE);
	cr_expect_eq(maui_run_priority(&fixture.job, 0, 17, NOW, NULL), 17);
	cr_expect_eq(maui_run_priority(&fixture.job, -5, 17, NOW, NULL), 17);
	fixture_close(&fixture);
}

Test(run_priority, takes_a_start_in_the_future_as_now)
{
	struct fixture fixture;

	fixture_open(&fixture, "USAGEWEIGHT 1\nUSAGEEXECUTIONTIMEWEIGHT 1\n");
	cr_expect_eq(maui_run_priority(&fixture.job, NOW + 100, 0, NOW, NULL), 0);
	fixture_close(&fixture);
}

Test(run_priority, is_finite_for_any_numbers)
{
	static const double extreme[] = {0, -1, 1e-320, 1e308, -1e308, INFINITY, -INFINITY, NAN};
	static const int64_t times[] = {INT64_MIN, 0, 1, NOW, INT64_MAX};
	size_t count = sizeof(extreme) / sizeof(extreme[0]);
	struct fixture fixture;

	fixture_open(&fixture, ALL_ONE "USAGEPERCENTWEIGHT 1000000000000000\n");
	for (size_t i = 0; i < count * count * count; i++)
		for (size_t t = 0; t < sizeof(times) / sizeof(times[0]); t++) {
			fixture.job.procs = extreme[i % count];
			fixture.job.walltime = extreme[i / count % count];
			cr_expect(isfinite(maui_run_priority(
				&fixture.job, times[t], extreme[i / count / count], NOW, NULL)));
			cr_expect(isfinite(
				maui_run_priority(&fixture.job, times[t], 0, INT64_MAX, NULL)));
			cr_expect(isfinite(
				maui_run_priority(&fixture.job, times[t], 0, INT64_MIN, NULL)));
		}
	fixture_close(&fixture);
}
