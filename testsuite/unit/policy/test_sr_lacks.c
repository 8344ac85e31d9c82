/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/policy/reservation_fixture.h"

#include "common/policy/sr_lacks.h"

static const struct {
	const char *lines;
	const char *expected; /* "line:column word " of each */
} cases[] = {
	{"SRCFG[x] HOSTLIST=n1 USERLIST=bob FLAGS=SPACEFLEX OWNER=USER:bob\n", ""},
	{"SRCFG[x] HOSTLIST=n1 RESOURCES=PROCS:-1;MEM:512\n", ""},
	{"SRCFG[x] HOSTLIST=n1 FLAGS=FORCE,BYNAME RESOURCES=PROCS:2\n", ""},
	{"SRCFG[x] HOSTLIST=n1 OWNER=USER:bob\nSRCFG[x] FLAGS=BYNAME:OWNERPREEMPT\n",
	 "2:10 FLAGS=OWNERPREEMPT "},
	{"SRCFG[x] HOSTLIST=n1 CHARGEACCOUNT=a JOBATTRLIST=PREEMPTEE\n", "1:38 JOBATTRLIST "},
};

Test(sr_lacks, each_is_told_where_it_stands)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *lines = cases[i].lines;
		struct maui_sr_lack lacks[MAUI_SR_LACKS];
		struct reservations reservations;
		struct maui_config *config = NULL;
		struct maui_error error = {""};
		char text[300] = "";
		size_t count;

		reservations_open(&reservations, lines);
		cr_assert_eq(
			maui_config_parse("maui.cfg", lines, strlen(lines), NULL, &config, &error),
			0);
		count = maui_sr_lacks(config, maui_sr_find(reservations.settings, "x"), lacks);
		for (size_t k = 0; k < count; k++)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%u:%u %.*s ",
				 lacks[k].origin.line, lacks[k].origin.column,
				 (int)strcspn(lacks[k].text, " "), lacks[k].text);
		cr_expect_str_eq(text, cases[i].expected, "%s: %s", lines, text);
		maui_config_unref(config);
		reservations_close(&reservations);
	}
}

Test(sr_lacks, flags_have_their_names)
{
	cr_expect_str_eq(maui_sr_flag_name(MAUI_SR_BYNAME), "BYNAME");
	cr_expect_eq(maui_sr_flag_find(maui_sr_flag_name(MAUI_SR_BESTEFFORT)), MAUI_SR_BESTEFFORT);
	cr_expect_null(maui_sr_flag_name(0));
	cr_expect_null(maui_sr_flag_name(1u << 30));
}
