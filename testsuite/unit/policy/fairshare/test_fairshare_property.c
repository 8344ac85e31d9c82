/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random histories against a model without windows: it keeps what each user used in each second,
 * and sums it up when asked. Rates are whole numbers, so that both are exact.
 */
#include "testsuite/unit/policy/fairshare/fairshare_fixture.h"

#define SECONDS  4000
#define USERS    6
#define INTERVAL 97
#define STEPS    60
#define ROUNDS   60

/* xorshift64* */
static uint32_t below(uint64_t *state, uint32_t limit)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (uint32_t)((*state * UINT64_C(2685821657736338717) >> 32) * limit >> 32);
}

struct model {
	uint32_t depth;
	double decay;
	int64_t now;                     /* of the current window */
	double used[USERS + 1][SECONDS]; /* [0]: by nobody known, only in the total */
};

static double model_window(const struct model *model, uint32_t user, uint32_t k)
{
	int64_t start = model->now - (int64_t)k * INTERVAL;
	double sum = 0;

	for (int64_t t = start; t < start + INTERVAL; t++)
		if (t >= 0 && t < SECONDS)
			sum += model->used[user][t];
	return sum;
}

static void model_charge(struct model *model, uint32_t user, double rate, int64_t from, int64_t to)
{
	int64_t oldest = model->now - (model->depth - 1) * INTERVAL, end = model->now + INTERVAL;

	for (int64_t t = from; t < to; t++) {
		/* Time past the current window counts in it. */
		int64_t at = t < end ? t : end - 1;

		if (t >= oldest && at >= 0)
			model->used[user][at] += rate;
	}
}

/* What is older than the oldest window is forgotten, for good. */
static void model_settle(struct model *model)
{
	int64_t oldest = model->now - (model->depth - 1) * INTERVAL;

	for (uint32_t user = 0; user <= USERS; user++)
		for (int64_t t = 0; t < oldest; t++)
			model->used[user][t] = 0;
}

static void compare(const struct model *model, const struct maui_fairshare *fs, int round, int step)
{
	double totals = 0, total = 0, users = 0;

	for (uint32_t k = 0; k < model->depth; k++) {
		double window = 0;

		for (uint32_t user = 0; user <= USERS; user++)
			window += model_window(model, user, k);
		cr_assert_eq(maui_fairshare_usage(fs, MAUI_FS_TOTAL, 0, k), window,
			     "round %d, step %d, window %u", round, step, k);
		totals += window * pow(model->decay, k);
	}
	total = maui_fairshare_sum(fs, MAUI_FS_TOTAL, 0);
	expect_near(total, totals, "round %d, step %d", round, step);
	for (uint32_t user = 1; user <= USERS; user++) {
		double sum = 0;

		for (uint32_t k = 0; k < model->depth; k++) {
			double window = model_window(model, user, k);

			cr_assert_eq(maui_fairshare_usage(fs, MAUI_USER, user, k), window,
				     "round %d, step %d, user %u, window %u", round, step, user, k);
			sum += window * pow(model->decay, k);
		}
		expect_near(maui_fairshare_sum(fs, MAUI_USER, user), sum);
		users += maui_fairshare_sum(fs, MAUI_USER, user);
	}
	/* If every job has a user, the users make up the total. */
	if (round % 2)
		expect_near(users, total, "round %d, step %d", round, step);
}

static void take_step(struct model *model, struct maui_fairshare *fs, uint64_t *random, int round)
{
	uint32_t user = round % 2 ? 1 + below(random, USERS) : below(random, USERS + 1);
	uint32_t credential[MAUI_CREDENTIALS] = {user, 1, 0, 2, 1 + user % 3};
	int64_t from = below(random, SECONDS), to = from + below(random, 400);
	double rate = 1 + below(random, 100);
	struct maui_fairshare_settings settings;

	switch (below(random, 8)) {
	case 0: /* time advances; sometimes by much, sometimes backwards */
		from = model->now + below(random, below(random, 4) ? 150 : 700) - 50;
		maui_fairshare_advance(fs, from);
		if (maui_fairshare_window(INTERVAL, from) > model->now)
			model->now = maui_fairshare_window(INTERVAL, from);
		break;
	case 1:
		settings = settings_of(INTERVAL, 1 + below(random, 12), below(random, 5) / 4.0);
		maui_fairshare_change(fs, &settings, 0, NULL);
		model->depth = settings.depth;
		model->decay = settings.decay;
		break;
	case 2:
		maui_fairshare_correct(fs, credential, rate, from, from + 1);
		model_charge(model, user, rate, from, from + 1);
		break;
	default:
		if (below(random, 2)) { /* usually: until now */
			to = model->now + below(random, INTERVAL);
			from = to - below(random, 300);
		}
		maui_fairshare_charge(fs, credential, rate, from, to);
		model_charge(model, user, rate, from < 0 ? 0 : from, to);
		break;
	}
	model_settle(model);
}

Test(fairshare_property, windows_are_the_sums_of_their_seconds)
{
	static struct model model;
	uint64_t random = UINT64_C(88172645463325252);

	for (int round = 0; round < ROUNDS; round++) {
		struct maui_fairshare *fs = fairshare_of(INTERVAL, 4, 0.75, INTERVAL * 12);

		model = (struct model){.depth = 4, .decay = 0.75, .now = (int64_t)INTERVAL * 12};
		model_settle(&model);
		for (int step = 0; step < STEPS && model.now < SECONDS - 2 * INTERVAL; step++) {
			take_step(&model, fs, &random, round);
			compare(&model, fs, round, step);
		}
		maui_fairshare_free(fs);
	}
}

/* The same usage in any pieces and any order gives the same result. */
Test(fairshare_property, pieces_do_not_matter)
{
	uint64_t random = 42;

	for (int round = 0; round < 200; round++) {
		struct maui_fairshare *whole = fairshare_of(100, 5, 0.5, 450);
		struct maui_fairshare *pieces = fairshare_of(100, 5, 0.5, 450);
		int64_t from = below(&random, 500), to = from + below(&random, 500), at = to;

		maui_fairshare_charge(whole, ones, 3, from, to);
		while (at > from) {
			int64_t begin = at - 1 - below(&random, 90);

			begin = begin > from ? begin : from;
			maui_fairshare_charge(pieces, ones, 3, begin, at);
			at = begin;
		}
		for (uint32_t k = 0; k < 5; k++)
			cr_expect_eq(user_usage(pieces, k), user_usage(whole, k));
		cr_expect_eq(maui_fairshare_sum(pieces, MAUI_QOS, 1),
			     maui_fairshare_sum(whole, MAUI_QOS, 1));
		maui_fairshare_free(whole);
		maui_fairshare_free(pieces);
	}
}
