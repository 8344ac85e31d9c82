/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The key table, and look-ups in it. */
#include "testsuite/unit/config/config_test.h"

#include <ctype.h>

Test(keys, every_key_is_complete)
{
	for (int key = 0; key < MAUI_KEYS; key++) {
		const struct maui_key_info *info = maui_key_info(key);

		cr_assert_not_null(info);
		cr_expect_eq((int)info->key, key, "%d", key);
		cr_assert_not_null(info->name, "key %d is not in the table", key);
		cr_expect_not_null(info->aliases, "%s", info->name);
		cr_expect_neq(info->sections, 0, "%s", info->name);
		cr_expect_eq(info->sections >> MAUI_SECTIONS, 0, "%s", info->name);
		cr_expect(info->summary && *info->summary, "%s", info->name);
		cr_expect_not_null(info->chapter, "%s", info->name);
		cr_expect_lt((unsigned int)info->area, MAUI_AREAS, "%s", info->name);
		cr_expect_lt((unsigned int)info->kind, MAUI_KINDS, "%s", info->name);
		for (const char *c = info->name; *c; c++)
			cr_expect(isupper((unsigned char)*c) || isdigit((unsigned char)*c) ||
					  strchr(".*", *c),
				  "%s", info->name);
	}
}

Test(keys, every_kind_has_what_it_needs)
{
	for (int key = 0; key < MAUI_KEYS; key++) {
		const struct maui_key_info *info = maui_key_info(key);
		size_t keywords = 0;

		while (info->keywords && info->keywords[keywords])
			keywords++;
		switch (info->kind) {
		case MAUI_KIND_INTEGER:
		case MAUI_KIND_MEMORY:
		case MAUI_KIND_DURATION:
		case MAUI_KIND_REAL:
		case MAUI_KIND_LIMIT:
		case MAUI_KIND_TIME_LIMIT:
		case MAUI_KIND_MEMORY_LIMIT:
		case MAUI_KIND_FSTARGET:
			cr_expect_lt(info->min, info->max, "%s", info->name);
			break;
		case MAUI_KIND_BOOLEAN:
			cr_expect_not_null(info->default_text, "%s", info->name);
			break;
		case MAUI_KIND_KEYWORD:
		case MAUI_KIND_FSPOLICY:
			cr_expect_gt(keywords, 1, "%s", info->name);
			break;
		case MAUI_KIND_FLAGS:
			cr_expect(keywords && keywords < 63, "%s", info->name);
			break;
		case MAUI_KIND_LIST:
			cr_expect_not_null(info->delimiters, "%s", info->name);
			break;
		default:
			break;
		}
	}
}

Test(keys, every_name_and_alias_finds_its_key_in_any_case)
{
	for (int key = 0; key < MAUI_KEYS; key++) {
		const struct maui_key_info *info = maui_key_info(key);

		for (int section = 0; section < MAUI_SECTIONS; section++) {
			char names[256], *name, *rest;

			snprintf(names, sizeof(names), "%s %s", info->name, info->aliases);
			for (name = strtok_r(names, " ", &rest); name;
			     name = strtok_r(NULL, " ", &rest)) {
				const struct maui_key_info *found = maui_key_find(section, name);

				cr_expect_eq(found == info, !!(info->sections & MAUI_IN(section)),
					     "%s in '%s'", name, maui_section_name(section));
				for (char *c = name; *c; c++)
					*c = tolower((unsigned char)*c);
				cr_expect_eq(maui_key_find(section, name), found, "%s", name);
			}
		}
	}
}

Test(keys, every_default_is_a_value_without_problem)
{
	struct maui_config *config = parse("");

	cr_expect_eq(maui_config_problems(config, NULL), 0);
	for (int key = 0; key < MAUI_KEYS; key++) {
		const struct maui_value *value = maui_config_get(config, key, NULL);

		cr_expect_eq(value != NULL, maui_key_info(key)->default_text != NULL, "%s",
			     maui_key_info(key)->name);
		cr_expect(!value || (!maui_value_given(value) && value->key == maui_key_info(key)));
	}
	maui_config_unref(config);
}

