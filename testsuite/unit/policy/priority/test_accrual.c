/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/policy/fixture.h"

#include "common/policy/priority/accrual.h"

static const struct {
	const char *lines;
	enum maui_accrual_policy policy;
} configured[] = {
	{"", MAUI_ACCRUE_QUEUEPOLICY},
	{"JOBPRIOACCRUALPOLICY ALWAYS\n", MAUI_ACCRUE_ALWAYS},
	{"JOBPRIOACCRUALPOLICY QUEUEPOLICY\n", MAUI_ACCRUE_QUEUEPOLICY},
	{"JOBPRIOACCRUALPOLICY FULLPOLICY\n", MAUI_ACCRUE_FULLPOLICY},
	{"jobprioaccrualpolicy fullpolicy\n", MAUI_ACCRUE_FULLPOLICY},
	{"JOBPRIOACCRUALPOLICY NONSENSE\n", MAUI_ACCRUE_QUEUEPOLICY},
};

Test(accrual_policy, is_read_from_jobprioaccrualpolicy)
{
	for (size_t i = 0; i < sizeof(configured) / sizeof(configured[0]); i++) {
		struct maui_config *config = config_from(configured[i].lines);

		cr_expect_eq(maui_accrual_policy(config), configured[i].policy, "'%s'",
			     configured[i].lines);
		maui_config_unref(config);
	}
	cr_expect_eq(maui_accrual_policy(NULL), MAUI_ACCRUE_QUEUEPOLICY);
}

static const struct {
	unsigned int violations;
	bool always, queue, full;
} resets[] = {
	{0, false, false, false},
	{MAUI_VIOLATES_LIMIT, false, true, true},
	{MAUI_VIOLATES_HOLD, false, false, true},
	{MAUI_VIOLATES_CLASS, false, false, true},
	{MAUI_VIOLATES_PRIORITY, false, false, true},
	{MAUI_VIOLATES_DEPENDENCY, false, false, true},
	{MAUI_VIOLATES_FSCAP, false, false, true},
	{MAUI_VIOLATES_LOCAL, false, false, true},
	{MAUI_VIOLATES_LIMIT | MAUI_VIOLATES_HOLD, false, true, true},
	{MAUI_VIOLATES_FSCAP | MAUI_VIOLATES_LOCAL, false, false, true},
	{1u << 30, false, false, false}, /* not a known violation */
};

Test(accrual_resets, depends_on_the_policy_and_the_kind_of_violation)
{
	for (size_t i = 0; i < sizeof(resets) / sizeof(resets[0]); i++) {
		unsigned int violations = resets[i].violations;

		cr_expect_eq(maui_accrual_resets(MAUI_ACCRUE_ALWAYS, violations), resets[i].always,
			     "%#x", violations);
		cr_expect_eq(maui_accrual_resets(MAUI_ACCRUE_QUEUEPOLICY, violations),
			     resets[i].queue, "%#x", violations);
		cr_expect_eq(maui_accrual_resets(MAUI_ACCRUE_FULLPOLICY, violations),
			     resets[i].full, "%#x", violations);
	}
	cr_expect_not(maui_accrual_resets((enum maui_accrual_policy)9, MAUI_VIOLATES_LIMIT));
	cr_expect_not(maui_accrual_resets((enum maui_accrual_policy) - 1, MAUI_VIOLATES_LIMIT));
}

static const struct {
	int64_t since, submitted;
	unsigned int violations;
	int64_t expected;
} starts[] = {
	{NOW - 100, NOW - 200, 0, NOW - 100},
	{NOW - 100, NOW - 200, MAUI_VIOLATES_LIMIT, NOW}, /* what has accrued is lost */
	{NOW - 100, NOW - 200, MAUI_VIOLATES_HOLD, NOW - 100},
	{0, NOW - 200, 0, NOW - 200}, /* never earlier than submitted */
	{INT64_MIN, NOW - 200, 0, NOW - 200},
	{NOW + 50, NOW - 200, 0, NOW}, /* never later than now */
	{INT64_MAX, INT64_MAX, 0, NOW},
	{INT64_MIN, INT64_MIN, 0, INT64_MIN},
	{NOW, NOW + 100, 0, NOW}, /* the clock went back */
};

Test(accrual_since, moves_to_now_on_a_violation_and_stays_between_submission_and_now)
{
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		cr_expect_eq(maui_accrual_since(MAUI_ACCRUE_QUEUEPOLICY, starts[i].since,
						starts[i].submitted, starts[i].violations, NOW),
			     starts[i].expected, "line %zu", i);
}
