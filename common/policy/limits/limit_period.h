/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When a period of PERIODCFG is in force, by the clocks of the local time zone. */
#ifndef MAUI_POLICY_LIMIT_PERIOD_H
#define MAUI_POLICY_LIMIT_PERIOD_H

#include <stdbool.h>
#include <stdint.h>

#include "common/config/config.h"

/*
 * Whether a second is in the period. *ret_until: the first one, after it, of which the answer is the
 * other; epoch seconds, INT64_MAX if there is none. A STARTTIME or ENDTIME that summer time skips is
 * at the jump, one that comes twice is the first.
 */
bool limit_period_holds(const struct maui_period *period, int64_t now, int64_t *ret_until);

/* Whether both are in force at some time of some week, as clocks show it. */
bool limit_periods_overlap(const struct maui_period *a, const struct maui_period *b);

#endif
