/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/policy/reservation/reservation_fixture.h"

#include "common/policy/reservation/sr_owner.h"

/* In each type names get their ids in order of appearance: the owner, who comes first, is 1. */
static const struct {
	const char *lines;
	enum maui_credential type;
	bool takes_back, is_owner;
} cases[] = {
	{"SRCFG[x] HOSTLIST=n1 OWNER=USER:bob FLAGS=OWNERPREEMPT\n", MAUI_USER, true, true},
	{"SRCFG[x] HOSTLIST=n1 OWNER=GROUP:staff FLAGS=OWNERPREEMPT\n", MAUI_GROUP, true, true},
	{"SRCFG[x] HOSTLIST=n1 OWNER=ACCOUNT:a FLAGS=OWNERPREEMPT\n", MAUI_ACCOUNT, true, true},
	{"SRCFG[x] HOSTLIST=n1 OWNER=ACCT:a FLAGS=OWNERPREEMPT\n", MAUI_ACCOUNT, true, true},
	{"SRCFG[x] HOSTLIST=n1 OWNER=QOS:hi FLAGS=OWNERPREEMPT\n", MAUI_QOS, true, true},
	{"SRCFG[x] HOSTLIST=n1 OWNER=CLASS:batch FLAGS=OWNERPREEMPT\n", MAUI_CLASS, true, true},
	{"SRCFG[x] HOSTLIST=n1 OWNER=CLASS:batch FLAGS=SPACEFLEX\n", MAUI_CLASS, false, true},
	{"SRCFG[x] HOSTLIST=n1 FLAGS=OWNERPREEMPT\n", MAUI_USER, false, false},
	{"SRCFG[x] HOSTLIST=n1 OWNER=USER:nobody FLAGS=OWNERPREEMPT\n", MAUI_USER, false, false},
};

Test(sr_owner, who_it_is)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const uint32_t nobody[MAUI_CREDENTIALS] = {MAUI_NO_CREDENTIAL};
		uint32_t owner[MAUI_CREDENTIALS] = {9, 9, 9, 9, 9}, another[MAUI_CREDENTIALS];
		struct reservations reservations;
		const struct maui_sr *sr;

		memset(another, 0, sizeof(another));
		for (int type = 0; type < MAUI_CREDENTIALS; type++)
			another[type] = type == (int)cases[i].type ? 2 : 1;
		owner[cases[i].type] = 1;
		reservations_open(&reservations, cases[i].lines);
		sr = maui_sr_find(reservations.settings, "x");
		cr_assert_not_null(sr);
		cr_expect_eq(maui_sr_owner_takes_back(sr), cases[i].takes_back, "%s",
			     cases[i].lines);
		cr_expect_eq(maui_sr_is_owner(sr, owner), cases[i].is_owner, "%s", cases[i].lines);
		cr_expect_not(maui_sr_is_owner(sr, another), "%s", cases[i].lines);
		cr_expect_not(maui_sr_is_owner(sr, nobody), "%s", cases[i].lines);
		reservations_close(&reservations);
	}
}

Test(sr_owner, a_claim_is_bounded)
{
	const int64_t now = 1700000000;

	cr_expect_eq(maui_sr_reclaim_end(now, 0, 30, 10), now + 40 + MAUI_SR_RECLAIM_PATIENCE);
	cr_expect_eq(maui_sr_reclaim_end(now, 300, 30, 10), now + 340 + MAUI_SR_RECLAIM_PATIENCE);
	cr_expect_eq(maui_sr_reclaim_end(now, INT64_MAX, INT64_MAX, INT64_MAX),
		     now + MAUI_SR_RECLAIM_LONGEST);
	cr_expect_eq(maui_sr_reclaim_end(now, UINT32_MAX, 65535, 65535),
		     now + MAUI_SR_RECLAIM_LONGEST);
	cr_expect_eq(maui_sr_reclaim_end(now, INT64_MIN, -1, -1), now + MAUI_SR_RECLAIM_PATIENCE);
}

Test(sr_owner, what_stands_against_it)
{
	cr_expect_eq(maui_sr_preemption(false, true, false, true), MAUI_SR_OTHER_PLUGIN);
	cr_expect_eq(maui_sr_preemption(true, true, false, false), MAUI_SR_PREEMPTS);
	cr_expect_eq(maui_sr_preemption(true, false, true, true), MAUI_SR_OTHER_MODE);
	/* SUSPEND: the inner plugin may have other modes for some. */
	cr_expect_eq(maui_sr_preemption(true, false, false, false), MAUI_SR_OTHER_MODE);
	cr_expect_eq(maui_sr_preemption(true, false, false, true), MAUI_SR_PREEMPTS);

	cr_expect_null(maui_sr_owner_lack(MAUI_SR_BYNAME, MAUI_SR_OTHER_PLUGIN));
	cr_expect_null(maui_sr_owner_lack(MAUI_SR_OWNERPREEMPT, MAUI_SR_PREEMPTS));
	cr_expect_not_null(strstr(maui_sr_owner_lack(MAUI_SR_OWNERPREEMPT, MAUI_SR_OTHER_PLUGIN),
				  "PreemptType"));
	cr_expect_not_null(strstr(maui_sr_owner_lack(MAUI_SR_OWNERPREEMPT, MAUI_SR_OTHER_MODE),
				  "PreemptMode"));
}

Test(sr_owner, what_the_flags_of_an_object_lack)
{
	static const struct {
		const char *lines;
		bool lacks;
	} objects_of[] = {
		{"SRCFG[x] HOSTLIST=n1\n", false},
		{"SRCFG[x] HOSTLIST=n1 FLAGS=SPACEFLEX\n", false},
		{"SRCFG[x] HOSTLIST=n1 FLAGS=OWNERPREEMPT\n", true},
		{"SRCFG[x] HOSTLIST=n1 FLAGS=SPACEFLEX,ownerpreempt\n", true},
	};

	for (size_t i = 0; i < sizeof(objects_of) / sizeof(objects_of[0]); i++) {
		struct maui_config *config = NULL;
		const struct maui_object *const *objects;
		struct maui_error error = {""};
		const char *lack;

		cr_assert_eq(maui_config_parse("maui.cfg", objects_of[i].lines,
					       strlen(objects_of[i].lines), NULL, &config, &error),
			     0, "%s", error.text);
		cr_assert_eq(maui_config_objects(config, MAUI_SRCFG, &objects), 1);
		cr_expect_null(maui_sr_object_lack(objects[0], MAUI_SR_PREEMPTS));
		lack = maui_sr_object_lack(objects[0], MAUI_SR_OTHER_MODE);
		cr_expect_eq(lack != NULL, objects_of[i].lacks, "%s", objects_of[i].lines);
		maui_config_unref(config);
	}
}
