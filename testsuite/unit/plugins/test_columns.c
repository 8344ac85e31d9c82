/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <time.h>

#include "plugins/priority/columns.h"

static int64_t sum(const struct priority_columns *columns, int64_t nice)
{
	return columns->age + columns->association + columns->fairshare + columns->job_size +
	       columns->partition + columns->qos + columns->site - nice;
}

struct columns_case {
	const char *name;
	struct maui_priority_result result;
	int64_t base, site_factor, nice;
	uint32_t priority;
	struct priority_columns expected;
};

static const struct columns_case cases[] = {
	{
		.name = "each component has its column",
		.result = {.weighted = {[MAUI_CRED] = 100,
					[MAUI_FS] = 20,
					[MAUI_SERV] = 3,
					[MAUI_TARG] = 7,
					[MAUI_RES] = 50},
			   .cred_class = 30,
			   .cred_qos = 10},
		.priority = 180,
		.expected = {.age = 3,
			     .association = 60,
			     .fairshare = 20,
			     .job_size = 50,
			     .partition = 30,
			     .qos = 10,
			     .site = 7},
	},
	{
		.name = "nice is not in any column, the site factor is in SITE",
		.result = {.weighted = {[MAUI_SERV] = 40}},
		.site_factor = 5,
		.nice = 15,
		.priority = 30,
		.expected = {.age = 40, .site = 5},
	},
	{
		.name = "rounding goes into the largest column",
		.result = {.weighted = {[MAUI_CRED] = 10.6, [MAUI_SERV] = 2.6, [MAUI_RES] = 3.6}},
		.priority = 16, /* 16.8, truncated */
		.expected = {.age = 3, .association = 9, .job_size = 4},
	},
	{
		.name = "the floor of 1 is made up for where the sum is most negative",
		.result = {.weighted = {[MAUI_CRED] = -5000, [MAUI_RES] = 100}},
		.priority = 1,
		.expected = {.association = -99, .job_size = 100},
	},
	{
		.name = "the base of negative priorities is in SITE",
		.result = {.weighted = {[MAUI_SERV] = 10}},
		.base = 1 << 30,
		.priority = (1u << 30) + 10,
		.expected = {.age = 10, .site = 1 << 30},
	},
	{
		.name = "what SITE's 32 bits cannot hold is in AGE",
		.result = {.weighted = {[MAUI_TARG] = 5e9}},
		.priority = 1000000000,
		.expected = {.age = 1000000000 - (int64_t)INT32_MAX, .site = INT32_MAX},
	},
};

Test(columns, hold_what_the_table_says)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct columns_case *c = &cases[i];
		struct priority_columns got;

		priority_columns(&c->result, c->base, c->site_factor, c->nice, c->priority, &got);
		cr_expect(sum(&got, c->nice) == c->priority, "%s: the sum", c->name);
		cr_expect(got.age == c->expected.age, "%s: AGE %ld", c->name, (long)got.age);
		cr_expect(got.association == c->expected.association, "%s: ASSOC %ld", c->name,
			  (long)got.association);
		cr_expect(got.fairshare == c->expected.fairshare, "%s: FAIRSHARE", c->name);
		cr_expect(got.job_size == c->expected.job_size, "%s: JOBSIZE", c->name);
		cr_expect(got.partition == c->expected.partition, "%s: PARTITION", c->name);
		cr_expect(got.qos == c->expected.qos, "%s: QOS", c->name);
		cr_expect(got.site == c->expected.site, "%s: SITE %ld", c->name, (long)got.site);
	}
}

static double any_value(unsigned int *seed)
{
	double magnitude = (double)rand_r(seed) / RAND_MAX;

	for (int digits = rand_r(seed) % 24; digits > 0; digits--)
		magnitude *= 10;
	return rand_r(seed) % 2 ? magnitude : -magnitude;
}

/* As sprio does: in doubles, in this order, printed without a fraction. */
static double as_sprio_adds(const struct priority_columns *columns, int64_t nice)
{
	return (double)columns->age + (double)columns->association + (double)columns->fairshare +
	       (double)columns->job_size + (double)columns->partition + (double)columns->qos +
	       (double)columns->site - (double)nice;
}

Test(columns, add_up_to_the_unit_whatever_the_terms)
{
	unsigned int start = (unsigned int)time(NULL), seed = start;

	for (int round = 0; round < 20000; round++) {
		struct maui_priority_result result = {.cred_class = any_value(&seed),
						      .cred_qos = any_value(&seed)};
		int64_t nice = (int64_t)rand_r(&seed) - RAND_MAX / 2;
		int64_t site = (int64_t)rand_r(&seed) - RAND_MAX / 2;
		int64_t base = rand_r(&seed) % 2 ? INT64_C(1) << 30 : 0;
		uint32_t priority = (uint32_t)rand_r(&seed) + 1;
		struct priority_columns got;

		for (int component = 0; component < MAUI_COMPONENTS; component++)
			result.weighted[component] = any_value(&seed);
		priority_columns(&result, base, site, nice, priority, &got);
		cr_assert(sum(&got, nice) == priority, "seed %u, round %d", start, round);
		cr_assert(as_sprio_adds(&got, nice) == priority, "seed %u, round %d", start, round);
		cr_assert(got.site >= INT32_MIN && got.site <= INT32_MAX, "seed %u", start);
	}
}
