/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "common/util/kendall.h"

#define MANY 100000

static struct maui_kendall of(const int64_t *first, const int64_t *second, size_t count)
{
	struct maui_kendall kendall;

	maui_kendall(first, second, count, &kendall);
	return kendall;
}

/* By the definition: each pair. */
static struct maui_kendall by_pairs(const int64_t *first, const int64_t *second, size_t count)
{
	struct maui_kendall kendall = {0};

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < i; j++) {
			int x = (first[i] > first[j]) - (first[i] < first[j]);
			int y = (second[i] > second[j]) - (second[i] < second[j]);

			kendall.pairs++;
			kendall.same += x * y > 0;
			kendall.other += x * y < 0;
			kendall.tied_first += !x;
			kendall.tied_second += !y;
			kendall.tied_both += !x && !y;
		}
	kendall.defined = kendall.pairs > kendall.tied_first && kendall.pairs > kendall.tied_second;
	if (kendall.defined)
		kendall.tau = ((double)kendall.same - (double)kendall.other) /
			      sqrt((double)(kendall.pairs - kendall.tied_first)) /
			      sqrt((double)(kendall.pairs - kendall.tied_second));
	return kendall;
}

static void expect_same(struct maui_kendall found, struct maui_kendall wanted)
{
	cr_assert_eq(found.pairs, wanted.pairs);
	cr_assert_eq(found.same, wanted.same);
	cr_assert_eq(found.other, wanted.other);
	cr_assert_eq(found.tied_first, wanted.tied_first);
	cr_assert_eq(found.tied_second, wanted.tied_second);
	cr_assert_eq(found.tied_both, wanted.tied_both);
	cr_assert_eq(found.defined, wanted.defined);
	cr_assert_float_eq(found.tau, wanted.tau, 1e-12);
}

Test(kendall, the_same_order_is_one_and_the_reverse_less_than_zero)
{
	const int64_t up[] = {-5, 1, 2, INT64_MAX}, down[] = {7, 0, -1, INT64_MIN};

	cr_expect_eq(of(up, up, 4).tau, 1);
	cr_expect_eq(of(up, down, 4).tau, -1);
	cr_expect_eq(of(up, down, 4).other, 6);
	cr_expect_eq(of(up, up, 4).other, 0);
}

Test(kendall, ties_are_those_of_a_worked_example)
{
	/* 10 pairs; tied: 1 on the first side, 2 on the second, none on both; 5 agree, 2 do not. */
	const int64_t first[] = {1, 2, 2, 3, 4}, second[] = {1, 3, 1, 3, 2};
	struct maui_kendall kendall = of(first, second, 5);

	cr_expect_eq(kendall.tied_first, 1);
	cr_expect_eq(kendall.tied_second, 2);
	cr_expect_eq(kendall.tied_both, 0);
	cr_expect_eq(kendall.same, 5);
	cr_expect_eq(kendall.other, 2);
	cr_expect_float_eq(kendall.tau, 3 / sqrt(9.0 * 8.0), 1e-12);
}

Test(kendall, it_is_not_defined_where_nothing_tells_jobs_apart)
{
	const int64_t equal[] = {3, 3, 3}, apart[] = {1, 2, 3};

	cr_expect_not(of(equal, apart, 3).defined);
	cr_expect_not(of(apart, equal, 3).defined);
	cr_expect_not(of(equal, equal, 3).defined);
	cr_expect_eq(of(equal, equal, 3).tied_both, 3);
	cr_expect_eq(of(equal, equal, 3).tau, 0);
}

Test(kendall, fewer_than_two_have_no_pairs)
{
	const int64_t one[] = {1, 2};

	for (size_t count = 0; count < 2; count++) {
		cr_expect_not(of(one, one, count).defined);
		cr_expect_eq(of(one, one, count).pairs, 0);
	}
	cr_expect(of(one, one, 2).defined);
	cr_expect_eq(of(one, one, 2).tau, 1);
}

Test(kendall, random_values_agree_with_the_definition)
{
	static const long levels[] = {1, 2, 5, 50, 1000000};
	int64_t first[90], second[90];

	srandom(7);
	for (int round = 0; round < 500; round++) {
		size_t count = (size_t)random() % 90;
		long x = levels[random() % 5], y = levels[random() % 5];

		for (size_t i = 0; i < count; i++) {
			first[i] = random() % x - x / 2;
			second[i] = random() % 3 ? first[i] : random() % y;
		}
		expect_same(of(first, second, count), by_pairs(first, second, count));
	}
}

Test(kendall, a_hundred_thousand_take_less_than_a_second)
{
	static int64_t first[MANY], second[MANY];
	struct timespec begin, end;
	struct maui_kendall kendall;
	double seconds;

	srandom(3);
	for (size_t i = 0; i < MANY; i++) {
		first[i] = random() % 50000;
		second[i] = -first[i];
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	kendall = of(first, second, MANY);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
	cr_expect_eq(kendall.pairs, UINT64_C(4999950000));
	cr_expect_float_eq(kendall.tau, -1, 1e-12);
	cr_expect_lt(seconds, 1.0);
}
