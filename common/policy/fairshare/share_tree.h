/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FairShare of each association in Slurm's tree of shares, from its usage, as
 * priority/multifactor computes it: by Fair Tree or the classic algorithm.
 * S-PRI-12.
 */
#ifndef MAUI_POLICY_SHARE_TREE_H
#define MAUI_POLICY_SHARE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAUI_SHARES_OF_PARENT UINT32_C(0x7fffffff) /* Fairshare=parent */

/* An association. Accounts come before those below them; the first one is the root. */
struct maui_share {
	uint32_t parent; /* of the root: 0 */
	uint32_t shares;
	bool user;
};

struct maui_share_tree;

/* classic: not Fair Tree. dampening: FairShareDampeningFactor, at least 1. count: at least 1. */
struct maui_share_tree *maui_share_tree_new(const struct maui_share *shares, uint32_t count,
					    bool classic, uint32_t dampening);
struct maui_share_tree *maui_share_tree_free(struct maui_share_tree *tree); /* or NULL */

/*
 * A pass of slurmctld: usage is by association, that of accounts includes all below them. Fair Tree
 * ranks all users. The classic algorithm computes what accounts have used, and users' factors when
 * they are first asked for. So slurmctld makes it before it adds the usage of a period, and that of
 * Fair Tree after it.
 */
void maui_share_tree_pass(struct maui_share_tree *tree, const long double *usage);

/* FairShare of a user's association, 0 to 1. Until the next pass it stays what it is. */
double maui_share_tree_factor(struct maui_share_tree *tree, const long double *usage,
			      uint32_t assoc);

#endif
