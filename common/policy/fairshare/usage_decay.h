/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How recorded usage decays: slurm.conf's PriorityDecayHalfLife and PriorityUsageResetPeriod. Local
 * time is the C library's (TZ), so that days of 23 and 25 hours end at midnight, too.
 */
#ifndef MAUI_POLICY_USAGE_DECAY_H
#define MAUI_POLICY_USAGE_DECAY_H

#include <stdint.h>

enum maui_usage_reset {
	MAUI_USAGE_RESET_NONE,
	MAUI_USAGE_RESET_DAILY,
	MAUI_USAGE_RESET_WEEKLY, /* weeks begin on Sunday */
	MAUI_USAGE_RESET_MONTHLY,
	MAUI_USAGE_RESET_QUARTERLY,
	MAUI_USAGE_RESET_YEARLY,
};

/* What is left of 1 after this many seconds. A half-life of 0 means no decay. */
double maui_usage_decay(int64_t half_life, int64_t seconds);

/* The same as priority/multifactor computes it: each second has 1 - 0.693 / half_life left. */
double maui_usage_decay_stock(int64_t half_life, int64_t seconds);

/*
 * The first start of a day, week, ... after `last`, in epoch seconds; INT64_MAX if there is none.
 */
int64_t maui_usage_next_reset(enum maui_usage_reset period, int64_t last);

#endif