Test(keys, documented_defaults_hold)
{
	static const struct {
		enum maui_key key;
		double value;
	} reals[] = {{MAUI_KEY_SERVWEIGHT, 1},      {MAUI_KEY_CREDWEIGHT, 1},
		     {MAUI_KEY_QUEUETIMEWEIGHT, 1}, {MAUI_KEY_FSWEIGHT, 0},
		     {MAUI_KEY_TARGWEIGHT, 0},      {MAUI_KEY_RESWEIGHT, 0},
		     {MAUI_KEY_USAGEWEIGHT, 0},     {MAUI_KEY_XFACTORWEIGHT, 0},
		     {MAUI_KEY_USERWEIGHT, 0},      {MAUI_KEY_USERCAP, 0},
		     {MAUI_KEY_FSDECAY, 1}};
	static const struct {
		enum maui_key key;
		int64_t value;
	} integers[] = {{MAUI_KEY_XFMINWCLIMIT, -1},
			{MAUI_KEY_FSINTERVAL, 86400},
			{MAUI_KEY_FSDEPTH, 7},
			{MAUI_KEY_RMPOLLINTERVAL, 60},
			{MAUI_KEY_SERVERPORT, 42559},
			{MAUI_KEY_JOBPRIOACCRUALPOLICY, 1},
			{MAUI_KEY_NODEALLOCATIONPOLICY, 1},
			{MAUI_ATTR_DEPTH, 2},
			{MAUI_ATTR_ACCESS, 0},
			{MAUI_ATTR_PERIOD, 0},
			{MAUI_ATTR_DAYS, 255}};
	struct maui_config *config = parse("");

	for (size_t i = 0; i < COUNT(reals); i++)
		cr_expect_eq(maui_config_get(config, reals[i].key, NULL)->real, reals[i].value,
			     "%s", maui_key_info(reals[i].key)->name);
	for (size_t i = 0; i < COUNT(integers); i++)
		cr_expect_eq(maui_config_get(config, integers[i].key, NULL)->integer,
			     integers[i].value, "%s", maui_key_info(integers[i].key)->name);
	cr_expect_not(maui_config_get(config, MAUI_KEY_REJECTNEGPRIOJOBS, NULL)->boolean);
	cr_expect_not(maui_config_get(config, MAUI_KEY_ENABLENEGJOBPRIORITY, NULL)->boolean);
	maui_config_unref(config);
}

Test(keys, names_that_are_none_are_not_found)
{
	static const char *const names[] = {"",
					    " ",
					    "CREDWEIGH",
					    "CREDWEIGHTS",
					    "CRED WEIGHT",
					    "*",
					    "DIRECTSPECWEIGHT ",
					    "USERCFG",
					    "\xff"};

	for (size_t i = 0; i < COUNT(names); i++)
		for (int section = 0; section < MAUI_SECTIONS; section++)
			cr_expect_null(maui_key_find(section, names[i]), "%s", names[i]);
	cr_expect_null(maui_key_find(MAUI_PARAMETERS, NULL));
	cr_expect_null(maui_key_find(MAUI_SECTIONS, "CREDWEIGHT"));
	cr_expect_null(maui_key_find((enum maui_section) - 1, "CREDWEIGHT"));
	cr_expect_null(maui_key_info(MAUI_KEYS));
	cr_expect_null(maui_key_info((enum maui_key) - 1));
}

Test(keys, the_simulators_and_the_banks_parameters_are_known_by_their_beginning)
{
	cr_expect_eq(maui_key_find(MAUI_PARAMETERS, "SIMSTARTTIME"), maui_key_info(MAUI_KEY_SIM));
	cr_expect_eq(maui_key_find(MAUI_PARAMETERS, "simworkloadtracefile"),
		     maui_key_info(MAUI_KEY_SIM));
	cr_expect_eq(maui_key_find(MAUI_PARAMETERS, "BANKTYPE"), maui_key_info(MAUI_KEY_BANK));
	cr_expect_null(maui_key_find(MAUI_USERCFG, "SIMSTARTTIME"));
}

