/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PERIODCFG, and limits of a period. */
#include "config_test.h"

#define NIGHT "PERIODCFG[night] STARTTIME=20:00:00 ENDTIME=6:00:00\n"
#define READ  "PERIODCFG[night] STARTTIME=72000 ENDTIME=21600"

Test(periods, in_the_brackets_of_a_limit)
{
	static const struct case_of cases[] = {
		{NIGHT "USERCFG[u] MAXJOB[PERIOD:night]=3", "USERCFG[u] MAXJOB[night]=3,3 " READ,
		 NULL},
		{NIGHT "USERCFG[u] MAXJOB[period:night]=2,3 MAXJOB=1",
		 "USERCFG[u] MAXJOB=1,1 MAXJOB[night]=2,3 " READ, NULL},
		/* A period may be used before its line, and the last value wins. */
		{"USERCFG[u] MAXJOB[PERIOD:night]=3 MAXJOB[PERIOD:night]=4\n" NIGHT,
		 "USERCFG[u] MAXJOB[night]=4,4 " READ, NULL},
		{NIGHT "USERCFG[u] MAXJOB[CLASS:c,PERIOD:night]=3 MAXJOB[CLASS,PERIOD:night]=4 "
		       "MAXJOB[CLASS:c]=5",
		 "USERCFG[u] MAXJOB[class][night]=4,4 MAXJOB[class:c]=5,5 "
		 "MAXJOB[class:c][night]=3,3 " READ,
		 NULL},
		{NIGHT "USERCFG[u] MAXGRES[gpu]=8 MAXGRES[gpu,PERIOD:night]=20",
		 "USERCFG[u] MAXGRES=8,8 MAXGRES[night]=20,20 " READ, NULL},
		{NIGHT "CLASSCFG[c] MAX.WCLIMIT[PERIOD:night]=60 MAXPROCPERUSER[PERIOD:night]=3",
		 "CLASSCFG[c] MAXPROCPERUSER[night]=3,3 MAX.WCLIMIT[night]=60 " READ, NULL},
		/* What is not a limit, or takes none. */
		{NIGHT "USERCFG[u] PRIORITY[PERIOD:night]=3 MAXJOB[PERIOD:night]=1",
		 "USERCFG[u] MAXJOB[night]=1,1 " READ " ! E2:21", "PRIORITY takes no period"},
		{NIGHT "NODECFG[n] MAXJOB[PERIOD:night]=3\nUSERCFG[u] MAXJOB[PERIOD:night]=1",
		 "USERCFG[u] MAXJOB[night]=1,1 NODECFG[n] " READ " ! E2:19",
		 "MAXJOB takes no period"},
		{"USERCFG[u] MAXJOB[PERIOD:]=3", "USERCFG[u] ! E1:19", "the period has no name"},
		{"USERCFG[u] MAXJOB[PERIOD]=3", "USERCFG[u] ! E1:19", "'PERIOD' is not USER"},
		{NIGHT "USERCFG[u] MAXPROC[PERIOD:night]=1 MAXJOB[,PERIOD:night]=3",
		 "USERCFG[u] MAXPROC[night]=1,1 " READ " ! E2:43", "',' is not USER"},
		{NIGHT "USERCFG[u] MAXPROC[PERIOD:night]=1 MAXJOB[PERIOD:night,CLASS:c]=3",
		 "USERCFG[u] MAXPROC[night]=1,1 " READ " ! E2:43", "is not USER"},
		{NIGHT "USERCFG[u] MAXPROC[PERIOD:night]=1 MAXGRES[PERIOD:night]=3",
		 "USERCFG[u] MAXPROC[night]=1,1 " READ " ! E2:44",
		 "does not begin with the name of a GRES"},
		{NIGHT "USERCFG[u] MAXPROC[PERIOD:night]=1 MAXGRES[gpu,,PERIOD:night]=3",
		 "USERCFG[u] MAXPROC[night]=1,1 " READ " ! E2:48", "is not USER"},
	};
	CHECK(cases);
}

