/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <string.h>

#include "common/policy/nodes/node_settings.h"

static struct maui_node_policy *compile(const char *text)
{
	struct maui_node_policy *policy;
	struct maui_config *config = NULL;
	struct maui_error error = {""};

	cr_assert_eq(maui_config_parse("maui.cfg", text, strlen(text), NULL, &config, &error), 0,
		     "%s", error.text);
	policy = maui_node_policy_compile(config);
	maui_config_unref(config);
	return policy;
}

Test(node_settings, without_lines_the_documented_defaults_hold)
{
	struct maui_node_policy *policy = compile("FSWEIGHT 1\n");
	const struct maui_node_settings *settings = maui_node_settings(policy, "node1");

	cr_expect_eq(settings->speed, 1);
	cr_expect_eq(settings->priority, 0);
	cr_expect_eq(settings->procspeed, 0);
	cr_expect_eq(settings->slot, MAUI_NODE_NOT_GIVEN);
	cr_expect_eq(settings->memory, MAUI_NODE_NOT_GIVEN);
	cr_expect_eq(settings->size, 1);
	cr_expect_eq(settings->formula.coefficient[MAUI_NODE_PREF], 100);
	cr_expect_eq(settings->formula.term_count, 3);
	cr_expect_eq(maui_node_settings(policy, "other"), settings);
	cr_expect_eq(maui_node_settings(policy, NULL), settings);
	cr_expect_eq(memcmp(&settings->formula, &maui_node_no_settings.formula,
			    sizeof(settings->formula)),
		     0);
	cr_expect_eq(maui_node_settings(NULL, "x"), &maui_node_no_settings);
	maui_node_policy_free(policy);
}

Test(node_settings, a_node_takes_one_slot_or_more)
{
	struct maui_node_policy *policy = compile("NODECFG[n1] SIZE=0\nNODECFG[n2] SIZE=2\n");

	cr_expect_eq(maui_node_settings(policy, "n1")->size, 1);
	cr_expect_eq(maui_node_settings(policy, "n2")->size, 2);
	maui_node_policy_free(policy);
}

/* Which PRIORITY and SPEED a node gets from some lines. */
static const struct {
	const char *text, *node;
	double priority, speed;
} precedence[] = {
	{"NODECFG[DEFAULT] PRIORITY=1 SPEED=2", "n1", 1, 2},
	{"NODECFG[DEFAULT] PRIORITY=1 SPEED=2\nNODECFG[n1] SPEED=3", "n1", 1, 3},
	{"NODECFG[n1] PRIORITY=5\nNODECFG[DEFAULT] PRIORITY=1", "n1", 5, 1},
	{"NODECFG[n1] PRIORITY=0\nNODECFG[DEFAULT] PRIORITY=1", "n1", 0, 1},
	{"NODECFG[n[1-3]] PRIORITY=5", "n2", 5, 1},
	{"NODECFG[n[1-3]] PRIORITY=5", "n4", 0, 1},
	{"NODECFG[n[01-03]] PRIORITY=5", "n2", 0, 1},
	{"NODECFG[n[01-03],m] PRIORITY=5", "m", 5, 1},
	/* An exact name wins, wherever it is. */
	{"NODECFG[n2] PRIORITY=7\nNODECFG[n[1-3]] PRIORITY=5 SPEED=4", "n2", 7, 4},
	/* Among ranges the later line, attribute by attribute. */
	{"NODECFG[n[1-3]] PRIORITY=5 SPEED=4\nNODECFG[n[2-9]] PRIORITY=6", "n2", 6, 4},
	{"NODECFG[n[2-9]] PRIORITY=6\nNODECFG[n[1-3]] PRIORITY=5 SPEED=4", "n2", 5, 4},
	/* Later counts, even if the range was named before. */
	{"NODECFG[n[1-3]] SPEED=4\nNODECFG[n[2-9]] PRIORITY=6\nNODECFG[n[1-3]] PRIORITY=5", "n2", 5,
	 4},
	{"NODECFG[n[1-3]] PRIORITY=5\nNODECFG[n[1-3]] PRIORITY=6", "n1", 6, 1},
	{"NODECFG[n1] PRIORITY=5\nNODECFG[n1] PRIORITY=6 PRIORITY=7", "n1", 7, 1},
	{"NODECFG[n[1-3,2]] PRIORITY=5", "n2", 5, 1},
	{"NODECFG[n[1-3,2]] PRIORITY=5\nNODECFG[n[2-3]] PRIORITY=6", "n2", 6, 1},
	/* SPEED is clamped. */
	{"NODECFG[n1] SPEED=150", "n1", 0, 100},
	{"NODECFG[n1] SPEED=100", "n1", 0, 100},
	{"NODECFG[n1] SPEED=0.5", "n1", 0, 0.5},
	/* An invalid range does not count. */
	{"NODECFG[n[3-1]] PRIORITY=5", "n2", 0, 1},
};

