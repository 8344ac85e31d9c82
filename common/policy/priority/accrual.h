/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Effective queue time: since when a job's waiting counts. JOBPRIOACCRUALPOLICY, chapter 5.1.2,
 * D-PRI-9. A violation resets the start to now: what has accrued is lost, not paused.
 */
#ifndef MAUI_POLICY_ACCRUAL_H
#define MAUI_POLICY_ACCRUAL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/config/config.h"

enum maui_accrual_policy { MAUI_ACCRUE_ALWAYS, MAUI_ACCRUE_QUEUEPOLICY, MAUI_ACCRUE_FULLPOLICY };

/* What blocks a job in this iteration. A start date in the future is not among them. */
enum maui_violation {
	MAUI_VIOLATES_LIMIT = 1 << 0,    /* active, idle or system limits, at their hard level */
	MAUI_VIOLATES_HOLD = 1 << 1,     /* any hold */
	MAUI_VIOLATES_CLASS = 1 << 2,    /* the class is disabled */
	MAUI_VIOLATES_PRIORITY = 1 << 3, /* rejected for a negative priority */
	MAUI_VIOLATES_DEPENDENCY = 1 << 4,
	MAUI_VIOLATES_FSCAP = 1 << 5,
	MAUI_VIOLATES_LOCAL = 1 << 6, /* the site's own rule */
};

enum maui_accrual_policy maui_accrual_policy(const struct maui_config *config);

/* Whether these violations (a mask of enum maui_violation) reset the effective queue time. */
bool maui_accrual_resets(enum maui_accrual_policy policy, unsigned int violations);

/*
 * The start of the effective queue time after this iteration: no later than now, no earlier than
 * submitted.
 */
int64_t maui_accrual_since(enum maui_accrual_policy policy, int64_t since, int64_t submitted,
			   unsigned int violations, int64_t now);

#endif