Test(periods, that_do_not_exist)
{
	static const struct case_of cases[] = {
		/* A value of no known time must not stand at all times. */
		{"USERCFG[u] MAXJOB=1 MAXJOB[PERIOD:nihgt]=3", "USERCFG[u] MAXJOB=1,1 ! E1:21",
		 "no line defines the period nihgt"},
		{NIGHT "USERCFG[u] MAXJOB[PERIOD:Night]=3", "USERCFG[u] " READ " ! W1:1 E2:12",
		 "no line defines the period Night"},
		{NIGHT, READ " ! W1:1", "no limit is of the period night"},
	};
	CHECK(cases);
}

#define USE "\nSYSCFG MAXJOB[PERIOD:p]=1"

Test(periods, their_times)
{
	static const struct case_of cases[] = {
		{"PERIODCFG[p] STARTTIME=8:00:00 DAYS=Mon,Tue" USE,
		 "SYSCFG[] MAXJOB[p]=1,1 PERIODCFG[p] DAYS=6 STARTTIME=28800", NULL},
		{"PERIODCFG[p] PERIOD=WEEK STARTTIME=5:18:00:00 ENDTIME=1:06:00:00" USE,
		 "SYSCFG[] MAXJOB[p]=1,1 PERIODCFG[p] STARTTIME=496800 ENDTIME=108000 PERIOD=WEEK",
		 NULL},
		{"PERIODCFG[p] STARTTIME=24:00:00" USE,
		 "SYSCFG[] PERIODCFG[p] STARTTIME=86400 ! E1:14",
		 "STARTTIME of a period is within the day"},
		{"PERIODCFG[p] STARTTIME=6:00:00 ENDTIME=6:00:00" USE,
		 "SYSCFG[] PERIODCFG[p] STARTTIME=21600 ENDTIME=21600 ! E1:32",
		 "STARTTIME and ENDTIME are the same"},
		{"PERIODCFG[p] STARTTIME=6:00:00 ENDTIME=31:00:00" USE,
		 "SYSCFG[] PERIODCFG[p] STARTTIME=21600 ENDTIME=111600 ! E1:32",
		 "longer than the day"},
		{"PERIODCFG[p] PERIOD=INFINITY" USE,
		 "SYSCFG[] PERIODCFG[p] PERIOD=INFINITY ! E1:14", "begins and ends"},
		{"PERIODCFG[p] PERIOD=WEEK DAYS=Mon" USE,
		 "SYSCFG[] PERIODCFG[p] DAYS=2 PERIOD=WEEK ! E1:26", "a week has one period"},
		{"PERIODCFG[p] DEPTH=2 STARTTIME=1" USE,
		 "SYSCFG[] MAXJOB[p]=1,1 PERIODCFG[p] STARTTIME=1 ! W1:14",
		 "PERIODCFG has no attribute DEPTH"},
		{"PERIODCFG[a:b] STARTTIME=1", "PERIODCFG[a:b] STARTTIME=1 ! E1:1",
		 "the name of a period"},
		{"PERIODCFG[abcdefghijklmnopqrstuvwxyz123456] STARTTIME=1",
		 "PERIODCFG[abcdefghijklmnopqrstuvwxyz123456] STARTTIME=1 ! E1:1",
		 "at most 31 bytes"},
	};
	CHECK(cases);
}

Test(periods, at_most_32)
{
	struct dump text = {.used = 0};
	struct maui_config *config;
	const struct maui_period *periods;

	for (unsigned int i = 0; i <= MAUI_PERIODS; i++)
		dump_add(&text, "PERIODCFG[p%u] STARTTIME=1\nUSERCFG[u] MAXJOB[PERIOD:p%u]=1\n", i,
			 i);
	config = parse(text.text);
	cr_expect_eq(maui_config_periods(config, &periods), MAUI_PERIODS);
	cr_expect_eq(maui_config_errors(config), 2);
	cr_expect(any_problem_says(config, "more than 32 periods"));
	maui_config_unref(config);
}
