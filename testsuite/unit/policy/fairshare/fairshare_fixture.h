/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fairshare windows with room for a few credentials of each type. */
#ifndef MAUI_UNIT_POLICY_FAIRSHARE_FIXTURE_H
#define MAUI_UNIT_POLICY_FAIRSHARE_FIXTURE_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "common/policy/fairshare/fairshare.h"

#define ROOM 40u /* ids 1..ROOM */

/* One of each type; and none at all. */
static const uint32_t ones[MAUI_CREDENTIALS] __attribute__((unused)) = {1, 1, 1, 1, 1};
static const uint32_t nobody[MAUI_CREDENTIALS] __attribute__((unused)) = {0};

static inline struct maui_fairshare_settings settings_of(int64_t interval, uint32_t depth,
							 double decay)
{
	return (struct maui_fairshare_settings){.metric = MAUI_FS_DEDICATEDPS,
						.interval = interval,
						.depth = depth,
						.decay = decay};
}

static inline struct maui_fairshare *fairshare_of(int64_t interval, uint32_t depth, double decay,
						  int64_t now)
{
	struct maui_fairshare_settings settings = settings_of(interval, depth, decay);
	struct maui_fairshare *fs = maui_fairshare_new(&settings, now);

	cr_assert_not_null(fs);
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		cr_assert_eq(maui_fairshare_reserve(fs, type, ROOM), 0);
	return fs;
}

static inline double user_usage(const struct maui_fairshare *fs, uint32_t k)
{
	return maui_fairshare_usage(fs, MAUI_USER, 1, k);
}

static inline double total_usage(const struct maui_fairshare *fs, uint32_t k)
{
	return maui_fairshare_usage(fs, MAUI_FS_TOTAL, 0, k);
}

#define expect_near(a, b, ...) cr_expect_float_eq(a, b, 1e-9 * (1 + fabs(b)), __VA_ARGS__)

#endif
