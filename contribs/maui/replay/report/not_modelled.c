/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a replay does not know of: each report says so. */
#include "common/util/memory.h"
#include "contribs/maui/replay/report/replay_sides.h"

enum when {
	ALWAYS,
	FROM_QUEUE,
	WITHOUT_OUTAGES,
	WITHOUT_USAGE,
	WITHOUT_JOB_ID,
	UNDER_POLICY,
	UNDER_STOCK,
	WITH_LIMITS,
	UNDER_SLURM, /* one of the two */
	WITHOUT_TREE,
	UNDER_TREE,
	POLICY_ON_POOL,
	POLICY_ON_NODES,
	ON_POOL,
	ON_NODES
};

static const struct {
	enum when when;
	const char *what;
} all[] = {
	{POLICY_ON_POOL, "SRCFG, NODECFG and NODEALLOCATIONPOLICY of maui.cfg"},
	{ON_NODES,
	 "NODECFG's limits, FEATURES and MAXLOAD, NODEACCESSPOLICY, preferred features, and "
	 "NODEALLOCATIONPOLICY LOCAL"},
	{POLICY_ON_NODES,
	 "FLAGS=SINGLEUSE and OWNERPREEMPT, TRIGGER and CHARGEACCOUNT of SRCFG, setres, "
	 "and jobs that ask for a reservation by name"},
	{WITHOUT_TREE,
	 "FSTREEWEIGHT: a replay has no shares and no usage of Slurm's, so it adds 0 to each "
	 "priority"},
	{UNDER_TREE, "FSTREEWEIGHT: associations begin without usage"},
	{UNDER_STOCK,
	 "nice, jobs in several partitions, and usage before the first job: associations and QOS "
	 "begin without any"},
	{UNDER_STOCK,
	 "the choice of nodes by select/cons_tres: a job gets the first that are free"},
	{WITH_LIMITS, "nodes that jobs share: Slurm's limits of node= count them for each job"},
	{UNDER_POLICY, "UTILIZEDPS: jobs are charged what they hold"},
	{UNDER_SLURM,
	 "the time that a pass takes, and the delay between an event and the next pass"},
	{ON_POOL, "nodes: the machine is one pool of processors, without memory, features or GRES"},
	{ON_NODES,
	 "topology, sockets and cores, --exclusive, node weights, partitions' tiers and access"},
	{WITHOUT_USAGE, "usage before the first job: fairshare begins with empty windows"},
	{FROM_QUEUE, "BYPASS, and what is submitted later"},
	{WITHOUT_OUTAGES, "outages and maintenance of the recorded time"},
	{WITHOUT_JOB_ID,
	 "heterogeneous jobs: without the column JobID their components are jobs of "
	 "their own, which need not begin together"},
	{ALWAYS, "dependencies, holds, cancelled and requeued jobs, preemption"},
	{ALWAYS, "users' answer to waiting: they submit when they did"},
};
#define COUNT (sizeof(all) / sizeof(all[0]))

/* What the sides of a report are. */
struct sides {
	bool policy, stock, tree;
};

static bool not_modelled_applies(enum when when, const struct sides *sides,
				 const struct replay_report *report)
{
	const struct replay_machine *machine = &report->machine;
	bool nodes = machine->nodes, policy = sides->policy;

	switch (when) {
	case FROM_QUEUE:
		return report->trace->begin != INT64_MIN;
	case WITHOUT_OUTAGES:
		return machine->outages.count == machine->conf.away_count;
	case WITHOUT_USAGE:
		return policy && !report->usage.count;
	case WITHOUT_JOB_ID:
		return report->trace->raw_ids;
	case UNDER_POLICY:
		return policy;
	case UNDER_STOCK:
		return sides->stock;
	case WITH_LIMITS:
		return report->stock.policy.limits;
	case UNDER_SLURM:
		return policy || sides->stock;
	case WITHOUT_TREE:
		return sides->tree && !report->stock.accounting.assoc_count;
	case UNDER_TREE:
		return sides->tree && report->stock.accounting.assoc_count;
	case POLICY_ON_POOL:
		return policy && !nodes;
	case POLICY_ON_NODES:
		return policy && nodes;
	case ON_POOL:
		return !nodes;
	case ON_NODES:
		return nodes;
	default:
		return true;
	}
}

static struct sides not_modelled_sides(const struct replay_report *report)
{
	struct sides sides = {.tree = report->sweeps_tree};

	for (size_t i = 0; i < report->count; i++) {
		const struct replay_side *side = &report->side[i];

		sides.stock |= side->multifactor;
		sides.policy |= side->policy && !side->multifactor;
		sides.tree |= side->policy && maui_priority_uses_tree(side->policy->priority);
	}
	return sides;
}

const char *const *replay_not_modelled(const struct replay_report *report)
{
	static const char **list;
	const struct maui_stock *stock = &report->stock.policy;
	struct sides sides = not_modelled_sides(report);
	size_t count = 0;

	list = maui_realloc(list, COUNT + stock->ignored_count + 1, sizeof(*list));
	for (size_t i = 0; i < stock->ignored_count; i++)
		list[count++] = stock->ignored[i];
	for (size_t i = 0; i < COUNT; i++)
		if (not_modelled_applies(all[i].when, &sides, report))
			list[count++] = all[i].what;
	list[count] = NULL;
	return list;
}
