/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Windows as time passes, as they are kept, and under other settings. */
#include "testsuite/unit/policy/fairshare/fairshare_fixture.h"

#include <errno.h>
#include <string.h>

static const struct {
	int64_t interval, time, start;
} starts[] = {
	{100, 0, 0},
	{100, 99, 0},
	{100, 100, 100},
	{100, -1, -100},
	{100, -100, -100},
	{86400, 1700000000, 1699920000},
	{0, 77, 77},
	{7, INT64_MAX, INT64_MAX - INT64_MAX % 7},
	{7, INT64_MIN, INT64_MIN},
};

Test(fairshare_windows, begin_at_multiples_of_the_interval_in_utc)
{
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		cr_expect_eq(maui_fairshare_window(starts[i].interval, starts[i].time),
			     starts[i].start, "%zu", i);
}

/* ---- rolling ------------------------------------------------------------------------------- */

Test(fairshare_advance, moves_windows_along)
{
	struct maui_fairshare *fs = fairshare_of(100, 3, 0.5, 250);

	cr_expect_eq(maui_fairshare_start(fs, 0), 200);
	cr_expect_eq(maui_fairshare_start(fs, 2), 0);
	maui_fairshare_charge(fs, ones, 1, 200, 208);
	cr_expect_eq(maui_fairshare_advance(fs, 299), 0);
	cr_expect_eq(user_usage(fs, 0), 8);
	cr_expect_eq(maui_fairshare_dirty(fs), 1);
	cr_expect_eq(maui_fairshare_advance(fs, 300), 1);
	cr_expect_eq(maui_fairshare_start(fs, 0), 300);
	cr_expect_eq(user_usage(fs, 0), 0);
	cr_expect_eq(user_usage(fs, 1), 8);
	cr_expect_eq(maui_fairshare_sum(fs, MAUI_USER, 1), 4);
	cr_expect_eq(maui_fairshare_dirty(fs), 2);
	maui_fairshare_charge(fs, ones, 1, 300, 301);
	cr_expect_eq(maui_fairshare_advance(fs, 400), 1);
	cr_expect_eq(maui_fairshare_sum(fs, MAUI_USER, 1), 0.5 + 2);
	cr_expect_eq(maui_fairshare_dirty(fs), 6);
	cr_expect_eq(maui_fairshare_advance(fs, 500), 1);
	cr_expect_eq(user_usage(fs, 2), 1);
	cr_expect_eq(user_usage(fs, 3), 0);
	cr_expect_eq(maui_fairshare_sum(fs, MAUI_USER, 1), 0.25);
	cr_expect_eq(maui_fairshare_dirty(fs), 4);
	maui_fairshare_free(fs);
}

Test(fairshare_advance, inserts_empty_windows)
{
	static const struct {
		int64_t now;
		uint32_t begun;
		int k; /* where the contents of window 0 are now; -1 nowhere */
	} cases[] = {{250, 0, 0}, {350, 1, 1},  {450, 2, 2},
		     {550, 3, 3}, {650, 4, -1}, {INT64_MAX, 4, -1}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_fairshare *fs = fairshare_of(100, 4, 1, 200);

		maui_fairshare_charge(fs, ones, 1, 200, 210);
		cr_expect_eq(maui_fairshare_advance(fs, cases[i].now), cases[i].begun);
		for (int k = 0; k < 4; k++)
			cr_expect_eq(user_usage(fs, k), k == cases[i].k ? 10 : 0, "%zu: %d", i, k);
		cr_expect_eq(maui_fairshare_dirty(fs), cases[i].k < 0 ? 0 : 1u << cases[i].k);
		maui_fairshare_free(fs);
	}
}

Test(fairshare_advance, does_not_follow_a_clock_that_goes_back)
{
	struct maui_fairshare *fs = fairshare_of(100, 3, 1, 200);

	maui_fairshare_charge(fs, ones, 1, 200, 210);
	cr_expect_eq(maui_fairshare_advance(fs, 50), 0);
	cr_expect_eq(maui_fairshare_start(fs, 0), 200);
	maui_fairshare_charge(fs, ones, 1, 40, 50);
	cr_expect_eq(user_usage(fs, 0), 10);
	cr_expect_eq(user_usage(fs, 2), 10);
	cr_expect_eq(maui_fairshare_advance(fs, 199), 0);
	cr_expect_eq(maui_fairshare_advance(fs, 300), 1);
	cr_expect_eq(user_usage(fs, 1), 10);
	maui_fairshare_free(fs);
}

