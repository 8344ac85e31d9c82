/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every kind of value: what is read, what is repaired, and what is refused. */
#include "config_test.h"

#include "common/config/keys/keywords.h"
#include "common/util/text.h"

#include <locale.h>
#include <stdlib.h>
#include <time.h>

Test(values, weights_are_exact_numbers)
{
	static const struct case_of cases[] = {
		{"CREDWEIGHT 0", "CREDWEIGHT=0", NULL},
		{"CREDWEIGHT -1", "CREDWEIGHT=-1", NULL},
		{"CREDWEIGHT +7", "CREDWEIGHT=7", NULL},
		{"CREDWEIGHT 999999999999999", "CREDWEIGHT=999999999999999", NULL},
		{"CREDWEIGHT -1000000000000000", "CREDWEIGHT=-1000000000000000", NULL},
		{"CREDWEIGHT 2.5", "CREDWEIGHT=2.5", NULL},
		{"CREDWEIGHT .5", "CREDWEIGHT=0.5", NULL},
		{"CREDWEIGHT 1e3", "CREDWEIGHT=1000", NULL},
		{"CREDWEIGHT 010.5", "CREDWEIGHT=10.5", NULL},
		{"CREDWEIGHT 0x10", "CREDWEIGHT=16", NULL},
		{"CREDWEIGHT 010", "CREDWEIGHT=8 ! W1:12", "octal"},
		{"CREDWEIGHT 007", "CREDWEIGHT=7", NULL},
		{"CREDWEIGHT 08", "CREDWEIGHT=0 ! W1:12 W1:13", "octal"},
		{"CREDWEIGHT 1e-999", "CREDWEIGHT=0", NULL},
		{"FSWEIGHT 20%", "FSWEIGHT=20 ! W1:12", "percent sign"},
		{"CREDWEIGHT 10abc", "CREDWEIGHT=10 ! W1:14", "'10abc' is read as 10"},
		{"CREDWEIGHT 10,5", "CREDWEIGHT=10 ! W1:14", NULL},
	};
	CHECK(cases);
}

Test(values, numbers_that_are_none_or_too_large_are_errors_and_leave_the_default)
{
	static const struct case_of cases[] = {
		{"CREDWEIGHT abc", "! E1:12", "'abc' is not a valid number"},
		{"CREDWEIGHT nan", "! E1:12", "'nan' is not a valid number"},
		{"CREDWEIGHT inf", "! E1:12", NULL},
		{"CREDWEIGHT -infinity", "! E1:12", NULL},
		{"CREDWEIGHT 1e999", "! E1:12", "too large"},
		{"CREDWEIGHT -1e999", "! E1:12", "too large"},
		{"CREDWEIGHT 99999999999999999999", "! E1:12", "too large"},
		{"CREDWEIGHT 0xffffffffffffffffff", "! E1:12", "too large"},
		{"CREDWEIGHT 1e16", "! E1:12",
		 "out of range (-1000000000000000 to 1000000000000000)"},
		{"CREDWEIGHT 1000000000000001", "! E1:12", "out of range"},
		{"CREDWEIGHT -", "! E1:12", NULL},
		{"CREDWEIGHT %", "! E1:12", NULL},
		{"USERCFG[bob] PRIORITY=99999999999999999999", "USERCFG[bob] ! E1:23", "too large"},
		{"USERCFG[bob] PRIORITY=nan", "USERCFG[bob] ! E1:23",
		 "is not a valid whole number"},
		{"SERVERPORT 0", "! E1:12", "out of range (1 to 65535)"},
		{"SERVERPORT 65536", "! E1:12", NULL},
		{"FSDECAY 1.5", "! E1:9", "'1.5' is out of range (0 to 1)"},
		{"FSDEPTH 33", "! E1:9", NULL},
		{"RMPOLLINTERVAL 0", "! E1:16", NULL},
		{"RMPOLLINTERVAL INFINITY", "! E1:16", NULL},
	};
	CHECK(cases);
}

Test(values, whole_numbers_are_read_as_strtol_does_but_not_silently)
{
	static const struct case_of cases[] = {
		{"USERCFG[bob] PRIORITY=-1000", "USERCFG[bob] PRIORITY=-1000", NULL},
		{"USERCFG[bob] PRIORITY=010", "USERCFG[bob] PRIORITY=8 ! W1:23", "octal"},
		{"USERCFG[bob] PRIORITY=0x1F", "USERCFG[bob] PRIORITY=31", NULL},
		{"USERCFG[bob] PRIORITY=10abc", "USERCFG[bob] PRIORITY=10 ! W1:25", NULL},
		{"USERCFG[bob] PRIORITY=1.5", "USERCFG[bob] PRIORITY=1 ! W1:24", NULL},
		{"USERCFG[bob] PRIORITY=abc", "USERCFG[bob] ! E1:23",
		 "is not a valid whole number"},
		{"USERCFG[bob] PRIORITY=10;MAXJOB=3", "USERCFG[bob] PRIORITY=10 ! W1:25", NULL},
		{"USERCFG[bob] PRIORITY=10,MAXJOB=3", "USERCFG[bob] PRIORITY=10 ! W1:25", NULL},
	};
	CHECK(cases);
}

Test(values, what_is_wrong_behind_a_backslash_stands_on_its_own_line)
{
	static const struct case_of cases[] = {
		{"SRFLAGS[a] BYNAME\\\nXYZZY", "SRCFG[a] FLAGS=BYNAME ! W2:1", "no flag 'XYZZY'"},
	};
	CHECK(cases);
}

