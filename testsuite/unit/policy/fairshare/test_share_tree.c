/* SPDX-License-Identifier: GPL-2.0-or-later */
/* FairShare in small trees, worked out by hand from the page about Fair Tree and slurm.conf(5). */
#include <criterion/criterion.h>
#include <math.h>

#include "common/policy/fairshare/share_tree.h"

#define MOST   8
#define PARENT MAUI_SHARES_OF_PARENT

/* root, the accounts a and b, then users. */
static const struct tree_case {
	const char *name;
	bool classic;
	uint32_t dampening;
	uint32_t count;
	struct maui_share shares[MOST];
	long double usage[MOST];
	double factor[MOST]; /* of users */
} cases[] = {
	{"a level is shares over usage among siblings",
	 false,
	 1,
	 6,
	 {{0, 1, false}, {0, 3, false}, {0, 1, false}, {1, 1, true}, {1, 1, true}, {2, 1, true}},
	 {100, 60, 40, 50, 10, 40},
	 {0, 0, 0, 2 / 3.0, 1, 1 / 3.0}},
	{"who has used nothing is first",
	 false,
	 1,
	 5,
	 {{0, 1, false}, {0, 1, false}, {0, 9, false}, {1, 1, true}, {2, 1, true}},
	 {10, 0, 10, 0, 10},
	 {0, 0, 0, 1, 0.5}},
	{"tied users share a place, and the next is two lower",
	 false,
	 1,
	 5,
	 {{0, 1, false}, {0, 1, false}, {1, 1, true}, {1, 1, true}, {1, 1, true}},
	 {10, 10, 4, 4, 2},
	 {0, 0, 2 / 3.0, 2 / 3.0, 1}},
	{"without shares a user is last",
	 false,
	 1,
	 4,
	 {{0, 1, false}, {0, 1, false}, {1, 0, true}, {1, 1, true}},
	 {10, 10, 0, 10},
	 {0, 0, 0.5, 1}},
	{"a user with the parent's shares is first",
	 false,
	 1,
	 4,
	 {{0, 1, false}, {0, 1, false}, {1, PARENT, true}, {1, 1, true}},
	 {10, 10, 9, 1},
	 {0, 0, 1, 0.5}},
	{"children of an account with the parent's shares are the parent's",
	 false,
	 1,
	 5,
	 {{0, 1, false}, {0, PARENT, false}, {1, 1, true}, {1, 1, true}, {0, 2, true}},
	 {12, 8, 2, 6, 4},
	 {0, 0, 1, 1 / 3.0, 1}},
	/* The second account's best user shares the place of the first one's last. */
	{"tied accounts come one after another",
	 false,
	 1,
	 7,
	 {{0, 1, false},
	  {0, 1, false},
	  {0, 1, false},
	  {1, 1, true},
	  {1, 1, true},
	  {2, 1, true},
	  {2, 1, true}},
	 {20, 10, 10, 4, 6, 1, 9},
	 {0, 0, 0, 1, 0.75, 0.75, 0.25}},
	{"classic: usage over shares",
	 true,
	 1,
	 3,
	 {{0, 1, false}, {0, 1, true}, {0, 3, true}},
	 {10, 5, 5},
	 {0, 0.25, 0.62996052494743658}},
	{"classic: dampened",
	 true,
	 2,
	 3,
	 {{0, 1, false}, {0, 1, true}, {0, 3, true}},
	 {10, 5, 5},
	 {0, 0.5, 0.79370052598409973}},
	/* Of a's 80 %: 0 + (0.8 - 0) * 1 / 2, over half of its half. */
	{"classic: a user answers for his account",
	 true,
	 1,
	 6,
	 {{0, 1, false}, {0, 1, false}, {0, 1, false}, {1, 1, true}, {1, 1, true}, {2, 1, true}},
	 {100, 80, 20, 80, 0, 20},
	 {0, 0, 0, 0.10881882041201551, 0.32987697769322355, 0.75785828325519899}},
	{"classic: with the parent's shares the account's factor",
	 true,
	 1,
	 4,
	 {{0, 1, false}, {0, 1, false}, {0, 1, true}, {1, PARENT, true}},
	 {10, 5, 5, 5},
	 {0, 0, 0.5, 0.5}},
	{"nothing has been used",
	 true,
	 1,
	 3,
	 {{0, 1, false}, {0, 1, true}, {0, 3, true}},
	 {0, 0, 0},
	 {0, 1, 1}},
};

Test(share_tree, factors)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct tree_case *one = &cases[i];
		struct maui_share_tree *tree =
			maui_share_tree_new(one->shares, one->count, one->classic, one->dampening);

		maui_share_tree_pass(tree, one->usage);
		for (uint32_t node = 0; node < one->count; node++)
			if (one->shares[node].user) {
				double factor = maui_share_tree_factor(tree, one->usage, node);

				cr_expect(fabs(factor - one->factor[node]) < 1e-9,
					  "%s: node %u has %.12f, not %.12f", one->name, node,
					  factor, one->factor[node]);
			}
		maui_share_tree_free(tree);
	}
}

Test(share_tree, a_factor_stays_until_the_next_pass)
{
	const struct maui_share shares[] = {{0, 1, false}, {0, 1, true}, {0, 1, true}};
	const long double before[] = {10, 4, 6}, after[] = {20, 14, 6};

	for (int classic = 0; classic < 2; classic++) {
		struct maui_share_tree *tree = maui_share_tree_new(shares, 3, classic, 1);
		double first;

		maui_share_tree_pass(tree, before);
		first = maui_share_tree_factor(tree, before, 1);
		cr_expect_eq(maui_share_tree_factor(tree, after, 1), first);
		maui_share_tree_pass(tree, after);
		cr_expect_lt(maui_share_tree_factor(tree, after, 1), first);
		maui_share_tree_free(tree);
	}
}
