/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/queue/queue_fixture.h"

#define BOB 1002u

static struct queue_fixture queue;

static void open_queue(void)
{
	queue_open(
		&queue,
		"USERCFG[bob] PRIORITY=7\nUSERCFG[DEFAULT] PRIORITY=1\nUSERCFG[carol] PRIORITY=9\n"
		"ACCOUNTCFG[phys] PRIORITY=3\nQUEUETIMEWEIGHT 1\n"
		"ADMIN1 alice\nADMIN2 bob alice\nADMIN3 carol nobody_here");
}

static void close_queue(void)
{
	queue_close(&queue);
}

TestSuite(names, .init = open_queue, .fini = close_queue);
TestSuite(principals, .init = open_queue, .fini = close_queue);

static double priority_of(enum maui_credential type, uint32_t id)
{
	return (double)maui_names_tables(queue.names).credential[type][id].priority;
}

Test(names, a_number_has_one_id_and_the_priority_of_its_name)
{
	uint32_t bob = maui_names_of_number(queue.names, MAUI_USER, BOB);
	uint32_t other = maui_names_of_number(queue.names, MAUI_USER, 4711);

	cr_expect_neq(bob, MAUI_NO_CREDENTIAL);
	cr_expect_neq(bob, other);
	cr_expect_eq(maui_names_of_number(queue.names, MAUI_USER, BOB), bob);
	cr_expect_eq(maui_names_number(queue.names, MAUI_USER, bob), BOB);
	cr_expect_eq(priority_of(MAUI_USER, bob), 7);
	cr_expect_eq(priority_of(MAUI_USER, other), 1);
	cr_expect_eq(maui_names_count(queue.names, MAUI_USER), 3); /* with carol, from maui.cfg */
}

Test(names, no_text_is_nobody)
{
	uint32_t before = maui_names_count(queue.names, MAUI_ACCOUNT);

	cr_expect_eq(maui_names_of_text(queue.names, MAUI_ACCOUNT, NULL), MAUI_NO_CREDENTIAL);
	cr_expect_eq(maui_names_of_text(queue.names, MAUI_ACCOUNT, ""), MAUI_NO_CREDENTIAL);
	cr_expect_eq(maui_names_count(queue.names, MAUI_ACCOUNT), before);
}

Test(names, ids_survive_another_policy_and_what_it_says_of_them_is_new)
{
	uint32_t bob = maui_names_of_number(queue.names, MAUI_USER, BOB);
	uint32_t phys = maui_names_of_text(queue.names, MAUI_ACCOUNT, "phys");
	struct maui_policy *policy = queue_policy("USERCFG[bob] PRIORITY=20");
	struct maui_principals *principals = queue_principals(policy->config);

	cr_expect_eq(priority_of(MAUI_ACCOUNT, phys), 3);
	maui_names_bind(queue.names, policy, principals);
	cr_expect_eq(maui_names_of_number(queue.names, MAUI_USER, BOB), bob);
	cr_expect_eq(priority_of(MAUI_USER, bob), 20);
	cr_expect_eq(priority_of(MAUI_ACCOUNT, phys), 0);
	maui_names_bind(queue.names, queue.policy, queue.principals);
	maui_principals_free(principals);
	maui_policy_unref(policy);
}