Test(values, operations_other_than_equals_are_read_as_it_with_a_warning)
{
	static const struct case_of cases[] = {
		{"USERCFG[bob] PRIORITY+=10", "USERCFG[bob] PRIORITY=10 ! W1:22",
		 "adds and subtracts nothing"},
		{"USERCFG[bob] PRIORITY-=10", "USERCFG[bob] PRIORITY=10 ! W1:22", NULL},
		{"USERCFG[bob] PRIORITY-10", "USERCFG[bob] PRIORITY=10 ! W1:22", NULL},
		{"USERCFG[bob] PRIORITY==10", "USERCFG[bob] PRIORITY=10 ! W1:22",
		 "'==' is read as '='"},
		{"USERCFG[bob] MAXJOB<=3", "USERCFG[bob] MAXJOB=3,3 ! W1:20", NULL},
		{"SRCFG[a] USERLIST!=bob TPN=1", "SRCFG[a] TPN=1 ! E1:18", "ATTR=!name"},
		{"USERCFG[bob] PRIORITY:10", "USERCFG[bob] ! W1:14", "belongs to no attribute"},
	};
	CHECK(cases);
}

Test(values, numbers_do_not_depend_on_the_locale)
{
	static const struct case_of cases[] = {{"FSDECAY 0.5", "FSDECAY=0.5", NULL},
					       {"FSDECAY 0,5", "FSDECAY=0 ! W1:10", NULL}};

	/* If the locale is not installed this proves nothing, but does no harm. */
	setlocale(LC_ALL, "de_DE.UTF-8");
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct maui_config *config = parse(cases[i].text);

		cr_expect_eq(maui_config_get(config, MAUI_KEY_FSDECAY, NULL)->real, i ? 0 : 0.5);
		maui_config_unref(config);
	}
	setlocale(LC_ALL, "C");
	CHECK(cases);
}

Test(values, durations_of_two_fields_are_minutes_and_say_so)
{
	static const struct case_of cases[] = {
		{"RMPOLLINTERVAL 30", "RMPOLLINTERVAL=30", NULL},
		{"RMPOLLINTERVAL 00:01:00", "RMPOLLINTERVAL=60", NULL},
		{"RMPOLLINTERVAL 5:30", "RMPOLLINTERVAL=330 ! W1:16",
		 "read as MM:SS, 00:05:30; the original reads it as HH:MM, 5:30:00"},
		{"XFMINWCLIMIT 12:", "XFMINWCLIMIT=12 ! W1:14",
		 "original reads it as HH, 12:00:00"},
		{"XFMINWCLIMIT -1", "XFMINWCLIMIT=-1", NULL},
		{"XFMINWCLIMIT INFINITY", "XFMINWCLIMIT=2140000000", NULL},
		{"XFMINWCLIMIT 1:08:00:00", "XFMINWCLIMIT=115200", NULL},
		{"XFMINWCLIMIT 010", "XFMINWCLIMIT=8 ! W1:14", "octal"},
		{"XFMINWCLIMIT 10abc", "XFMINWCLIMIT=10 ! W1:16", NULL},
		{"XFMINWCLIMIT abc", "! E1:14", "is not a valid duration"},
		{"XFMINWCLIMIT 99999999999999999999", "! E1:14", "too large"},
		{"QOSCFG[hi] QTTARGET=00:30:00", "QOSCFG[hi] QTTARGET=1800", NULL},
		{"QOSCFG[hi] QTTARGET=4:00:00", "QOSCFG[hi] QTTARGET=14400", NULL},
	};
	struct maui_config *config = parse("RMPOLLINTERVAL 5:30\nCREDWEIGHT 010");
	const struct maui_problem *problems;

	CHECK(cases);
	cr_assert_eq(maui_config_problems(config, &problems), 2);
	cr_expect(problems[0].two_readings);
	cr_expect_not(problems[1].two_readings);
	maui_config_unref(config);
}

Test(values, memory_is_in_megabytes_with_suffixes)
{
	static const struct case_of cases[] = {
		{"NODECFG[n] CFGMEM=512", "NODECFG[n] CFGMEM=512", NULL},
		{"NODECFG[n] CFGMEM=1G", "NODECFG[n] CFGMEM=1024", NULL},
		{"NODECFG[n] CFGMEM=1gb", "NODECFG[n] CFGMEM=1024", NULL},
		{"NODECFG[n] CFGMEM=2TB", "NODECFG[n] CFGMEM=2097152", NULL},
		{"NODECFG[n] CFGMEM=3m", "NODECFG[n] CFGMEM=3", NULL},
		{"NODECFG[n] CFGMEM=2048K", "NODECFG[n] CFGMEM=2", NULL},
		{"NODECFG[n] CFGMEM=1048576b", "NODECFG[n] CFGMEM=1", NULL},
		{"NODECFG[n] CFGMEM=131072w", "NODECFG[n] CFGMEM=1", NULL},
		{"NODECFG[n] CFGMEM=512K", "NODECFG[n] CFGMEM=0 ! W1:19", "only whole MB"},
		{"NODECFG[n] CFGMEM=1x", "NODECFG[n] CFGMEM=1 ! W1:20", NULL},
		{"NODECFG[n] CFGMEM=-1", "NODECFG[n] ! E1:19", "out of range"},
		{"NODECFG[n] CFGMEM=9223372036854775807T", "NODECFG[n] ! E1:19", "too large"},
		{"NODECFG[n] CFGMEM=9223372036854775807K", "NODECFG[n] ! E1:19", "too large"},
	};
	CHECK(cases);
}

Test(values, booleans_know_many_words_and_keep_the_default_for_others)
{
	static const char *const yes[] = {"1",  "true", "True", "TRUE", "on",
					  "On", "ON",   "yes",  "YES"};
	static const char *const no[] = {"0", "false", "False", "FALSE", "off", "Off", "no", "NO"};
	static const struct case_of cases[] = {
		{"REJECTNEGPRIOJOBS maybe", "! W1:19",
		 "neither TRUE nor FALSE; the default of FALSE"},
		{"REJECTNEGPRIOJOBS 2", "! W1:19", NULL},
		{"REJECTNEGPRIOJOBS TRUEX", "! W1:19", NULL},
	};
	char text[64];

	CHECK(cases);
	for (size_t i = 0; i < COUNT(yes) + COUNT(no); i++) {
		bool value = i < COUNT(yes);
		const char *word = value ? yes[i] : no[i - COUNT(yes)];
		struct maui_config *config;

		snprintf(text, sizeof(text), "ENABLENEGJOBPRIORITY %s", word);
		config = parse(text);
		cr_expect_eq(maui_config_get(config, MAUI_KEY_ENABLENEGJOBPRIORITY, NULL)->boolean,
			     value, "%s", word);
		cr_expect_eq(maui_config_problems(config, NULL), 0, "%s", word);
		maui_config_unref(config);
	}
}

