/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verdicts on keys and values, and what is known of names that are not keys. */
#include "config_test.h"

#include "common/config/verdict.h"
#include "common/config/verdict_private.h"

Test(verdict, every_key_has_one_in_every_section)
{
	for (int key = 0; key < MAUI_KEYS; key++) {
		const struct maui_key_info *info = maui_key_info(key);

		for (int section = 0; section < MAUI_SECTIONS; section++) {
			struct maui_verdict verdict = maui_key_verdict(info, section);

			if (!(info->sections & MAUI_IN(section)))
				continue;
			cr_expect(verdict.kind == MAUI_HONOURED || *verdict.text,
				  "%s in %s: no reason", info->name, maui_section_name(section));
			cr_expect(verdict.kind != MAUI_HONOURED || !*verdict.text, "%s",
				  info->name);
		}
	}
}

/* The table and the key table agree on which keys have an effect. */
Test(verdict, the_table_has_the_keys_that_have_an_effect_and_no_others)
{
	for (int key = 0; key < MAUI_KEYS; key++) {
		const struct maui_key_info *info = maui_key_info(key);
		bool acts = info->area != MAUI_AREA_SLURM && !info->missing;

		cr_expect_eq(maui_verdict_table[key].text != NULL, acts, "%s", info->name);
	}
}

static struct maui_verdict verdict_of(const char *line, enum maui_section section,
				      enum maui_key key)
{
	struct maui_config *config;
	struct maui_error error;
	const struct maui_object *object;
	const struct maui_value *value;
	struct maui_verdict verdict;

	cr_assert_eq(maui_config_parse("t", line, strlen(line), NULL, &config, &error), 0, "%s",
		     error.text);
	object = maui_config_object(config, section, "x");
	value = section == MAUI_PARAMETERS ? maui_config_get(config, key, NULL)
					   : maui_object_get(object, key);
	cr_assert(value && maui_value_given(value), "%s", line);
	verdict = maui_value_verdict(value, section);
	maui_config_unref(config);
	return verdict;
}

Test(verdict, values_have_their_own)
{
	static const struct {
		const char *line;
		enum maui_section section;
		enum maui_key key;
		enum maui_verdict_kind kind;
	} cases[] = {
		{"FSPOLICY DEDICATEDPS", MAUI_PARAMETERS, MAUI_KEY_FSPOLICY, MAUI_HONOURED},
		{"FSPOLICY UTILIZEDPS%", MAUI_PARAMETERS, MAUI_KEY_FSPOLICY, MAUI_APPROXIMATED},
		{"STATDIR /var/stats", MAUI_PARAMETERS, MAUI_KEY_STATDIR, MAUI_HONOURED},
		{"STATDIR stats", MAUI_PARAMETERS, MAUI_KEY_STATDIR, MAUI_APPROXIMATED},
		{"RESCTLPOLICY ADMINONLY", MAUI_PARAMETERS, MAUI_KEY_RESCTLPOLICY, MAUI_HONOURED},
		{"RESCTLPOLICY any", MAUI_PARAMETERS, MAUI_KEY_RESCTLPOLICY, MAUI_APPROXIMATED},
		{"QOSCFG[x] QFLAGS=IGNALL", MAUI_QOSCFG, MAUI_ATTR_QFLAGS, MAUI_HONOURED},
		{"QOSCFG[x] QFLAGS=IGNALL,NOBF", MAUI_QOSCFG, MAUI_ATTR_QFLAGS, MAUI_APPROXIMATED},
		{"QOSCFG[x] QFLAGS=NOBF,NTR", MAUI_QOSCFG, MAUI_ATTR_QFLAGS, MAUI_IGNORED},
		{"QOSCFG[x] QFLAGS=PREEMPTEE", MAUI_QOSCFG, MAUI_ATTR_QFLAGS, MAUI_APPROXIMATED},
		{"SRCFG[x] FLAGS=BYNAME", MAUI_SRCFG, MAUI_ATTR_FLAGS, MAUI_HONOURED},
		{"SRCFG[x] FLAGS=BYNAME,META", MAUI_SRCFG, MAUI_ATTR_FLAGS, MAUI_APPROXIMATED},
		{"SRCFG[x] PRIORITY=1", MAUI_SRCFG, MAUI_ATTR_PRIORITY, MAUI_IGNORED},
		{"USERCFG[x] PRIORITY=1", MAUI_USERCFG, MAUI_ATTR_PRIORITY, MAUI_HONOURED},
		{"NODECFG[x] PARTITION=a", MAUI_NODECFG, MAUI_ATTR_PARTITION, MAUI_IGNORED},
		{"SRCFG[x] PARTITION=a", MAUI_SRCFG, MAUI_ATTR_PARTITION, MAUI_HONOURED},
		{"BACKFILLPOLICY FIRSTFIT", MAUI_PARAMETERS, MAUI_KEY_BACKFILLPOLICY, MAUI_IGNORED},
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		cr_expect_eq(verdict_of(cases[i].line, cases[i].section, cases[i].key).kind,
			     cases[i].kind, "%s", cases[i].line);
}

Test(verdict, names_of_moab_are_known_where_the_key_table_has_none)
{
	static const char *const names[] = {"toolsdir", "NODESETISOPTIONAL", "FSTREE", "VMCFG",
					    "JOBCFG",   "DISPLAYFLAGS"};

	for (size_t i = 0; i < COUNT(names); i++) {
		cr_expect(!maui_key_find(MAUI_PARAMETERS, names[i]), "%s", names[i]);
		cr_expect(maui_foreign_text(MAUI_PARAMETERS, names[i]), "%s", names[i]);
	}
	cr_expect_null(maui_foreign_text(MAUI_PARAMETERS, "BOGUS"));
	cr_expect_null(maui_foreign_text(MAUI_PARAMETERS, "FSWEIGHT"));
	cr_expect_not_null(maui_foreign_text(MAUI_QOSCFG, "Preemptees"));
	cr_expect_null(maui_foreign_text(MAUI_USERCFG, "PREEMPTEES"));
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
Test(verdict, hints_name_what_does_the_work)
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
		{MAUI_CLASSCFG, "FLAGS", "in Slurm: job_submit plugins set job options"},
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

Test(verdict, what_the_reader_says_of_a_foreign_name_is_what_reports_say)
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
