/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the original program reads from credential lines, case by case. A case says so where a
 * decision departs from that.
 */
#include "config_test.h"

Test(original, credential_lines_are_read_as_the_original_reads_them)
{
	static const struct case_of cases[] = {
		{"USERCFG[bob] MAXJOB=4", "USERCFG[bob] MAXJOB=4,4", NULL},
		{"USERCFG[bob] MAXJOB=0", "USERCFG[bob] MAXJOB=0,0", NULL},
		/* => MAXWC is a time; the original reads 72:00:00 as 72. */
		{"USERCFG[bob] MAXPS=720000 MAXWC=72:00:00 MAXPE=10 MAXMEM=2048 MAXPROC=32",
		 "USERCFG[bob] MAXPE=10,10 MAXPROC=32,32 MAXPS=720000,720000 MAXWC=259200,259200 "
		 "MAXMEM=2048,2048",
		 NULL},
		{"USERCFG[bob] MAXWC=3600,7200", "USERCFG[bob] MAXWC=3600,7200", NULL},
		{"USERCFG[bob] MAXIJOB=3 MAXIPROC=2,8", "USERCFG[bob] MAXIJOB=3,3 MAXIPROC=2,8",
		 NULL},
		{"  USERCFG[bob] PRIORITY=10", "USERCFG[bob] PRIORITY=10", NULL},
		{"USERCFG[ bob ] PRIORITY=10", "USERCFG[bob] PRIORITY=10", NULL},
		{"USERCFG [bob] PRIORITY=10", "! E1:8", NULL},
		{"USERCFG[bob]\tPRIORITY=10", "USERCFG[bob] PRIORITY=10", NULL},
		{"USERCFG[bob] PRIORITY=10 \\\n  MAXJOB=3", "USERCFG[bob] PRIORITY=10 MAXJOB=3,3",
		 NULL},
		{"USERCFG[bob] PRIORITY='10'", "USERCFG[bob] PRIORITY=10", NULL},
		/* => names in any case; the original does not know this one. */
		{"usercfg[bob] PRIORITY=10", "USERCFG[bob] PRIORITY=10", NULL},
		{"USERCFG[bob] BOGUS=3 PRIORITY=10", "USERCFG[bob] PRIORITY=10 ! W1:14", NULL},
		{"USERCFG[bob] PRIORITY=010", "USERCFG[bob] PRIORITY=8 ! W1:23", NULL},
		{"USERCFG[bob] PRIORITY=abc", "USERCFG[bob] ! E1:23", NULL},
		{"USERCFG[bob]PRIORITY=10", "USERCFG[bob] ! E1:13", NULL},
		{"USERCFG[DEFAULT] PRIORITY=10", "USERCFG[DEFAULT] PRIORITY=10", NULL},
		{"USERCFG[bobby] PRIORITY=5", "USERCFG[bobby] PRIORITY=5", NULL},
		{"USERCFG[bob] FSTARGET=25.0+ QLIST=hi,low QDEF=hi",
		 "USERCFG[bob] FSTARGET=25+ QLIST=hi|low QDEF=hi", NULL},
		{"USERCFG[bob] PRIORITY=10;MAXJOB=3", "USERCFG[bob] PRIORITY=10 ! W1:25", NULL},
		{"USERCFG[bob] PRIORITY=10,MAXJOB=3", "USERCFG[bob] PRIORITY=10 ! W1:25", NULL},
		{"USERCFG[bob] MAXJOB= 3", "USERCFG[bob] ! W1:21", NULL},
		/* => QTTARGET is a time; the original reads 00:30:00 as 0. */
		{"QOSCFG[hi] PRIORITY=100 XFTARGET=100 QTTARGET=00:30:00 QTWEIGHT=3",
		 "QOSCFG[hi] PRIORITY=100 QTWEIGHT=3 QTTARGET=1800 XFTARGET=100", NULL},
	};
	CHECK(cases);
}