Test(values, keywords_are_known_in_any_case_and_unknown_ones_keep_the_default)
{
	static const struct case_of cases[] = {
		{"NODEALLOCATIONPOLICY MinResource", "NODEALLOCATIONPOLICY=MINRESOURCE", NULL},
		{"NODEALLOCATIONPOLICY[batch] FASTEST", "NODEALLOCATIONPOLICY[batch]=FASTEST",
		 NULL},
		{"NODEALLOCATIONPOLICY FASTST", "! E1:22", "the nearest is FASTEST"},
		{"JOBPRIOACCRUALPOLICY ALWAYS", "JOBPRIOACCRUALPOLICY=ALWAYS", NULL},
		{"JOBPRIOACCRUALPOLICY xyzzy", "! E1:22",
		 "'xyzzy' is not known: write ALWAYS, QUEUEPOLICY or FULLPOLICY"},
		{"SRCFG[a] PERIOD=week", "SRCFG[a] PERIOD=WEEK", NULL},
		{"SRCFG[a] PERIOD=INFINITE", "SRCFG[a] PERIOD=INFINITY", NULL},
		{"SRCFG[a] PERIOD=DAYS", "SRCFG[a] PERIOD=DAY", NULL},
		{"SRCFG[a] PERIOD=MONTH", "SRCFG[a] ! E1:17", NULL},
		{"RESCTLPOLICY ANY", "RESCTLPOLICY=ANY", NULL},
		{"FSPOLICY DEDICATEDPS", "FSPOLICY=DEDICATEDPS", NULL},
		{"FSPOLICY dedicatedpes%", "FSPOLICY=DEDICATEDPES%", NULL},
		{"FSPOLICY UTILIZEDPS", "FSPOLICY=UTILIZEDPS", NULL},
		{"FSPOLICY TRUE", "FSPOLICY=DEDICATEDPS", NULL},
		{"FSPOLICY NONE", "FSPOLICY=[NONE]", NULL},
		{"FSPOLICY OFF", "FSPOLICY=[NONE]", NULL},
		{"FSPOLICY DEDICATEDPX", "! E1:10",
		 "write [NONE], DEDICATEDPS, DEDICATEDPES, UTILIZEDPS or DEDICATEDGRES; the "
		 "nearest is "
		 "DEDICATEDPS"},
		{"FSPOLICY %", "! E1:10", NULL},
	};
	CHECK(cases);
}

Test(values, words_of_the_shipped_file_and_of_moab_are_known)
{
	static const struct case_of cases[] = {
		{"FSPOLICY PSDEDICATED", "FSPOLICY=DEDICATEDPS", NULL},
		{"FSPOLICY psdedicated%", "FSPOLICY=DEDICATEDPS%", NULL},
		{"FSPOLICY SDEDICATEDPES", "FSPOLICY=DEDICATEDPES ! W1:10", "USEMACHINESPEEDFORFS"},
		{"JOBPRIOACCRUALPOLICY ACCRUE", "JOBPRIOACCRUALPOLICY=QUEUEPOLICY ! W1:22",
		 "ACCRUE is read as QUEUEPOLICY: a job over a limit starts again from 0"},
		{"JOBPRIOACCRUALPOLICY reset", "JOBPRIOACCRUALPOLICY=FULLPOLICY ! W1:22",
		 "JOBPRIOEXCEPTIONS"},
		{"NODEACCESSPOLICY DEDICATED", "NODEACCESSPOLICY=SINGLEJOB", NULL},
		{"NODEACCESSPOLICY UNIQUEUSER", "NODEACCESSPOLICY=SHARED ! W1:18",
		 "NODECFG[DEFAULT] MAXJOBPERUSER=1"},
		{"NODEACCESSPOLICY SINGLEGROUP", "NODEACCESSPOLICY=SINGLEUSER ! W1:18", NULL},
		{"NODECFG[a] ACCESS=UNIQUEUSER", "NODECFG[a] ACCESS=SHARED", NULL},
		{"NODEALLOCATIONPOLICY InReportedOrder", "NODEALLOCATIONPOLICY=FIRSTAVAILABLE",
		 NULL},
		{"NODEALLOCATIONPOLICY PLUGIN:x", "NODEALLOCATIONPOLICY=LASTAVAILABLE ! W1:22",
		 "NODEALLOCATIONLOCAL"},
		{"NODEALLOCATIONPOLICY PLUGI", "! E1:22", NULL},
		{"NODEACCESSPOLICY DEDICATD", "! E1:18", "the nearest is SINGLEJOB"},
	};
	CHECK(cases);
}

/* A table entry for an unknown keyword would refuse a file. */
Test(values, every_word_of_others_stands_for_a_keyword)
{
	enum maui_key key;
	const char *word, *remark;

	for (size_t i = 0; (word = maui_keyword_synonym(i, &key)); i++) {
		const struct maui_key_info *info = maui_key_info(key);
		int found = maui_keyword_find(info, word, strcspn(word, "*"), &remark);

		cr_assert_geq(found, 0, "%s %s", info->name, word);
		cr_expect(!maui_equals(word, strlen(word), info->keywords[found]), "%s", word);
	}
}

