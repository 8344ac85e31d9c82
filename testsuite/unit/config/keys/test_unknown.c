/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said of names that the key table does not have. */
#include "testsuite/unit/config/config_test.h"

#include "common/config/keys/unknown.h"

Test(unknown, names_of_moab_are_known_where_the_key_table_has_none)
{
	static const char *const names[] = {"toolsdir", "NODESETISOPTIONAL", "FSTREE", "VMCFG",
					    "JOBCFG",   "DISPLAYFLAGS"};

	for (size_t i = 0; i < COUNT(names); i++) {
		cr_expect(!maui_key_find(MAUI_PARAMETERS, names[i]), "%s", names[i]);
		cr_expect(maui_foreign_text(MAUI_PARAMETERS, names[i], NULL), "%s", names[i]);
	}
	cr_expect_null(maui_foreign_text(MAUI_PARAMETERS, "BOGUS", NULL));
	cr_expect_null(maui_foreign_text(MAUI_PARAMETERS, "FSWEIGHT", NULL));
	cr_expect_not_null(maui_foreign_text(MAUI_QOSCFG, "Preemptees", NULL));
	cr_expect_null(maui_foreign_text(MAUI_USERCFG, "PREEMPTEES", NULL));
}

/* The text of a line's only problem that begins this way. */
static void problem_of(const char *line, const char *beginning, char *ret_text, size_t size)
{
	struct maui_config *config = parse(line);
	const struct maui_problem *problems;
	size_t count = maui_config_problems(config, &problems);

	*ret_text = '\0';
	for (size_t i = 0; i < count; i++)
		if (!strncmp(problems[i].text, beginning, strlen(beginning)))
			snprintf(ret_text, size, "%s", problems[i].text + strlen(beginning));
	maui_config_unref(config);
}

/* Hints that used to lead to other policies than intended. */
Test(unknown, hints_name_what_does_the_work)
{
	static const struct {
		enum maui_section section;
		const char *name, *hint;
	} cases[] = {
		{MAUI_CLASSCFG, "MAX.PROC", "write MAXPROCPERJOB"},
		{MAUI_CLASSCFG, "MAX.NODE", "write MAXNODEPERJOB"},
		{MAUI_USERCFG, "ADEF", "in Slurm: DefaultAccount of sacctmgr"},
		{MAUI_PARAMETERS, "MAXJOB", "in Slurm: MaxJobCount"},
		{MAUI_QOSCFG, "FLAGS", "write QFLAGS"},
		{MAUI_CLASSCFG, "FLAGS",
		 "in Slurm: job_submit plugins set job options; for PREEMPTOR and PREEMPTEE: "
		 "PreemptType=preempt/partition_prio, PreemptMode=REQUEUE and PriorityTier=... of "
		 "the partitions"},
		{MAUI_PARAMETERS, "CPUWEIGHT", "write PROCWEIGHT"},
		{MAUI_PARAMETERS, "PARCFG",
		 "in Slurm: PartitionName=...; write FSWEIGHT[partition] and the like for weights"},
		{MAUI_PARAMETERS, "QTTARGET", "it is an attribute of QOSCFG"},
		{MAUI_SRCFG, "HOSTLST", "the nearest is HOSTLIST"},
		{MAUI_SRCFG, "XYZZYPLUGH", ""},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[MAUI_UNKNOWN_TEXT];

		cr_expect_str_eq(maui_unknown_text(cases[i].section, cases[i].name, text),
				 cases[i].hint, "%s: %s", cases[i].name, text);
	}
}

Test(unknown, what_the_reader_says_of_a_foreign_name_is_what_reports_say)
{
	const char *pattern;
	unsigned int sections;

	for (size_t i = 0; (pattern = maui_foreign_name(i, &sections)); i++) {
		for (int section = 0; section < MAUI_SECTIONS; section++) {
			char name[64], line[128], before[128], found[512], text[MAUI_UNKNOWN_TEXT];
			const char *family = section ? maui_section_name(section) : "";

			if (!(sections & MAUI_IN(section)))
				continue;
			snprintf(name, sizeof(name), "%.*s", (int)strcspn(pattern, "*"), pattern);
			cr_expect(!maui_key_find(section, name), "%s is a key of %s", name, family);
			snprintf(line, sizeof(line), section ? "%s[x] %s=1" : "%s%s 1", family,
				 name);
			snprintf(before, sizeof(before),
				 section ? "%s has no attribute %s; it is ignored: "
					 : "%sthere is no parameter %s; the line is ignored: ",
				 family, name);
			problem_of(line, before, found, sizeof(found));
			cr_expect(*found, "%s: nothing begins with %s", line, before);
			cr_expect_str_eq(found, maui_unknown_text(section, name, text), "%s", line);
		}
	}
}
