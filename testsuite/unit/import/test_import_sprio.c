/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What sprio prints, as rows; and what is wrong with other texts. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/import/import_sprio.h"

static char complaint[256];

static void keep(void *context, const struct maui_conf_place *place, const char *text)
{
	(void)context;
	snprintf(complaint, sizeof(complaint), "%s:%u:%u: %s", place->file, place->line,
		 place->column, text);
}

static int read_text(const char *text, struct maui_sprio *ret_sprio)
{
	static const struct maui_import_complaints complaints = {keep, NULL};

	complaint[0] = '\0';
	return maui_sprio_read(ret_sprio, "sprio", text, strlen(text), &complaints);
}

Test(import_sprio, a_row_has_the_points_of_each_column)
{
	const struct maui_sprio_row *row;
	struct maui_sprio sprio;

	cr_assert_eq(read_text("9|b|7|0|0|0|0|0|0|0|\n"
			       "5|b|4700|1|2|3000|-4|5|6|0.2500000|cpu=300,gres/gpu=-12\n"
			       "5|a|4701|1|2|3000|4|5|6|1|\n",
			       &sprio),
		     0, "%s", complaint);
	cr_expect_eq(sprio.count, 3);
	row = maui_sprio_find(&sprio, 5, "b");
	cr_assert_not_null(row);
	cr_expect_eq(row->priority, 4700);
	cr_expect_eq(row->points[MAUI_IMPORT_AGE], 1);
	cr_expect_eq(row->points[MAUI_IMPORT_ASSOC], 2);
	cr_expect_eq(row->points[MAUI_IMPORT_FAIRSHARE], 3000);
	cr_expect_eq(row->points[MAUI_IMPORT_SIZE], -4);
	cr_expect_eq(row->points[MAUI_IMPORT_PARTITION], 5);
	cr_expect_eq(row->points[MAUI_IMPORT_QOS], 6);
	cr_expect_eq(row->fairshare, 0.25);
	cr_expect_eq(row->tres, 288);
	cr_assert_not_null(maui_sprio_find(&sprio, 5, "a"));
	cr_expect_eq(maui_sprio_find(&sprio, 5, "a")->priority, 4701);
	cr_expect_null(maui_sprio_find(&sprio, 5, "c"));
	cr_expect_null(maui_sprio_find(&sprio, 6, "a"));
	maui_sprio_clear(&sprio);
}

Test(import_sprio, no_job_is_no_fault)
{
	struct maui_sprio sprio;

	cr_expect_eq(read_text("\n", &sprio), 0);
	cr_expect_eq(sprio.count, 0);
	cr_expect_null(maui_sprio_find(&sprio, 1, "a"));
	maui_sprio_clear(&sprio);
}

Test(import_sprio, a_fault_has_its_place)
{
	static const struct {
		const char *text, *complaint;
	} cases[] = {
		{"5|a|1|0|0|0|0|0|0|0", "sprio:1:1: this is not what `sprio"},
		{"5|a|1|0|0|0|0|0|0|0||", "sprio:1:1: this is not what `sprio"},
		{"JOBID", "sprio:1:1: this is not what `sprio"},
		{"5|a|1|0|0|0|0|0|0|0|\nx|a|1|0|0|0|0|0|0|0|",
		 "sprio:2:1: a job is a whole number"},
		{"-5|a|1|0|0|0|0|0|0|0|", "sprio:1:1: a job is a whole number"},
		{"5|a||0|0|0|0|0|0|0|", "sprio:1:5: a priority is a whole number"},
		{"5|a|1|0|0|nan|0|0|0|0|", "sprio:1:11: points are a number"},
		{"5|a|1|0|0|1e99|0|0|0|0|", "sprio:1:11: points are a number"},
		{"5|a|1|0|0|0|0|0|0 x|0|", "sprio:1:17: points are a number"},
		{"5|a|1|0|0|0|0|0|0|1.5|", "sprio:1:19: FairShare is from 0 to 1"},
		{"5|a|1|0|0|0|0|0|0||", "sprio:1:19: FairShare is from 0 to 1"},
		{"5|a|1|0|0|0|0|0|0|0|cpu", "sprio:1:21: this is not TRES=POINTS"},
		{"5|a|1|0|0|0|0|0|0|0|cpu=1,=2", "sprio:1:27: this is not TRES=POINTS"},
		{"5|a|1|0|0|0|0|0|0|0|cpu=1,mem=x", "sprio:1:27: this is not TRES=POINTS"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_sprio sprio;

		cr_expect_eq(read_text(cases[i].text, &sprio), -EINVAL, "%s", cases[i].text);
		cr_expect_eq(strncmp(complaint, cases[i].complaint, strlen(cases[i].complaint)), 0,
			     "%s: %s", cases[i].text, complaint);
		maui_sprio_clear(&sprio);
	}
}
