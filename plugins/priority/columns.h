/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maui's components in sprio's columns (D-PRI-15). Whole numbers that add up exactly to the job's
 * priority: the differences from caps, floors, the system priority and rounding go into the largest
 * column.
 */
#ifndef MAUI_PRIORITY_COLUMNS_H
#define MAUI_PRIORITY_COLUMNS_H

#include <stdint.h>

#include "common/policy/priority/priority.h"

struct priority_columns {
	int64_t age;         /* SERV, and what SITE cannot hold */
	int64_t association; /* CRED without its class and QOS */
	int64_t fairshare;   /* FS */
	int64_t job_size;    /* RES */
	int64_t partition;   /* CRED's class */
	int64_t qos;         /* CRED's QOS */
	int64_t site;        /* TARG, USAGE, the base, and Slurm's site factor; -2^31..2^31-1 */
};

/* priority = age + association + fairshare + job_size + partition + qos + site - nice, exactly. */
void priority_columns(const struct maui_priority_result *result, int64_t base, int64_t site_factor,
		      int64_t nice, uint32_t priority, struct priority_columns *ret_columns);

#endif
