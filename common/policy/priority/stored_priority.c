/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds base, nice and site factor to a computed priority, and clamps the sum to
 * the range of Slurm's 32-bit priority.
 */
#include "common/policy/priority/stored_priority.h"

uint32_t maui_stored_priority(int64_t priority, int64_t base, int64_t nice, int64_t site_factor,
			      uint32_t floor)
{
	priority += base - nice + site_factor;
	if (priority < floor) /* 0 would mean held */
		return floor;
	return priority > UINT32_MAX ? UINT32_MAX : (uint32_t)priority;
}
