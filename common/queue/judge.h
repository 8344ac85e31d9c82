/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which jobs of a snapshot are eligible by some limits, caps and lists: chapters 6.2.3 and 6.2.4.
 * It reads copies alone, so that an iteration asks it about the policy in force, and the service
 * about any other.
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
#include "common/util/keysort.h"

/* By what. Nothing of it may change meanwhile. */
struct maui_judge_rules {
	const struct maui_limits *limits;
	struct maui_limit_usage *
		usage; /* one to count eligible jobs in; NULL: no limits act. Not of the judgement */
	const struct maui_fairshare *windows; /* NULL: no hard caps act */
	const struct maui_qos_access *qos;    /* NULL: nobody is refused one */
};

/* One job that waits, in the partition where its priority is highest. */
struct maui_waiting {
	size_t first, best; /* rows */
	enum maui_standing standing;
	struct maui_refusal refusal;
	uint32_t demoted;
};

struct maui_judgement {
	const struct maui_snapshot *snapshot;
	struct maui_judge_rules rules;
	size_t count;
	struct maui_waiting *jobs;               /* in the order of the snapshot */
	struct maui_limit_candidate *candidates; /* in the order of priority */
	struct maui_keysort_entry *order, *scratch;
	size_t blocked;
};

/* The jobs of its snapshot, and their order. 0 or -ENOMEM; to be cleared in either case. */
int maui_judge_list(struct maui_judgement *judgement);

/* What Slurm would have given the job of a first row once, if that is more than it asks for; NULL:
 * not known. */
typedef const struct maui_limit_job *(*maui_judge_got_t)(const void *context,
							 const struct maui_snapshot *snapshot,
							 size_t first);

/* What the jobs from..to - 1 of the order ask for. */
void maui_judge_ask(struct maui_judgement *judgement, size_t from, size_t to, maui_judge_got_t got,
		    const void *context);

/* All have been asked: who is eligible. 0, or -ENOMEM or -ERANGE before anybody is judged. */
int maui_judge_all(struct maui_judgement *judgement);

void maui_judge_clear(struct maui_judgement *judgement);

#endif
