/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parameters of Maui 3.0. */
#include "testsuite/unit/config/config_test.h"

#include "common/config/keys/legacy.h"

Test(legacy, parameters_of_qos_are_attributes)
{
	static const struct case_of cases[] = {
		{"QOSPRIORITY[hi] 100", "QOSCFG[hi] PRIORITY=100", NULL},
		{"QOSPRIORITY 100", "QOSCFG[0] PRIORITY=100", NULL},
		{"QOSQTWEIGHT[hi] 2\nQOSXFWEIGHT[hi] 3", "QOSCFG[hi] QTWEIGHT=2 XFWEIGHT=3", NULL},
		{"QOSQTTARGET[hi] 1:00:00\nQOSXFTARGET[hi] 2.5",
		 "QOSCFG[hi] QTTARGET=3600 XFTARGET=2.5", NULL},
		{"QOSTARGETQT[hi] 3600\nQOSTARGETXF[hi] 2.5",
		 "QOSCFG[hi] QTTARGET=3600 XFTARGET=2.5", NULL},
		{"QOSFLAGS[hi] IGNJOBPERUSER NOBF", "QOSCFG[hi] QFLAGS=IGNJOBPERUSER|NOBF", NULL},
		{"QOSCFG[hi] PRIORITY=1\nqospriority[hi] 2", "QOSCFG[hi] PRIORITY=2", NULL},
		{"QOSPRIORITY[hi] x", "! E1:17", NULL},
		{"QOSPRIORITY[hi]", "! E1:1", "has no value"},
	};
	CHECK(cases);
}

Test(legacy, parameters_of_standing_reservations_are_attributes_with_blanks_in_lists)
{
	static const struct case_of cases[] = {
		{"SRUSERLIST[a] bob joe ann-", "SRCFG[a] USERLIST=bob|joe|ann-", NULL},
		{"SRDAYS[a] MON TUE WED", "SRCFG[a] DAYS=14", NULL},
		{"SRSTARTTIME[a] 8:00:00", "SRCFG[a] STARTTIME=28800", NULL},
		{"SRMAXTIME[a] 0:30:00", "SRCFG[a] MAXTIME=0:30:00*", NULL},
		{"SRMAXTIME[a] 0:30:00*", "SRCFG[a] MAXTIME=0:30:00*", NULL},
		{"SRFLAGS[a] BYNAME", "SRCFG[a] FLAGS=BYNAME", NULL},
		{"SRFEATURES[a] wide fddi", "SRCFG[a] NODEFEATURES=wide|fddi", NULL},
		{"SRPERIOD[a] WEEK", "SRCFG[a] PERIOD=WEEK", NULL},
		{"SRPERIOD WEEK", "SRCFG[0] PERIOD=WEEK", NULL},
		{"SRHOSTLIST[0] n1 n2", "SRCFG[0] HOSTLIST=n1|n2", NULL},
		{"SRUSERLIST[a] bob\nSRCFG[a] USERLIST=joe", "SRCFG[a] USERLIST=bob|joe", NULL},
		{"SRUSERLIST[a] 'bob", "! E1:15", "not closed"},
		{"SRNONSENSE[a] 1", "! W1:1", "there is no parameter SRNONSENSE"},
	};
	CHECK(cases);
}

Test(legacy, limits_of_all_users_are_the_default_users)
{
	static const struct case_of cases[] = {
		{"MAXJOBPERUSERCOUNT 8", "USERCFG[DEFAULT] MAXJOB=8,8", NULL},
		{"MAXJOBPERUSERPOLICY ON\nMAXJOBPERUSERCOUNT 8", "USERCFG[DEFAULT] MAXJOB=8,8",
		 NULL},
		{"MAXJOBPERUSERPOLICY OFF\nMAXJOBPERUSERCOUNT 8", "", NULL},
		{"MAXJOBPERUSERCOUNT 8\nSMAXJOBPERUSERCOUNT 2", "USERCFG[DEFAULT] MAXJOB=2,8",
		 NULL},
		{"MAXJOBPERUSERCOUNT 8\nSMAXJOBPERUSERCOUNT 9", "USERCFG[DEFAULT] MAXJOB=8,8",
		 NULL},
		{"SMAXJOBPERUSERCOUNT 2", "USERCFG[DEFAULT] MAXJOB=2,2", NULL},
		{"MAXJOBPERUSERCOUNT 8\nSMAXJOBPERUSERCOUNT 2\nSMAXJOBPERUSERPOLICY OFF",
		 "USERCFG[DEFAULT] MAXJOB=8,8", NULL},
		{"MAXNODEPERGROUPCOUNT 4\nMAXPEPERGROUPCOUNT 5\nMAXPROCPERGROUPCOUNT 6",
		 "GROUPCFG[DEFAULT] MAXNODE=4,4 MAXPE=5,5 MAXPROC=6,6", NULL},
		{"MAXPROCSECONDPERACCOUNTCOUNT 99\nMAXJOBQUEUEDPERACCOUNTCOUNT 3",
		 "ACCOUNTCFG[DEFAULT] MAXPS=99,99 MAXIJOB=3,3", NULL},
		{"MAXJOBPERUSERCOUNT 8\nUSERCFG[DEFAULT] MAXJOB=1",
		 "USERCFG[DEFAULT] MAXJOB=1,1 ! W1:1", "takes precedence"},
		{"MAXJOBPERUSERCOUNT x", "! E1:1", NULL},
		{"MAXJOBPERUSERCOUNT 5x", "USERCFG[DEFAULT] MAXJOB=5,5 ! W1:1", "the rest"},
		{"MAXJOBPERUSERCOUNT 0", "", NULL},
		{"MAXJOBPERUSERPOLICY maybe", "! W1:1", NULL},
		{"MAXJOBPERUSERCOUNT[batch] 3", "! E1:20", "not to a partition"},
		{"MAXJOBPERUSER 3", "! W1:1", NULL},
		{"MAXFOOPERUSERCOUNT 3", "! W1:1", NULL},
	};
	CHECK(cases);
}

Test(legacy, every_name_that_is_listed_is_found)
{
	char name[MAUI_LEGACY_NAME_SIZE];
	struct maui_legacy legacy;
	size_t count = 0;

	for (; maui_legacy_name(count, name); count++)
		cr_expect(maui_legacy_find(name, &legacy), "%s", name);
	cr_expect_gt(count, 100, "%zu", count);
	cr_expect_not(maui_legacy_name((size_t)-1, name));
	cr_expect_not(maui_legacy_find(NULL, &legacy));
	cr_expect_not(maui_legacy_find("", &legacy));
	cr_expect_not(maui_legacy_find("SR", &legacy));
	cr_expect_not(maui_legacy_find("MAX", &legacy));
	cr_expect_not(maui_legacy_find("MAXJOBPERUSERCOUNTX", &legacy));
}
