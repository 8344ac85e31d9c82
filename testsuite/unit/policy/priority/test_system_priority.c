/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>

#include "common/policy/priority/system_priority.h"

Test(system_priority, of_both_kinds_are_told_apart)
{
	for (int64_t priority = 1; priority <= MAUI_SYSTEM_PRIORITY_LIMIT; priority++)
		cr_assert_eq(
			maui_system_priority_absolute(maui_system_priority_stored(false, priority)),
			priority);
	for (int64_t priority = -1000000000; priority <= 1000000000; priority += 499999) {
		cr_assert_eq(maui_system_priority_stored(true, priority), priority);
		cr_assert_eq(maui_system_priority_absolute(priority), 0);
	}
}

Test(system_priority, none_is_zero)
{
	cr_assert_eq(maui_system_priority_stored(false, 0), 0);
	cr_assert_eq(maui_system_priority_stored(true, 0), 0);
	cr_assert_eq(maui_system_priority_absolute(0), 0);
}

/* Slurm adds 2^31, in 32 bits whose last two numbers are reserved. */
Test(system_priority, all_fit_into_slurms_site_factor)
{
	int64_t greatest = maui_system_priority_stored(false, MAUI_SYSTEM_PRIORITY_LIMIT);

	cr_assert_lt(greatest + 0x80000000LL, 0xfffffffeLL);
	cr_assert_eq(maui_system_priority_absolute(greatest + 1), 0);
	cr_assert_eq(maui_system_priority_absolute(MAUI_SYSTEM_PRIORITY_BASE), 0);
	cr_assert_eq(maui_system_priority_absolute(INT32_MAX), 0);
	cr_assert_eq(maui_system_priority_absolute(INT32_MIN), 0);
}
