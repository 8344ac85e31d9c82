/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every line said: a record for each parameter, attribute, word and include. */
#include "config_test.h"

#include <errno.h>

#include "common/config/record.h"

static int read_included(void *context, const char *path, const char *including, char **ret_text,
			 size_t *ret_size, bool *ret_trusted, struct maui_error *error)
{
	const char *text = context;

	(void)including;
	if (strcmp(path, "more") != 0)
		return maui_error_set(error, ENOENT, "%s: none", path);
	*ret_text = strdup(text);
	*ret_size = strlen(text);
	*ret_trusted = false;
	return 0;
}

static struct maui_config *parse_recorded(const char *text, bool record, const char *included)
{
	const struct maui_reader reader = {
		.read = read_included, .context = (void *)included, .record = record};
	struct maui_config *config;
	struct maui_error error;

	cr_assert_eq(maui_config_parse("t", text, strlen(text), &reader, &config, &error), 0, "%s",
		     error.text);
	return config;
}

/*
 * "2:9 USERCFG[bob]MAXJOB[USER:x]+" and so on; '-' left, '?' unknown, '+' taken, '~n' replaced, '@'
 * included
 */
static void check(const char *text, const char *included, const char *expected)
{
	struct maui_config *config = parse_recorded(text, true, included);
	const struct maui_record *records;
	size_t lost = 1, count = maui_config_records(config, &records, &lost);
	struct dump dump = {.used = 0};

	for (size_t i = 0; i < count; i++) {
		const struct maui_record *record = &records[i];

		dump_add(&dump, "%s%u:%u %s[%s]%s%c", i ? " " : "", record->origin.line,
			 record->origin.column, maui_section_name(record->section), record->object,
			 record->name, "-?+~@"[record->fate]);
		if (record->fate == MAUI_RECORD_REPLACED)
			dump_add(&dump, "%u", record->replaced_by.line);
		cr_expect(record->value || (record->fate != MAUI_RECORD_TAKEN &&
					    record->fate != MAUI_RECORD_REPLACED),
			  "%s", text);
	}
	cr_expect_str_eq(dump.text, expected, "%s:\n%s", text, dump.text);
	cr_expect_eq(lost, 0);
	maui_config_unref(config);
}

