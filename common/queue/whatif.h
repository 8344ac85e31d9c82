/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The queue of one moment under two policies: the one in force, and another, with the jobs, usage
 * and windows of that moment. What an iteration would do with each, by the same code; nothing is
 * changed.
 */
#ifndef MAUI_QUEUE_WHATIF_H
#define MAUI_QUEUE_WHATIF_H

#include "common/queue/judge.h"
#include "common/queue/whatif_facts.h"
#include "common/queue/whatif_names.h"
#include "common/util/error.h"

/* One of the two. */
struct maui_whatif_side {
	struct maui_policy *policy;
	struct maui_snapshot *snapshot;       /* its rows and names are this policy's */
	struct maui_priority_result *results; /* by row */
	struct maui_limits *limits;
	struct maui_qos_access *qos;
	const struct maui_fairshare *windows; /* NULL: no usage is counted */
	struct maui_limit_usage *usage;
	struct maui_limit_holding *holdings;
	struct maui_judgement
		judgement; /* its jobs are the same on both sides, in the order of the snapshot */
	uint32_t *rank;    /* by job: from 1 on, the highest priority first */
};

/* What another fairshare policy lacks in the present windows. */
struct maui_whatif_windows {
	bool none;        /* nothing is counted today; usage in files is ignored */
	bool interval;    /* another FSINTERVAL: nothing counts */
	uint32_t missing; /* this many windows of a greater FSDEPTH are only in files */
	bool metric;      /* the windows were counted by another metric */
};

struct maui_whatif {
	struct maui_whatif_facts facts;
	struct maui_whatif_names names; /* of the other policy */
	struct maui_fairshare *windows;
	struct maui_whatif_windows lacking;
	size_t unknown_gres; /* that only the other policy limits: nobody counts them yet */
	struct maui_whatif_side today, then;
};

/*
 * Requires the facts, and then.policy. principals: those that policy names, taken over; today: the
 * numbers of the policy in force. 0 or -ERANGE; must be cleared in either case.
 */
int maui_whatif_judge(struct maui_whatif *whatif, struct maui_principals *principals,
		      const struct maui_limit_names *today);
void maui_whatif_clear(struct maui_whatif *whatif);

#endif
