/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "testsuite/unit/policy/fixture.h"

static void expect_default_weights(const struct maui_priority_weights *weights)
{
	for (int i = 0; i < MAUI_COMPONENTS; i++) {
		cr_expect_eq(weights->component[i], i == MAUI_CRED || i == MAUI_SERV, "%s",
			     maui_components[i].name);
		cr_expect_eq(weights->component_cap[i], 0, "%s", maui_components[i].name);
	}
	for (int i = 0; i < MAUI_SUBCOMPONENTS; i++) {
		cr_expect_eq(weights->sub[i], i == MAUI_SERV_QUEUETIME, "%s",
			     maui_subcomponents[i].name);
		cr_expect_eq(weights->sub_cap[i], 0, "%s", maui_subcomponents[i].name);
	}
}

Test(priority_compile, gives_the_documented_defaults_queue_time_alone)
{
	struct maui_priority_policy *policy = policy_from("");

	expect_default_weights(maui_priority_weights(policy, NULL));
	cr_expect_not(maui_priority_negatives_enabled(policy));
	maui_priority_free(policy);
}

/* Every weight and cap has a parameter of its own: setting one changes nothing else. */
Test(priority_compile, reads_every_weight_and_cap_from_its_own_parameter)
{
	for (int i = 0; i < MAUI_SUBCOMPONENTS; i++) {
		const struct maui_subcomponent_info *info = &maui_subcomponents[i];
		const struct maui_priority_weights *weights;
		struct maui_priority_policy *policy;
		char lines[200];

		snprintf(lines, sizeof(lines), "QUEUETIMEWEIGHT 0\n%s -7\n%s 2.5\n",
			 maui_key_info(info->weight_key)->name, maui_key_info(info->cap_key)->name);
		policy = policy_from(lines);
		weights = maui_priority_weights(policy, NULL);
		for (int j = 0; j < MAUI_SUBCOMPONENTS; j++) {
			cr_expect_eq(weights->sub[j], i == j ? -7 : 0, "%s: %s", lines,
				     maui_subcomponents[j].name);
			cr_expect_eq(weights->sub_cap[j], i == j ? 2.5 : 0, "%s: %s", lines,
				     maui_subcomponents[j].name);
		}
		maui_priority_free(policy);
	}
}

Test(priority_compile, reads_the_components_weights_and_caps)
{
	for (int i = 0; i < MAUI_COMPONENTS; i++) {
		const struct maui_component_info *info = &maui_components[i];
		const struct maui_priority_weights *weights;
		struct maui_priority_policy *policy;
		char lines[200];

		snprintf(lines, sizeof(lines), "CREDWEIGHT 0\nSERVWEIGHT 0\n%s -1\n%s 50\n",
			 maui_key_info(info->weight_key)->name, maui_key_info(info->cap_key)->name);
		policy = policy_from(lines);
		weights = maui_priority_weights(policy, NULL);
		for (int j = 0; j < MAUI_COMPONENTS; j++) {
			cr_expect_eq(weights->component[j], i == j ? -1 : 0, "%s: %s", lines,
				     maui_components[j].name);
			cr_expect_eq(weights->component_cap[j], i == j ? 50 : 0, "%s: %s", lines,
				     maui_components[j].name);
		}
		maui_priority_free(policy);
	}
}

static const struct {
	const char *alias;
	enum maui_component component; /* or MAUI_COMPONENTS: the subcomponent's */
	enum maui_subcomponent sub;
} aliases[] = {
	{"SERVICEWEIGHT", MAUI_SERV, 0},
	{"SERVICETARGETWEIGHT", MAUI_SERV, 0},
	{"TARGETWEIGHT", MAUI_TARG, 0},
	{"DIRECTSPECWEIGHT", MAUI_CRED, 0},
	{"UFSWEIGHT", MAUI_COMPONENTS, MAUI_FS_USER},
	{"GFSWEIGHT", MAUI_COMPONENTS, MAUI_FS_GROUP},
	{"AFSWEIGHT", MAUI_COMPONENTS, MAUI_FS_ACCOUNT},
	{"CONSUMEDWEIGHT", MAUI_COMPONENTS, MAUI_USAGE_CONSUMED},
	{"REMAININGWEIGHT", MAUI_COMPONENTS, MAUI_USAGE_REMAINING},
	{"PERCENTWEIGHT", MAUI_COMPONENTS, MAUI_USAGE_PERCENT},
};

Test(priority_compile, knows_the_originals_other_names)
{
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		const struct maui_priority_weights *weights;
		struct maui_priority_policy *policy;
		char lines[64];
		double weight;

		snprintf(lines, sizeof(lines), "%s 17\n", aliases[i].alias);
		policy = policy_from(lines);
		weights = maui_priority_weights(policy, NULL);
		weight = aliases[i].component < MAUI_COMPONENTS
				 ? weights->component[aliases[i].component]
				 : weights->sub[aliases[i].sub];
		cr_expect_eq(weight, 17, "%s", aliases[i].alias);
		maui_priority_free(policy);
	}
}

