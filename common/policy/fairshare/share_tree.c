/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Siblings are those whose nearest account with shares of its own is the same.
 * Fair Tree sorts them by level, depth first. The classic factor is
 * 2^(-usage / shares / dampening).
 */
#include "common/policy/fairshare/share_tree.h"

#include <math.h>
#include <stdlib.h>

#include "common/util/memory.h"

#define NOT_KNOWN (-1.0L)

struct share_node {
	uint32_t above;        /* the nearest account above with shares of its own */
	uint32_t shares;       /* or MAUI_SHARES_OF_PARENT */
	uint32_t all_shares;   /* of the siblings */
	uint32_t first, count; /* in tree->below */
	bool user;
	double norm;           /* part of the shares: of the siblings', or of all (classic) */
	long double effective; /* usage by the classic algorithm; NOT_KNOWN */
	long double level;
	double factor;
};

struct maui_share_tree {
	struct share_node *nodes;
	uint32_t *below; /* by node: its children, in the order of the associations */
	uint32_t count, users;
	bool classic;
	double dampening;
};

/* ---- shares ---- */

static bool share_is_parents(const struct share_node *node)
{
	return node->shares == MAUI_SHARES_OF_PARENT;
}

static uint32_t share_above(const struct maui_share *shares, uint32_t at)
{
	at = shares[at].parent;
	while (at && shares[at].shares == MAUI_SHARES_OF_PARENT)
		at = shares[at].parent;
	return at;
}

static void share_list_children(struct maui_share_tree *tree)
{
	uint32_t used = 0;

	for (uint32_t i = 1; i < tree->count; i++)
		tree->nodes[tree->nodes[i].above].count++;
	for (uint32_t i = 0; i < tree->count; i++) {
		tree->nodes[i].first = used;
		used += tree->nodes[i].count;
		tree->nodes[i].count = 0;
	}
	for (uint32_t i = 1; i < tree->count; i++) {
		struct share_node *above = &tree->nodes[tree->nodes[i].above];

		tree->below[above->first + above->count++] = i;
		if (!share_is_parents(&tree->nodes[i]))
			above->all_shares += tree->nodes[i].shares;
	}
	for (uint32_t i = tree->count; --i;)
		tree->nodes[i].all_shares = tree->nodes[tree->nodes[i].above].all_shares;
}

/* Classic: of the whole tree, along all accounts above, those that have their parent's left out. */
static double share_norm(const struct maui_share_tree *tree, const struct maui_share *shares,
			 uint32_t at)
{
	double norm = 1;

	if (share_is_parents(&tree->nodes[at]))
		at = tree->nodes[at].above;
	for (; at; at = shares[at].parent) {
		const struct share_node *node = &tree->nodes[at];

		if (share_is_parents(node))
			continue;
		norm = node->all_shares ? norm * (node->shares / (double)node->all_shares) : 0;
		if (!tree->classic)
			break;
	}
	return norm;
}

struct maui_share_tree *maui_share_tree_new(const struct maui_share *shares, uint32_t count,
					    bool classic, uint32_t dampening)
{
	struct maui_share_tree *tree = maui_calloc(1, sizeof(*tree));

	tree->nodes = maui_calloc(count, sizeof(*tree->nodes));
	tree->below = maui_calloc(count, sizeof(*tree->below));
	tree->count = count;
	tree->classic = classic;
	tree->dampening = dampening;
	for (uint32_t i = 0; i < count; i++) {
		tree->nodes[i] = (struct share_node){.above = i ? share_above(shares, i) : 0,
						     .shares = shares[i].shares,
						     .user = shares[i].user,
						     .effective = NOT_KNOWN};
		tree->users += shares[i].user;
	}
	share_list_children(tree);
	for (uint32_t i = 0; i < count; i++)
		tree->nodes[i].norm = share_norm(tree, shares, i);
	tree->nodes[0].effective = 1;
	return tree;
}

struct maui_share_tree *maui_share_tree_free(struct maui_share_tree *tree)
{
	if (!tree)
		return NULL;
	free(tree->nodes);
	free(tree->below);
	free(tree);
	return NULL;
}

static long double share_part(long double part, long double whole)
{
	return whole > 0 ? part / whole : 0;
}

