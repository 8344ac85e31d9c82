/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/policy/fixture.h"

static const char *const sections[MAUI_CREDENTIALS] = {"USERCFG", "GROUPCFG", "ACCOUNTCFG",
						       "QOSCFG", "CLASSCFG"};

/* What a policy says of "x" (or of none), in one line. */
static struct maui_priority_credential ask(const char *lines, enum maui_credential type,
					   const char *name)
{
	struct maui_priority_policy *policy = policy_from(lines);
	struct maui_priority_credential credential;

	memset(&credential, 0xa5, sizeof(credential));
	maui_priority_credential(policy, type, name, &credential);
	maui_priority_free(policy);
	return credential;
}

static struct maui_priority_credential ask_type(enum maui_credential type, const char *own,
						const char *fallback, const char *name)
{
	char lines[300];

	snprintf(lines, sizeof(lines), "%s[x] %s\n%s[DEFAULT] %s\n", sections[type], own,
		 sections[type], fallback);
	return ask(lines, type, name);
}

static bool says_nothing(const struct maui_priority_credential *credential)
{
	return credential->priority == 0 && !credential->has_priority &&
	       credential->queuetime_weight == 0 && credential->xfactor_weight == 0 &&
	       credential->queuetime_target == 0 && credential->xfactor_target == 0 &&
	       credential->class_weight == 0 && credential->fs_target.value == 0 &&
	       credential->fs_target.mode == MAUI_FS_NONE;
}

Test(priority_credential, says_nothing_where_no_line_speaks_of_it)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		struct maui_priority_credential credential = ask("", type, "x");

		cr_expect(says_nothing(&credential), "%s", sections[type]);
		credential = ask("", type, NULL);
		cr_expect(says_nothing(&credential), "%s", sections[type]);
	}
}

static const struct {
	const char *own, *fallback;
	double priority, qos; /* for a QOS */
} priorities[] = {
	{"PRIORITY=10", "PRIORITY=5", 10, 10}, {"PRIORITY=-10", "PRIORITY=5", -10, -10},
	{"PRIORITY=0", "PRIORITY=5", 5, 0},    {"FSTARGET=1", "PRIORITY=5", 5, 0},
	{"FSTARGET=1", "FSTARGET=1", 0, 0},
};

Test(priority_credential, takes_the_priority_of_default_where_its_own_is_0_but_for_qos)
{
	for (size_t i = 0; i < sizeof(priorities) / sizeof(priorities[0]); i++)
		for (int type = 0; type < MAUI_CREDENTIALS; type++) {
			double expected =
				type == MAUI_QOS ? priorities[i].qos : priorities[i].priority;
			struct maui_priority_credential credential =
				ask_type(type, priorities[i].own, priorities[i].fallback, "x");

			cr_expect_eq(credential.priority, expected, "%s, %s: %g", sections[type],
				     priorities[i].own, credential.priority);
			cr_expect_eq(credential.has_priority, expected != 0);
		}
}

Test(priority_credential, of_jobs_without_one_is_default_for_every_type)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		cr_expect_eq(ask_type(type, "PRIORITY=10", "PRIORITY=5", NULL).priority, 5, "%s",
			     sections[type]);
}

Test(priority_credential, may_be_unknown_and_then_has_what_default_says)
{
	cr_expect_eq(ask_type(MAUI_USER, "PRIORITY=10", "PRIORITY=5", "stranger").priority, 5);
	cr_expect_eq(ask_type(MAUI_QOS, "PRIORITY=10", "PRIORITY=5", "stranger").priority, 0);
	cr_expect_eq(ask_type(MAUI_USER, "PRIORITY=10", "PRIORITY=5", "X").priority, 5,
		     "names are case-sensitive");
}

