/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is idle and who pays for it: against a count that checks every second of every slot. */
#include "common/policy/fairshare/idle.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define ACCOUNT(id) ((struct maui_idle_payer){MAUI_ACCOUNT, id})
#define NOW         INT64_C(1000000)

/* By the payer's id: processor-seconds, and when they ended. */
struct bill {
	double amount[8];
	int64_t first, last;
	size_t spans;
};

static void add(const struct maui_idle_span *span, void *context)
{
	struct bill *bill = context;

	cr_assert_gt(span->to, span->from);
	cr_assert_gt(span->rate, 0);
	cr_assert_lt(span->payer.id, 8);
	bill->amount[span->payer.id] += span->rate * (double)(span->to - span->from);
	bill->first = bill->spans && bill->first < span->from ? bill->first : span->from;
	bill->last = span->to > bill->last ? span->to : bill->last;
	bill->spans++;
}

static struct bill take(struct maui_idle *idle, int64_t until)
{
	struct bill bill = {0};

	maui_idle_take(idle, until, add, &bill);
	cr_assert_leq(bill.last, until);
	return bill;
}

static const struct maui_idle_range four[] = {{0, 4}}, first_two[] = {{0, 2}},
				    last_three[] = {{1, 3}}, eight[] = {{0, 8}};
static const double weight[8] = {1, 1, 1, 1, 1, 1, 1, 1};

static struct maui_idle_hold hold(uint32_t account, int64_t start, int64_t end,
				  const struct maui_idle_range *ranges)
{
	return (struct maui_idle_hold){ACCOUNT(account), start, end, ranges, 1};
}

static struct maui_idle *with(const struct maui_idle_hold *holds, size_t count)
{
	struct maui_idle *idle = maui_idle_new();

	cr_assert_not_null(idle);
	maui_idle_layout(idle, NOW, weight, 8, holds, count);
	return idle;
}

Test(idle, nothing_is_idle_where_nobody_answers)
{
	struct maui_idle *idle = maui_idle_new();

	cr_assert(!maui_idle_watches(idle));
	maui_idle_begin(idle, 7, four, 1, NOW);
	maui_idle_end(idle, 7, NOW + 5);
	cr_assert_eq(take(idle, NOW + 10).spans, 0);
	maui_idle_layout(idle, NOW, NULL, 0, NULL, 0);
	cr_assert_eq(take(idle, NOW + 20).spans, 0);
	maui_idle_free(idle);
	maui_idle_free(NULL);
}

Test(idle, jobs_take_and_give_back_to_the_second)
{
	struct maui_idle_hold holds[] = {hold(1, 0, NOW + 1000, four)};
	struct maui_idle *idle = with(holds, 1);

	cr_assert(maui_idle_watches(idle));
	maui_idle_begin(idle, 7, first_two, 1, NOW + 10);
	maui_idle_begin(idle, 8, last_three, 1, NOW + 15); /* shares slot 1 with the other */
	cr_assert_eq(maui_idle_rate(idle), 0);
	maui_idle_end(idle, 7, NOW + 20);
	cr_assert_eq(maui_idle_rate(idle), 1);
	maui_idle_end(idle, 8, NOW + 23);
	maui_idle_end(idle, 8, NOW + 24); /* reported twice */
	maui_idle_end(idle, 9, NOW + 24); /* never reported */
	cr_assert_eq(take(idle, NOW + 30).amount[1], 4 * 10 + 2 * 5 + 0 * 5 + 1 * 3 + 4 * 7);
	cr_assert_eq(take(idle, NOW + 30).spans, 0);
	cr_assert_eq(take(idle, NOW + 31).amount[1], 4);
	maui_idle_free(idle);
}

/* More jobs and more spans than initially allocated. */
Test(idle, hundreds_of_jobs_begin_and_end_before_anybody_asks)
{
	struct maui_idle_hold holds[] = {hold(1, 0, NOW + 10000, eight)};
	struct maui_idle *idle = with(holds, 1);
	struct bill bill;

	for (uint32_t id = 1; id <= 500; id++)
		maui_idle_begin(idle, id, id % 2 ? first_two : last_three, 1, NOW + id);
	for (uint32_t id = 1; id <= 500; id++)
		maui_idle_end(idle, id, NOW + 1000 + id);
	cr_assert_eq(maui_idle_rate(idle), 8);
	/* Slot 0 belongs to the odd jobs, 1 to all, 2 and 3 to the even ones; four to none. */
	bill = take(idle, NOW + 2000);
	cr_assert_eq(bill.amount[1], 8 * 2000 - 1498 - 1499 - 2 * 1498);
	for (int64_t second = 0; second < 500; second++) {
		maui_idle_begin(idle, 7, first_two, 1, NOW + 2000 + 2 * second);
		maui_idle_end(idle, 7, NOW + 2001 + 2 * second);
	}
	bill = take(idle, NOW + 3000);
	cr_assert_eq(bill.amount[1], 500 * 6 + 500 * 8);
	cr_assert_gt(bill.spans, 500);
	maui_idle_free(idle);
}

