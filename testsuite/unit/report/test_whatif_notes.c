/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/report/whatif_notes.h"

#include "testsuite/unit/queue/queue_fixture.h"

static const struct {
	const char *what, *today, *then;
	bool unenforced;
	struct maui_whatif_windows lacking;
	const char *names; /* of the notes, each followed by a blank */
} cases[] = {
	{"the same", "", "", .names = ""},
	{"priorities and limits are part of it", "USERCFG[a] PRIORITY=1",
	 "USERCFG[b] PRIORITY=2 MAXJOB=3", .names = ""},
	{"nobody enforces", "", "", .unenforced = true, .names = "select "},
	{"windows that nobody counts", "", "", .lacking = {.none = true}, .names = "FSPOLICY "},
	{"another interval", "", "", .lacking = {.interval = true}, .names = "FSINTERVAL "},
	{"a greater depth", "", "", .lacking = {.missing = 3}, .names = "FSDEPTH "},
	{"another metric", "", "", .lacking = {.metric = true}, .names = "FSPOLICY "},
	{"accrual", "JOBPRIOACCRUALPOLICY ALWAYS", "JOBPRIOACCRUALPOLICY FULLPOLICY",
	 .names = "JOBPRIOACCRUALPOLICY "},
	{"where windows are", "STATDIR /a", "STATDIR /b", .names = "STATDIR "},
	{"the speed of nodes", "", "USEMACHINESPEEDFORFS TRUE", .names = "USEMACHINESPEEDFORFS "},
	{"a reservation more", "", "SRCFG[a] HOSTLIST=n1", .names = "SRCFG "},
	{"one less", "SRCFG[a] HOSTLIST=n1", "", .names = "SRCFG "},
	{"another attribute of it", "SRCFG[a] HOSTLIST=n1", "SRCFG[a] HOSTLIST=n2",
	 .names = "SRCFG "},
	{"an attribute more", "SRCFG[a] HOSTLIST=n1", "SRCFG[a] HOSTLIST=n1 USERLIST=u",
	 .names = "SRCFG "},
	{"the same in another order", "SRCFG[a] HOSTLIST=n1\nSRCFG[b] HOSTLIST=n2",
	 "SRCFG[b] HOSTLIST=n2\nSRCFG[a] HOSTLIST=n1", .names = ""},
	{"where jobs go", "NODEALLOCATIONPOLICY FIRSTAVAILABLE", "NODEALLOCATIONPOLICY MINRESOURCE",
	 .names = "NODECFG "},
	{"all at once", "STATDIR /a\nSRCFG[a] HOSTLIST=n1", "STATDIR /b\nNODECFG[n1] SPEED=2",
	 .names = "STATDIR SRCFG NODECFG "},
};

static const char *names_of(struct json_object *notes, char *text, size_t size)
{
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < json_object_array_length(notes); i++) {
		struct json_object *note = json_object_array_get_idx(notes, i), *name, *said;

		cr_assert(json_object_object_get_ex(note, "name", &name));
		cr_assert(json_object_object_get_ex(note, "text", &said));
		cr_expect_gt(json_object_get_string_len(said), 10);
		used += (size_t)snprintf(text + used, size - used, "%s ",
					 json_object_get_string(name));
	}
	return text;
}

Test(whatif_notes, what_would_not_show_is_named)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct maui_whatif whatif = {.facts.enforced = !cases[i].unenforced,
					     .lacking = cases[i].lacking,
					     .today.policy = queue_policy(cases[i].today),
					     .then.policy = queue_policy(cases[i].then)};
		struct json_object *notes = maui_report_whatif_notes(&whatif);
		char text[256];

		cr_expect_str_eq(names_of(notes, text, sizeof(text)), cases[i].names, "%s: %s",
				 cases[i].what, text);
		json_object_put(notes);
		maui_policy_unref(whatif.today.policy);
		maui_policy_unref(whatif.then.policy);
	}
}
