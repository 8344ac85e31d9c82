/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a plan leaves of nodes, against a table of nodes and seconds. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

#include "common/replay/plan/site_gaps.h"

#define NODES  70 /* more than a word has */
#define WORDS  2
#define NOW    10
#define END    60
#define LENGTH 5 /* the shortest */
#define LAST   40

static struct site_gaps gaps;
static bool needed[NODES][END];
static uint32_t seed = 1;

static uint32_t roll(uint32_t below)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % below;
}

static void init(void)
{
	uint64_t all[WORDS] = {UINT64_MAX, (UINT64_C(1) << (NODES - 64)) - 1};

	memset(&gaps, 0, sizeof(gaps));
	memset(needed, 0, sizeof(needed));
	site_gaps_open(&gaps, all, WORDS, NOW, LENGTH, LAST);
}

static void fini(void)
{
	site_gaps_clear(&gaps);
}

TestSuite(replay_gaps, .init = init, .fini = fini);

static void keep(const uint64_t *set, int64_t begin, int64_t end)
{
	site_gaps_keep(&gaps, set, begin, end);
	for (uint32_t node = 0; node < NODES; node++)
		for (int64_t i = begin; set[node / 64] >> node % 64 & 1 && i < end && i < END; i++)
			needed[node][i] = true;
}

/* Whether a node is in a gap in which a job of the shortest length can begin at a time, in the list
 * by begin. */
static int gaps_at(uint32_t node, int64_t time)
{
	int found = 0;

	for (size_t i = 0; i < gaps.begins.count; i++) {
		const struct site_gap *gap = &gaps.begins.gaps[i];

		for (size_t j = gap->first; j < gap->first + gap->count; j++)
			found += gap->from <= time && gap->until > time + LENGTH &&
				 gaps.sets.words[j].at == node / 64 &&
				 (gaps.sets.words[j].bits >> node % 64 & 1);
	}
	return found;
}

static void expect_as_needed(void)
{
	for (uint32_t node = 0; node < NODES; node++)
		for (int64_t time = NOW; time <= LAST; time++) {
			bool free = true;

			for (int64_t i = time; i <= time + LENGTH; i++)
				free &= !needed[node][i];
			cr_assert_eq(gaps_at(node, time), free, "node %u at %" PRId64, node, time);
		}
}

static void expect_ends(void)
{
	size_t ends = 0;

	for (size_t i = 0; i < gaps.begins.count; i++) {
		cr_expect(!i || gaps.begins.gaps[i - 1].from <= gaps.begins.gaps[i].from);
		ends += gaps.begins.gaps[i].until != INT64_MAX;
	}
	cr_assert_eq(ends, gaps.ends.count);
	for (size_t i = 1; i < ends; i++)
		cr_expect_leq(gaps.ends.gaps[i - 1].until, gaps.ends.gaps[i].until);
}

Test(replay_gaps, a_plan_leaves_what_it_does_not_need)
{
	for (int plan = 0; plan < 300; plan++) {
		fini();
		init();
		for (int i = 0; i < 12; i++) {
			uint64_t set[WORDS] = {0};
			int64_t begin = NOW + roll(END - NOW) - 2;

			for (uint32_t j = roll(NODES / 3) + 1; j; j--) {
				uint32_t node = roll(NODES);

				set[node / 64] |= UINT64_C(1) << node % 64;
			}
			keep(set, begin, begin + 1 + roll(15));
			expect_ends();
		}
		expect_as_needed();
	}
}

Test(replay_gaps, a_time_is_a_change_once)
{
	cr_expect(site_gaps_change(&gaps, 30));
	cr_expect(site_gaps_change(&gaps, 20));
	cr_expect_not(site_gaps_change(&gaps, 30));
	cr_expect(site_gaps_change(&gaps, 25));
	cr_expect_not(site_gaps_change(&gaps, 20));
}