Test(idle, what_is_later_is_kept)
{
	struct maui_idle_hold holds[] = {hold(1, 0, NOW + 1000, four)};
	struct maui_idle *idle = with(holds, 1);
	struct bill bill;

	maui_idle_begin(idle, 7, four, 1, NOW + 12);
	bill = take(idle, NOW + 10);
	cr_assert_eq(bill.amount[1], 4 * 10);
	cr_assert_eq(bill.last, NOW + 10);
	bill = take(idle, NOW + 20);
	cr_assert_eq(bill.amount[1], 4 * 2);
	cr_assert_eq(bill.first, NOW + 10);
	maui_idle_free(idle);
}

Test(idle, holds_begin_and_end_in_their_second)
{
	struct maui_idle_hold holds[] = {hold(1, NOW + 5, NOW + 10, four),
					 hold(2, NOW + 20, NOW + 25, eight)};
	struct maui_idle *idle = with(holds, 2);

	cr_assert_eq(maui_idle_rate(idle), 0);
	maui_idle_begin(idle, 7, first_two, 1, NOW + 2);
	maui_idle_end(idle, 7, NOW + 22); /* the first call after all of these times */
	cr_assert_eq(maui_idle_rate(idle), 8);
	struct bill bill = take(idle, NOW + 100);
	cr_assert_eq(bill.amount[1], 2 * 5);
	cr_assert_eq(bill.amount[2], 6 * 2 + 8 * 3);
	cr_assert(!maui_idle_watches(idle));
	maui_idle_free(idle);
}

Test(idle, of_several_holds_the_first_pays)
{
	struct maui_idle_hold holds[] = {hold(1, NOW + 10, NOW + 20, first_two),
					 hold(2, 0, NOW + 30, four), hold(2, 0, NOW + 40, four)};
	struct maui_idle *idle = with(holds, 3);
	struct bill bill = take(idle, NOW + 100);

	cr_assert_eq(bill.amount[1], 2 * 10);
	cr_assert_eq(bill.amount[2], 4 * 10 + 2 * 10 + 4 * 20);
	maui_idle_free(idle);
}

Test(idle, slots_weigh_what_they_weigh)
{
	static const double weights[4] = {2, 0.5, 0, -3}; /* two of them cannot be idle */
	static const struct maui_idle_range beyond[] = {{9, 2}};
	struct maui_idle_hold holds[] = {
		hold(1, 0, NOW + 100, eight), /* four of them do not exist */
		hold(2, 0, NOW + 100, beyond)};
	struct maui_idle *idle = maui_idle_new();

	maui_idle_layout(idle, NOW, weights, 4, holds, 2);
	for (uint32_t i = 0; i < 1000; i++) {
		maui_idle_begin(idle, 7, eight, 1, NOW);
		cr_assert_eq(maui_idle_rate(idle), 0);
		maui_idle_end(idle, 7, NOW);
	}
	cr_assert_eq(take(idle, NOW + 10).amount[1], 25);
	maui_idle_free(idle);
}

/*
 * Sums of tenths leave rounding errors; with nothing idle the rate is exactly 0, even after holds
 * have come and gone.
 */
Test(idle, no_slot_idle_is_a_rate_of_exactly_0)
{
	static const double tenths[4] = {0.7, 0.1, 0.2, 0.3};
	struct maui_idle_hold holds[] = {hold(1, 0, NOW + 1000, four),
					 hold(2, NOW + 10, NOW + 20, first_two)};
	struct maui_idle *idle = maui_idle_new();
	struct bill bill;

	maui_idle_layout(idle, NOW, tenths, 4, holds, 2);
	for (uint32_t times = 0; times < 4; times++) {
		int64_t begin = NOW + 5 + 10 * times;

		maui_idle_begin(idle, 7, four, 1, begin);
		cr_assert_eq(maui_idle_rate(idle), 0, "%u", times);
		maui_idle_end(idle, 7, begin + 1);
	}
	maui_idle_begin(idle, 8, four, 1, NOW + 50);
	take(idle, NOW + 50);
	bill = take(idle, NOW + 900);
	cr_assert_eq(bill.spans, 0);
	maui_idle_free(idle);
}

Test(idle, another_layout_begins_where_the_last_one_ended)
{
	struct maui_idle_hold before[] = {hold(1, 0, NOW + 1000, four)};
	struct maui_idle_hold after[] = {hold(2, 0, NOW + 1000, eight)};
	struct maui_idle *idle = with(before, 1);
	struct bill bill;

	maui_idle_begin(idle, 7, first_two, 1, NOW + 1);
	maui_idle_layout(idle, NOW + 10, weight, 8, after, 1);
	cr_assert_eq(maui_idle_rate(idle), 8); /* jobs must be reported again */
	maui_idle_begin(idle, 7, first_two, 1, NOW + 10);
	bill = take(idle, NOW + 20);
	cr_assert_eq(bill.amount[1], 4 + 2 * 9);
	cr_assert_eq(bill.amount[2], 6 * 10);
	maui_idle_free(idle);
}

