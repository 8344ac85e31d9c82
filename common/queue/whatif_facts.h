/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything an iteration looks at to rank and judge jobs, copied while none is running, so that
 * the queue of that moment can be judged by another policy.
 */
#ifndef MAUI_QUEUE_WHATIF_FACTS_H
#define MAUI_QUEUE_WHATIF_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/policy/limits/limits.h"
#include "common/queue/snapshot.h"

/* What a job would have got in a place when that was too much; valid for seconds. */
struct maui_whatif_got {
	size_t row;
	struct maui_limit_job job;
};

struct maui_whatif_facts {
	struct maui_snapshot *snapshot; /* the last */
	/* Of the same moment; active jobs may be newer than the snapshot. */
	struct maui_frozen_names names;
	struct maui_fairshare *windows; /* NULL: no usage is counted */
	struct maui_limit_active *active;
	size_t active_count;
	struct maui_gres_table *gres; /* a reference, for what active jobs have and others got */
	/* in the order of the rows: */
	struct maui_whatif_got *got;
	size_t got_count;
	/* By first row: limits and caps that stand against the job, enum maui_violation. */
	uint8_t *refused;
	/* By row, if the snapshot's jobs have none; NULL: they have. */
	double *tree;
	bool treeless; /* the other policy counts shares; there are none */
	bool enforced; /* the select plugin is loaded, which enforces limits and caps */
	int64_t now;
	uint32_t floor; /* the lowest priority that jobs may have in Slurm */
};

void maui_whatif_facts_clear(struct maui_whatif_facts *facts);

/* For maui_judge_got_t; context is the facts. */
const struct maui_limit_job *maui_whatif_facts_got(const void *context,
						   const struct maui_snapshot *snapshot,
						   size_t first, size_t row);

#endif