Test(values, fairshare_targets_have_one_mark)
{
	static const struct case_of cases[] = {
		{"USERCFG[a] FSTARGET=10", "USERCFG[a] FSTARGET=10", NULL},
		{"USERCFG[a] FSTARGET=25.0+", "USERCFG[a] FSTARGET=25+", NULL},
		{"USERCFG[a] FSTARGET=10-", "USERCFG[a] FSTARGET=10-", NULL},
		{"USERCFG[a] FSTARGET=10%", "USERCFG[a] FSTARGET=10%", NULL},
		{"USERCFG[a] FSTARGET=1e2^", "USERCFG[a] FSTARGET=100^", NULL},
		{"USERCFG[a] FSTARGET=10.0+%", "USERCFG[a] FSTARGET=10+ ! W1:26", NULL},
		{"USERCFG[a] FSTARGET=10,20", "USERCFG[a] FSTARGET=10 ! W1:23", NULL},
		{"USERCFG[a] FSTARGET='10 +'", "USERCFG[a] FSTARGET=10 ! W1:25", NULL},
		{"USERCFG[a] FSTARGET=abc", "USERCFG[a] ! E1:21", NULL},
		{"USERCFG[a] FSTARGET=-5", "USERCFG[a] ! E1:21", "out of range"},
		{"USERCFG[a] FSTARGET=1e999", "USERCFG[a] ! E1:21", "too large"},
	};
	CHECK(cases);
}

Test(values, limits_are_hard_or_soft_and_hard)
{
	static const struct case_of cases[] = {
		{"USERCFG[a] MAXJOB=4", "USERCFG[a] MAXJOB=4,4", NULL},
		{"USERCFG[a] MAXJOB=2,8", "USERCFG[a] MAXJOB=2,8", NULL},
		{"USERCFG[a] MAXJOB=0", "USERCFG[a] MAXJOB=0,0", NULL},
		{"USERCFG[a] MAXJOB=-1", "USERCFG[a] MAXJOB=-1,-1", NULL},
		{"USERCFG[a] MAXJOB=-7", "USERCFG[a] MAXJOB=-1,-1", NULL},
		{"USERCFG[a] MAXJOB=2,-1", "USERCFG[a] MAXJOB=2,-1", NULL},
		{"USERCFG[a] MAXJOB=8,2", "USERCFG[a] MAXJOB=2,2 ! W1:19",
		 "above the hard limit of 2"},
		{"USERCFG[a] MAXJOB=-1,8", "USERCFG[a] MAXJOB=8,8 ! W1:19", NULL},
		{"USERCFG[a] MAXJOB=0,8", "USERCFG[a] MAXJOB=8,8", NULL},
		{"USERCFG[a] MAXJOB=3,0", "USERCFG[a] MAXJOB=0,0 ! W1:19", "is no limit"},
		{"USERCFG[a] MAXJOB=3,MAXPROC=5", "USERCFG[a] MAXJOB=3,3 ! W1:20", NULL},
		{"USERCFG[a] MAXJOB=3,", "USERCFG[a] MAXJOB=3,3 ! W1:20", NULL},
		{"USERCFG[a] MAXJOB=3,4,5", "USERCFG[a] MAXJOB=3,4 ! W1:22", NULL},
		{"USERCFG[a] MAXJOB=3x", "USERCFG[a] MAXJOB=3,3 ! W1:20", NULL},
		{"USERCFG[a] MAXJOB=abc", "USERCFG[a] ! E1:19", "is not a valid limit"},
		{"USERCFG[a] MAXJOB=,3", "USERCFG[a] ! E1:19", NULL},
		{"USERCFG[a] MAXJOB=99999999999999999999", "USERCFG[a] ! E1:19", NULL},
		{"USERCFG[a] MAXPS=720000", "USERCFG[a] MAXPS=720000,720000", NULL},
		{"USERCFG[a] MAXPS=99999999999", "USERCFG[a] MAXPS=99999999999,99999999999", NULL},
		{"USERCFG[a] MAXWC=72:00:00", "USERCFG[a] MAXWC=259200,259200", NULL},
		{"USERCFG[a] MAXWC=3600,7200", "USERCFG[a] MAXWC=3600,7200", NULL},
		{"USERCFG[a] MAXWC=1:00:00,2:00:00", "USERCFG[a] MAXWC=3600,7200", NULL},
		{"USERCFG[a] MAXWC=1:00,2:00", "USERCFG[a] MAXWC=60,120 ! W1:18 W1:23", "MM:SS"},
		{"USERCFG[a] MAXWC=INFINITY", "USERCFG[a] MAXWC=-1,-1", NULL},
		{"USERCFG[a] MAXWC=3600,INFINITY", "USERCFG[a] MAXWC=3600,-1", NULL},
		{"USERCFG[a] MAXMEM=2048", "USERCFG[a] MAXMEM=2048,2048", NULL},
		{"USERCFG[a] MAXMEM=1G,2G", "USERCFG[a] MAXMEM=1024,2048", NULL},
		{"USERCFG[a] MAXPROC=4k", "USERCFG[a] MAXPROC=4,4 ! W1:21", NULL},
	};
	CHECK(cases);
}

/* Units are Slurm's, for limits of GRES alone. */
Test(values, limits_of_gres_may_be_sizes)
{
	static const struct case_of cases[] = {
		{"USERCFG[a] MAXGRES[q=z]=2", "USERCFG[a] ! E1:20",
		 "'q=z' does not begin with the name of a GRES"},
		{"USERCFG[a] MAXGRES[q(z]=2", "USERCFG[a] ! E1:20",
		 "'q(z' does not begin with the name of a GRES"},
		{"USERCFG[a] MAXGRES[s]=400G", "USERCFG[a] MAXGRES=429496729600,429496729600",
		 NULL},
		{"USERCFG[a] MAXGRES[s]=1k,2KiB", "USERCFG[a] MAXGRES=1024,2048", NULL},
		{"USERCFG[a] MAXGRES[s]=1kb,2MB", "USERCFG[a] MAXGRES=1000,2000000", NULL},
		{"USERCFG[a] MAXGRES[s]=400g,-1", "USERCFG[a] MAXGRES=429496729600,-1", NULL},
		{"USERCFG[a] MAXGRES[s]=-1G", "USERCFG[a] MAXGRES=-1,-1", NULL},
		{"CLASSCFG[a] MAXIGRES[s,USER]=1T",
		 "CLASSCFG[a] MAXIGRES[user]=1099511627776,1099511627776", NULL},
		{"USERCFG[a] MAXGS[s]=2P", "USERCFG[a] MAXGS=2251799813685248,2251799813685248",
		 NULL},
		{"QOSCFG[a] OMAXJGRES[s]=1m", "QOSCFG[a] OMAXJGRES=1048576,1048576", NULL},
		{"USERCFG[a] MAXGRESPERJOB[s]=1m", "USERCFG[a] MAXGRESPERJOB=1048576,1048576",
		 NULL},
		{"NODECFG[a] MAXGRES[s]=1g", "NODECFG[a] MAXGRES=1073741824,1073741824", NULL},
		{"USERCFG[a] MAXGRES[s]=4x", "USERCFG[a] MAXGRES=4,4 ! W1:24",
		 "'4x' is read as 4; the rest is ignored"},
		{"USERCFG[a] MAXGRES[s]=4gbx", "USERCFG[a] MAXGRES=4000000000,4000000000 ! W1:26",
		 NULL},
		{"USERCFG[a] MAXGRES[s]=4095P",
		 "USERCFG[a] MAXGRES=4610560118520545280,4610560118520545280", NULL},
		{"USERCFG[a] MAXGRES[s]=4096P", "USERCFG[a] ! E1:23", "is out of range"},
		{"USERCFG[a] MAXGRES[s]=9999999999P", "USERCFG[a] ! E1:23", "is too large"},
	};
	CHECK(cases);
}

