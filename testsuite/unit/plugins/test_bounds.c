/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one user of the service may have, what all may, and what is kept for root. Each test is a
 * process of its own. */
#include <criterion/criterion.h>
#include <string.h>

#include "plugins/engine/service/bounds.h"

#define BOB 1001u
#define EVE 1002u
#define NOW 5000.0
#define MIB ((size_t)1 << 20)

static void expect_refused(const char *refused, const char *says)
{
	cr_assert_not_null(refused, "not refused: %s", says);
	cr_expect(strstr(refused, says), "%s", refused);
}

static int enter_many(uid_t uid, bool privileged, int most)
{
	int count = 0;

	while (count < most && !bounds_enter(uid, privileged, 1, NOW))
		count++;
	return count;
}

Test(bounds, requests_of_a_user)
{
	cr_expect_eq(enter_many(EVE, false, 1000), BOUND_REQUESTS_USER);
	expect_refused(bounds_enter(EVE, false, 1, NOW), "16 requests under way");
	cr_expect_null(bounds_enter(BOB, false, 1, NOW), "another one is not kept out");
	bounds_leave(EVE);
	cr_expect_null(bounds_enter(EVE, false, 1, NOW));
	expect_refused(bounds_enter(EVE, false, 1, NOW), "16 requests under way");
}

Test(bounds, requests_of_all_leave_a_reserve)
{
	int count = 0;

	for (uid_t uid = 2000; uid < 2100; uid++)
		count += enter_many(uid, false, 10);
	cr_expect_eq(count, BOUND_REQUESTS - BOUND_REQUESTS_RESERVE);
	expect_refused(bounds_enter(BOB, false, 1, NOW), "of all users");
	cr_expect_eq(enter_many(0, true, 1000), BOUND_REQUESTS_RESERVE);
	expect_refused(bounds_enter(0, true, 1, NOW), "of all users");
}

/* Enters and leaves; how often that is possible. */
static int send_many(uid_t uid, bool privileged, size_t size, double now)
{
	int count = 0;

	while (count < 5000 && !bounds_enter(uid, privileged, size, now)) {
		bounds_leave(uid);
		count++;
	}
	return count;
}

Test(bounds, requests_a_second)
{
	cr_expect_eq(send_many(EVE, false, 1, NOW), BOUND_BURST);
	expect_refused(bounds_enter(EVE, false, 1, NOW), "50 requests a second");
	cr_expect_eq(send_many(BOB, false, 1, NOW), BOUND_BURST);
	cr_expect_eq(send_many(EVE, false, 1, NOW + 1), BOUND_RATE);
	cr_expect_eq(send_many(EVE, false, 1, NOW + 1000), BOUND_BURST);
	cr_expect_eq(send_many(0, true, 1, NOW), 5000);
}

Test(bounds, large_requests_count_more)
{
	cr_expect_eq(send_many(EVE, false, 600 << 10, NOW), BOUND_BURST / 10);
}

Test(bounds, refused_requests_do_not_count_as_sent)
{
	send_many(EVE, false, 1, NOW);
	for (int i = 0; i < 100; i++)
		cr_expect_not_null(bounds_enter(EVE, false, 1, NOW + 0.001));
	cr_expect_eq(send_many(EVE, false, 1, NOW + 1), BOUND_RATE);
}

Test(bounds, bytes_of_a_user)
{
	cr_assert_null(bounds_enter(EVE, false, 1, NOW));
	cr_assert_null(bounds_enter(BOB, false, 1, NOW));
	cr_expect_null(bounds_take(EVE, false, BOUND_MIB_USER * MIB));
	expect_refused(bounds_take(EVE, false, 1), "96 MiB");
	cr_expect_null(bounds_take(BOB, false, MIB));
	bounds_give(EVE, MIB);
	cr_expect_null(bounds_take(EVE, false, MIB));
}

Test(bounds, bytes_of_all_leave_a_reserve)
{
	size_t mib = 0;

	for (uid_t uid = 2000; uid < 2010; uid++) {
		cr_assert_null(bounds_enter(uid, false, 1, NOW));
		for (int i = 0; i < 64 && !bounds_take(uid, false, MIB); i++)
			mib++;
	}
	cr_expect_eq(mib, BOUND_MIB - BOUND_MIB_RESERVE);
	expect_refused(bounds_take(2009, false, MIB), "all users");
	cr_assert_null(bounds_enter(0, true, 1, NOW));
	cr_expect_null(bounds_take(0, true, BOUND_MIB_RESERVE * MIB));
	expect_refused(bounds_take(0, true, 1), "all users");
}

Test(bounds, many_users_come_and_go)
{
	cr_assert_null(bounds_enter(EVE, false, 1, NOW));
	cr_assert_null(bounds_take(EVE, false, MIB));
	for (uid_t uid = 2000; uid < 4000; uid++)
		cr_expect_eq(send_many(uid, false, 600 << 10, NOW + uid), BOUND_BURST / 10);
	cr_expect_eq(enter_many(EVE, false, 1000), BOUND_REQUESTS_USER - 1, "hers was kept");
	bounds_give(EVE, MIB);
	for (int i = 0; i < BOUND_REQUESTS_USER; i++)
		bounds_leave(EVE);
	cr_expect_eq(enter_many(BOB, false, 1000), BOUND_REQUESTS_USER);
}
