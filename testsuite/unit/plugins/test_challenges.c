/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the engine gives to those who want to change something: once, for a while, and to one user. */
#include <criterion/criterion.h>
#include <string.h>

#include "plugins/engine/service/challenges.h"

#define BOB 1001u
#define EVE 1002u
#define NOW 5000.0

Test(challenges, is_good_once)
{
	char one[CHALLENGE_SIZE];

	cr_assert_null(challenge_make(BOB, false, NOW, one));
	cr_expect_eq(strspn(one, "0123456789abcdef"), CHALLENGE_SIZE - 1);
	cr_expect(challenge_take(one, BOB, NOW + 1));
	cr_expect_not(challenge_take(one, BOB, NOW + 1));
}

Test(challenges, is_good_for_its_user_alone)
{
	char one[CHALLENGE_SIZE];

	cr_assert_null(challenge_make(BOB, false, NOW, one));
	cr_expect_not(challenge_take(one, EVE, NOW));
	cr_expect(challenge_take(one, BOB, NOW), "her try has used it up");
}

Test(challenges, is_good_for_seconds)
{
	char one[CHALLENGE_SIZE];

	cr_assert_null(challenge_make(BOB, false, NOW, one));
	cr_expect_not(challenge_take(one, BOB, NOW + CHALLENGE_SECONDS));
	cr_expect(challenge_take(one, BOB, NOW + CHALLENGE_SECONDS - 0.1));
}

Test(challenges, nothing_is_none)
{
	cr_expect_not(challenge_take("", 0, NOW), "an empty row is not root's");
}

Test(challenges, a_user_gets_ten_within_a_minute)
{
	char bob[CHALLENGE_SIZE], first[CHALLENGE_SIZE], more[CHALLENGE_SIZE];
	const char *refused;

	cr_assert_null(challenge_make(BOB, false, NOW, bob));
	cr_assert_null(challenge_make(EVE, false, NOW, first));
	for (int i = 1; i < CHALLENGES_OF_USER; i++) {
		cr_assert_null(challenge_make(EVE, false, NOW + 1, more));
		cr_expect(challenge_take(more, EVE, NOW + 1), "a used one counts, too");
	}
	for (int i = 0; i < 1000; i++) {
		refused = challenge_make(EVE, false, NOW + 2, more);
		cr_assert_not_null(refused);
	}
	cr_expect(strstr(refused, "20 changes within a minute"), "%s", refused);
	cr_expect(challenge_take(first, EVE, NOW + 3));
	cr_expect(challenge_take(bob, BOB, NOW + 3));
	cr_expect_null(challenge_make(EVE, false, NOW + CHALLENGES_OF_PERIOD, more));
}

Test(challenges, an_administrator_crowds_out_his_own)
{
	char bob[CHALLENGE_SIZE], first[CHALLENGE_SIZE], second[CHALLENGE_SIZE],
		more[CHALLENGE_SIZE];

	cr_assert_null(challenge_make(BOB, false, NOW, bob));
	cr_assert_null(challenge_make(0, true, NOW, first));
	cr_assert_null(challenge_make(0, true, NOW + 0.1, second));
	for (int i = 2; i <= CHALLENGES_OF_ADMIN; i++)
		cr_assert_null(challenge_make(0, true, NOW + 0.2, more));
	cr_expect_not(challenge_take(first, 0, NOW + 1));
	cr_expect(challenge_take(second, 0, NOW + 1));
	for (int i = 0; i < 1000; i++)
		cr_assert_null(challenge_make(0, true, NOW + 2, more));
	cr_expect(challenge_take(bob, BOB, NOW + 3));
}

Test(challenges, many_users_crowd_out_the_oldest)
{
	char first[CHALLENGE_SIZE], second[CHALLENGE_SIZE], more[CHALLENGE_SIZE];

	cr_assert_null(challenge_make(BOB, false, NOW, first));
	cr_assert_null(challenge_make(EVE, false, NOW + 0.1, second));
	for (uid_t i = 0; i < CHALLENGES - 1; i++)
		cr_assert_null(challenge_make(2000 + i, false, NOW + 1, more));
	cr_expect_not(challenge_take(first, BOB, NOW + 2));
	cr_expect(challenge_take(second, EVE, NOW + 2));
}