Test(keys, misspelt_names_have_a_nearest_one)
{
	static const struct {
		enum maui_section section;
		const char *name, *nearest;
	} cases[] = {
		{MAUI_PARAMETERS, "QUEUTIMEWEIGHT", "QUEUETIMEWEIGHT"},
		{MAUI_PARAMETERS, "queuetimewieght", "QUEUETIMEWEIGHT"},
		{MAUI_PARAMETERS, "SERVICEWIGHT", "SERVWEIGHT"},
		{MAUI_PARAMETERS, "USERCFGS", "USERCFG"},
		{MAUI_PARAMETERS, "QQSCFG", "QOSCFG"},
		{MAUI_SRCFG, "ACCCOUNTLIST", "ACCOUNTLIST"},
		{MAUI_USERCFG, "PRIORTY", "PRIORITY"},
		{MAUI_QOSCFG, "FLAGS", "QFLAGS"},
		{MAUI_PARAMETERS, "MEMORYWEIGHT", "MEMWEIGHT"},
		{MAUI_PARAMETERS, "QUEUTIMEWIEGHT", "QUEUETIMEWEIGHT"},
		/* other words of the same pattern are not typos */
		{MAUI_PARAMETERS, "CPUWEIGHT", NULL},
		{MAUI_PARAMETERS, "GPUWEIGHT", NULL},
		{MAUI_PARAMETERS, "TASKWEIGHT", NULL},
		{MAUI_PARAMETERS, "HOSTWEIGHT", NULL},
		{MAUI_USERCFG, "MAXCPU", NULL},
		{MAUI_USERCFG, "MINNODE", NULL},
		{MAUI_CLASSCFG, "MAXCPUPERUSER", NULL},
		{MAUI_PARAMETERS, "XYZZYPLUGH", NULL},
		{MAUI_PARAMETERS, "AB", NULL},
		{MAUI_PARAMETERS, "", NULL},
		{MAUI_PARAMETERS, NULL, NULL},
		{MAUI_PARAMETERS, "QUEUETIMEWEIGHTQUEUETIMEWEIGHTQUEUETIMEWEIGHTQUEUETIMEWEIGHT",
		 NULL},
		{MAUI_SECTIONS, "PRIORTY", NULL},
		{(enum maui_section) - 1, "PRIORTY", NULL},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *nearest = maui_key_nearest(cases[i].section, cases[i].name);

		if (cases[i].nearest)
			cr_expect(nearest && !strcmp(nearest, cases[i].nearest), "%s: %s",
				  cases[i].name, nearest ? nearest : "nothing");
		else
			cr_expect_null(nearest, "%s: %s", cases[i].name, nearest);
	}
}

Test(keys, unknown_names_are_warnings_that_name_the_nearest)
{
	static const struct case_of cases[] = {
		{"QUEUTIMEWEIGHT 4", "! W1:1",
		 "there is no parameter QUEUTIMEWEIGHT; the line is ignored: the nearest is "
		 "QUEUETIMEWEIGHT"},
		{"XYZZYPLUGH 4", "! W1:1", "there is no parameter XYZZYPLUGH; the line is ignored"},
		{"XYZZYCFG[a] A=4", "! W1:1", "there is no parameter XYZZYCFG"},
		{"PRIORITY 10", "! W1:1",
		 "it is an attribute of USERCFG, GROUPCFG, ACCOUNTCFG, QOSCFG, CLASSCFG"},
		{"USERCFG[bob] PRIORTY=1", "USERCFG[bob] ! W1:14", "the nearest is PRIORITY"},
		{"USERCFG[bob] QTTARGET=1", "USERCFG[bob] ! W1:14",
		 "USERCFG has no attribute QTTARGET; it is ignored: it is an attribute of QOSCFG"},
		{"USERCFG[bob] XYZZYPLUGH=1", "USERCFG[bob] ! W1:14",
		 "no attribute XYZZYPLUGH; it"},
		{"USERCFG[bob] CREDWEIGHT=1", "USERCFG[bob] ! W1:14", NULL},
		{"SRCFG[a] ACCCOUNTLIST=!x !y TPN=1", "SRCFG[a] TPN=1 ! W1:10", "ACCOUNTLIST"},
		{"CREDWEIGHTCREDWEIGHTCREDWEIGHTCREDWEIGHTCREDWEIGHTCREDWEIGHTCREDWEIGHT 1",
		 "! W1:1", NULL},
	};
	CHECK(cases);
}

/* The number of problems that contain a text. */
static size_t count_saying(const struct maui_config *config, const char *part)
{
	const struct maui_problem *problems;
	size_t count = maui_config_problems(config, &problems), found = 0;

	for (size_t i = 0; i < count; i++)
		found += strstr(problems[i].text, part) != NULL;
	return found;
}