/* NAME stands for a GRES. Those that NVML names have 48 characters and more. */
Test(values, every_place_of_a_gres_takes_the_longest_name)
{
	static const char *const lines[] = {
		"USERCFG[u] MAXGRES[NAME]=4",
		"USERCFG[u] MAXIGRES[NAME]=4 MAXGS[NAME]=3 MAXIGS[NAME]=3",
		"CLASSCFG[c] MAXGRES[NAME,USER:bob]=4G",
		"QOSCFG[q] OMAXGRES[NAME]=4 OMAXIGRES[NAME]=4 OMAXGS[NAME]=4 OMAXJGRES[NAME]=4",
		"SYSCFG MAXGRESPERJOB[NAME]=4",
		"NODECFG[n] MAXGRES[NAME]=4",
		"NODECFG[n] PRIORITYF='-100*CGRES[NAME] + 2*AGRES[NAME] - JOBCOUNT'",
		"SRCFG[r] RESOURCES=PROCS:1;GRES=NAME:2",
		"SRCFG[r] RESOURCES=PROCS:1;GRES=NAME",
		"SRCFG[r] RESOURCES=PROCS:1+GRES=NAME:2+MEM:512",
		"GRESWEIGHT[NAME] 100",
		"PEGRES[NAME] TRUE",
		"FSPOLICY DEDICATEDGRES[NAME]",
		"FSPOLICY DEDICATEDGRES[NAME]%",
	};
	static const char *const names[] = {
		"gpu:nvidia_rtx_pro_6000_blackwell_server_edition",
		"gpu:nvidia_rtx_pro_6000_blackwell_server_edition_4g.96gb",
		"gpu:1g.5gb",
		"gpu:1g.10gb+me",
		"gpu:a100_1g.10gb+me.all",
		"site/gpu:a/b",
		"-x",
		"q~!$%^&*?<>{}z:t~!$%^&*?<>{}z",
		"q;z:a|b",
		"q[z]w:`t]u)",
		"gpu-with.all-of@them_123456789012345678901234567890123456789012345678901234567890:"
		"nvidia_rtx_pro_6000_blackwell_server_edition1",
	};

	cr_assert_eq(strlen(names[COUNT(names) - 1]), MAUI_GRES_NAME_SIZE - 1);
	for (size_t i = 0; i < COUNT(lines); i++)
		for (size_t j = 0; j < COUNT(names); j++) {
			struct maui_config *config;
			const struct maui_problem *problems;
			struct maui_error error;
			const char *const *known;
			char text[1024], *at;
			size_t used = 0, found = 0;

			for (const char *c = lines[i]; *c; c++)
				if (!strncmp(c, "NAME", 4)) {
					used += (size_t)sprintf(text + used, "%s", names[j]);
					c += 3;
				} else {
					text[used++] = *c;
				}
			text[used] = '\0';
			cr_assert_eq(maui_config_parse("m", text, used, NULL, &config, &error), 0);
			cr_expect_eq(maui_config_problems(config, &problems), 0, "%s: %s", text,
				     problems ? problems->text : "");
			for (size_t k = 0; k < maui_config_gres(config, &known); k++)
				found += !strcmp(known[k], names[j]);
			for (uint32_t k = 0; k < maui_config_node_gres(config)->count; k++)
				found += !strcmp(maui_config_node_gres(config)->name[k], names[j]);
			at = strstr(lines[i], "RESOURCES");
			cr_expect_eq(found, at ? 0 : 1, "%s", text);
			maui_config_unref(config);
		}
}

