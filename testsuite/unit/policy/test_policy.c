/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/policy.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#define NOW 1700000000

static struct maui_policy *policy_of(const char *lines)
{
	struct maui_policy *policy = NULL;
	struct maui_error why = {""};

	cr_assert_eq(maui_policy_of_text("maui.cfg", lines, strlen(lines), NOW, &policy, &why), 0,
		     "%s", why.text);
	return policy;
}

Test(policy, what_is_compiled_of_a_text)
{
	static const struct {
		const char *lines;
		int64_t base, interval;
		enum maui_accrual_policy accrual;
	} cases[] = {
		{"", 0, 60, MAUI_ACCRUE_QUEUEPOLICY},
		{"ENABLENEGJOBPRIORITY TRUE", INT64_C(1) << 30, 60, MAUI_ACCRUE_QUEUEPOLICY},
		{"RMPOLLINTERVAL 5:00", 0, 300, MAUI_ACCRUE_QUEUEPOLICY},
		{"JOBPRIOACCRUALPOLICY ALWAYS", 0, 60, MAUI_ACCRUE_ALWAYS},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct maui_policy *policy = policy_of(cases[i].lines);

		cr_expect_eq(policy->base, cases[i].base, "%s", cases[i].lines);
		cr_expect_eq(policy->interval, cases[i].interval, "%s: %lld", cases[i].lines,
			     (long long)policy->interval);
		cr_expect_eq(policy->accrual, cases[i].accrual, "%s", cases[i].lines);
		cr_expect_eq(policy->loaded, NOW);
		cr_expect_null(policy->local);
		cr_expect_null(policy->left_out);
		cr_expect_null(maui_policy_unref(policy));
	}
}

Test(policy, a_text_with_errors_is_none_and_says_how_many)
{
	static const char text[] = "PROCWEIGHT x\nFSDEPTH y\nNOSUCH 1\n";
	struct maui_policy *policy = NULL;
	struct maui_error why = {""};

	cr_expect_eq(maui_policy_of_text("maui.cfg", text, strlen(text), NOW, &policy, &why),
		     -EINVAL);
	cr_expect_null(policy);
	cr_expect_str_eq(why.text, "the text has 2 errors: see `maui check`");
}

Test(policy, it_lives_as_long_as_anybody_has_it)
{
	struct maui_policy *policy = policy_of("");

	cr_expect_eq(maui_policy_ref(policy), policy);
	cr_expect_null(maui_policy_unref(policy));
	cr_expect_eq(policy->references, 1);
	cr_expect_eq(policy->interval, 60);
	cr_expect_null(maui_policy_unref(policy));
	cr_expect_null(maui_policy_ref(NULL));
	cr_expect_null(maui_policy_unref(NULL));
}

Test(policy, each_source_has_its_name_in_answers)
{
	cr_expect_str_eq(maui_policy_source_name(MAUI_POLICY_FILE), "file");
	cr_expect_str_eq(maui_policy_source_name(MAUI_POLICY_LAST_GOOD), "last-good-copy");
	cr_expect_str_eq(maui_policy_source_name(MAUI_POLICY_PARTIAL), "partial");
	cr_expect_str_eq(maui_policy_source_name(MAUI_POLICY_NEUTRAL), "neutral");
}
