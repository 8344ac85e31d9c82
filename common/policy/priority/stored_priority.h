/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_POLICY_STORED_PRIORITY_H
#define MAUI_POLICY_STORED_PRIORITY_H

#include <stdint.h>

/*
 * The number that Slurm shows for a priority of Maui's: with the base, minus nice, plus the site
 * factor; from floor to 2^32-1.
 */
uint32_t maui_stored_priority(int64_t priority, int64_t base, int64_t nice, int64_t site_factor,
			      uint32_t floor);

#endif