Test(node_settings, own_lines_then_the_last_range_then_default)
{
	for (size_t i = 0; i < sizeof(precedence) / sizeof(precedence[0]); i++) {
		struct maui_node_policy *policy = compile(precedence[i].text);
		const struct maui_node_settings *settings =
			maui_node_settings(policy, precedence[i].node);

		cr_expect_eq(settings->priority, precedence[i].priority, "%s: %g",
			     precedence[i].text, settings->priority);
		cr_expect_eq(settings->speed, precedence[i].speed, "%s: %g", precedence[i].text,
			     settings->speed);
		maui_node_policy_free(policy);
	}
}

/* The coefficients of LOAD, CMEM and PRIORITY. */
static const struct {
	const char *text;
	double load, memory, priority;
} formulas[] = {
	{"NODECFG[DEFAULT] PRIORITYF='-LOAD'", -1, 0, 0},
	{"NODECFG[DEFAULT] PRIORITYF='-LOAD'\nNODECFG[n] PRIORITYF=CMEM", 0, 1, 0},
	{"NODECFG[DEFAULT] PRIORITYF='-LOAD'\nNODECFG[n] PRIORITY=7", -1, 0, 0},
	{"NODECFG[n] PRIORITY=7", 0, 0, 1},
	/* Refused: as if it were not there. */
	{"NODECFG[DEFAULT] PRIORITYF='-LOAD'\nNODECFG[n] PRIORITYF=cmem", -1, 0, 0},
	/* Weights set coefficients, or make a formula. */
	{"NODECFG[n] PRIORITYF='2*CMEM - LOAD' LOADWEIGHT=-3", -3, 2, 0},
	{"NODECFG[n] LOADWEIGHT=-3 CFGMEMWEIGHT=.5", -3, .5, 0},
	{"NODECFG[DEFAULT] PRIOWEIGHT=4\nNODECFG[m] PRIORITY=1", 0, 0, 4},
	{"NODECFG[DEFAULT] PRIOWEIGHT=4 PRIORITYF=CMEM", 0, 1, 4},
	{"NODECFG[DEFAULT] PRIOWEIGHT=4\nNODECFG[n] PRIORITYF=CMEM", 0, 1, 0},
};

Test(node_settings, the_nodes_own_formula_then_defaults_then_the_built_in_one)
{
	for (size_t i = 0; i < sizeof(formulas) / sizeof(formulas[0]); i++) {
		struct maui_node_policy *policy = compile(formulas[i].text);
		const double *coefficient = maui_node_settings(policy, "n")->formula.coefficient;

		cr_expect_eq(coefficient[MAUI_NODE_LOAD], formulas[i].load, "%s", formulas[i].text);
		cr_expect_eq(coefficient[MAUI_NODE_CMEM], formulas[i].memory, "%s",
			     formulas[i].text);
		cr_expect_eq(coefficient[MAUI_NODE_PRIORITY], formulas[i].priority, "%s",
			     formulas[i].text);
		maui_node_policy_free(policy);
	}
}

Test(node_settings, all_weights_of_the_original_set_their_component)
{
	struct maui_node_policy *policy =
		compile("NODECFG[n] LOADWEIGHT=1 CFGMEMWEIGHT=2 CFGPROCWEIGHT=3 AVLMEMWEIGHT=4 "
			"AVLPROCWEIGHT=5 PRIOWEIGHT=6 SPEEDWEIGHT=7 USAGEWEIGHT=8");
	static const enum maui_node_component order[] = {
		MAUI_NODE_LOAD,   MAUI_NODE_CMEM,     MAUI_NODE_CPROCS, MAUI_NODE_AMEM,
		MAUI_NODE_APROCS, MAUI_NODE_PRIORITY, MAUI_NODE_SPEED,  MAUI_NODE_USAGE};

	for (int i = 0; i < 8; i++)
		cr_expect_eq(maui_node_settings(policy, "n")->formula.coefficient[order[i]], i + 1);
	maui_node_policy_free(policy);
}

Test(node_settings, amounts_slots_and_features_are_read)
{
	struct maui_node_policy *policy =
		compile("NODECFG[DEFAULT] FEATURES=tape CFGSWAP=1\n"
			"NODECFG[n] PROCSPEED=2400 FEATURES=fast:big FRAME=2 SLOT=0 SIZE=4 "
			"CFGMEM=2G CFGDISK=100 CFGSWAP=0");
	const struct maui_node_settings *settings = maui_node_settings(policy, "n");

	cr_expect_eq(settings->procspeed, 2400);
	cr_expect_eq(settings->frame, 2);
	cr_expect_eq(settings->slot, 0);
	cr_expect_eq(settings->size, 4);
	cr_expect_eq(settings->memory, 2048);
	cr_expect_eq(settings->disk, 100);
	cr_expect_eq(settings->swap, 0);
	cr_assert_eq(settings->feature_count, 2);
	cr_expect_str_eq(settings->features[0], "fast");
	cr_expect_str_eq(settings->features[1], "big");
	settings = maui_node_settings(policy, "m");
	cr_assert_eq(settings->feature_count, 1);
	cr_expect_str_eq(settings->features[0], "tape");
	maui_node_policy_free(policy);
}

