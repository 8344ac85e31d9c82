/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes usage_norm, usage_efctv and fs_factor. Fair Tree sorts siblings by
 * level_fs, depth first; the classic factor is 2^(-usage/shares/damping).
 */
#include "plugins/compat/compat.h"

#include <math.h>
#include <stdlib.h>

#include "plugins/engine/api/engine.h"
#include "plugins/engine/slurm/usage/usage_shares.h"

/* ---- usage in relation ---- */

static long double part_of(long double part, long double whole)
{
	if (whole <= 0)
		return 0;
	return part < whole ? part / whole : 1;
}

/*
 * The classic algorithm: an association answers for its own usage, and, by its shares among its
 * siblings, for the rest of its parent's.
 */
static long double classic_effective(const slurmdb_assoc_rec_t *assoc,
				     const slurmdb_assoc_rec_t *parent)
{
	long double own = part_of(assoc->usage->usage_raw, assoc_mgr_root_assoc->usage->usage_raw);
	long double above = parent->usage->usage_efctv;

	if (parent == assoc_mgr_root_assoc)
		return own;
	if (assoc->shares_raw == SLURMDB_FS_USE_PARENT || !assoc->usage->level_shares)
		return above;
	return own + (above - own) * assoc->shares_raw / assoc->usage->level_shares;
}

double maui_engine_classic_factor(long double usage, long double shares)
{
	double damping = slurm_conf.fs_dampening_factor ? slurm_conf.fs_dampening_factor : 1;

	if (fuzzy_equal(usage, NO_VAL) || fuzzy_equal(shares, NO_VAL) || shares <= 0)
		return 0;
	return exp2(-(double)(usage / shares) / damping);
}

static void derive_one(slurmdb_assoc_rec_t *assoc)
{
	slurmdb_assoc_usage_t *usage = assoc->usage;
	const slurmdb_assoc_usage_t *judged = usage;
	const slurmdb_assoc_rec_t *parent = usage->fs_assoc_ptr;

	if (!assoc_mgr_root_assoc || !parent)
		return;
	usage->usage_norm = part_of(usage->usage_raw, assoc_mgr_root_assoc->usage->usage_raw);
	if (slurm_conf.priority_flags & PRIORITY_FLAGS_FAIR_TREE) {
		usage->usage_efctv = part_of(usage->usage_raw, parent->usage->usage_raw);
		return;
	}
	usage->usage_efctv = classic_effective(assoc, parent);
	if (assoc->shares_raw == SLURMDB_FS_USE_PARENT)
		judged = parent->usage;
	usage->fs_factor = maui_engine_classic_factor(judged->usage_efctv, judged->shares_norm);
}

/* Slurm's own plugin leaves the classic factor to sshare, and a user's effective
 * usage to the moment when it is asked for. */
static double classic_now(const slurmdb_assoc_rec_t *assoc)
{
	const slurmdb_assoc_rec_t *parent = assoc->usage->fs_assoc_ptr, *judged = assoc;
	long double effective;

	if (!assoc_mgr_root_assoc || !parent)
		return 0;
	if (assoc->shares_raw == SLURMDB_FS_USE_PARENT)
		judged = parent;
	effective = judged->usage->usage_efctv;
	if (judged == assoc && fuzzy_equal(effective, NO_VAL))
		effective = classic_effective(assoc, parent);
	return maui_engine_classic_factor(effective, judged->usage->shares_norm);
}

double usage_shares_factor(const slurmdb_assoc_rec_t *assoc)
{
	return slurm_conf.priority_flags & PRIORITY_FLAGS_FAIR_TREE ? assoc->usage->fs_factor
								    : classic_now(assoc);
}

/* ---- Fair Tree ---- */

/* Ties share a place; the next one after n of them is n places lower. */
struct places {
	uint32_t left;   /* the place of the next one not tied with the one before */
	uint32_t shared; /* the place that was given last */
};