Test(names, who_is_configured_has_the_id_that_jobs_come_with)
{
	static const struct {
		enum maui_credential type;
		const char *name, *job;
	} texts[] = {
		{MAUI_ACCOUNT, "Phys", "phys"},
		{MAUI_QOS, "HI", "hi"},
		{MAUI_CLASS, "Batch", "Batch"},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		cr_expect_eq(maui_names_of_configured(queue.names, texts[i].type, texts[i].name),
			     maui_names_of_text(queue.names, texts[i].type, texts[i].job), "%s",
			     texts[i].name);
	cr_expect_eq(maui_names_of_configured(queue.names, MAUI_USER, "bob"),
		     maui_names_of_number(queue.names, MAUI_USER, BOB));
	cr_expect_eq(maui_names_of_configured(queue.names, MAUI_USER, "nobody_here"),
		     MAUI_NO_CREDENTIAL);
}

Test(names, an_association_stands_for_its_account)
{
	uint32_t phys = maui_names_of_account(queue.names, 5, "phys");

	cr_expect_eq(maui_names_of_association(queue.names, 5), phys);
	cr_expect_eq(maui_names_of_association(queue.names, 6), MAUI_NO_CREDENTIAL);
	cr_expect_eq(maui_names_of_association(queue.names, 0), MAUI_NO_CREDENTIAL);
	cr_expect_eq(maui_names_of_account(queue.names, 5, "never looked at"), phys);
	cr_expect_eq(maui_names_of_account(queue.names, 0, "phys"), phys);
	cr_expect_neq(maui_names_of_account(queue.names, 6, "chem"), phys);
}

Test(names, a_text_says_the_label_the_name_of_maui_cfg_or_the_number)
{
	uint32_t bob = maui_names_of_number(queue.names, MAUI_USER, BOB);
	uint32_t other = maui_names_of_number(queue.names, MAUI_USER, 4711), id;
	char number[MAUI_NAMES_NUMBER_SIZE];

	cr_expect_str_eq(maui_names_text(queue.names, MAUI_USER, bob, number), "bob");
	cr_expect_null(maui_names_label(queue.names, MAUI_USER, bob));
	cr_expect_str_eq(maui_names_text(queue.names, MAUI_USER, other, number), "4711");
	cr_expect_null(maui_names_text(queue.names, MAUI_USER, MAUI_NO_CREDENTIAL, number));
	cr_expect_eq(maui_names_set_label(queue.names, MAUI_USER, 4711, "eve", &id),
		     MAUI_NO_CREDENTIAL);
	cr_expect_eq(id, other);
	cr_expect_str_eq(maui_names_text(queue.names, MAUI_USER, other, number), "eve");
}

Test(names, those_without_a_label_are_asked_for_one_by_one)
{
	uint32_t at = 0, id;

	maui_names_of_number(queue.names, MAUI_USER, BOB);
	maui_names_of_number(queue.names, MAUI_USER, 4711);
	maui_names_of_number(queue.names, MAUI_USER, 4712);
	maui_names_set_label(queue.names, MAUI_USER, 4711, "eve", &id);
	maui_names_set_label(queue.names, MAUI_USER, 1001, "carol", &id);
	cr_expect_eq(maui_names_unlabeled(queue.names, MAUI_USER, &at), BOB);
	cr_expect_eq(maui_names_unlabeled(queue.names, MAUI_USER, &at), 4712);
	cr_expect_eq(maui_names_unlabeled(queue.names, MAUI_USER, &at), UINT32_MAX);
}

Test(names, a_name_of_a_file_that_gets_its_number_later_was_a_stranger_until_then)
{
	uint32_t stranger = maui_names_of_name(queue.names, MAUI_USER, "eve");
	uint32_t eve = maui_names_of_number(queue.names, MAUI_USER, 4711), id;

	cr_expect_neq(stranger, eve);
	cr_expect_eq(maui_names_of_name(queue.names, MAUI_USER, "eve"), stranger);
	cr_expect_eq(maui_names_set_label(queue.names, MAUI_USER, 4711, "eve", &id), stranger);
	cr_expect_eq(id, eve);
	cr_expect_eq(maui_names_of_name(queue.names, MAUI_USER, "eve"), eve);
	cr_expect_eq(maui_names_of_written(queue.names, MAUI_USER, "4711"), eve);
}

Test(names, digits_in_a_file_are_a_number_and_in_quotation_marks_a_name)
{
	uint32_t unnamed = maui_names_of_number(queue.names, MAUI_USER, 7001), id;
	uint32_t named = maui_names_of_number(queue.names, MAUI_USER, 5003);
	char text[MAUI_PRINCIPAL_TEXT_SIZE];

	cr_expect_eq(maui_names_set_label(queue.names, MAUI_USER, 5003, "7001", &id),
		     MAUI_NO_CREDENTIAL);
	cr_expect_str_eq(maui_names_written(queue.names, MAUI_USER, unnamed, text), "7001");
	cr_expect_str_eq(maui_names_written(queue.names, MAUI_USER, named, text), "\"7001\"");
	cr_expect_eq(maui_names_of_written(queue.names, MAUI_USER, "7001"), unnamed);
	cr_expect_eq(maui_names_of_written(queue.names, MAUI_USER, "\"7001\""), named);
	id = maui_names_of_text(queue.names, MAUI_ACCOUNT, "7001");
	cr_expect_str_eq(maui_names_written(queue.names, MAUI_ACCOUNT, id, text), "7001");
	cr_expect_eq(maui_names_of_written(queue.names, MAUI_ACCOUNT, "7001"), id);
	cr_expect_null(maui_names_written(queue.names, MAUI_USER, MAUI_NO_CREDENTIAL, text));
}

Test(names, a_number_without_a_name_is_not_the_name_of_these_digits)
{
	uint32_t unnamed = maui_names_of_number(queue.names, MAUI_USER, 7001), id;
	uint32_t named = maui_names_of_number(queue.names, MAUI_USER, 5003);

	maui_names_set_label(queue.names, MAUI_USER, 5003, "7001", &id);
	cr_expect(maui_names_is_unnamed(queue.names, MAUI_USER, unnamed, "7001"));
	cr_expect_not(maui_names_is_unnamed(queue.names, MAUI_USER, named, "7001"));
	cr_expect_not(maui_names_is_unnamed(queue.names, MAUI_USER, MAUI_NO_CREDENTIAL, "7001"));
	id = maui_names_of_text(queue.names, MAUI_ACCOUNT, "7001");
	cr_expect_not(maui_names_is_unnamed(queue.names, MAUI_ACCOUNT, id, "7001"));
	cr_expect_not(maui_names_is_unnamed(queue.names, MAUI_CREDENTIALS, 1, "7001"));
}

/* maui.cfg has a name for the number, which the name service has not said yet. */
Test(names, a_number_that_maui_cfg_names_is_not_unnamed)
{
	uint32_t bob = maui_names_of_number(queue.names, MAUI_USER, BOB);
	char number[MAUI_NAMES_NUMBER_SIZE];

	cr_expect_not(maui_names_is_unnamed(queue.names, MAUI_USER, bob,
					    maui_names_text(queue.names, MAUI_USER, bob, number)));
}

/* The file is read before the name service is asked. */
Test(names, a_name_of_digits_that_gets_its_number_later_was_another_entry_until_then)
{
	uint32_t unnumbered = maui_names_of_written(queue.names, MAUI_USER, "\"7001\"");
	uint32_t named = maui_names_of_number(queue.names, MAUI_USER, 5003), id;
	char text[MAUI_PRINCIPAL_TEXT_SIZE];

	cr_expect_str_eq(maui_names_written(queue.names, MAUI_USER, unnumbered, text), "\"7001\"");
	cr_expect_neq(maui_names_of_written(queue.names, MAUI_USER, "7001"), unnumbered);
	cr_expect_eq(maui_names_set_label(queue.names, MAUI_USER, 5003, "7001", &id), unnumbered);
	cr_expect_eq(id, named);
}

/* maui.cfg's digits are a number where nobody has that name. */
Test(names, a_user_named_like_his_own_number_needs_no_quotation_marks)
{
	uint32_t id = maui_names_of_number(queue.names, MAUI_USER, 7001), same;
	char text[MAUI_PRINCIPAL_TEXT_SIZE];

	maui_names_set_label(queue.names, MAUI_USER, 7001, "7001", &same);
	cr_expect_str_eq(maui_names_written(queue.names, MAUI_USER, id, text), "7001");
}

Test(names, what_is_frozen_stays)
{
	uint32_t bob = maui_names_of_number(queue.names, MAUI_USER, BOB);
	uint32_t phys = maui_names_of_text(queue.names, MAUI_ACCOUNT, "phys");
	struct maui_policy *policy = queue_policy("USERCFG[bob] PRIORITY=20");
	struct maui_frozen_names frozen;

	maui_names_freeze(queue.names, &frozen);
	maui_names_bind(queue.names, policy, queue.principals);
	for (uint32_t number = 5000; number < 5200; number++)
		maui_names_of_number(queue.names, MAUI_USER, number);
	cr_expect_eq(frozen.tables.credential[MAUI_USER][bob].priority, 7);
	cr_expect_eq(frozen.number[MAUI_USER][bob], BOB);
	cr_expect_null(frozen.text[MAUI_USER][bob]);
	cr_expect_str_eq(frozen.text[MAUI_ACCOUNT][phys], "phys");
	cr_expect_eq(frozen.count[MAUI_USER], 2); /* with carol */
	cr_expect_null(frozen.tables.fs_factor[MAUI_USER]);
	maui_frozen_names_clear(&frozen);
	maui_names_bind(queue.names, queue.policy, queue.principals);
	maui_policy_unref(policy);
}

/* ---- principals ---- */

Test(principals, of_a_name_and_of_a_number)
{
	uint32_t number = 0;

	cr_expect_str_eq(maui_principals_name(queue.principals, MAUI_USER, BOB), "bob");
	cr_expect_str_eq(maui_principals_name(queue.principals, MAUI_USER, 1001), "carol");
	cr_expect_null(maui_principals_name(queue.principals, MAUI_USER, 1003)); /* only in ADMIN */
	cr_expect_eq(maui_principals_number(queue.principals, MAUI_USER, "bob", &number),
		     MAUI_ANSWER_FOUND);
	cr_expect_eq(number, BOB);
	cr_expect_eq(maui_principals_number(queue.principals, MAUI_USER, "alice", &number),
		     MAUI_ANSWER_NONE);
	cr_expect_eq(maui_principals_number(NULL, MAUI_USER, "bob", &number), MAUI_ANSWER_NONE);
}

Test(principals, the_highest_level_holds_and_all_may_look_only_where_it_says_so)
{
	struct maui_policy *all = queue_policy("ADMIN3 all");
	struct maui_principals *principals = queue_principals(all->config);

	cr_expect_eq(maui_principals_admin_level(queue.principals, 1003), 1);
	cr_expect_eq(maui_principals_admin_level(queue.principals, BOB), 2);
	cr_expect_eq(maui_principals_admin_level(queue.principals, 1001), 3);
	cr_expect_eq(maui_principals_admin_level(queue.principals, 4711), 0);
	cr_expect_not(maui_principals_all_may_look(queue.principals));
	cr_expect(maui_principals_all_may_look(principals));
	maui_principals_free(principals);
	maui_policy_unref(all);
}

static void count_unknown(void *context, enum maui_credential type, const char *name)
{
	size_t *unknown = context;

	(void)name;
	unknown[type]++;
}

Test(principals, names_that_nobody_has_are_told_once_each)
{
	struct maui_policy *policy =
		queue_policy("USERCFG[dave] MAXJOB=1\nUSERCFG[bob] MAXJOB=1\nGROUPCFG[wheel] "
			     "MAXJOB=1\nSRCFG[a] USERLIST=dave,erin\n");
	size_t unknown[2] = {0, 0};
	struct maui_principals_service service = {queue_number, count_unknown, unknown};
	struct maui_principals *principals = maui_principals_new(policy->config, &service);

	cr_assert_not_null(principals);
	cr_expect_eq(unknown[MAUI_USER], 2);
	cr_expect_eq(unknown[MAUI_GROUP], 1);
	maui_principals_free(principals);
	maui_policy_unref(policy);
}
