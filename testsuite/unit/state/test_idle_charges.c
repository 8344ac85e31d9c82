/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What idle cycles cost, on its way to the windows' files: written and read back, or refused as a
 * whole.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/state/idle_charges.h"

static struct maui_idle_charges charges;

static void teardown(void)
{
	maui_idle_charges_clear(&charges);
}

TestSuite(idle_charges, .fini = teardown);

static const struct maui_idle_charge some[] = {
	{MAUI_ACCOUNT, "jupiter", 1700000000, 1700000060, 480000},
	{MAUI_USER, "1005", 0, 1, 1},
	{MAUI_CLASS, "a name with blanks", 5, MAUI_STATE_LAST_SECOND, MAUI_IDLE_CHARGES_MAX_COST},
	{MAUI_GROUP, "staff", 5, 6, 7},
	{MAUI_QOS, "hi", 5, 6, 7},
};

Test(idle_charges, what_is_written_is_read)
{
	struct maui_idle_charges again;
	struct maui_error why = {""};
	char *text;
	size_t size;

	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++)
		cr_assert_eq(maui_idle_charges_add(&charges, &some[i]), 0);
	maui_idle_charges_format(&charges, &text, &size);
	cr_assert(strstr(text, "idle account 1700000000 1700000060 480000 jupiter\n"));
	cr_assert_eq(maui_idle_charges_parse(text, size, &again, &why), 0, "%s", why.text);
	cr_assert_eq(again.count, sizeof(some) / sizeof(*some));
	for (size_t i = 0; i < again.count; i++) {
		cr_expect_eq(again.list[i].type, some[i].type);
		cr_expect_str_eq(again.list[i].name, some[i].name);
		cr_expect_eq(again.list[i].from, some[i].from);
		cr_expect_eq(again.list[i].to, some[i].to);
		cr_expect_eq(again.list[i].cost, some[i].cost);
	}
	maui_idle_charges_clear(&again);
	free(text);
}

Test(idle_charges, what_no_line_can_hold_is_not_taken)
{
	static const struct maui_idle_charge wrong[] = {
		{MAUI_ACCOUNT, "", 1, 2, 3},
		{MAUI_ACCOUNT, "a\nb", 1, 2, 3},
		{MAUI_ACCOUNT, "a", 2, 2, 3},
		{MAUI_ACCOUNT, "a", -1, 2, 3},
		{MAUI_ACCOUNT, "a", 1, 2, 0},
		{MAUI_CREDENTIALS, "a", 1, 2, 3},
		{MAUI_ACCOUNT, "a", 1, 2, MAUI_IDLE_CHARGES_MAX_COST + 1},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		cr_expect_eq(maui_idle_charges_add(&charges, &wrong[i]), -EINVAL, "%zu", i);
	cr_expect_eq(charges.count, 0);
}

Test(idle_charges, there_is_a_limit)
{
	for (size_t i = 0; i < MAUI_IDLE_CHARGES_MAX; i++)
		cr_assert_eq(maui_idle_charges_add(&charges, &some[0]), 0);
	cr_expect_eq(maui_idle_charges_add(&charges, &some[0]), -ENOSPC);
}
