/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>

#include "common/replay/plan/site_known.h"

#define NOW     1000
#define MINUTE  INT64_C(60)
#define REQUEST 1

static struct site_known *known;

static void init(void)
{
	known = site_known_new(3);
	site_known_open(known, false);
}

static void fini(void)
{
	site_known_free(known);
}

TestSuite(known, .init = init, .fini = fini);

static int64_t earliest(uint32_t request, int64_t length)
{
	return site_known_earliest(known, request, length, NOW);
}

Test(known, nothing_before_it_was_seen)
{
	cr_expect_eq(earliest(REQUEST, MINUTE), NOW);
	cr_expect_not(site_known_not_now(known, REQUEST, MINUTE));
}

Test(known, a_job_that_is_no_shorter_begins_no_earlier)
{
	site_known_see(known, REQUEST, 5 * MINUTE, NOW + 100);
	cr_expect_eq(earliest(REQUEST, 5 * MINUTE), NOW + 100);
	cr_expect_eq(earliest(REQUEST, 9 * MINUTE), NOW + 100);
	cr_expect_eq(earliest(REQUEST, 5 * MINUTE - 1), NOW);
	cr_expect_eq(earliest(REQUEST + 1, 9 * MINUTE), NOW);
}

Test(known, what_never_begins_is_known_beside_what_does)
{
	site_known_see(known, REQUEST, 9 * MINUTE, INT64_MAX);
	site_known_see(known, REQUEST, 5 * MINUTE, NOW + 100);
	cr_expect_eq(earliest(REQUEST, 9 * MINUTE), INT64_MAX);
	cr_expect_eq(earliest(REQUEST, 8 * MINUTE), NOW + 100);
	site_known_see(known, REQUEST, 20 * MINUTE, INT64_MAX);
	cr_expect_eq(earliest(REQUEST, 9 * MINUTE), INT64_MAX, "the shorter one counts");
}

Test(known, a_start_ends_what_is_known_of_later_alone)
{
	site_known_see(known, REQUEST, MINUTE, INT64_MAX);
	site_known_misfit(known, REQUEST, 5 * MINUTE);
	site_known_began(known);
	cr_expect_eq(earliest(REQUEST, MINUTE), NOW);
	cr_expect(site_known_not_now(known, REQUEST, 5 * MINUTE));
}

Test(known, the_shortest_that_does_not_fit_now_counts)
{
	site_known_misfit(known, REQUEST, 5 * MINUTE);
	site_known_misfit(known, REQUEST, 9 * MINUTE);
	cr_expect(site_known_not_now(known, REQUEST, 5 * MINUTE));
	cr_expect_not(site_known_not_now(known, REQUEST, 4 * MINUTE));
	site_known_misfit(known, REQUEST, 3 * MINUTE);
	cr_expect(site_known_not_now(known, REQUEST, 4 * MINUTE));
}

Test(known, the_next_turn_knows_nothing)
{
	site_known_see(known, REQUEST, MINUTE, INT64_MAX);
	site_known_misfit(known, REQUEST, MINUTE);
	site_known_open(known, false);
	cr_expect_eq(earliest(REQUEST, MINUTE), NOW);
	cr_expect_not(site_known_not_now(known, REQUEST, MINUTE));
}

Test(known, nothing_where_reservations_let_in_some)
{
	site_known_open(known, true);
	site_known_see(known, REQUEST, MINUTE, INT64_MAX);
	site_known_misfit(known, REQUEST, MINUTE);
	cr_expect_eq(earliest(REQUEST, MINUTE), NOW);
	cr_expect_not(site_known_not_now(known, REQUEST, MINUTE));
}