Test(record, lines_attributes_and_words)
{
	static const struct {
		const char *text, *records;
	} cases[] = {
		{"# nothing\n\n   \n", ""},
		{"FSWEIGHT 1\nFSWEIGHT[b] 2\nFSWEIGHT 3\n",
		 "1:1 []FSWEIGHT~3 2:1 [b]FSWEIGHT+ 3:1 []FSWEIGHT+"},
		{"BOGUS 1\nFSWEIGHT\n", "1:1 []BOGUS? 2:1 []FSWEIGHT-"},
		{"USERCFG[a] PRIORITY=1 MAXJOB[USER:b]=2 HUH=3 PRIORITY=4",
		 "1:12 USERCFG[a]PRIORITY~1 1:23 USERCFG[a]MAXJOB[USER:b]+ 1:40 USERCFG[a]HUH? "
		 "1:46 USERCFG[a]PRIORITY+"},
		{"USERCFG[a] \\\n PRIORITY=1 \\\n FSTARGET=2",
		 "2:2 USERCFG[a]PRIORITY+ 3:2 USERCFG[a]FSTARGET+"},
		{"SRCFG[a] USERLIST=x\nSRCFG[a] USERLIST=y\n",
		 "1:10 SRCFG[a]USERLIST+ 2:10 SRCFG[a]USERLIST+"},
		{"USERCFG [a] PRIORITY=1\n+x\nUSERCFG[a]\n",
		 "1:1 []USERCFG- 2:1 []+x- 3:1 []USERCFG[a]-"},
		{"USERCFG[a]PRIORITY=1 FSTARGET=2\n",
		 "1:11 USERCFG[a]PRIORITY=1- 1:22 USERCFG[a]FSTARGET+"},
		{"USERCFG[a] PRIORITY = 1 FSTARGET=\n",
		 "1:12 USERCFG[a]PRIORITY- 1:25 USERCFG[a]FSTARGET-"},
		{"USERCFG[a] PRIORITY=x QDEF='u\n",
		 "1:12 USERCFG[a]PRIORITY- 1:23 USERCFG[a]QDEF='u-"},
		{"QOSPRIORITY[a] 1\nQOSCFG[a] PRIORITY=2\n",
		 "1:1 [a]QOSPRIORITY~2 2:11 QOSCFG[a]PRIORITY+"},
		{"SYSCFG MAXJOB=1\n", "1:8 SYSCFG[]MAXJOB+"},
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		check(cases[i].text, "", cases[i].records);
}

Test(record, includes_stand_where_they_are_and_their_lines_follow)
{
	check("FSWEIGHT 1\n#INCLUDE more\n#INCLUDE less\nFSCAP 2\n", "FSWEIGHT 7\n",
	      "1:1 []FSWEIGHT~1 2:1 [more]#INCLUDE@ 3:1 [less]#INCLUDE- 4:1 []FSCAP+ 1:1 "
	      "[]FSWEIGHT+");
}

Test(record, commands_that_are_refused_are_left)
{
	check("#INCLUDE more\nSRCFG[a] TRIGGER=start;cancel TASKCOUNT=1\n", "FSCAP 1\n",
	      "1:1 [more]#INCLUDE@ 2:10 SRCFG[a]TRIGGER- 2:31 SRCFG[a]TASKCOUNT+ 1:1 []FSCAP+");
}

/* Every form counts: which of two lines with the same name holds, and what a switch does. */
Test(record, limits_of_maui_3_are_parts_of_one_value)
{
	struct maui_config *config =
		parse_recorded("MAXJOBPERUSERCOUNT 4\nSMAXJOBPERUSERCOUNT 2\n"
			       "MAXJOBPERUSERCOUNT 5\nMAXJOBPERUSERPOLICY ON\n",
			       true, "");
	const struct maui_record *records;

	cr_assert_eq(maui_config_records(config, &records, NULL), 4);
	cr_expect_eq(records[0].fate, MAUI_RECORD_REPLACED);
	cr_expect_eq(records[0].replaced_by.line, 3);
	for (size_t i = 1; i < 4; i++)
		cr_expect_eq(records[i].fate, MAUI_RECORD_TAKEN, "%zu", i);
	maui_config_unref(config);
	config = parse_recorded("MAXJOBPERUSERCOUNT 4\nUSERCFG[DEFAULT] MAXJOB=1\n", true, "");
	cr_assert_eq(maui_config_records(config, &records, NULL), 2);
	cr_expect_eq(records[0].fate, MAUI_RECORD_REPLACED);
	maui_config_unref(config);
}

Test(record, nothing_is_kept_where_it_is_not_asked_for)
{
	struct maui_config *config = parse_recorded("FSWEIGHT 1\nBOGUS\n", false, "");

	cr_expect_eq(maui_config_records(config, NULL, NULL), 0);
	maui_config_unref(config);
}

Test(record, of_very_many_the_rest_is_counted)
{
	const size_t lines = MAUI_RECORDS_LIMIT + 10;
	char *text = malloc(lines * 3);
	const struct maui_reader reader = {.read = read_included, .record = true};
	struct maui_config *config;
	struct maui_error error;
	size_t lost;

	cr_assert_not_null(text);
	for (size_t i = 0; i < lines; i++)
		memcpy(text + i * 3, "+a\n", 3);
	cr_assert_eq(maui_config_parse("t", text, lines * 3, &reader, &config, &error), 0);
	cr_expect_eq(maui_config_records(config, NULL, &lost), MAUI_RECORDS_LIMIT);
	cr_expect_eq(lost, 10);
	maui_config_unref(config);
	free(text);
}
