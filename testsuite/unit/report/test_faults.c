/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "common/report/report_faults.h"

/* Every second line is wrong. */
static struct maui_faults *of_errors(size_t errors)
{
	struct maui_config *config = NULL;
	struct maui_error error = {""};
	struct maui_faults *faults;
	char text[8192] = "";
	size_t used = 0;

	for (size_t i = 0; i < errors; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "NOSUCH 1\nPROCWEIGHT x\n");
	cr_assert_eq(maui_config_parse("maui.cfg", text, used, NULL, &config, &error), 0, "%s",
		     error.text);
	faults = maui_faults_of_config(config, 1000);
	maui_config_unref(config);
	return faults;
}

static const char *text_of(const struct maui_faults *faults, bool with_lines, char *buffer,
			   size_t size)
{
	struct json_object *report = maui_report_faults(faults, with_lines);

	snprintf(buffer, size, "%s",
		 json_object_to_json_string_ext(report, JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(report);
	return buffer;
}

Test(faults, errors_are_told_with_their_places_and_warnings_are_not)
{
	struct maui_faults *faults = of_errors(1);
	char buffer[512];

	cr_assert_not_null(faults);
	cr_expect_eq(faults->errors, 1);
	cr_expect_eq(faults->count, 1);
	cr_expect(!strncmp(faults->texts[0], "maui.cfg:2:12: PROCWEIGHT: 'x'", 30), "%s",
		  faults->texts[0]);
	cr_expect_str_eq(text_of(faults, false, buffer, sizeof(buffer)),
			 "{\"path\":\"maui.cfg\",\"time\":1000,\"errors\":1,\"lines\":[]}");
	maui_faults_free(faults);
}

Test(faults, of_very_many_the_first_ones_are_kept_and_all_are_counted)
{
	struct maui_faults *faults = of_errors(300);

	cr_assert_not_null(faults);
	cr_expect_eq(faults->errors, 300);
	cr_expect_eq(faults->count, MAUI_FAULTS_LISTED);
	cr_expect(!strncmp(faults->texts[MAUI_FAULTS_LISTED - 1], "maui.cfg:40:12: ", 16), "%s",
		  faults->texts[MAUI_FAULTS_LISTED - 1]);
	maui_faults_free(faults);
}

Test(faults, a_file_that_cannot_be_read_has_no_errors_and_one_reason)
{
	struct maui_faults *faults =
		maui_faults_of_file("/x/maui.cfg", "/x/maui.cfg: No such file", 1000);
	char buffer[512];

	cr_expect_str_eq(text_of(faults, true, buffer, sizeof(buffer)),
			 "{\"path\":\"/x/maui.cfg\",\"time\":1000,\"errors\":0,\"lines\":[\"/x/"
			 "maui.cfg: No such "
			 "file\"]}");
	maui_faults_free(faults);
	cr_expect_null(maui_report_faults(NULL, true));
}
