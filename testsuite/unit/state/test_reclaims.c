/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What owners have taken back: written and read back, or refused as a whole. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/state/reclaims.h"

static struct maui_reclaims reclaims;

static void teardown(void)
{
	maui_reclaims_clear(&reclaims);
}

TestSuite(reclaims, .fini = teardown);

static const struct maui_reclaim some[] = {
	{MAUI_ACCOUNT, "jupiter", "n[1-3]", 17, 1700000000, 1700000160, false},
	{MAUI_USER, "1005", "n1", UINT32_MAX, 0, 1, true},
	{MAUI_CLASS, "a name with blanks", "a,b[01-20]", 1, 5, MAUI_STATE_LAST_SECOND, false},
};

#define SOME (sizeof(some) / sizeof(*some))

Test(reclaims, what_is_written_is_read)
{
	struct maui_reclaims again;
	struct maui_error why = {""};
	char *text;
	size_t size;

	for (size_t i = 0; i < SOME; i++)
		cr_assert_eq(maui_reclaims_add(&reclaims, &some[i]), 0);
	maui_reclaims_format(&reclaims, &text, &size);
	cr_assert(strstr(text, "reclaim account 17 1700000000 1700000160 0 n[1-3] jupiter\n"));
	cr_assert_eq(maui_reclaims_parse(text, size, &again, &why), 0, "%s", why.text);
	cr_assert_eq(again.count, SOME);
	for (size_t i = 0; i < SOME; i++) {
		cr_expect_eq(again.list[i].type, some[i].type);
		cr_expect_str_eq(again.list[i].owner, some[i].owner);
		cr_expect_str_eq(again.list[i].nodes, some[i].nodes);
		cr_expect_eq(again.list[i].job_id, some[i].job_id);
		cr_expect_eq(again.list[i].made, some[i].made);
		cr_expect_eq(again.list[i].until, some[i].until);
		cr_expect_eq(again.list[i].settled, some[i].settled);
	}
	maui_reclaims_clear(&again);
	free(text);
}

Test(reclaims, what_no_line_can_hold_is_not_taken)
{
	static const struct maui_reclaim wrong[] = {
		{MAUI_ACCOUNT, "", "n1", 7, 1, 2, false},
		{MAUI_ACCOUNT, "a\nb", "n1", 7, 1, 2, false},
		{MAUI_ACCOUNT, "a", "", 7, 1, 2, false},
		{MAUI_ACCOUNT, "a", "n1 n2", 7, 1, 2, false},
		{MAUI_ACCOUNT, "a", "n1", 0, 1, 2, false},
		{MAUI_ACCOUNT, "a", "n1", 7, 2, 2, false},
		{MAUI_ACCOUNT, "a", "n1", 7, -1, 2, false},
		{MAUI_ACCOUNT, "a", "n1", 7, 1, MAUI_STATE_LAST_SECOND + 1, false},
		{MAUI_CREDENTIALS, "a", "n1", 7, 1, 2, false},
	};
	char nodes[MAUI_RECLAIMS_NODES_SIZE + 1], owner[MAUI_RECLAIMS_OWNER_SIZE + 1];
	struct maui_reclaim longest = some[0];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		cr_expect_eq(maui_reclaims_add(&reclaims, &wrong[i]), -EINVAL, "%zu", i);
	memset(nodes, 'n', sizeof(nodes));
	memset(owner, 'o', sizeof(owner));
	nodes[MAUI_RECLAIMS_NODES_SIZE] = owner[MAUI_RECLAIMS_OWNER_SIZE] = '\0';
	longest.nodes = nodes;
	cr_expect_eq(maui_reclaims_add(&reclaims, &longest), -EINVAL);
	nodes[MAUI_RECLAIMS_NODES_SIZE - 1] = '\0';
	longest.owner = owner;
	cr_expect_eq(maui_reclaims_add(&reclaims, &longest), -EINVAL);
	owner[MAUI_RECLAIMS_OWNER_SIZE - 1] = '\0';
	cr_expect_eq(reclaims.count, 0);
	cr_expect_eq(maui_reclaims_add(&reclaims, &longest), 0);
}

Test(reclaims, there_is_a_limit)
{
	for (size_t i = 0; i < MAUI_RECLAIMS_MAX; i++)
		cr_assert_eq(maui_reclaims_add(&reclaims, &some[0]), 0);
	cr_expect_eq(maui_reclaims_add(&reclaims, &some[0]), -ENOSPC);
}
