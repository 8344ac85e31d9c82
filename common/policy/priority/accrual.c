/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of violations that restart queue time under ALWAYS, QUEUEPOLICY and
 * FULLPOLICY, and the resulting start of a job's queue time.
 */
#include "common/policy/priority/accrual.h"

#include <strings.h>

/*
 * What each policy treats as a reason to start over: chapter 5.1.2 names the policies, D-PRI-9 says
 * what they cover.
 */
static const struct {
	const char *name;
	unsigned int resets;
} policies[] = {
	[MAUI_ACCRUE_ALWAYS] = {"ALWAYS", 0},
	[MAUI_ACCRUE_QUEUEPOLICY] = {"QUEUEPOLICY", MAUI_VIOLATES_LIMIT},
	[MAUI_ACCRUE_FULLPOLICY] = {"FULLPOLICY",
				    MAUI_VIOLATES_LIMIT | MAUI_VIOLATES_HOLD | MAUI_VIOLATES_CLASS |
					    MAUI_VIOLATES_PRIORITY | MAUI_VIOLATES_DEPENDENCY |
					    MAUI_VIOLATES_FSCAP | MAUI_VIOLATES_LOCAL},
};
#define POLICY_COUNT (sizeof(policies) / sizeof(policies[0]))

/* By name, not by the keyword's index: the key table is free to sort its keywords. */
enum maui_accrual_policy maui_accrual_policy(const struct maui_config *config)
{
	const struct maui_value *value =
		config ? maui_config_get(config, MAUI_KEY_JOBPRIOACCRUALPOLICY, NULL) : NULL;

	if (value && value->key && value->key->keywords) {
		const char *keyword = value->key->keywords[value->integer];

		for (unsigned int i = 0; i < POLICY_COUNT; i++)
			if (!strcasecmp(keyword, policies[i].name))
				return i;
	}
	return MAUI_ACCRUE_QUEUEPOLICY;
}

bool maui_accrual_resets(enum maui_accrual_policy policy, unsigned int violations)
{
	return policy < POLICY_COUNT && (policies[policy].resets & violations);
}

int64_t maui_accrual_since(enum maui_accrual_policy policy, int64_t since, int64_t submitted,
			   unsigned int violations, int64_t now)
{
	if (maui_accrual_resets(policy, violations))
		return now;
	if (since < submitted)
		since = submitted;
	return since < now ? since : now;
}
