/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * common/report/report_fairshare.h. The vectors test the layout of the text (fairshare_load, fsshow); this
 * tests what they do not show.
 */
#include "testsuite/unit/policy/fairshare/fairshare_fixture.h"

#include <string.h>

#include "common/report/report_fairshare.h"

static const struct maui_fstarget none, floor_of_50 = {50, MAUI_FS_FLOOR},
					cap = {1234567.5, MAUI_FS_CAP_ABSOLUTE};

/* A user with 25 percent, and one with nothing. */
static struct maui_report_fairshare two_users(struct maui_report_fsrow rows[2],
					      const struct maui_fstarget targets[2])
{
	struct maui_fairshare *fs = fairshare_of(3600, 2, 0.5, 7200);
	struct maui_report_fairshare fairshare;

	maui_fairshare_set(fs, MAUI_USER, 1, 0, 900);
	maui_fairshare_set(fs, MAUI_FS_TOTAL, 0, 0, 3600);
	maui_report_fairshare_fill(fs, &fairshare);
	maui_report_fsrow_fill(fs, MAUI_USER, 1, "a_name_of_20_letters", &targets[0], &rows[0]);
	maui_report_fsrow_fill(fs, MAUI_USER, 2, "DEFAULT", &targets[1], &rows[1]);
	fairshare.rows[MAUI_USER] = rows;
	fairshare.count[MAUI_USER] = 2;
	maui_fairshare_free(fs);
	return fairshare;
}

Test(fairshare_report, does_not_cut_names)
{
	const struct maui_fstarget targets[2] = {floor_of_50, cap};
	struct maui_report_fsrow rows[2];
	struct maui_report_fairshare fairshare = two_users(rows, targets);
	char *text = maui_report_fairshare_text(&fairshare);

	cr_assert_not_null(text);
	cr_expect(strstr(text, "\nUSER\n-------------\n"
			       "a_name_of_20_letters*   25.00  50.00+   25.00\n"
			       "DEFAULT           0.00 1234567 -------\n"),
		  "%s", text);
	cr_expect_null(strstr(text, "GROUP"));
	free(text);
}

Test(fairshare_report, knows_who_is_shown_and_in_which_order)
{
	const struct maui_fstarget targets[2] = {none, none};
	struct maui_report_fsrow rows[2];

	two_users(rows, targets);
	cr_expect(maui_report_fsrow_shown(&rows[0]));
	cr_expect_not(maui_report_fsrow_shown(&rows[1]));
	rows[1].target = cap;
	cr_expect(maui_report_fsrow_shown(&rows[1]));
	cr_expect_lt(maui_report_fsrow_compare(&rows[0], &rows[1]), 0);
	cr_expect_gt(maui_report_fsrow_compare(&rows[1], &rows[0]), 0);
	cr_expect_eq(maui_report_fsrow_compare(&rows[1], &rows[1]), 0);
	rows[1].name = "a";
	cr_expect_gt(maui_report_fsrow_compare(&rows[0], &rows[1]), 0);
}

Test(fairshare_report, a_number_is_not_the_name_of_its_digits)
{
	const struct maui_fstarget targets[2] = {none, none};
	struct maui_report_fsrow rows[2];
	struct maui_report_fairshare fairshare = two_users(rows, targets);
	char *text;

	rows[0].name = rows[1].name = "1001";
	rows[1].unnamed = true;
	cr_expect_lt(maui_report_fsrow_compare(&rows[0], &rows[1]), 0);
	cr_expect_gt(maui_report_fsrow_compare(&rows[1], &rows[0]), 0);
	text = maui_report_fairshare_text(&fairshare);
	cr_expect(strstr(text, "\n\"1001\"           25.00 ------- "), "%s", text);
	cr_expect(strstr(text, "\n1001              0.00 ------- "), "%s", text);
	free(text);
	fairshare.rows[MAUI_ACCOUNT] = rows;
	fairshare.count[MAUI_ACCOUNT] = 1;
	text = maui_report_fairshare_text(&fairshare);
	cr_expect(strstr(text, "\nACCT\n-------------\n1001 "), "%s", text);
	free(text);
}

Test(fairshare_report, is_json)
{
	const struct maui_fstarget targets[2] = {floor_of_50, none};
	struct maui_report_fsrow rows[2];
	struct maui_report_fairshare fairshare = two_users(rows, targets);
	struct json_object *object = maui_report_fairshare(&fairshare);

	cr_assert_not_null(object);
	cr_expect_str_eq(
		json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN),
		"{\"policy\":\"DEDICATEDPS\",\"ratio\":false,\"interval\":3600,\"depth\":2,"
		"\"decay\":0.5,\"usage\":3600,\"windows\":["
		"{\"start\":7200,\"weight\":1,\"usage\":3600},"
		"{\"start\":3600,\"weight\":0.5,\"usage\":0}],\"credentials\":{\"user\":["
		"{\"name\":\"a_name_of_20_letters\",\"usage\":900,\"percent\":25,\"target\":50,"
		"\"mode\":\"floor\",\"mark\":\"+\",\"off_target\":true,\"windows\":[900,0]},"
		"{\"name\":\"DEFAULT\",\"usage\":0,\"percent\":0,\"target\":null,\"mode\":null,"
		"\"mark\":\"\",\"off_target\":false,\"windows\":[0,0]}],"
		"\"group\":[],\"account\":[],\"qos\":[],\"class\":[]}}",
		"%s", json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));
	json_object_put(object);
}
