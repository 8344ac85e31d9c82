/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which version the head of a state file states, and which are refused. */
#include <criterion/criterion.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/util/files/file_version.h"

#define MANUAL "# Fairshare Data File (Duration: 172800 Seconds) Starting: Fri Aug 18 18:00:00\n"

static const struct {
	const char *text;
	int64_t version;
} stated[] = {
	{"slurm-maui jobs 1\n", 1},
	{"slurm-maui jobs 17\njob 1 2 3 4\n", 17},
	{"slurm-maui jobs 999999999\n", 999999999},
	{"slurm-maui jobs 1000000000\n", 0},
	{"slurm-maui jobs 99999999999999999999999\n", 0},
	{"slurm-maui jobs 0\n", 0},
	{"slurm-maui jobs 02\n", 0},
	{"slurm-maui jobs -2\n", 0},
	{"slurm-maui jobs 2x\n", 0},
	{"slurm-maui jobs \n", 0},
	{"slurm-maui jobs\n", 0},
	{"slurm-maui \n", 0},
	{"slurm-maui jobs 2", 0}, /* no line */
	{"slurm-maui", 0},
	{"Slurm-Maui jobs 2\n", 0},
	{"\n", 0},
	{"", 0},
	{MANUAL, 1},
	{MANUAL "# Counted until: 1700150100\n", 1},
	{MANUAL "# Version: 2\nUser adam 1\n", 2},
	{MANUAL "# version: 2\n", 2},
	{MANUAL "# Version: 2", 1}, /* cut short */
	{MANUAL "# Version: two\n", 1},
	{MANUAL "\n# Version: 2\n", 1}, /* not the second line */
	{"# FS Data File (Duration: 172800 seconds)\n# Version: 3\n", 3},
	{"# my maui.cfg\n# Version: 3\n", 0},
};

Test(file_version, is_in_the_first_bytes)
{
	for (size_t i = 0; i < sizeof(stated) / sizeof(*stated); i++)
		cr_expect_eq(maui_file_version(stated[i].text, strlen(stated[i].text)),
			     stated[i].version, "%s", stated[i].text);
}

static const struct {
	const char *text, *known;
	bool refused;
} judged[] = {
	{"slurm-maui jobs 2\n", "slurm-maui jobs 1\n", true},
	{"slurm-maui jobs 10\n", "slurm-maui jobs 9\n", true},
	{"slurm-maui jobs 1\n", "slurm-maui jobs 1\njob", false},
	{"slurm-maui jobs 1\n", "slurm-maui jobs 2\n", false},
	{"slurm-maui jobs 2\n", "slurm-maui nodes 1\n", false},
	{"slurm-maui job 2\n", "slurm-maui jobs 1\n", false},
	{"slurm-maui jobs x\n", "slurm-maui jobs 1\n", false},
	{"slurm-maui jobs 2\n", "anything\n", false},
	{"slurm-maui jobs 2\n", MANUAL, false},
	{MANUAL "# Version: 2\n", MANUAL, true},
	{"# FS Data File\n# Version: 2\n", MANUAL, true},
	{MANUAL "# Version: 2\n", MANUAL "# Version: 2\n", false},
	{MANUAL "# Version: 2\n", "slurm-maui jobs 1\n", false},
	{MANUAL, MANUAL, false},
};

Test(file_version, later_ones_are_refused_in_words)
{
	for (size_t i = 0; i < sizeof(judged) / sizeof(*judged); i++) {
		const char *text = judged[i].text, *known = judged[i].known;
		struct maui_error error = {""};
		int rc = maui_file_version_refuse(text, strlen(text), known, strlen(known), &error);

		cr_expect_eq(rc, judged[i].refused ? -ENOTSUP : 0, "%s%s", text, known);
		cr_expect_eq(*error.text != '\0', judged[i].refused, "%s", error.text);
	}
}

static const struct {
	const char *text;
	bool read;
} of_jobs_2[] = {
	{"slurm-maui jobs 2\n", true},
	{"slurm-maui jobs 1\njob", true},
	{"slurm-maui jobs 3\n", false},
	{"slurm-maui jobs 0\n", false},
	{"slurm-maui nodes 2\n", false},
	{"slurm-maui job 1\n", false},
	{"slurm-maui jobs 1", false},
	{"slurm-maui jobs x\n", false},
	{"", false},
	{MANUAL, false},
};

Test(file_version, earlier_ones_are_read)
{
	static const char known[] = "slurm-maui jobs 2\n";

	for (size_t i = 0; i < sizeof(of_jobs_2) / sizeof(*of_jobs_2); i++)
		cr_expect_eq(maui_file_version_reads(of_jobs_2[i].text, strlen(of_jobs_2[i].text),
						     known, strlen(known)),
			     of_jobs_2[i].read, "%s", of_jobs_2[i].text);
}

Test(file_version, both_versions_are_named)
{
	struct maui_error error = {""};

	maui_file_version_refuse("slurm-maui jobs 7\n", 18, "slurm-maui jobs 3\n", 18, &error);
	cr_expect_str_eq(error.text, "a later Slurm-Maui wrote it: it has version 7 of its format, "
				     "and this one reads 3");
}