Test(fairshare_advance, works_with_one_window)
{
	struct maui_fairshare *fs = fairshare_of(100, 1, 0.5, 200);

	maui_fairshare_charge(fs, ones, 1, 150, 210);
	cr_expect_eq(maui_fairshare_sum(fs, MAUI_USER, 1), 10);
	cr_expect_eq(maui_fairshare_advance(fs, 999), 1);
	cr_expect_eq(maui_fairshare_sum(fs, MAUI_USER, 1), 0);
	cr_expect_eq(maui_fairshare_dirty(fs), 0);
	maui_fairshare_free(fs);
}

/* After the ring has wrapped around, every window is where it should be. */
Test(fairshare_advance, goes_round_and_round)
{
	struct maui_fairshare *fs = fairshare_of(10, 24, 0.9, 0);

	for (int64_t window = 0; window < 100; window++) {
		maui_fairshare_advance(fs, window * 10);
		maui_fairshare_charge(fs, ones, (double)window + 1, window * 10, window * 10 + 10);
	}
	for (uint32_t k = 0; k < 24; k++)
		cr_expect_eq(user_usage(fs, k), (100 - k) * 10);
	maui_fairshare_free(fs);
}

/* ---- flags and single values --------------------------------------------------------------- */

Test(fairshare_dirty, is_kept_by_window)
{
	struct maui_fairshare *fs = fairshare_of(100, 32, 1, 200);

	maui_fairshare_set(fs, MAUI_USER, 1, 3, 5);
	cr_expect_eq(maui_fairshare_dirty(fs), 0);
	maui_fairshare_soil(fs, 3);
	maui_fairshare_soil(fs, 31);
	maui_fairshare_soil(fs, 32);
	cr_expect_eq(maui_fairshare_dirty(fs), 1u << 31 | 8u);
	maui_fairshare_clean(fs, 3);
	maui_fairshare_clean(fs, 77);
	cr_expect_eq(maui_fairshare_dirty(fs), 1u << 31);
	maui_fairshare_advance(fs, 300);
	cr_expect_eq(maui_fairshare_dirty(fs), 0);
	maui_fairshare_free(fs);
}

Test(fairshare_set, replaces_and_bounds)
{
	struct maui_fairshare *fs = fairshare_of(100, 3, 0.5, 200);

	maui_fairshare_set(fs, MAUI_USER, 1, 1, 5);
	maui_fairshare_set(fs, MAUI_USER, 1, 1, 6);
	cr_expect_eq(maui_fairshare_sum(fs, MAUI_USER, 1), 3);
	maui_fairshare_set(fs, MAUI_USER, 1, 3, 5);
	maui_fairshare_set(fs, MAUI_USER, 0, 0, 5);
	maui_fairshare_set(fs, MAUI_USER, ROOM + 1, 0, 5);
	maui_fairshare_set(fs, MAUI_FS_TOTAL, 1, 0, 5);
	maui_fairshare_set(fs, 77, 1, 0, 5);
	cr_expect_eq(maui_fairshare_sum(fs, MAUI_USER, 1), 3);
	cr_expect_eq(maui_fairshare_sum(fs, MAUI_FS_TOTAL, 0), 0);
	maui_fairshare_set(fs, MAUI_USER, 1, 1, NAN);
	cr_expect_eq(maui_fairshare_sum(fs, MAUI_USER, 1), 0);
	maui_fairshare_set(fs, MAUI_USER, 1, 1, INFINITY);
	cr_expect_eq(user_usage(fs, 1), 1e18);
	maui_fairshare_set(fs, MAUI_USER, 1, 0, 4);
	maui_fairshare_clear(fs, 1);
	maui_fairshare_clear(fs, 3);
	cr_expect_eq(maui_fairshare_sum(fs, MAUI_USER, 1), 4);
	maui_fairshare_clear(fs, 0);
	cr_expect_eq(maui_fairshare_sum(fs, MAUI_USER, 1), 0);
	maui_fairshare_free(fs);
}