Test(original, nobody_but_the_one_who_is_named_gets_a_value)
{
	struct maui_config *config =
		parse("USERCFG[DEFAULT] PRIORITY=10\nUSERCFG[bobby] PRIORITY=5");

	cr_expect_null(maui_config_object(config, MAUI_USERCFG, "bob"));
	cr_expect_null(maui_config_object(config, MAUI_GROUPCFG, "bobby"));
	cr_expect_not_null(maui_config_object(config, MAUI_USERCFG, "DEFAULT"));
	maui_config_unref(config);
}

Test(original, the_examples_of_the_manual_are_read)
{
	static const struct case_of cases[] = {
		{"NODEALLOCATIONPOLICY PRIORITY\n"
		 "NODECFG[DEFAULT] PRIORITYF='SPEED+ .01 * AMEM - 10 * JOBCOUNT'",
		 "NODEALLOCATIONPOLICY=PRIORITY "
		 "NODECFG[DEFAULT] PRIORITYF=SPEED+ .01 * AMEM - 10 * JOBCOUNT",
		 NULL},
		{"NODECFG[batch1] PRIORITY=1000 PRIORITYF='PRIORITY + APROCS'",
		 "NODECFG[batch1] PRIORITY=1000 PRIORITYF=PRIORITY + APROCS", NULL},
		{"USERCFG[steve]    MAXJOB=2,4 MAXNODE=15,30",
		 "USERCFG[steve] MAXJOB=2,4 MAXNODE=15,30", NULL},
		{"QOSCFG[hiprio] MAXJOB=3 OMAXNODE=64", "QOSCFG[hiprio] MAXJOB=3,3 OMAXNODE=64,64",
		 NULL},
		{"SRCFG[special] TASKCOUNT=32\nSRCFG[special] PERIOD=WEEK\n"
		 "SRCFG[special] STARTTIME=1:08:00:00\nSRCFG[special] ENDTIME=5:17:00:00\n"
		 "SRCFG[special] NODEFEATURES=largememory\nSRCFG[special] TIMELIMIT=1:00:00*\n"
		 "SRCFG[special] QOSLIST=high low special-\n"
		 "SRCFG[special] ACCCOUNTLIST=!projectX,!projectY",
		 "SRCFG[special] QOSLIST=high|low|special- STARTTIME=115200 ENDTIME=493200 "
		 "NODEFEATURES=largememory PERIOD=WEEK TASKCOUNT=32 TIMELIMIT=1:00:00* ! W7:29 "
		 "W8:16",
		 "the nearest is ACCOUNTLIST"},
		{"SRCFG[jupiter] HOSTLIST=node0[1-9]\nSRCFG[jupiter] PERIOD=INFINITY\n"
		 "SRCFG[jupiter] ACCOUNTLIST=jupiter,saturn-\nSRCFG[jupiter] "
		 "OWNER=ACCOUNT:jupiter\n"
		 "SRCFG[jupiter] FLAGS=OWNERPREEMPT",
		 "SRCFG[jupiter] ACCOUNTLIST=jupiter|saturn- FLAGS=OWNERPREEMPT "
		 "HOSTLIST=node0[1-9] "
		 "OWNER=account:jupiter PERIOD=INFINITY",
		 NULL},
		{"SRCFG[test] TASKCOUNT=2 RESOURCES=PROCS:1;MEM:512 PERIOD=DAY "
		 "DAYS=MON,TUE,WED,THU,FRI STARTTIME=9:00:00 ENDTIME=17:00:00 "
		 "CLASSLIST=interactive",
		 "SRCFG[test] CLASSLIST=interactive DAYS=62 STARTTIME=32400 ENDTIME=61200 "
		 "PERIOD=DAY "
		 "RESOURCES=PROCS:1|MEM:512 TASKCOUNT=2",
		 NULL},
	};
	CHECK(cases);
}