/* ---- Fair Tree ---- */

/* Ties share a place; the next one after n of them is n places lower. */
struct share_places {
	uint32_t left;   /* of the next one that is not tied with the one before */
	uint32_t shared; /* that was given last */
};

/* An association's shares in relation to its usage, both among its siblings. */
static long double share_level(const struct maui_share_tree *tree, const long double *usage,
			       uint32_t at)
{
	const struct share_node *node = &tree->nodes[at];
	long double used = share_part(usage[at], usage[node->above]);

	if (share_is_parents(node))
		return node->user ? INFINITY : NOT_KNOWN;
	if (node->norm <= 0)
		return 0;
	return used > 0 ? node->norm / used : INFINITY;
}

/* A child to be sorted. */
struct share_child {
	long double level;
	uint32_t node, order;
	bool user;
};

static int share_by_level(const void *left, const void *right)
{
	const struct share_child *a = left, *b = right;

	if (a->level != b->level)
		return a->level > b->level ? -1 : 1;
	if (a->user != b->user)
		return a->user ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static void share_place(struct maui_share_tree *tree, uint32_t user, bool tied,
			struct share_places *places)
{
	if (!tied)
		places->shared = places->left;
	places->left--;
	tree->nodes[user].factor = places->shared / (double)tree->users;
}

/*
 * Depth first, the best level first. tied: the first one below shares the last place. Children of
 * tied accounts are not sorted together, though slurmctld's manual says so: the second account's
 * best user shares the place of the first account's last. Recurses as deep as the accounts are.
 */
static void share_rank(struct maui_share_tree *tree, const long double *usage, uint32_t account,
		       bool tied, struct share_places *places) /* NOLINT(misc-no-recursion) */
{
	const struct share_node *node = &tree->nodes[account];
	struct share_child *children = maui_calloc(node->count, sizeof(*children));

	for (uint32_t i = 0; i < node->count; i++) {
		uint32_t child = tree->below[node->first + i];

		children[i] = (struct share_child){share_level(tree, usage, child), child, i,
						   tree->nodes[child].user};
	}
	qsort(children, node->count, sizeof(*children), share_by_level);
	for (uint32_t i = 0; i < node->count; i++) {
		if (i)
			tied = children[i].level == children[i - 1].level;
		if (children[i].user)
			share_place(tree, children[i].node, tied, places);
		else
			share_rank(tree, usage, children[i].node, tied, places);
	}
	free(children);
}

/* ---- classic ---- */

/* An association answers for its own usage, and, by its shares among its siblings, for the rest of
 * its account's. */
static long double share_effective(const struct maui_share_tree *tree, const long double *usage,
				   uint32_t at)
{
	const struct share_node *node = &tree->nodes[at];
	long double own = fminl(share_part(usage[at], usage[0]), 1);
	long double above = tree->nodes[node->above].effective;

	if (!node->above)
		return own;
	if (share_is_parents(node) || !node->all_shares)
		return above;
	return own + (above - own) * (node->shares / (long double)node->all_shares);
}

static double share_classic(struct maui_share_tree *tree, const long double *usage, uint32_t at)
{
	struct share_node *node = &tree->nodes[at];

	if (share_is_parents(node))
		node = &tree->nodes[node->above];
	else if (node->effective < 0)
		node->effective = share_effective(tree, usage, at);
	if (node->norm <= 0)
		return 0;
	return pow(2, (double)-(node->effective / node->norm / tree->dampening));
}

/* ---- both ---- */

void maui_share_tree_pass(struct maui_share_tree *tree, const long double *usage)
{
	struct share_places places = {.left = tree->users};

	if (!tree->classic) {
		share_rank(tree, usage, 0, false, &places);
		return;
	}
	for (uint32_t i = 1; i < tree->count; i++)
		tree->nodes[i].effective =
			tree->nodes[i].user ? NOT_KNOWN : share_effective(tree, usage, i);
}

double maui_share_tree_factor(struct maui_share_tree *tree, const long double *usage,
			      uint32_t assoc)
{
	return tree->classic ? share_classic(tree, usage, assoc) : tree->nodes[assoc].factor;
}