static const struct {
	const char *own, *fallback;
	double value;
	enum maui_fsmode mode;
} targets[] = {
	{"FSTARGET=10+", "FSTARGET=20-", 10, MAUI_FS_FLOOR},
	{"FSTARGET=10", "FSTARGET=20-", 10, MAUI_FS_TARGET},
	{"FSTARGET=0+", "FSTARGET=20-", 20, MAUI_FS_CEILING},
	{"FSTARGET=-3", "FSTARGET=20%", 20, MAUI_FS_CAP_RELATIVE},
	{"PRIORITY=1", "FSTARGET=20^", 20, MAUI_FS_CAP_ABSOLUTE},
	{"PRIORITY=1", "PRIORITY=1", 0, MAUI_FS_NONE},
	{"FSTARGET=0", "FSTARGET=0", 0, MAUI_FS_NONE},
};

Test(priority_credential, takes_the_target_of_default_with_its_mark_where_it_has_none)
{
	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
		for (int type = 0; type < MAUI_CREDENTIALS; type++) {
			struct maui_fstarget target =
				ask_type(type, targets[i].own, targets[i].fallback, "x").fs_target;

			cr_expect_eq(target.value, targets[i].value, "%s: %s", sections[type],
				     targets[i].own);
			cr_expect_eq(target.mode, targets[i].mode, "%s: %s", sections[type],
				     targets[i].own);
		}
}

Test(priority_credential, has_no_target_for_jobs_without_one_but_a_qos)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		struct maui_fstarget target =
			ask_type(type, "FSTARGET=5", "FSTARGET=20+", NULL).fs_target;

		cr_expect_eq(target.mode, type == MAUI_QOS ? MAUI_FS_FLOOR : MAUI_FS_NONE, "%s",
			     sections[type]);
	}
}

Test(priority_credential, of_a_qos_has_weights_and_targets_of_queue_time_and_xfactor)
{
	struct maui_priority_credential qos =
		ask_type(MAUI_QOS, "QTWEIGHT=-5 QTTARGET=1:00:00 XFTARGET=2.5",
			 "QTWEIGHT=9 XFWEIGHT=8 QTTARGET=60 XFTARGET=7", "x");

	cr_expect_eq(qos.queuetime_weight, -5);
	cr_expect_eq(qos.xfactor_weight, 8, "value by value from DEFAULT");
	cr_expect_eq(qos.queuetime_target, 3600);
	cr_expect_eq(qos.xfactor_target, 2.5);
	qos = ask_type(MAUI_QOS, "QTWEIGHT=-5", "XFWEIGHT=8 QTTARGET=60", NULL);
	cr_expect_eq(qos.queuetime_weight, 0);
	cr_expect_eq(qos.xfactor_weight, 8);
	cr_expect_eq(qos.queuetime_target, 60);
}

Test(priority_credential, of_a_group_may_have_a_classweight)
{
	cr_expect_eq(ask_type(MAUI_GROUP, "CLASSWEIGHT=7", "PRIORITY=1", "x").class_weight, 7);
	cr_expect_eq(ask_type(MAUI_GROUP, "PRIORITY=1", "CLASSWEIGHT=3", "x").class_weight, 3);
	cr_expect_eq(ask_type(MAUI_GROUP, "CLASSWEIGHT=-7", "PRIORITY=1", "x").class_weight, 0);
}

Test(priority_credential, bears_junk)
{
	struct maui_priority_credential credential;
	struct maui_priority_policy *policy = policy_from("USERCFG[DEFAULT] PRIORITY=5\n");

	memset(&credential, 0xa5, sizeof(credential));
	maui_priority_credential(NULL, MAUI_USER, "x", &credential);
	cr_expect_eq(credential.priority, 0);
	maui_priority_credential(policy, MAUI_CREDENTIALS, "x", &credential);
	cr_expect_eq(credential.priority, 0);
	maui_priority_credential(policy, (enum maui_credential) - 1, "x", &credential);
	cr_expect_eq(credential.priority, 0);
	maui_priority_credential(policy, MAUI_USER, "", &credential);
	cr_expect_eq(credential.priority, 5);
	maui_priority_free(policy);
}
