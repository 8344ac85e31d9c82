/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of scontrol show reservation, the SRCFG lines that they become, and what is wrong. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/import/import_resv.h"

static char said[2048];

static void say(const char *a, const char *b, const char *c)
{
	size_t used = strlen(said);

	used += (size_t)snprintf(said + used, sizeof(said) - used, "%s%s%s", a, b, c);
	cr_assert_lt(used, sizeof(said));
}

static void complain(void *context, const struct maui_conf_place *place, const char *text)
{
	char where[64];

	(void)context;
	snprintf(where, sizeof(where), "%u:%u: ", place->line, place->column);
	say(where, text, "");
}

#define AT    " StartTime=2026-11-30T08:00:00 EndTime=2026-11-30T17:30:05"
#define NODES "\n   Nodes=n[1-2] NodeCnt=2 Flags="
#define WHO   "\n   Users=bob Groups=(null) Accounts=(null) Licenses=(null)\n"

/* Lines; "- " what is different; "| " what stays. 2026-11-30 is a Monday. */
static const struct {
	const char *text, *result;
	bool wrong;
} cases[] = {
	{"", "", false},
	{"No reservations in the system\n", "", false},
	{"ReservationName=r" AT NODES "DAILY,SPEC_NODES" WHO,
	 "SRCFG[r] PERIOD=DAY DAYS=ALL STARTTIME=8:00:00 ENDTIME=17:30:05 HOSTLIST=n[1-2] "
	 "USERLIST=bob; - reservation r; ",
	 false},
	{"ReservationName=r" AT NODES "weekly" WHO,
	 "SRCFG[r] PERIOD=DAY DAYS=Mon STARTTIME=8:00:00 ENDTIME=17:30:05 HOSTLIST=n[1-2] "
	 "USERLIST=bob; - reservation r; ",
	 false},
	{"ReservationName=r" AT NODES "WEEKDAY,FLEX Accounts=a,b MaxStartDelay=00:01:00\n",
	 "SRCFG[r] PERIOD=DAY DAYS=Mon,Tue,Wed,Thu,Fri STARTTIME=8:00:00 ENDTIME=17:30:05 "
	 "HOSTLIST=n[1-2] ACCOUNTLIST=a,b; - Flags=FLEX of reservation r; "
	 "- Accounts=a,b of reservation r; - reservation r; ",
	 false},
	{"ReservationName=r StartTime=2026-11-28T22:00:00 EndTime=2026-11-29T21:00:00" NODES
	 "WEEKEND,MAINT Groups=g Comment=a word = more\n",
	 "SRCFG[r] PERIOD=DAY DAYS=Sat,Sun STARTTIME=22:00:00 ENDTIME=45:00:00 HOSTLIST=n[1-2] "
	 "GROUPLIST=g FLAGS=MAINT; - reservation r; ",
	 false},
	{"ReservationName=r" AT NODES "SPEC_NODES" WHO "ReservationName=s" AT NODES "HOURLY" WHO,
	 "| reservation r; | reservation s; ", false},
	{"ReservationName=r" AT NODES "DAILY Users=bob Accounts=a\n", "| reservation r; ", false},
	{"ReservationName=r" AT NODES "DAILY\n", "| reservation r; ", false},
	{"ReservationName=r" AT NODES "DAILY\n AllowedPartitions=p QOS=(null)" WHO,
	 "| reservation r; ", false},
	{"ReservationName=r" AT NODES "DAILY\n AllowedPartitions=(null) QOS=q" WHO,
	 "| reservation r; ", false},
	{"ReservationName=r" AT NODES "DAILY Users=-bob\n", "| reservation r; ", false},
	{"ReservationName=r" AT NODES "DAILY Licenses=x:1" WHO, "| reservation r; ", false},
	{"ReservationName=r" AT NODES "DAILY Users=bob Licenses=x:1\n", "| reservation r; ", false},
	{"ReservationName=r" AT NODES "DAILY\n  NodeName=n1 CoreIDs=0-1\n Users=bob\n",
	 "| reservation r; ", false},
	{"ReservationName=r" AT " Flags=DAILY Nodes=(null)" WHO, "| reservation r; ", false},
	{"ReservationName=r StartTime=2026-11-30T08:00:00 EndTime=2026-12-01T08:00:00" NODES
	 "DAILY" WHO,
	 "| reservation r; ", false},
	{"ReservationName=r StartTime=now EndTime=2026-12-01T08:00:00" NODES "DAILY" WHO,
	 "| reservation r; ", false},
	{"Nodes=n\n", "1:1: a reservation begins with ReservationName=", true},
	{"ReservationName=r\n  x\n", "2:3: this is not KEY=VALUE", true},
	{"ReservationName=r\n  x y=z\n", "2:3: this is not KEY=VALUE", true},
	{"ReservationName=a]\n", "1:17: maui.cfg cannot have this name", true},
};

static void say_import(const struct maui_import *import)
{
	for (size_t i = 0; i < import->line_count; i++) {
		say(import->lines[i].key, " ", import->lines[i].value);
		say("; ", "", "");
	}
	for (size_t i = 0; i < import->remark_count; i++) {
		const struct maui_import_remark *remark = &import->remarks[i];

		cr_expect(*remark->effect);
		say(remark->fate == MAUI_IMPORT_STAYS ? "| " : "- ", remark->setting, "; ");
	}
}

Test(import_resv, reservations_that_recur_become_lines)
{
	const struct maui_import_complaints complaints = {complain, NULL};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_import_resvs resvs;
		struct maui_import import;
		int rc;

		*said = '\0';
		maui_import_begin(&import);
		maui_import_resvs_begin(&resvs);
		rc = maui_import_read_resvs(&resvs, "file", cases[i].text, strlen(cases[i].text),
					    &complaints);
		cr_expect_eq(rc, cases[i].wrong ? -EINVAL : 0, "%s", cases[i].text);
		if (!rc)
			maui_import_translate_resvs(&resvs, &import);
		say_import(&import);
		cr_expect_str_eq(said, cases[i].result, "%s\nfound    %s\nexpected %s",
				 cases[i].text, said, cases[i].result);
		maui_import_resvs_clear(&resvs);
		maui_import_clear(&import);
	}
}
