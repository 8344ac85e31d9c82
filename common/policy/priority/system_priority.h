/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a system priority (setspri) is kept in a single number, Slurm's site factor, where 0 is none:
 * a relative one is the number itself; an absolute one is MAUI_SYSTEM_PRIORITY_BASE plus 1 to
 * 1,000.
 */
#ifndef MAUI_POLICY_SYSTEM_PRIORITY_H
#define MAUI_POLICY_SYSTEM_PRIORITY_H

#include <stdbool.h>
#include <stdint.h>

#define MAUI_SYSTEM_PRIORITY_BASE  INT64_C(2000000000) /* no relative one gets that high */
#define MAUI_SYSTEM_PRIORITY_LIMIT INT64_C(1000)
/* Of a job that Slurm starts before all others (--requeue=expedite): it is never stored. */
#define MAUI_SYSTEM_PRIORITY_EXPEDITED (MAUI_SYSTEM_PRIORITY_LIMIT + 1)

/* priority: for an absolute one 0 (none) to 1,000. */
static inline int64_t maui_system_priority_stored(bool relative, int64_t priority)
{
	return relative || !priority ? priority : MAUI_SYSTEM_PRIORITY_BASE + priority;
}

/* The absolute system priority of a stored number; 0 if it is not one. */
static inline int64_t maui_system_priority_absolute(int64_t stored)
{
	int64_t priority = stored - MAUI_SYSTEM_PRIORITY_BASE;

	return priority >= 1 && priority <= MAUI_SYSTEM_PRIORITY_LIMIT ? priority : 0;
}

#endif
