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

	cr_assert(challenge_make(BOB, NOW, one));
	cr_expect_eq(strspn(one, "0123456789abcdef"), CHALLENGE_SIZE - 1);
	cr_expect(challenge_take(one, BOB, NOW + 1));
	cr_expect_not(challenge_take(one, BOB, NOW + 1));
}

Test(challenges, is_good_for_its_user_alone)
{
	char one[CHALLENGE_SIZE];

	cr_assert(challenge_make(BOB, NOW, one));
	cr_expect_not(challenge_take(one, EVE, NOW));
	cr_expect(challenge_take(one, BOB, NOW), "her try has used it up");
}

Test(challenges, is_good_for_seconds)
{
	char one[CHALLENGE_SIZE];

	cr_assert(challenge_make(BOB, NOW, one));
	cr_expect_not(challenge_take(one, BOB, NOW + CHALLENGE_SECONDS));
	cr_expect(challenge_take(one, BOB, NOW + CHALLENGE_SECONDS - 0.1));
}

Test(challenges, nothing_is_none)
{
	cr_expect_not(challenge_take("", 0, NOW), "an empty row is not root's");
}

Test(challenges, many_of_one_user_crowd_out_his_own)
{
	char bob[CHALLENGE_SIZE], first[CHALLENGE_SIZE], second[CHALLENGE_SIZE],
		more[CHALLENGE_SIZE];

	cr_assert(challenge_make(BOB, NOW, bob));
	cr_assert(challenge_make(EVE, NOW, first));
	cr_assert(challenge_make(EVE, NOW + 0.1, second));
	for (int i = 2; i <= CHALLENGES_OF_USER; i++)
		cr_assert(challenge_make(EVE, NOW + 0.2, more));
	cr_expect_not(challenge_take(first, EVE, NOW + 1));
	cr_expect(challenge_take(second, EVE, NOW + 1));
	for (int i = 0; i < 1000; i++)
		cr_assert(challenge_make(EVE, NOW + 2, more));
	cr_expect(challenge_take(bob, BOB, NOW + 3));
}

Test(challenges, many_users_crowd_out_the_oldest)
{
	char first[CHALLENGE_SIZE], second[CHALLENGE_SIZE], more[CHALLENGE_SIZE];

	cr_assert(challenge_make(BOB, NOW, first));
	cr_assert(challenge_make(EVE, NOW + 0.1, second));
	for (uid_t i = 0; i < CHALLENGES - 1; i++)
		cr_assert(challenge_make(2000 + i, NOW + 1, more));
	cr_expect_not(challenge_take(first, BOB, NOW + 2));
	cr_expect(challenge_take(second, EVE, NOW + 2));
}