/* A quote in the name of a GRES quotes nothing in brackets; a value is in quotes of the other kind. */
Test(values, names_of_gres_may_have_quotes)
{
	static const struct {
		const char *line, *name;
	} cases[] = {
		{"USERCFG[a] MAXJOB=4 MAXGRES[q'z]=2 MAXPROC=3", "q'z"},
		{"USERCFG[a] MAXJOB=4 MAXGRES[q\"z,USER:b]=2 MAXPROC=3", "q\"z"},
		{"NODECFG[n] MAXGRES[q'z]=4", "q'z"},
		{"NODECFG[n] PRIORITYF=\"CGRES[q'z]\"", "q'z"},
		{"GRESWEIGHT[q'z] 100", "q'z"},
		{"GRESWEIGHT[q\"z] 100", "q\"z"},
		{"FSPOLICY \"DEDICATEDGRES[q'z]%\"", "q'z"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct maui_config *config = parse(cases[i].line);
		const struct maui_node_gres *of_nodes = maui_config_node_gres(config);
		const struct maui_problem *problems;
		const char *const *known;

		cr_expect_eq(maui_config_problems(config, &problems), 0, "%s: %s", cases[i].line,
			     problems ? problems->text : "");
		cr_assert_eq(maui_config_gres(config, &known) + of_nodes->count, 1, "%s",
			     cases[i].line);
		cr_expect_str_eq(of_nodes->count ? of_nodes->name[0] : known[0], cases[i].name);
		maui_config_unref(config);
	}
}

Test(values, limits_may_have_a_second_dimension)
{
	static const struct case_of cases[] = {
		{"CLASSCFG[fast] MAXJOB[GROUP]=12", "CLASSCFG[fast] MAXJOB[group]=12,12", NULL},
		{"CLASSCFG[fast] MAXPROC[USER:steve]=50",
		 "CLASSCFG[fast] MAXPROC[user:steve]=50,50", NULL},
		{"CLASSCFG[fast] MAXJOB[user]=2,3 MAXJOB=9 MAXJOB[USER:bob]=1 MAXJOB[Account:x]=4",
		 "CLASSCFG[fast] MAXJOB=9,9 MAXJOB[user]=2,3 MAXJOB[user:bob]=1,1 "
		 "MAXJOB[account:x]=4,4",
		 NULL},
		{"NODECFG[n] MAXPROC[CLASS:c]=4", "NODECFG[n] MAXPROC[class:c]=4,4", NULL},
		{"CLASSCFG[c] MAXJOB[HOST]=1", "CLASSCFG[c] ! E1:20", "'HOST' is not USER"},
		{"CLASSCFG[c] MAXJOB[USER:]=1", "CLASSCFG[c] ! E1:20", NULL},
		{"CLASSCFG[c] MAXJOB[]=1", "CLASSCFG[c] ! E1:20", NULL},
		{"CLASSCFG[c] MAXJOB[USER=1", "CLASSCFG[c] ! E1:19", "']' is missing"},
		{"CLASSCFG[c] MAXJOB[USER]1", "CLASSCFG[c] ! W1:13", NULL},
		{"CLASSCFG[c] PRIORITY[USER]=1", "CLASSCFG[c] ! E1:22",
		 "no credential in brackets"},
	};
	CHECK(cases);
}

Test(values, lists_have_the_delimiters_of_their_kind)
{
	static const struct case_of cases[] = {
		{"ADMIN1 root alice,bob", "ADMIN1=root|alice|bob", NULL},
		{"ADMIN1 root 'alice'", "ADMIN1=root|alice", NULL},
		{"USERCFG[a] QLIST=hi,low:best", "USERCFG[a] QLIST=hi|low|best", NULL},
		{"USERCFG[a] QLIST=hi&", "USERCFG[a] QLIST=hi&", NULL},
		{"USERCFG[a] QLIST=hi:low^ QDEF=hi", "USERCFG[a] QLIST=hi|low^ QDEF=hi", NULL},
		{"USERCFG[a] QLIST=^hi,&low", "USERCFG[a] QLIST=^hi|&low", NULL},
		{"SYSCFG QLIST=hi,low& QDEF=low", "SYSCFG[] QLIST=hi|low& QDEF=low", NULL},
		{"QOSCFG[a] QLIST=hi", "QOSCFG[a] ! W1:11", "QOSCFG has no attribute QLIST"},
		{"NODECFG[n] FEATURES=a,b:c|d", "NODECFG[n] FEATURES=a|b|c|d", NULL},
		{"SRCFG[a] NODEFEATURES=[wide][fddi]", "SRCFG[a] NODEFEATURES=wide|fddi", NULL},
		{"SRCFG[a] NODEFEATURES=wide,fddi", "SRCFG[a] NODEFEATURES=wide|fddi", NULL},
		{"SRCFG[a] NODEFEATURES=,,", "SRCFG[a] ! W1:23", "list is empty"},
		{"NODECFG[n] GRES=tape:2,disk:1", "NODECFG[n] GRES=tape:2|disk:1", NULL},
		{"NODECFG[n] RESOURCES=tape:2", "NODECFG[n] GRES=tape:2", NULL},
		{"SRCFG[a] HOSTLIST=node001,node002,node0[3-5]",
		 "SRCFG[a] HOSTLIST=node001|node002|node0[3-5]", NULL},
		{"SRCFG[a] HOSTLIST=n[1,3-5],m", "SRCFG[a] HOSTLIST=n[1,3-5]|m", NULL},
		{"SRCFG[a] HOSTLIST=n[1,m", "SRCFG[a] HOSTLIST=n[1,m", NULL},
		{"SRCFG[a] HOSTLIST=n]1,m", "SRCFG[a] HOSTLIST=n]1|m", NULL},
		{"SRCFG[a] FLAGS=BYNAME,OWNERPREEMPT:SPACEFLEX|FORCE",
		 "SRCFG[a] FLAGS=BYNAME|OWNERPREEMPT|SPACEFLEX|FORCE", NULL},
		{"SRCFG[a] FLAGS=[BYNAME][byname]", "SRCFG[a] FLAGS=BYNAME", NULL},
		{"SRCFG[a] FLAGS=BYNAM,FORCE", "SRCFG[a] FLAGS=FORCE ! W1:16",
		 "the nearest is BYNAME"},
		{"SRCFG[a] FLAGS=XYZZY", "SRCFG[a] ! W1:16 W1:16", "list is empty"},
		{"QOSCFG[a] QFLAGS=IGNALL:PREEMPTEE", "QOSCFG[a] QFLAGS=IGNALL|PREEMPTEE", NULL},
	};
	struct maui_config *config = parse("SRCFG[a] FLAGS=BYNAME,SINGLEUSE");
	const struct maui_value *flags =
		maui_object_get(maui_config_object(config, MAUI_SRCFG, "a"), MAUI_ATTR_FLAGS);

	CHECK(cases);
	cr_expect_eq(flags->integer, 3, "bits by the number of the keyword");
	maui_config_unref(config);
}

Test(values, days_are_found_within_words)
{
	static const struct case_of cases[] = {
		{"SRCFG[a] DAYS=Mon,Tue,Wed,Thu,Fri", "SRCFG[a] DAYS=62", NULL},
		{"SRCFG[a] DAYS=Monday", "SRCFG[a] DAYS=2", NULL},
		{"SRCFG[a] DAYS=sun|SAT", "SRCFG[a] DAYS=65", NULL},
		{"SRCFG[a] DAYS=ALL", "SRCFG[a] DAYS=255", NULL},
		{"SRCFG[a] DAYS=[ALL]", "SRCFG[a] DAYS=255", NULL},
		{"SRCFG[a] DAYS=Mon-Fri", "SRCFG[a] DAYS=34 ! W1:15", "is not a range"},
		{"SRCFG[a] DAYS=Mon,Xyz", "SRCFG[a] DAYS=2 ! W1:19", "is not a day"},
		{"SRCFG[a] DAYS=Xyz", "SRCFG[a] ! W1:15 E1:15", "no day is named"},
	};
	CHECK(cases);
}

Test(values, a_date_ends_with_its_day)
{
	static const struct case_of cases[] = {
		{"SRCFG[a] UNTIL=2027-06-30", "SRCFG[a] UNTIL=1814400000", NULL},
		{"SRCFG[a] UNTIL=2027-06-30_18:00:00", "SRCFG[a] UNTIL=1814378400", NULL},
		{"SRCFG[a] UNTIL=2027-06-31", "SRCFG[a] ! E1:16", "there is no such day"},
		{"SRCFG[a] TASKCOUNT=1 UNTIL=30.6.2027", "SRCFG[a] TASKCOUNT=1 ! E1:28",
		 "'30.6.2027' is not a date: write YYYY-MM-DD or YYYY-MM-DD_HH:MM:SS"},
		{"PERIODCFG[a] UNTIL=2027-06-30", "PERIODCFG[a] ! W1:1 W1:14", NULL},
		{"SRCFG[a] EXCLUDEHOSTLIST=n[1-2],n7", "SRCFG[a] EXCLUDEHOSTLIST=n[1-2]|n7", NULL},
	};

	setenv("TZ", "UTC", 1);
	tzset();
	CHECK(cases);
}

Test(values, access_lists_keep_their_marks)
{
	static const struct case_of cases[] = {
		{"SRCFG[a] ACCOUNTLIST=!projectX,!projectY",
		 "SRCFG[a] ACCOUNTLIST=!projectX|!projectY", NULL},
		{"SRCFG[a] QOSLIST=hi|low-:mid=", "SRCFG[a] QOSLIST=hi|low-|mid=", NULL},
		{"SRCFG[a] TIMELIMIT=1:00:00*", "SRCFG[a] TIMELIMIT=1:00:00*", NULL},
		{"SRCFG[a] MAXTIME=1:00:00*", "SRCFG[a] MAXTIME=1:00:00*", NULL},
		{"SRCFG[a] TIMELIMIT<1:00:00", "SRCFG[a] TIMELIMIT=<1:00:00", NULL},
		{"SRCFG[a] TIMELIMIT>=3600", "SRCFG[a] TIMELIMIT=>=3600", NULL},
		{"SRCFG[a] PROCLIMIT<=4", "SRCFG[a] PROCLIMIT=<=4", NULL},
		{"SRCFG[a] TASKLIMIT=4", "SRCFG[a] TASKLIMIT=4", NULL},
		{"SRCFG[a] TIMELIMIT=30:00", "SRCFG[a] TIMELIMIT=30:00 ! W1:20", "MM:SS"},
		{"SRCFG[a] TIMELIMIT=abc", "SRCFG[a] ! E1:20", "is not a valid access list"},
		{"SRCFG[a] PROCLIMIT=4x", "SRCFG[a] PROCLIMIT=4x ! W1:21",
		 "what follows the number"},
		{"SRCFG[a] USERLIST=!,bob", "SRCFG[a] ! E1:19", "names nobody"},
		{"SRCFG[a] USERLIST=!", "SRCFG[a] ! E1:19", NULL},
		{"SRCFG[a] TIMELIMIT=1:00:00,x CLASSLIST=a", "SRCFG[a] CLASSLIST=a ! E1:28", NULL},
	};
	CHECK(cases);
}

Test(values, resources_are_brought_into_one_form)
{
	static const struct case_of cases[] = {
		{"SRCFG[a] RESOURCES=PROCS:2,MEM:256", "SRCFG[a] RESOURCES=PROCS:2|MEM:256", NULL},
		{"SRCFG[a] RESOURCES=PROCS=2+MEM=1GB", "SRCFG[a] RESOURCES=PROCS:2|MEM:1024", NULL},
		{"SRCFG[a] RESOURCES=proc:1;MEM:512;DISK:100;SWAP:7",
		 "SRCFG[a] RESOURCES=PROCS:1|MEM:512|DISK:100|SWAP:7", NULL},
		{"SRCFG[a] RESOURCES=PROCS:-1", "SRCFG[a] RESOURCES=PROCS:-1", NULL},
		{"SRCFG[a] RESOURCES=PROCS:ALL", "SRCFG[a] RESOURCES=PROCS:-1", NULL},
		{"SRCFG[a] RESOURCES=GPU:1,PROCS:2", "SRCFG[a] ! E1:20", "'GPU:1' is not"},
		{"SRCFG[a] RESOURCES=PROCS", "SRCFG[a] ! E1:20", NULL},
		{"SRCFG[a] RESOURCES=PROCS:1;GRES=gpu:2", "SRCFG[a] RESOURCES=PROCS:1|GRES:gpu:2",
		 NULL},
		{"SRCFG[a] RESOURCES=PROCS:1;GRES:gpu:a100:2+GRES=tape",
		 "SRCFG[a] RESOURCES=PROCS:1|GRES:gpu:a100:2|GRES:tape:1", NULL},
		{"SRCFG[a] RESOURCES=GRES=gpu:1g.10gb+me:2+PROCS:1++MEM:5",
		 "SRCFG[a] RESOURCES=GRES:gpu:1g.10gb+me:2|PROCS:1|MEM:5", NULL},
		{"SRCFG[a] RESOURCES=PROCS:1+GRES=gpu:1g.10gb+me+gres:x+y:3",
		 "SRCFG[a] RESOURCES=PROCS:1|GRES:gpu:1g.10gb+me:1|GRES:x+y:3", NULL},
		{"SRCFG[a] RESOURCES=PROCS:1+FOO:2", "SRCFG[a] ! E1:28", "'FOO:2' is not PROCS"},
		{"SRCFG[a] RESOURCES=PROCS:1;GRES=q;z:2;gres=t:a;b;MEM:5;",
		 "SRCFG[a] RESOURCES=PROCS:1|GRES:q;z:2|GRES:t:a;b:1|MEM:5", NULL},
		{"SRCFG[a] RESOURCES=GRES=q|z:2;GRES=q]z;GRES=q[z:1,PROCS:1",
		 "SRCFG[a] RESOURCES=GRES:q|z:2|GRES:q]z:1|GRES:q[z:1|PROCS:1", NULL},
		{"SRCFG[a] RESOURCES=\"PROCS:1;GRES=q'z:2\"",
		 "SRCFG[a] RESOURCES=PROCS:1|GRES:q'z:2", NULL},
		{"SRCFG[a] RESOURCES=PROCS:1;GRES=gpu:2;fast", "SRCFG[a] ! E1:39",
		 "'fast' is not PROCS, MEM, DISK, SWAP or GRES"},
		{"SRCFG[a] RESOURCES=PROCS:1+GRES=gpu:2+", "SRCFG[a] RESOURCES=PROCS:1|GRES:gpu:2",
		 NULL},
		{"SRCFG[a] RESOURCES=PROCS:1;GRES=gpu:2;DISC:5", "SRCFG[a] ! E1:39",
		 "'DISC:5' is not PROCS, MEM, DISK, SWAP or GRES"},
		{"SRCFG[a] RESOURCES=PROCS:1,gres=gpu:1,GRES=gpu:a100",
		 "SRCFG[a] RESOURCES=PROCS:1|GRES:gpu:1|GRES:gpu:a100:1", NULL},
		{"SRCFG[a] RESOURCES=PROCS:1,GRES", "SRCFG[a] ! E1:28", "is not PROCS"},
		{"SRCFG[a] RESOURCES=PROCS:1,GRES=", "SRCFG[a] ! E1:28", "is not a GRES"},
		{"SRCFG[a] RESOURCES=PROCS:1,GRES=gpu:0", "SRCFG[a] ! E1:28", "is not a GRES"},
		{"SRCFG[a] RESOURCES=PROCS:1,GRES=s:99999999999",
		 "SRCFG[a] RESOURCES=PROCS:1|GRES:s:99999999999", NULL},
		{"SRCFG[a] RESOURCES=PROCS:1,GRES=s:nvme:300G",
		 "SRCFG[a] RESOURCES=PROCS:1|GRES:s:nvme:322122547200", NULL},
		{"SRCFG[a] RESOURCES=PROCS:1,GRES=gpu:1g.5gb",
		 "SRCFG[a] RESOURCES=PROCS:1|GRES:gpu:1g.5gb:1", NULL},
		{"SRCFG[a] RESOURCES=PROCS:1,GRES=gpu:99999999999999999999", "SRCFG[a] ! E1:28",
		 "'GRES=gpu:99999999999999999999' is not a GRES of nodes with a number, as in "
		 "GRES=gpu:2"},
		{"SRCFG[a] RESOURCES=PROCS:1,GRES=gpu:a:b:2", "SRCFG[a] ! E1:28", NULL},
		{"SRCFG[a] RESOURCES=PROCS:1,GRES=license:matlab:2", "SRCFG[a] ! E1:28", NULL},
		{"SRCFG[a] RESOURCES=PROCS:1,GRES=gpu:2,GRES=gpu:3", "SRCFG[a] ! E1:20",
		 "gpu is named twice"},
		{"SRCFG[a] RESOURCES=PROCS:1,GRES=a,GRES=b,GRES=c,GRES=d,GRES=e",
		 "SRCFG[a] ! E1:20", "more than 4 GRES"},
		{"SRCFG[a] RESOURCES=PROCS:x", "SRCFG[a] ! E1:26", NULL},
		{"SRCFG[a] RESOURCES=PROCS:2x", "SRCFG[a] RESOURCES=PROCS:2 ! W1:27", NULL},
	};
	CHECK(cases);
}

Test(values, owners_and_triggers_are_checked)
{
	static const struct case_of cases[] = {
		{"SRCFG[a] OWNER=USER:tom", "SRCFG[a] OWNER=user:tom", NULL},
		{"SRCFG[a] OWNER=ACCT:x", "SRCFG[a] OWNER=account:x", NULL},
		{"SRCFG[a] OWNER=account:x", "SRCFG[a] OWNER=account:x", NULL},
		{"SRCFG[a] OWNER=tom", "SRCFG[a] ! E1:16", NULL},
		{"SRCFG[a] OWNER=USER:", "SRCFG[a] ! E1:16", NULL},
		{"SRCFG[a] OWNER=HOST:x", "SRCFG[a] ! E1:16", NULL},
		{"SRCFG[a] TRIGGER=start+5:00:00;exec@/bin/true",
		 "SRCFG[a] TRIGGER=start+5:00:00;exec@/bin/true", NULL},
		{"SRCFG[a] TRIGGER=start+5:00:00:exec@/bin/true",
		 "SRCFG[a] TRIGGER=start+5:00:00:exec@/bin/true", NULL},
		{"SRCFG[a] TRIGGER=minload@0.1;cancel", "SRCFG[a] TRIGGER=minload@0.1;cancel",
		 NULL},
		{"SRCFG[a] TRIGGER=boot;cancel", "SRCFG[a] ! E1:18", NULL},
		{"SRCFG[a] TRIGGER=start", "SRCFG[a] ! E1:18", NULL},
		{"SRCFG[a] TRIGGER=start;dance", "SRCFG[a] ! E1:18", NULL},
	};
	CHECK(cases);
}