Test(idle, another_layout_bills_what_ended_before_it)
{
	struct maui_idle_hold before[] = {hold(1, 0, NOW + 5, four)};
	struct maui_idle_hold after[] = {hold(2, 0, NOW + 1000, eight)};
	struct maui_idle *idle = with(before, 1);
	struct bill bill;

	maui_idle_layout(idle, NOW + 10, weight, 8, after, 1);
	bill = take(idle, NOW + 20);
	cr_assert_eq(bill.amount[1], 4 * 5);
	cr_assert_eq(bill.amount[2], 8 * 10);
	maui_idle_free(idle);
}

Test(idle, seconds_that_the_clock_was_set_by_are_nobodys)
{
	struct maui_idle_hold holds[] = {hold(1, 0, NOW + 100000, four)};
	struct maui_idle *idle = with(holds, 1);

	cr_assert_eq(take(idle, NOW + 10).amount[1], 40);
	maui_idle_step(idle, 3600);
	cr_assert_eq(take(idle, NOW + 10 + 3600 + 5).amount[1], 20);
	maui_idle_step(idle, -7200);
	cr_assert_eq(take(idle, NOW + 15 - 3600 + 2).amount[1], 8);
	maui_idle_free(idle);
}

Test(idle, a_look_changes_nothing)
{
	struct maui_idle_hold holds[] = {hold(1, 0, NOW + 50, four)};
	struct maui_idle *idle = with(holds, 1);
	struct bill bill = {0};

	maui_idle_begin(idle, 7, first_two, 1, NOW + 10);
	maui_idle_look(idle, NOW + 20, add, &bill);
	cr_assert_eq(bill.amount[1], 4 * 10 + 2 * 10);
	bill = (struct bill){0};
	maui_idle_look(idle, NOW + 5, add, &bill);
	cr_assert_eq(bill.amount[1], 4 * 5);
	bill = (struct bill){0};
	maui_idle_look(idle, NOW + 500, add, &bill);
	cr_assert_eq(bill.amount[1], 4 * 10 + 2 * 40);
	cr_assert_eq(take(idle, NOW + 500).amount[1], 4 * 10 + 2 * 40);
	maui_idle_free(idle);
}

/* ---- at random, against second by second ---- */

#define SLOTS   8
#define JOBS    6
#define SECONDS 200

struct model {
	struct maui_idle_hold holds[5];
	struct maui_idle_range ranges[5];
	struct maui_idle_range job[JOBS]; /* count 0: it does not run */
	double amount[8];
};

static bool covers(const struct maui_idle_range *range, uint32_t slot)
{
	return slot >= range->first && slot - range->first < range->count;
}

static void pay_one_second(struct model *model, int64_t now)
{
	for (uint32_t slot = 0; slot < SLOTS; slot++) {
		bool used = false;

		for (int i = 0; i < JOBS; i++)
			used |= covers(&model->job[i], slot);
		for (int i = 0; i < 5 && !used; i++) {
			const struct maui_idle_hold *one = &model->holds[i];

			if (one->start > now || now >= one->end || !covers(one->ranges, slot))
				continue;
			model->amount[one->payer.id] += 1;
			break;
		}
	}
}

static struct maui_idle_range some_slots(void)
{
	uint32_t first = (uint32_t)(rand() % SLOTS);

	return (struct maui_idle_range){first, 1 + (uint32_t)rand() % (SLOTS - first)};
}

static void make_holds(struct model *model)
{
	for (int i = 0; i < 5; i++) {
		int64_t start = NOW - 10 + rand() % SECONDS;

		model->ranges[i] = some_slots();
		model->holds[i] = hold(1 + (uint32_t)rand() % 3, start, start + rand() % 100,
				       &model->ranges[i]);
	}
}

static void happen(struct model *model, struct maui_idle *idle, int64_t now)
{
	uint32_t job = (uint32_t)rand() % JOBS;

	if (rand() % 3)
		return;
	if (model->job[job].count) {
		model->job[job].count = 0;
		maui_idle_end(idle, job + 1, now);
	} else {
		model->job[job] = some_slots();
		maui_idle_begin(idle, job + 1, &model->job[job], 1, now);
	}
}

Test(idle, it_is_what_a_count_of_every_second_finds)
{
	for (unsigned int seed = 1; seed <= 300; seed++) {
		struct model model = {0};
		struct bill bill = {0};
		struct maui_idle *idle;

		srand(seed);
		make_holds(&model);
		idle = with(model.holds, 5);
		for (int64_t now = NOW; now < NOW + SECONDS; now++) {
			happen(&model, idle, now);
			happen(&model, idle, now);
			if (!(rand() % 20))
				maui_idle_take(idle, now - rand() % 3, add, &bill);
			pay_one_second(&model, now);
		}
		maui_idle_take(idle, NOW + SECONDS, add, &bill);
		for (int payer = 1; payer <= 3; payer++)
			cr_assert_eq(bill.amount[payer], model.amount[payer], "seed %u, %d: %g, %g",
				     seed, payer, bill.amount[payer], model.amount[payer]);
		maui_idle_free(idle);
	}
}
