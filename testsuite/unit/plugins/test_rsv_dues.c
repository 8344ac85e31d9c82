/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What idle cycles cost, on its way to the windows' files: written and read again, or refused whole. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/engine/rsv_dues.h"
#include "testsuite/fuzz/state_file.h"

static struct rsv_dues dues;

static void teardown(void)
{
	rsv_dues_clear(&dues);
}

TestSuite(rsv_dues, .fini = teardown);

static const struct rsv_due some[] = {
	{MAUI_ACCOUNT, "jupiter", 1700000000, 1700000060, 480000},
	{MAUI_USER, "1005", 0, 1, 1},
	{MAUI_CLASS, "a name with blanks", 5, RSV_DUES_MAX_TIME, RSV_DUES_MAX_COST},
	{MAUI_GROUP, "staff", 5, 6, 7},
	{MAUI_QOS, "hi", 5, 6, 7},
};

Test(rsv_dues, what_is_written_is_read)
{
	struct rsv_dues again;
	struct maui_error why = {""};
	char *text;
	size_t size;

	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++)
		cr_assert_eq(rsv_dues_add(&dues, &some[i]), 0);
	cr_assert_eq(rsv_dues_format(&dues, &text, &size), 0);
	cr_assert(strstr(text, "idle account 1700000000 1700000060 480000 jupiter\n"));
	cr_assert_eq(rsv_dues_parse(text, size, &again, &why), 0, "%s", why.text);
	cr_assert_eq(again.count, sizeof(some) / sizeof(*some));
	for (size_t i = 0; i < again.count; i++) {
		cr_expect_eq(again.list[i].type, some[i].type);
		cr_expect_str_eq(again.list[i].name, some[i].name);
		cr_expect_eq(again.list[i].from, some[i].from);
		cr_expect_eq(again.list[i].to, some[i].to);
		cr_expect_eq(again.list[i].cost, some[i].cost);
	}
	for (size_t cut = 0; cut < size; cut++)
		cr_expect_eq(rsv_dues_parse(text, cut, &dues, NULL), -EINVAL);
	rsv_dues_clear(&again);
	free(text);
}

Test(rsv_dues, what_no_line_can_hold_is_not_taken)
{
	static const struct rsv_due wrong[] = {
		{MAUI_ACCOUNT, "", 1, 2, 3},
		{MAUI_ACCOUNT, "a\nb", 1, 2, 3},
		{MAUI_ACCOUNT, "a", 2, 2, 3},
		{MAUI_ACCOUNT, "a", -1, 2, 3},
		{MAUI_ACCOUNT, "a", 1, 2, 0},
		{MAUI_CREDENTIALS, "a", 1, 2, 3},
		{MAUI_ACCOUNT, "a", 1, 2, RSV_DUES_MAX_COST + 1},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		cr_expect_eq(rsv_dues_add(&dues, &wrong[i]), -EINVAL, "%zu", i);
	cr_expect_eq(dues.count, 0);
}

Test(rsv_dues, there_is_a_limit)
{
	for (size_t i = 0; i < RSV_DUES_MAX; i++)
		cr_assert_eq(rsv_dues_add(&dues, &some[0]), 0);
	cr_expect_eq(rsv_dues_add(&dues, &some[0]), -ENOSPC);
}

static const char *const bad_lines[] = {
	"idle account 1 2 3\n",     "idle account 1 2 3 \n",
	"idle account 2 1 3 a\n",   "idle account 1 2 0 a\n",
	"idle job 1 2 3 a\n",       "idle account -1 2 3 a\n",
	"idle account 1 2 a\n",     "Idle account 1 2 3 a\n",
	"idle  account 1 2 3 a\n",  "\n",
	"idle account 1 2 3.5 a\n", "idle accounts 1 2 3 a\n",
};

Test(rsv_dues, anything_else_is_a_damaged_file)
{
	for (size_t i = 0; i < sizeof(bad_lines) / sizeof(*bad_lines); i++) {
		char text[300] = "slurm-maui idle 1\nidle user 1 2 3 bob\n";
		struct maui_error why = {""};

		strcat(text, bad_lines[i]);
		last_line(text + strlen(text), 80, text, strlen(text));
		cr_expect_eq(rsv_dues_parse(text, strlen(text), &dues, &why), -EINVAL, "%s",
			     bad_lines[i]);
		cr_expect(strstr(why.text, "line 3"), "%s", why.text);
	}
}
