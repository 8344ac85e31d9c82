/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every state file by its name, and what each parser makes of a later version of it. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/state/admin_rsv.h"
#include "common/state/files.h"
#include "common/state/idle_charges.h"
#include "common/state/jobs.h"
#include "common/state/known_names.h"
#include "common/state/node_usage.h"
#include "common/state/reclaims.h"
#include "common/state/rsv_names.h"
#include "common/state/triggers.h"
#include "common/util/files/file_version.h"

#define PARSER(name, type, call)                                                                   \
	static int name(const char *text, size_t size, struct maui_error *error)                   \
	{                                                                                          \
		type result = {0};                                                                 \
		int rc = call(text, size, &result, error);                                         \
                                                                                                   \
		cr_expect_eq(memcmp(&result, &(type){0}, sizeof(result)), 0, "nothing is set");    \
		return rc;                                                                         \
	}

PARSER(idle, struct maui_idle_charges, maui_idle_charges_parse)
PARSER(jobs, struct maui_jobstate, maui_jobstate_parse)
PARSER(reclaims, struct maui_reclaims, maui_reclaims_parse)
PARSER(reservations, struct maui_rsv_names, maui_rsv_names_parse)
PARSER(setres, struct maui_admin_rsvs, maui_admin_rsvs_parse)
PARSER(triggers, struct maui_fired, maui_fired_parse)

static int nodes(const char *text, size_t size, struct maui_error *error)
{
	struct maui_node_usage *usage = NULL;
	int rc = maui_node_usage_parse(text, size, &usage, error);

	cr_expect_null(usage, "nothing is set");
	return rc;
}

static int names(const char *text, size_t size, struct maui_error *error)
{
	struct maui_known_names *known = NULL;
	int rc = maui_known_names_parse(text, size, &known, error);

	cr_expect_null(known, "nothing is set");
	return rc;
}

static const struct {
	const char *name;
	int (*parse)(const char *text, size_t size, struct maui_error *error);
} files[] = {
	{"idle", idle},     {"jobs", jobs},         {"names", names},
	{"nodes", nodes},   {"reclaims", reclaims}, {"reservations", reservations},
	{"setres", setres}, {"triggers", triggers},
};

/* Those in the table, but `disabled`, have a parser here. */
Test(first_lines, name_format_and_version)
{
	size_t count = 0;

	for (size_t i = 0; maui_state_files[i]; i++) {
		char line[MAUI_STATE_FIRST_LINE], expected[64];

		snprintf(expected, sizeof(expected), "slurm-maui %s %d\n",
			 maui_state_files[i]->name,
			 strcmp(maui_state_files[i]->name, "jobs") ? 1 : 2);
		cr_expect_str_eq(maui_state_first_line(maui_state_files[i], line), expected);
		count++;
	}
	cr_expect_eq(count, sizeof(files) / sizeof(*files) + 1);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		cr_expect_not_null(maui_state_file_find(files[i].name), "%s", files[i].name);
	cr_expect_eq(maui_state_file_find("disabled"), &maui_disabled_file);
	cr_expect_null(maui_state_file_find("maui.cfg.last-good"));
	cr_expect_null(maui_state_file_find("jobs.damaged"));
	cr_expect_null(maui_state_file_find(""));
}

/* Whatever follows the first line: another version may have other rules for it. */
Test(first_lines, a_later_version_is_no_damaged_file)
{
	static const char *const rests[] = {"", "anything", "job 7\nend 2 0000000000000000\n"};
	struct maui_error error;
	char text[128];

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		for (size_t k = 0; k < sizeof(rests) / sizeof(*rests); k++) {
			snprintf(text, sizeof(text), "slurm-maui %s 9\n%s", files[i].name,
				 rests[k]);
			cr_expect_eq(files[i].parse(text, strlen(text), &error), -ENOTSUP, "%s",
				     text);
			cr_expect_not_null(strstr(error.text, "version 9"), "%s", error.text);
		}
}

Test(first_lines, another_format_or_no_version_is_damaged)
{
	static const char *const texts[] = {"slurm-maui others 2\n", "slurm-maui jobs2\n",
					    "slurm-maui", "", "maui jobs 2\n"};
	struct maui_error error;

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		for (size_t k = 0; k < sizeof(texts) / sizeof(*texts); k++)
			cr_expect_eq(files[i].parse(texts[k], strlen(texts[k]), &error), -EINVAL,
				     "%s: %s", files[i].name, texts[k]);
}
