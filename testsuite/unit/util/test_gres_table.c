/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <pthread.h>

#include "common/util/slurm/gres_table.h"

static const struct maui_gres *of(struct maui_gres_table *table, uint64_t first, uint64_t second)
{
	struct maui_gres_amounts amounts = {0};

	maui_gres_set(&amounts, 0, first);
	maui_gres_set(&amounts, MAUI_GRES_NAMES - 1, second);
	return maui_gres_intern(table, &amounts);
}

Test(gres_table, equal_amounts_are_one_pointer)
{
	struct maui_gres_table *table = maui_gres_table_new();
	const struct maui_gres *one = of(table, 1, 2);

	cr_expect_eq(of(table, 1, 2), one);
	cr_expect_neq(of(table, 2, 1), one);
	cr_expect_neq(of(table, 1, 0), one);
	cr_expect_eq(maui_gres_table_count(table), 3);
	cr_expect_eq(one->amounts.amount[0], 1);
	cr_expect_eq(one->amounts.amount[MAUI_GRES_NAMES - 1], 2);
	cr_expect_eq(maui_gres_mask(one), 1u | 1u << (MAUI_GRES_NAMES - 1));
	cr_expect_null(of(table, 0, 0));
	cr_expect_eq(maui_gres_mask(NULL), 0);
	maui_gres_table_unref(table);
}

Test(gres_table, sums_and_the_larger)
{
	static const struct {
		uint64_t a[2], b[2], sum[2], larger[2];
	} cases[] = {
		{{1, 2}, {3, 1}, {4, 3}, {3, 2}},
		{{1, 2}, {0, 0}, {1, 2}, {1, 2}},
		{{0, 0}, {1, 2}, {1, 2}, {1, 2}},
		{{0, 0}, {0, 0}, {0, 0}, {0, 0}},
		{{1, 0}, {0, 2}, {1, 2}, {1, 2}},
		{{5, 5}, {5, 5}, {10, 10}, {5, 5}},
		{{UINT64_MAX, 0}, {1, 0}, {UINT64_MAX, 0}, {UINT64_MAX, 0}},
		{{UINT64_C(1) << 32, 1},
		 {UINT64_C(1) << 33, 1},
		 {UINT64_C(3) << 32, 2},
		 {UINT64_C(1) << 33, 1}},
	};
	struct maui_gres_table *table = maui_gres_table_new();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct maui_gres *a = of(table, cases[i].a[0], cases[i].a[1]);
		const struct maui_gres *b = of(table, cases[i].b[0], cases[i].b[1]);

		cr_expect_eq(maui_gres_sum(a, b), of(table, cases[i].sum[0], cases[i].sum[1]),
			     "%zu", i);
		cr_expect_eq(maui_gres_larger(a, b),
			     of(table, cases[i].larger[0], cases[i].larger[1]), "%zu", i);
	}
	maui_gres_table_unref(table);
}

Test(gres_table, without_a_table_it_is_the_most)
{
	struct maui_gres_table *table = maui_gres_table_new();
	const struct maui_gres *one = of(table, 1, 0);

	cr_expect_eq(of(NULL, 1, 0), &maui_gres_most);
	cr_expect_null(of(NULL, 0, 0));
	cr_expect_eq(maui_gres_sum(one, &maui_gres_most), &maui_gres_most);
	cr_expect_eq(maui_gres_sum(NULL, &maui_gres_most), &maui_gres_most);
	cr_expect_eq(maui_gres_larger(&maui_gres_most, one), &maui_gres_most);
	for (unsigned int i = 0; i < MAUI_GRES_NAMES; i++)
		cr_expect_eq(maui_gres_most.amounts.amount[i], UINT64_MAX);
	cr_expect_eq(maui_gres_mask(&maui_gres_most), (1u << MAUI_GRES_NAMES) - 1);
	maui_gres_table_unref(table);
}

Test(gres_table, lives_as_long_as_somebody_refers_to_it)
{
	struct maui_gres_table *table = maui_gres_table_new();
	const struct maui_gres *one = of(table, 7, 0);

	cr_expect_eq(maui_gres_table_ref(table), table);
	cr_expect_null(maui_gres_table_unref(table));
	cr_expect_eq(one->amounts.amount[0], 7);
	cr_expect_eq(of(table, 7, 0), one);
	cr_expect_null(maui_gres_table_unref(table));
	cr_expect_null(maui_gres_table_unref(NULL));
	cr_expect_null(maui_gres_table_ref(NULL));
}

#define THREADS 4
#define AMOUNTS 5000

static struct maui_gres_table *shared;
static const struct maui_gres *seen[THREADS][AMOUNTS];

static void *add_all(void *context)
{
	const struct maui_gres **own = context;

	for (uint64_t i = 0; i < AMOUNTS; i++)
		own[i] = of(shared, i + 1, i % 7);
	return NULL;
}

/* All find the same, whoever was first. */
Test(gres_table, threads_add_to_it_at_once)
{
	pthread_t threads[THREADS];

	shared = maui_gres_table_new();
	for (int i = 0; i < THREADS; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, add_all, seen[i]), 0);
	for (int i = 0; i < THREADS; i++)
		cr_assert_eq(pthread_join(threads[i], NULL), 0);
	cr_expect_eq(maui_gres_table_count(shared), AMOUNTS);
	for (size_t i = 0; i < AMOUNTS; i++) {
		cr_assert_eq(seen[0][i]->amounts.amount[0], i + 1);
		for (int k = 1; k < THREADS; k++)
			cr_assert_eq(seen[k][i], seen[0][i]);
	}
	maui_gres_table_unref(shared);
}