Test(node_settings, limits_fall_back_value_by_value)
{
	struct maui_node_policy *policy = compile(
		"NODECFG[DEFAULT] MAXJOB=9 MAXPROC=99 MAXPROC[CLASS:a]=1 MAXPROC[CLASS:b]=2\n"
		"NODECFG[n] MAXJOB=2,4 MAXJOBPERUSER=1 MAXPROCPERUSER=-1 MAXPEPERJOB=1.5 "
		"MAXLOAD=8 MAXPROC[CLASS:b]=3 MAXPROC=0 MAXPROC[USER]=5\n"
		"NODECFG[n[1-2]] MAXPROC[CLASS:a]=7");
	const struct maui_node_limits *limits = &maui_node_settings(policy, "n")->limits;

	cr_expect_eq(limits->jobs.soft, 2);
	cr_expect_eq(limits->jobs.hard, 4);
	cr_expect_eq(limits->jobs_per_user.hard, 1);
	cr_expect_eq(limits->procs.hard, 99, "0 is not given");
	cr_expect_lt(limits->procs_per_user.hard, 0);
	cr_expect_eq(limits->pe_per_job, 1.5);
	cr_expect_eq(limits->load, 8);
	cr_assert_eq(limits->dimension_count, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct maui_node_dimension_limit *limit = &limits->dimensions[i];

		cr_expect_eq(limit->key, MAUI_ATTR_MAXPROC);
		if (!limit->name) {
			cr_expect_eq(limit->dimension, MAUI_USER);
			cr_expect_eq(limit->limit.hard, 5);
		} else {
			cr_expect_eq(limit->dimension, MAUI_CLASS);
			cr_expect_eq(limit->limit.hard, *limit->name == 'a' ? 1 : 3);
		}
	}
	limits = &maui_node_settings(policy, "n1")->limits;
	cr_assert_eq(limits->dimension_count, 2);
	cr_expect_eq(limits->dimensions[0].limit.hard, 7);
	cr_expect_eq(limits->dimensions[1].limit.hard, 2);
	maui_node_policy_free(policy);
}

static int64_t gres_limit(const struct maui_node_policy *policy, const char *node, const char *name)
{
	const struct maui_node_limits *limits = &maui_node_settings(policy, node)->limits;
	const struct maui_node_gres *names = maui_node_policy_gres(policy);

	for (size_t i = 0; i < limits->gres_count; i++) {
		cr_expect_str_eq(names->name[limits->gres[i].gres], limits->gres[i].name);
		if (!strcmp(limits->gres[i].name, name))
			return limits->gres[i].limit.hard;
	}
	return 0;
}

Test(node_settings, limits_of_gres_fall_back_name_by_name)
{
	struct maui_node_policy *policy =
		compile("NODECFG[DEFAULT] MAXGRES[gpu]=4 MAXGRES[tape]=1 PRIORITYF=CGRES[tape]\n"
			"NODECFG[n] MAXGRES[gpu]=1,2 MAXGRES[gpu:a100]=1 MAXGRES[tape]=0\n"
			"NODECFG[n[1-2]] MAXGRES[gpu]=3\n"
			"NODECFG[n2] MAXGRES[gpu]=-1 MAXPROC[USER]=5\n");
	static const struct {
		const char *node, *gres;
		int64_t hard;
	} cases[] = {
		{"other", "gpu", 4}, {"other", "tape", 1}, {"other", "gpu:a100", 0},
		{"n", "gpu", 2},     {"n", "gpu:a100", 1}, {"n", "tape", 1},
		{"n1", "gpu", 3},    {"n1", "tape", 1},    {"n2", "gpu", -1},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(gres_limit(policy, cases[i].node, cases[i].gres), cases[i].hard,
			     "%s %s", cases[i].node, cases[i].gres);
	cr_expect_eq(maui_node_policy_gres(policy)->count, 3, "tape is one for both");
	cr_expect_eq(maui_node_settings(policy, "n")->limits.dimension_count, 0);
	cr_expect_eq(maui_node_settings(policy, "n2")->limits.dimension_count, 1);
	maui_node_policy_free(policy);
}

Test(node_settings, nodes_of_a_range_share_their_settings)
{
	struct maui_node_policy *policy = compile("NODECFG[n[1-10000]] PRIORITY=3\n"
						  "NODECFG[n5000] PRIORITY=4");

	cr_expect_eq(maui_node_settings(policy, "n1"), maui_node_settings(policy, "n4999"));
	cr_expect_eq(maui_node_settings(policy, "n5001"), maui_node_settings(policy, "n10000"));
	cr_expect_eq(maui_node_settings(policy, "n5000")->priority, 4);
	cr_expect_eq(maui_node_settings(policy, "n10000")->priority, 3);
	cr_expect_eq(maui_node_settings(policy, "n10001")->priority, 0);
	maui_node_policy_free(policy);
}

Test(node_settings, none_can_be_freed)
{
	cr_expect_null(maui_node_policy_free(NULL));
}
