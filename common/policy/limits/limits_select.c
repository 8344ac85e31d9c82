/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which idle jobs are eligible: chapter 6.2.3, once per iteration. */
#include "common/policy/limits/limits_private.h"

#define KEPT  64  /* a power of two */
#define ASKED 256 /* a power of two */

/* A verdict at the level that was checked and, for limits without a soft level of their own, at the
 * other. */
struct kept {
	struct maui_limit_verdict verdict, as_soft;
};

struct selection {
	const struct maui_limits *limits;
	struct maui_limit_usage *usage;
	struct maui_arena *arena;
	bool soft;                     /* limits have a soft level */
	const struct kept *last[KEPT]; /* by holder */
	/* By what they ask for, jobs that active usage blocks at this level: that stays the same,
	 * and so all that ask for the same are blocked. */
	const struct kept *why[ASKED];     /* NULL: there is none */
	struct maui_limit_job asks[ASKED]; /* of those with a why */
};

/* The same verdict again, or a copy. */
static const struct kept *limits_select_keep(struct selection *selection,
					     const struct maui_limit_verdict *verdict)
{
	const struct kept **last = &selection->last[(verdict->type + 8 * verdict->id) % KEPT];
	struct kept *kept;

	if (*last && maui_limit_verdict_same(&(*last)->verdict, verdict))
		return *last;
	kept = maui_arena_alloc(selection->arena, 1, sizeof(*kept));
	kept->verdict = kept->as_soft = *verdict;
	if (verdict->mode != MAUI_LIMIT_IDLE)
		kept->as_soft.level = MAUI_LIMIT_SOFT;
	return *last = kept;
}

/* The place of all that ask for the same. */
static size_t place_of(const struct maui_limit_job *job)
{
	uint64_t hash = (uint64_t)job->walltime ^ (uint64_t)(uintptr_t)job->gres >> 4;

	for (unsigned int i = 0; i < MAUI_LIMIT_AMOUNTS; i++)
		hash = hash * 31 + (uint64_t)job->amount[i];
	for (unsigned int i = 0; i < MAUI_CREDENTIALS; i++)
		hash = hash * 31 + job->credential[i];
	return hash * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (ASKED - 1);
}

/* Active limits of those that all jobs have are checked first; all others depend on who is eligible
 * by now. */
static bool limits_select_lasts(const struct maui_limit_verdict *verdict)
{
	return verdict->mode == MAUI_LIMIT_ACTIVE && verdict->metric < MAUI_LIMIT_METRICS;
}

/* Why the job is blocked; NULL: it is not. */
static const struct kept *find_out(struct selection *selection, const struct maui_limit_job *job,
				   enum maui_limit_level level)
{
	size_t at = place_of(job);
	struct maui_limit_verdict verdict;
	const struct kept *why;

	if (selection->why[at] && maui_limit_job_same(&selection->asks[at], job))
		return selection->why[at];
	if (!maui_limits_check(selection->limits, selection->usage, job, level,
			       MAUI_LIMIT_ALL_MODES, &verdict))
		return NULL;
	why = limits_select_keep(selection, &verdict);
	if (limits_select_lasts(&verdict)) {
		selection->why[at] = why;
		selection->asks[at] = *job;
	}
	return why;
}

/* It is eligible. */
static int limits_select_count(struct maui_limit_usage *usage, const struct maui_limit_job *job)
{
	int rc = maui_limit_usage_reserve(usage, job, MAUI_LIMIT_IDLE);

	if (!rc)
		maui_limit_usage_count_idle(usage, job);
	return rc;
}

static int limits_select_judge(struct selection *selection, struct maui_limit_candidate *candidate,
			       enum maui_limit_level level)
{
	const struct kept *why =
		candidate->exempt ? NULL : find_out(selection, &candidate->job, level);
	int rc = why ? 0 : limits_select_count(selection->usage, &candidate->job);

	if (rc)
		return rc;
	if (level == MAUI_LIMIT_HARD) {
		candidate->hard = !why;
		candidate->hard_verdict = why ? &why->verdict : NULL;
	}
	if (level == MAUI_LIMIT_SOFT || !selection->soft) {
		candidate->soft = !why;
		candidate->soft_verdict = !why                       ? NULL
					  : level == MAUI_LIMIT_SOFT ? &why->verdict
								     : &why->as_soft;
	}
	return 0;
}

static int limits_select_pass(struct selection *selection, struct maui_limit_candidate *candidates,
			      size_t count, enum maui_limit_level level)
{
	int rc = 0;

	maui_limit_usage_clear_idle(selection->usage);
	memset(selection->why, 0, sizeof(selection->why));
	for (size_t i = 0; !rc && i < count; i++)
		if (!candidates[i].out)
			rc = limits_select_judge(selection, &candidates[i], level);
	return rc;
}

int maui_limits_select(const struct maui_limits *limits, struct maui_limit_usage *usage,
		       struct maui_limit_candidate *candidates, size_t count,
		       struct maui_arena *verdicts)
{
	struct selection selection; /* not zeroed: a replay selects a million times */
	int rc = 0;

	selection.limits = limits;
	selection.usage = usage;
	selection.arena = verdicts;
	selection.soft = maui_limits_soft(limits);
	memset(selection.last, 0, sizeof(selection.last));
	for (size_t i = 0; i < count; i++) {
		candidates[i].hard = candidates[i].soft = false;
		candidates[i].hard_verdict = candidates[i].soft_verdict = NULL;
	}
	if (selection.soft)
		rc = limits_select_pass(&selection, candidates, count, MAUI_LIMIT_SOFT);
	return rc ? rc : limits_select_pass(&selection, candidates, count, MAUI_LIMIT_HARD);
}