Test(fairshare_set, beyond_the_deepest_window_there_is_none)
{
	struct maui_fairshare *fs = fairshare_of(100, MAUI_FS_MAX_DEPTH, 0.5, 200);

	maui_fairshare_set(fs, MAUI_USER, 1, 0, 4);
	maui_fairshare_clear(fs, MAUI_FS_MAX_DEPTH);
	cr_expect_eq(maui_fairshare_sum(fs, MAUI_USER, 1), 4);
	maui_fairshare_free(fs);
}

Test(fairshare_reserve, keeps_what_there_is)
{
	struct maui_fairshare *fs = fairshare_of(100, 3, 0.5, 200);
	uint32_t last[MAUI_CREDENTIALS] = {100000};

	maui_fairshare_charge(fs, ones, 1, 0, 300);
	cr_expect_eq(maui_fairshare_advance(fs, 300), 1);
	for (uint32_t count = 1; count <= 100000; count += 1 + count / 7)
		cr_assert_eq(maui_fairshare_reserve(fs, MAUI_USER, count), 0);
	cr_assert_eq(maui_fairshare_reserve(fs, MAUI_USER, 100000), 0);
	cr_assert_eq(maui_fairshare_reserve(fs, MAUI_USER, 3), 0);
	cr_expect_eq(user_usage(fs, 1), 100);
	cr_expect_eq(user_usage(fs, 2), 100);
	cr_expect_eq(maui_fairshare_sum(fs, MAUI_USER, 1), 75);
	maui_fairshare_charge(fs, last, 1, 250, 350);
	cr_expect_eq(maui_fairshare_sum(fs, MAUI_USER, 100000), 75);
	cr_expect_eq(maui_fairshare_reserve(fs, MAUI_FS_TOTAL, 5), -EINVAL);
	cr_expect_eq(maui_fairshare_reserve(fs, MAUI_USER, UINT32_MAX), -EINVAL);
	maui_fairshare_free(fs);
}

/* ---- other settings ------------------------------------------------------------------------ */

/* 10, 20, 30, 40 in windows 0 to 3, all dirty. */
static struct maui_fairshare *four_windows(void)
{
	struct maui_fairshare *fs = fairshare_of(100, 4, 0.5, 350);

	for (uint32_t k = 0; k < 4; k++) {
		maui_fairshare_set(fs, MAUI_USER, 1, k, 10 * (k + 1));
		maui_fairshare_soil(fs, k);
	}
	return fs;
}

static const struct {
	const char *what;
	int64_t interval;
	uint32_t depth;
	double decay;
	unsigned int changes;
	uint32_t load;
	double usage[6], sum;
	uint32_t dirty;
} changes[] = {
	{"none", 100, 4, 0.5, 0, 4, {10, 20, 30, 40}, 10 + 10 + 7.5 + 5, 15},
	{"decay", 100, 4, 1, MAUI_FS_CHANGED_DECAY, 4, {10, 20, 30, 40}, 100, 15},
	{"deeper", 100, 6, 0.5, MAUI_FS_CHANGED_DEPTH, 4, {10, 20, 30, 40, 0, 0}, 32.5, 15},
	{"shallower", 100, 2, 0.5, MAUI_FS_CHANGED_DEPTH, 2, {10, 20, 0, 0}, 20, 3},
	{"interval", 60, 4, 0.5, MAUI_FS_CHANGED_INTERVAL, 0, {0}, 0, 0},
	{"all",
	 60,
	 6,
	 1,
	 MAUI_FS_CHANGED_INTERVAL | MAUI_FS_CHANGED_DEPTH | MAUI_FS_CHANGED_DECAY,
	 0,
	 {0},
	 0,
	 0},
};

Test(fairshare_change, keeps_what_still_counts)
{
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct maui_fairshare_settings settings =
			settings_of(changes[i].interval, changes[i].depth, changes[i].decay);
		struct maui_fairshare *fs = four_windows();
		uint32_t load = 77;

		cr_expect_eq(maui_fairshare_change(fs, &settings, 355, &load), changes[i].changes,
			     "%s", changes[i].what);
		cr_expect_eq(load, changes[i].load, "%s: %u", changes[i].what, load);
		for (uint32_t k = 0; k < 6; k++)
			cr_expect_eq(user_usage(fs, k), changes[i].usage[k], "%s: %u",
				     changes[i].what, k);
		cr_expect_eq(maui_fairshare_sum(fs, MAUI_USER, 1), changes[i].sum, "%s",
			     changes[i].what);
		cr_expect_eq(maui_fairshare_dirty(fs), changes[i].dirty, "%s", changes[i].what);
		cr_expect_eq(maui_fairshare_start(fs, 0), 300); /* with either interval */
		maui_fairshare_free(fs);
	}
}

