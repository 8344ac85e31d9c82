/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of node allocation policies, NODEALLOCATIONPOLICY of a partition,
 * and the conversion of a policy's order of candidates to ranks.
 */
#include "common/policy/nodes/nodealloc_private.h"

#include <errno.h>
#include <stdlib.h>
#include <strings.h>

#include "common/util/memory.h"

static const struct {
	const char *name;
	void (*order)(struct maui_nodealloc_order *order); /* NULL: LOCAL */
} policies[MAUI_NODEALLOC_POLICIES] = {
	[MAUI_FIRSTAVAILABLE] = {"FIRSTAVAILABLE", maui_order_first},
	[MAUI_LASTAVAILABLE] = {"LASTAVAILABLE", maui_order_last},
	[MAUI_PRIORITY] = {"PRIORITY", maui_order_priority},
	[MAUI_CPULOAD] = {"CPULOAD", maui_order_cpuload},
	[MAUI_MINRESOURCE] = {"MINRESOURCE", maui_order_minresource},
	[MAUI_CONTIGUOUS] = {"CONTIGUOUS", maui_order_contiguous},
	[MAUI_MAXBALANCE] = {"MAXBALANCE", maui_order_maxbalance},
	[MAUI_FASTEST] = {"FASTEST", maui_order_fastest},
	[MAUI_LOCAL] = {"LOCAL", NULL},
};

const char *maui_nodealloc_policy_name(enum maui_nodealloc_policy policy)
{
	return policy < MAUI_NODEALLOC_POLICIES ? policies[policy].name : "";
}

enum maui_nodealloc_policy maui_nodealloc_policy_find(const char *name)
{
	enum maui_nodealloc_policy policy = 0;

	while (policy < MAUI_NODEALLOC_POLICIES &&
	       !(name && !strcasecmp(name, policies[policy].name)))
		policy++;
	return policy;
}

enum maui_nodealloc_policy maui_nodealloc_policy_of(const struct maui_config *config,
						    const char *partition)
{
	const struct maui_value *value =
		config ? maui_config_get(config, MAUI_KEY_NODEALLOCATIONPOLICY, partition) : NULL;
	enum maui_nodealloc_policy policy;

	if (!value || !value->key->keywords)
		return MAUI_LASTAVAILABLE;
	/* By name, not by the keyword's index: the key table is free to sort its keywords. */
	policy = maui_nodealloc_policy_find(value->key->keywords[value->integer]);
	return policy < MAUI_NODEALLOC_POLICIES ? policy : MAUI_LASTAVAILABLE;
}

enum maui_nodealloc_list maui_nodealloc_list_of(enum maui_nodealloc_policy policy)
{
	if (policy == MAUI_FIRSTAVAILABLE)
		return MAUI_LIST_FORWARD;
	return policy == MAUI_LASTAVAILABLE ? MAUI_LIST_REVERSE : MAUI_LIST_NONE;
}

struct maui_nodealloc_workspace *maui_nodealloc_workspace_new(uint32_t candidates, bool with_local)
{
	struct maui_nodealloc_workspace *workspace = maui_calloc(1, sizeof(*workspace));
	size_t count = candidates;

	workspace->room = candidates;
	workspace->entries = maui_calloc(count, sizeof(*workspace->entries));
	workspace->scratch = maui_calloc(count, sizeof(*workspace->scratch));
	if (with_local) {
		workspace->local = maui_calloc(count, sizeof(*workspace->local));
		workspace->local_ranks = maui_calloc(count, sizeof(*workspace->local_ranks));
	}
	return workspace;
}

struct maui_nodealloc_workspace *
maui_nodealloc_workspace_free(struct maui_nodealloc_workspace *workspace)
{
	if (!workspace)
		return NULL;
	free(workspace->entries);
	free(workspace->scratch);
	free(workspace->local);
	free(workspace->local_ranks);
	free(workspace);
	return NULL;
}

/* Ask the site's function; if it fails, use the default. */
static enum maui_nodealloc_policy try_local(struct maui_nodealloc_order *order,
					    struct maui_nodealloc_outcome *outcome)
{
	int rc = maui_order_local(order);

	if (!rc)
		return MAUI_LOCAL;
	outcome->local_failed = true;
	outcome->local_status = order->need->local && order->workspace->local ? rc : 0;
	return MAUI_LASTAVAILABLE;
}

static int check_order(enum maui_nodealloc_policy policy, const struct maui_nodealloc_order *order,
		       struct maui_error *error)
{
	if (policy >= MAUI_NODEALLOC_POLICIES || !order->need || !order->workspace ||
	    (!order->candidates && order->count))
		return maui_error_set(error, EINVAL, "no policy, job or nodes to allocate");
	if (order->count > order->workspace->room)
		return maui_error_set(error, ENOSPC,
				      "%u nodes to order, but there is room for %u: not ordered",
				      order->count, order->workspace->room);
	for (uint32_t i = 0; i < order->count; i++)
		if (order->candidates[i].affinity >= MAUI_AFFINITIES)
			return maui_error_set(error, EINVAL, "node %u has no reservation affinity",
					      i);
	return 0;
}

int maui_nodealloc_make_order(enum maui_nodealloc_policy policy, struct maui_nodealloc_order *order,
			      struct maui_nodealloc_outcome *outcome, struct maui_error *error)
{
	int rc = check_order(policy, order, error);

	if (rc || !order->workspace)
		return rc ? rc : -EINVAL;
	*outcome = (struct maui_nodealloc_outcome){0};
	order->entries = order->workspace->entries;
	if (policy == MAUI_CPULOAD && !order->need->immediate)
		policy = MAUI_MINRESOURCE; /* load is a present state */
	if (policy == MAUI_LOCAL)
		policy = try_local(order, outcome);
	if (policy != MAUI_LOCAL)
		policies[policy].order(order);
	outcome->policy = policy;
	return 0;
}

/* Whether the policy considers a place equal to the one before it. */
static bool is_equal(const struct maui_nodealloc_order *order, uint32_t place)
{
	const struct maui_keysort_entry *entry = &order->entries[place];

	return order->shared && entry[-1].level == entry->level && entry[-1].key == entry->key;
}

int maui_nodealloc_rank(enum maui_nodealloc_policy policy, const struct maui_nodealloc_need *need,
			const struct maui_node_candidate *candidates, uint32_t count,
			struct maui_nodealloc_workspace *workspace, uint32_t *ret_rank,
			struct maui_nodealloc_outcome *ret_outcome, struct maui_error *error)
{
	struct maui_nodealloc_order order = {
		.need = need, .candidates = candidates, .count = count, .workspace = workspace};
	struct maui_nodealloc_outcome outcome;
	uint32_t rank = 0;
	int rc;

	if (!ret_rank)
		return maui_error_set(error, EINVAL, "no place for the ranks of nodes");
	rc = maui_nodealloc_make_order(policy, &order, &outcome, error);
	if (rc)
		return rc;
	for (uint32_t i = 0; i < count; i++) {
		if (i && !is_equal(&order, i))
			rank++;
		ret_rank[order.entries[i].index] = rank;
	}
	outcome.ranks = count ? rank + 1 : 0;
	if (ret_outcome)
		*ret_outcome = outcome;
	return 0;
}