Test(keys, what_has_no_effect_is_told)
{
	static const struct {
		const char *text, *part;
		size_t count;
	} cases[] = {
		{"USERCFG[a] MAXJOB=1 PRIORITY=3 MAXPROC=2 FSTARGET=4", "", 0},
		{"SRCFG[a] PRIORITY=3 NODEFEATURES=x", "PRIORITY has no effect: it is shown", 1},
		{"NODECFG[a] PARTITION=x", "PARTITION has no effect: in Slurm: PartitionName", 1},
		{"SRCFG[a] PARTITION=x", "", 0},
		{"SYSCFG PLIST=a", "every partition whose Allow... lets it in", 1},
		{"USERCFG[a] PLIST=a", "PLIST is accepted without effect: in Slurm: Allow", 1},
		{"QOSCFG[a] QFLAGS=IGNALL,NOBF,PREEMPTOR,NTR", "QFLAGS: N", 2},
		{"SERVERHOST head", "SERVERHOST has no effect: the service listens on loopback", 1},
		{"SCHEDCFG[x] TRIGGER=a", "for TRIGGER, in Slurm: strigger", 1},
		{"USERCFG[a] PRIORITY=3", "no effect", 0},
		{"NODECFG[a] PRIORITY=3 MAXPROC=4\nNODEALLOCATIONPOLICY PRIORITY", "", 0},
		{"NODEACCESSPOLICY SINGLEJOB\nNODEALLOCMAXPS TRUE", "NODEALLOCMAXPS has no effect",
		 1},
		{"FSWEIGHT 3\nFSPOLICY DEDICATEDPS\nUSERCFG[a] FSTARGET=4", "", 0},
		{"USEMACHINESPEEDFORFS TRUE", "", 0},
		{"SPVIOLATIONWEIGHT 3", "SPVIOLATIONWEIGHT has no effect", 1},
		{"BYPASSWEIGHT 3\nBYPASSCAP 5", "", 0},
		{"UPROCWEIGHT 3", "UPROCWEIGHT has no effect", 1},
		{"BACKFILLPOLICY FIRSTFIT", "SchedulerType=sched/backfill", 1},
		{"LOGFILE maui.log", "SlurmctldLogFile", 1},
		{"RMCFG[base] TYPE=PBS", "RMCFG is accepted without effect", 1},
		{"SIMSTARTTIME 17", "SIMSTARTTIME is accepted without effect", 1},
		{"MAXJOBPERUSERCOUNT 3", "", 0},
		{"CLASSCFG[a] MAXPROCPERNODE=3", "MAXPROCPERNODE has no effect", 1},
		{"CREDWEIGHT 1\nXFACTORWEIGHT 2\nRMPOLLINTERVAL 30\nADMIN1 root", "", 0},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct maui_config *config = parse(cases[i].text);

		cr_expect_eq(count_saying(config, cases[i].part), cases[i].count, "%s",
			     cases[i].text);
		cr_expect_eq(maui_config_errors(config), 0);
		maui_config_unref(config);
	}
}

Test(keys, areas_sections_and_kinds_have_names)
{
	cr_expect_str_eq(maui_area_name(MAUI_AREA_NODE_ALLOCATION), "node allocation");
	cr_expect_str_eq(maui_area_name((enum maui_area) - 1), "unknown");
	for (int area = 0; area < MAUI_AREAS; area++)
		cr_expect_not_null(maui_area_name(area));
	for (int kind = 0; kind < MAUI_KINDS; kind++)
		cr_expect_not_null(maui_kind_name(kind));
	cr_expect_str_eq(maui_kind_name(MAUI_KINDS), "unknown");
	for (int section = 0; section < MAUI_SECTIONS; section++)
		cr_expect_eq((int)maui_section_find(maui_section_name(section)), section);
	cr_expect_str_eq(maui_section_name(MAUI_SECTIONS), "unknown");
	cr_expect_eq(maui_section_find("usercfg"), MAUI_USERCFG);
	cr_expect_eq(maui_section_find("SYSTEMCFG"), MAUI_SYSCFG);
	cr_expect_eq(maui_section_find("ACCTCFG"), MAUI_ACCOUNTCFG);
	cr_expect_eq(maui_section_find("USERCF"), MAUI_SECTIONS);
	cr_expect_eq(maui_section_find(NULL), MAUI_SECTIONS);
}