/* Processor-seconds and GPU-seconds make no sum: D-FS-13. */
Test(fairshare_change, to_another_metric_empties_the_windows)
{
	struct maui_fairshare_settings settings = settings_of(100, 4, 0.5);
	struct maui_fairshare *fs = four_windows();
	uint32_t load = 99;

	settings.metric = MAUI_FS_UTILIZEDPS;
	settings.ratio = true;
	cr_expect_eq(maui_fairshare_change(fs, &settings, 350, &load),
		     MAUI_FS_CHANGED_METRIC | MAUI_FS_CHANGED_RATIO);
	cr_expect_eq(load, 0);
	for (uint32_t k = 0; k < 4; k++)
		cr_expect_eq(user_usage(fs, k), 0);
	cr_expect_eq(maui_fairshare_start(fs, 0), 300);
	settings.metric = MAUI_FS_DEDICATEDGRES;
	memcpy(settings.gres_name, "gpu", 4);
	maui_fairshare_change(fs, &settings, 350, NULL);
	memcpy(settings.gres_name, "fpg", 4);
	cr_expect_eq(maui_fairshare_change(fs, &settings, 350, NULL), MAUI_FS_CHANGED_METRIC);
	maui_fairshare_free(fs);
}

/* Other settings are tried on a copy; the original keeps its state, and so does the copy. */
Test(fairshare_copy, is_the_same_usage_once_more)
{
	struct maui_fairshare_settings shallow = settings_of(100, 2, 0.25);
	struct maui_fairshare *fs = four_windows(), *copy = maui_fairshare_copy(fs);

	cr_assert(copy);
	for (uint32_t k = 0; k < 5; k++)
		cr_expect_eq(maui_fairshare_usage(copy, MAUI_USER, 1, k),
			     maui_fairshare_usage(fs, MAUI_USER, 1, k));
	cr_expect_eq(maui_fairshare_sum(copy, MAUI_USER, 1), maui_fairshare_sum(fs, MAUI_USER, 1));
	cr_expect_eq(maui_fairshare_percent(copy, MAUI_USER, 1),
		     maui_fairshare_percent(fs, MAUI_USER, 1));
	maui_fairshare_change(copy, &shallow, 350, NULL);
	maui_fairshare_charge(copy, ones, 1, 300, 350);
	cr_expect_eq(user_usage(fs, 3), 40);
	cr_expect_eq(maui_fairshare_usage(copy, MAUI_USER, 1, 0), user_usage(fs, 0) + 50);
	cr_expect_eq(maui_fairshare_usage(copy, MAUI_USER, 1, 3), 0);
	maui_fairshare_advance(fs, 1000);
	cr_expect_eq(maui_fairshare_usage(copy, MAUI_USER, 1, 1), 20);
	maui_fairshare_free(copy);
	maui_fairshare_free(fs);
}

/* What rolled out of a greater depth does not come back when the depth grows again. */
Test(fairshare_change, brings_nothing_back)
{
	struct maui_fairshare_settings shallow = settings_of(100, 2, 0.5),
				       deep = settings_of(100, 32, 0.5);
	struct maui_fairshare *fs = four_windows();

	maui_fairshare_change(fs, &shallow, 350, NULL);
	maui_fairshare_advance(fs, 400);
	maui_fairshare_charge(fs, ones, 1, 400, 407);
	maui_fairshare_change(fs, &deep, 450, NULL);
	cr_expect_eq(user_usage(fs, 0), 7);
	cr_expect_eq(user_usage(fs, 1), 10);
	for (uint32_t k = 2; k < 32; k++)
		cr_expect_eq(user_usage(fs, k), 0);
	/* And older times have a place again. */
	maui_fairshare_charge(fs, ones, 1, 100, 150);
	cr_expect_eq(user_usage(fs, 3), 50);
	maui_fairshare_free(fs);
}
