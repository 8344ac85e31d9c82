/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which idle jobs are eligible: chapter 6.2.3, once per iteration. */
#include "common/policy/limits/limits_private.h"

static void pass(const struct maui_limits *limits, struct maui_limit_usage *usage,
		 struct maui_limit_candidate *candidate, enum maui_limit_level level)
{
	bool soft = level == MAUI_LIMIT_SOFT;
	struct maui_limit_verdict *verdict =
		soft ? &candidate->soft_verdict : &candidate->hard_verdict;
	bool blocked = false;

	*verdict = (struct maui_limit_verdict){0};
	if (!candidate->out && !candidate->exempt)
		blocked = maui_limits_check(limits, usage, &candidate->job, level,
					    MAUI_LIMIT_ALL_MODES, verdict);
	*(soft ? &candidate->soft : &candidate->hard) = !candidate->out && !blocked;
	if (!candidate->out && !blocked)
		maui_limit_usage_count_idle(usage, &candidate->job); /* has been reserved */
}

/* For limits without a soft level of their own. */
static void same_at_soft(struct maui_limit_candidate *candidate)
{
	candidate->soft = candidate->hard;
	candidate->soft_verdict = candidate->hard_verdict;
	if (candidate->soft_verdict.blocked && candidate->soft_verdict.mode != MAUI_LIMIT_IDLE)
		candidate->soft_verdict.level = MAUI_LIMIT_SOFT;
}

int maui_limits_select(const struct maui_limits *limits, struct maui_limit_usage *usage,
		       struct maui_limit_candidate *candidates, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int rc = candidates[i].out ? 0
					   : maui_limit_usage_reserve(usage, &candidates[i].job,
								      MAUI_LIMIT_IDLE);

		if (rc)
			return rc;
	}
	maui_limit_usage_clear_idle(usage);
	if (maui_limits_soft(limits)) {
		for (size_t i = 0; i < count; i++)
			pass(limits, usage, &candidates[i], MAUI_LIMIT_SOFT);
		maui_limit_usage_clear_idle(usage);
	}
	for (size_t i = 0; i < count; i++)
		pass(limits, usage, &candidates[i], MAUI_LIMIT_HARD);
	if (!maui_limits_soft(limits))
		for (size_t i = 0; i < count; i++)
			same_at_soft(&candidates[i]);
	return 0;
}
