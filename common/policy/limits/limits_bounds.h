/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The most of a metric that one job counts for, so that sums do not overflow. */
#ifndef MAUI_POLICY_LIMITS_BOUNDS_H
#define MAUI_POLICY_LIMITS_BOUNDS_H

#include <stdint.h>

#define LIMIT_MOST        (INT64_C(1) << 24)
#define LIMIT_MOST_MEMORY (INT64_C(1) << 40)

static inline int64_t limit_within(int64_t value, int64_t most)
{
	if (value < 0)
		return 0;
	return value < most ? value : most;
}

static inline int64_t limit_procs(int64_t procs)
{
	return limit_within(procs, LIMIT_MOST);
}

#endif