/* An association's shares in relation to its usage, both among its siblings. */
static long double shares_level(const slurmdb_assoc_rec_t *assoc)
{
	const slurmdb_assoc_usage_t *usage = assoc->usage;

	if (assoc->shares_raw == SLURMDB_FS_USE_PARENT)
		return assoc->user ? INFINITY : NO_VAL;
	if (usage->shares_norm <= 0)
		return 0;
	return usage->usage_efctv > 0 ? usage->shares_norm / usage->usage_efctv : INFINITY;
}

static int by_level(const void *left, const void *right)
{
	const slurmdb_assoc_rec_t *a = *(slurmdb_assoc_rec_t *const *)left;
	const slurmdb_assoc_rec_t *b = *(slurmdb_assoc_rec_t *const *)right;

	if (a->usage->level_fs != b->usage->level_fs)
		return a->usage->level_fs > b->usage->level_fs ? -1 : 1;
	return !a->user - !b->user; /* users first */
}

static void place_user(slurmdb_assoc_rec_t *user, struct places *places, bool tied)
{
	if (!tied)
		places->shared = places->left;
	if (places->left)
		places->left--;
	user->usage->fs_factor =
		g_user_assoc_count ? (double)places->shared / g_user_assoc_count : 0;
}

struct siblings {
	slurmdb_assoc_rec_t **items;
	size_t count;
};

static int shares_append(void *element, void *context)
{
	slurmdb_assoc_rec_t *assoc = element;
	struct siblings *siblings = context;

	derive_one(assoc);
	assoc->usage->level_fs = shares_level(assoc);
	siblings->items[siblings->count++] = assoc;
	return 0;
}

static struct siblings children_of(const slurmdb_assoc_rec_t *account)
{
	compat_list_t list = account->usage->children_list;
	struct siblings children = {0};

	children.items = xcalloc((list ? list_count(list) : 0) + 1, sizeof(*children.items));
	if (list)
		list_for_each(list, shares_append, &children);
	return children;
}

/* Depth first, best level first. tied: the first one shares the last place. Children of tied
 * accounts are not ranked together: priority/multifactor does not, in spite of its manual (S-PRI-12).
 * Recurses as deep as the tree of accounts. */
static void rank_below(const slurmdb_assoc_rec_t *account, struct places *places,
		       bool tied) /* NOLINT(misc-no-recursion) */
{
	struct siblings children = children_of(account);

	qsort(children.items, children.count, sizeof(*children.items), by_level);
	for (size_t i = 0; i < children.count; i++) {
		slurmdb_assoc_rec_t *child = children.items[i];

		if (i)
			tied = child->usage->level_fs == children.items[i - 1]->usage->level_fs;
		if (child->user)
			place_user(child, places, tied);
		else
			rank_below(child, places, tied);
	}
	xfree(children.items);
}

/* ---- all ---- */

void usage_shares_derive_one(struct slurm_writer *writer, slurmdb_assoc_rec_t *assoc)
{
	(void)writer;
	derive_one(assoc);
}

static int derive_below(void *element, void *unused) /* NOLINT(misc-no-recursion) */
{
	slurmdb_assoc_rec_t *assoc = element;

	derive_one(assoc);
	if (assoc->usage->children_list)
		list_for_each(assoc->usage->children_list, derive_below, unused);
	return 0;
}

void usage_shares_derive(struct slurm_writer *writer)
{
	struct places places = {.left = g_user_assoc_count};
	slurmdb_assoc_usage_t *root = assoc_mgr_root_assoc->usage;

	root->usage_efctv = 1;
	if (slurm_conf.priority_flags & PRIORITY_FLAGS_FAIR_TREE) {
		root->level_fs = NO_VAL;
		rank_below(assoc_mgr_root_assoc, &places, false);
	} else if (root->children_list) {
		list_for_each(root->children_list, derive_below, NULL);
	}
}
