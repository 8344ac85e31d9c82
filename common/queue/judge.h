/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which jobs of a snapshot are eligible under some limits, caps and lists: chapters 6.2.3 and
 * 6.2.4. It only reads copies, so that an iteration can apply it to the policy in force, and the
 * service to any other.
 */
#ifndef MAUI_QUEUE_JUDGE_H
#define MAUI_QUEUE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/policy/limits/limits.h"
#include "common/policy/limits/qos_access.h"
#include "common/queue/jobs.h"
#include "common/queue/snapshot.h"
#include "common/util/arena.h"
#include "common/util/keysort.h"

/* The rules to judge by, which must not change meanwhile. */
struct maui_judge_rules {
	const struct maui_limits *limits;
	/* One to count eligible jobs in; NULL: no limits act. The caller frees
	 * it. */
	struct maui_limit_usage *usage;
	const struct maui_fairshare *windows; /* NULL: no hard caps apply */
	const struct maui_qos_access *qos;    /* NULL: no QOS is refused */
};

/* What it would have got in one of its other places; the judgement's. */
struct maui_waiting_got {
	size_t row;
	struct maui_limit_job job;
	const struct maui_waiting_got *next;
};

/* A waiting job, in the partition where its priority is highest. */
struct maui_waiting {
	uint32_t first, best; /* rows */
	uint32_t demoted;
	enum maui_standing standing;
	/* Never NULL. The judgement's: jobs that are refused alike mostly share one. */
	const struct maui_refusal *refusal;
	const struct maui_waiting_got *got; /* in other places than the best */
};

#define MAUI_JUDGE_LAST 64 /* a power of two */

struct maui_judgement {
	const struct maui_snapshot *snapshot;
	struct maui_judge_rules rules;
	size_t count, room;
	struct maui_waiting *jobs;               /* in snapshot order */
	struct maui_limit_candidate *candidates; /* in priority order */
	struct maui_keysort_entry *order, *scratch;
	size_t blocked;
	struct maui_arena *reasons;                       /* verdicts, refusals, gots */
	const struct maui_refusal *last[MAUI_JUDGE_LAST]; /* by maui_refusal_place() */
	struct {
		const struct maui_limit_verdict *verdict;
		const struct maui_refusal *refusal;
	} limited[MAUI_JUDGE_LAST]; /* by the verdict's address */
};

/* List the jobs of its snapshot, and order them. Must be cleared, or reset for
 * the next list. */
void maui_judge_list(struct maui_judgement *judgement);

/*
 * What Slurm would once have given a job, by its first row, in the place of a row, if that is more
 * than it asks for; NULL: not known.
 */
typedef const struct maui_limit_job *(*maui_judge_got_t)(const void *context,
							 const struct maui_snapshot *snapshot,
							 size_t first, size_t row);

/* What the jobs from..to - 1 of the order ask for. */
void maui_judge_ask(struct maui_judgement *judgement, size_t from, size_t to, maui_judge_got_t got,
		    const void *context);

/* After all jobs' requests are set: who is eligible. 0; -ERANGE, with standings of no meaning. */
int maui_judge_all(struct maui_judgement *judgement);

void maui_judge_clear(struct maui_judgement *judgement);

/* The same, but its arrays stay for the next list. */
void maui_judge_reset(struct maui_judgement *judgement);

#endif
