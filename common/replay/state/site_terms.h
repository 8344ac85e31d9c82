/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a trace is replayed under, and what is counted meanwhile. */
#ifndef MAUI_REPLAY_SITE_TERMS_H
#define MAUI_REPLAY_SITE_TERMS_H

#include "common/policy/policy.h"
#include "common/replay/nodes/outages.h"
#include "common/replay/nodes/requests.h"
#include "common/replay/schedule/schedule.h"
#include "common/replay/slurm_conf/parameters.h"
#include "common/replay/stock/stock.h"
#include "common/replay/trace/usage.h"

struct maui_replay_site {
	struct maui_policy *policy;
	struct maui_replay_parameters parameters;
	uint32_t procs;                              /* of the machine, or of all its nodes */
	const struct maui_replay_requests *requests; /* NULL: the machine is a pool of processors */
	const struct maui_replay_outages *outages;   /* of the nodes; NULL: none */
	const struct maui_replay_usage *usage;       /* before it; NULL: windows are empty */
	/* Limits that Slurm enforces beside the policy's, and shares of FSTREEWEIGHT; NULL: none. */
	const struct maui_stock *stock;
	/* Slurm's own priorities, too: the policy is an empty one. */
	bool multifactor;
	/* Told of a priority that a waiting job gets at a time; NULL: not. */
	void (*ranked)(const void *context, int64_t time, uint32_t job, uint32_t priority);
	const void *ranked_context;
	/* Told as jobs come how many of the trace have, a hundred times or so; NULL: not. */
	void (*progress)(const void *context, size_t submitted);
	const void *context;
	bool apart; /* every job by itself: the same schedule, later. For tests */
};

/* What happened, beside the schedule. */
struct maui_replay_counts {
	size_t iterations;     /* of the engine */
	size_t main, backfill; /* passes */
	size_t tried;          /* jobs that backfill has looked for a place for */
	size_t held;           /* jobs that a limit, a cap or a QLIST has held back for a while */
	size_t unknown_jobs;   /* without an association of Slurm's */
	size_t unknown;        /* users and groups of maui.cfg that the trace has not */
	size_t usage_windows;  /* of fairshare, that were there in the beginning */
	uint32_t most_waiting;
};

#endif
