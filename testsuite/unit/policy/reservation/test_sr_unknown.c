/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/policy/reservation/reservation_fixture.h"

#include "common/policy/reservation/sr_unknown.h"

static const char *const nodes[] = {"n1", "n2", "n10", "n11"};

static const struct {
	const char *lines;
	const char *expected; /* "line:column text|" for each */
} cases[] = {
	{"SRCFG[x] HOSTLIST=n1,n[1-2],^n1.$,ALL PARTITION=batch NODEFEATURES=fast "
	 "CLASSLIST=batch\n",
	 ""},
	{"SRCFG[x] HOSTLIST=n1,n9,gpu.*\n",
	 "1:10 SRCFG[x]: HOSTLIST: no node is n9|1:10 SRCFG[x]: HOSTLIST: no node is gpu.*|"},
	{"SRCFG[x] HOSTLIST=n[1-4]\n", "1:10 SRCFG[x]: HOSTLIST: 2 names of n[1-4] are not nodes|"},
	{"SRCFG[x] HOSTLIST=1$\n", ""},
	{"SRCFG[x] HOSTLIST=ALL EXCLUDEHOSTLIST=n9,n[1-4],1\n",
	 "1:23 SRCFG[x]: EXCLUDEHOSTLIST: no node is n9|"
	 "1:23 SRCFG[x]: EXCLUDEHOSTLIST: 2 names of n[1-4] are not nodes|"
	 "1:23 SRCFG[x]: EXCLUDEHOSTLIST: 1 is not a node, but matches part of the names of 3, "
	 "such "
	 "as n1; ^ and $ say where a name begins and ends|"},
	{"SRCFG[x] HOSTLIST=1\n", "1:10 SRCFG[x]: HOSTLIST: 1 is not a node, but matches part "
				  "of the names of 3, such as n1; ^ and "
				  "$ say where a name begins and ends|"},
	{"SRCFG[x] TASKCOUNT=1 NODEFEATURES=slow\nSRCFG[x] PARTITION=none\n",
	 "1:22 SRCFG[x]: NODEFEATURES: no node has the feature slow, so there is none for the "
	 "reservation|2:10 SRCFG[x]: PARTITION: there is no partition none, so there is no node "
	 "for the "
	 "reservation|"},
	{"SRCFG[x] HOSTLIST=n1 USERLIST=none CLASSLIST=batch,none-\n",
	 "1:36 SRCFG[x]: CLASSLIST: there is no partition none|"},
};

static struct maui_intern *set_of(const char *name)
{
	struct maui_intern *set = maui_intern_new();

	cr_assert(maui_intern_add(set, name));
	return set;
}

static void add_text(void *context, const struct maui_origin *origin, const char *text)
{
	char *all = context;

	snprintf(all + strlen(all), 1000 - strlen(all), "%u:%u %s|", origin->line, origin->column,
		 text);
}

static void expect(const char *lines, const struct maui_sr_machine *machine, const char *expected)
{
	struct reservations reservations;
	struct maui_config *config = NULL;
	struct maui_error error = {""};
	char text[1000] = "";

	reservations_open(&reservations, lines);
	cr_assert_eq(maui_config_parse("maui.cfg", lines, strlen(lines), NULL, &config, &error), 0);
	maui_sr_unknown(config, maui_sr_find(reservations.settings, "x"), machine, add_text, text);
	cr_expect_str_eq(text, expected, "%s: %s", lines, text);
	maui_config_unref(config);
	reservations_close(&reservations);
}

Test(sr_unknown, each_is_told_where_it_stands)
{
	struct maui_node_names *names = maui_node_names_new(nodes, 4);
	struct maui_intern *features = set_of("fast"), *partitions = set_of("batch");
	const struct maui_sr_machine machine = {names, features, partitions}, nothing = {0};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		expect(cases[i].lines, &machine, cases[i].expected);
		expect(cases[i].lines, &nothing, "");
	}
	maui_node_names_free(names);
	maui_intern_free(features);
	maui_intern_free(partitions);
}

/* Users and groups of the access list that the system does not know: of the fixture's, "nobody". */
Test(sr_unknown, who_is_gone)
{
	static const struct {
		const char *list, *expected; /* NULL: all are known */
	} texts[] = {
		{"", NULL},
		{"USERLIST=bob,ann GROUPLIST=staff", NULL},
		{"ACCOUNTLIST=nobody", NULL},
		{"USERLIST=bob,nobody",
		 "the system has no user 'nobody': nobody gets in by that name"},
		{"GROUPLIST=nobody ACCOUNTLIST=acme",
		 "the system has no group 'nobody': nobody gets in by that name"},
		{"USERLIST=nobody,bob GROUPLIST=nobody",
		 "the system has no user 'nobody', nor 1 other of its lists: nobody gets in by "
		 "that name"},
		{"USERLIST=nobody",
		 "the system has no user 'nobody': nobody gets in by that name, and by no other: "
		 "its nodes are closed to all until SRCFG names others"},
		{"USERLIST=nobody GROUPLIST=nobody",
		 "the system has no user 'nobody', nor 1 other of its lists: nobody gets in by "
		 "that name, and by no other: its nodes are closed to all until SRCFG names "
		 "others"},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct reservations reservations;
		char lines[200], text[MAUI_SR_NOBODY_TEXT] = "";

		snprintf(lines, sizeof(lines), "SRCFG[x] HOSTLIST=n1 %s\n", texts[i].list);
		reservations_open(&reservations, lines);
		cr_expect_eq(maui_sr_nobody(maui_sr_find(reservations.settings, "x"), text),
			     texts[i].expected != NULL, "%s", lines);
		cr_expect_str_eq(text, texts[i].expected ? texts[i].expected : "", "%s", lines);
		reservations_close(&reservations);
	}
}