Test(priority_weights, of_a_partition_are_its_own_where_a_line_gives_them)
{
	struct maui_priority_policy *policy = policy_from("FSWEIGHT 3\nFSWEIGHT[batch] 5\n"
							  "QUEUETIMECAP[long] 60\n");
	const struct maui_priority_weights *global = maui_priority_weights(policy, NULL);
	const struct maui_priority_weights *batch = maui_priority_weights(policy, "batch");
	const struct maui_priority_weights *other = maui_priority_weights(policy, "long");

	cr_expect_eq(global->component[MAUI_FS], 3);
	cr_expect_eq(batch->component[MAUI_FS], 5);
	cr_expect_eq(batch->sub[MAUI_SERV_QUEUETIME], 1, "the rest falls back to the default");
	cr_expect_eq(other->component[MAUI_FS], 3, "and to the global line");
	cr_expect_eq(other->sub_cap[MAUI_SERV_QUEUETIME], 60);
	cr_expect_eq(batch->sub_cap[MAUI_SERV_QUEUETIME], 0);
	cr_expect_eq(maui_priority_weights(policy, "unheard-of"), global);
	cr_expect_eq(maui_priority_weights(policy, ""), global);
	cr_expect_eq(maui_priority_weights(policy, "Batch"), global, "names are case-sensitive");
	maui_priority_free(policy);
}

Test(priority_compile, takes_a_negative_cap_as_none)
{
	struct maui_priority_policy *policy = policy_from("FSCAP -1\nUSERCAP -5\n");
	const struct maui_priority_weights *weights = maui_priority_weights(policy, NULL);

	cr_expect_eq(weights->component_cap[MAUI_FS], 0);
	cr_expect_eq(weights->sub_cap[MAUI_CRED_USER], 0);
	cr_expect_gt(weights->component_limit[MAUI_FS], 1e15);
	maui_priority_free(policy);
}

Test(priority_compile, reads_what_becomes_of_negative_priorities)
{
	struct maui_priority_policy *policy = policy_from("ENABLENEGJOBPRIORITY TRUE\n");

	cr_expect(maui_priority_negatives_enabled(policy));
	maui_priority_free(policy);
}

Test(priority_compile, none_can_be_freed)
{
	cr_expect_null(maui_priority_free(NULL));
}

Test(priority_tables, name_every_component_and_subcomponent)
{
	enum maui_subcomponent next = 0;

	for (int i = 0; i < MAUI_COMPONENTS; i++) {
		cr_assert_not_null(maui_components[i].name);
		cr_assert_not_null(maui_components[i].label);
		cr_expect_eq(maui_components[i].first, next, "%s: no gap", maui_components[i].name);
		next = maui_components[i].last + 1;
		for (int j = maui_components[i].first; j <= (int)maui_components[i].last; j++) {
			cr_assert_not_null(maui_subcomponents[j].name);
			cr_expect_leq(strlen(maui_subcomponents[j].label), 5,
				      "a column of diagnose -p");
			cr_expect_eq(maui_subcomponents[j].component, i, "%s",
				     maui_subcomponents[j].name);
		}
	}
	cr_expect_eq(next, MAUI_SUBCOMPONENTS);
}

/* A weight needs its component's in the same partition. */
Test(priority_compile, knows_whether_the_share_tree_counts_anywhere)
{
	static const struct {
		const char *lines;
		bool uses;
	} cases[] = {
		{"", false},
		{"FSWEIGHT 1\n", false},
		{"FSTREEWEIGHT 1\n", false},
		{"FSWEIGHT 1\nFSTREECAP 1\n", false},
		{"FSWEIGHT 1\nFSTREEWEIGHT -1\n", true},
		{"FSWEIGHT 1\nFSTREEWEIGHT[p] 1\n", true},
		{"FSWEIGHT[p] 1\nFSTREEWEIGHT 1\n", true},
		{"FSWEIGHT[p] 1\nFSTREEWEIGHT[q] 1\n", false},
		{"FSWEIGHT 1\nFSTREEWEIGHT 1\nFSWEIGHT[p] 0\n", true},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_priority_policy *policy = policy_from(cases[i].lines);

		cr_expect_eq(maui_priority_uses_tree(policy), cases[i].uses, "%s", cases[i].lines);
		maui_priority_free(policy);
	}
}

Test(priority_compile, a_partition_has_a_weight_and_cap_of_the_share_tree)
{
	struct maui_priority_policy *policy = policy_from(
		"FSTREEWEIGHT 5\nFSTREECAP 0.5\nFSTREEWEIGHT[p] 7\nFSTREECAP[p] 0.25\n");
	const struct maui_priority_weights *all = maui_priority_weights(policy, NULL);
	const struct maui_priority_weights *own = maui_priority_weights(policy, "p");

	cr_expect_eq(all->sub[MAUI_FS_TREE], 5);
	cr_expect_eq(all->sub_cap[MAUI_FS_TREE], 0.5);
	cr_expect_eq(own->sub[MAUI_FS_TREE], 7);
	cr_expect_eq(own->sub_cap[MAUI_FS_TREE], 0.25);
	maui_priority_free(policy);
}
