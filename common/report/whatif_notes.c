/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares two configurations value by value in the areas of reservations and
 * node allocation. Adds notes on these, and on missing fairshare windows.
 */
#include "common/report/whatif_notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/report/json.h"

/* ---- whether two files differ in an area ---- */

static bool same_value(const struct maui_value *a, const struct maui_value *b)
{
	if (!a || !b || !a->text || !b->text)
		return a == b || (a && b && a->text == b->text);
	return !strcmp(a->text, b->text);
}

static bool same_object(const struct maui_object *a, const struct maui_object *b,
			enum maui_section section, enum maui_area area)
{
	const struct maui_value *const *values[2];
	size_t count[2], at[2] = {0, 0};

	count[0] = a ? maui_object_values(a, &values[0]) : 0;
	count[1] = b ? maui_object_values(b, &values[1]) : 0;
	for (;;) {
		for (int side = 0; side < 2; side++)
			while (at[side] < count[side] &&
			       maui_key_area(values[side][at[side]]->key, section) != area)
				at[side]++;
		if (at[0] == count[0] || at[1] == count[1])
			return at[0] == count[0] && at[1] == count[1];
		if (values[0][at[0]]->key != values[1][at[1]]->key ||
		    !same_value(values[0][at[0]], values[1][at[1]]))
			return false;
		at[0]++;
		at[1]++;
	}
}

/* One way: whether b says everything that a says. */
static bool whatif_notes_says(const struct maui_config *a, const struct maui_config *b,
			      enum maui_section section, enum maui_area area)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(a, section, &objects);

	for (size_t i = 0; i < count; i++)
		if (!same_object(objects[i],
				 maui_config_object(b, section, maui_object_name(objects[i])),
				 section, area))
			return false;
	return true;
}

/* Parameters with an index have no part in the areas that matter here. */
static bool whatif_notes_differ(const struct maui_config *a, const struct maui_config *b,
				enum maui_area area)
{
	for (int key = 0; key < MAUI_KEYS; key++) {
		const struct maui_key_info *info = maui_key_info(key);

		if (info && (info->sections & MAUI_IN(MAUI_PARAMETERS)) &&
		    maui_key_area(info, MAUI_PARAMETERS) == area &&
		    !same_value(maui_config_get(a, key, NULL), maui_config_get(b, key, NULL)))
			return true;
	}
	for (int section = MAUI_SYSCFG; section < MAUI_SECTIONS; section++)
		if (!whatif_notes_says(a, b, section, area) ||
		    !whatif_notes_says(b, a, section, area))
			return true;
	return false;
}

static bool key_differs(const struct maui_config *a, const struct maui_config *b, enum maui_key key)
{
	return !same_value(maui_config_get(a, key, NULL), maui_config_get(b, key, NULL));
}

/* ---- the notes ---- */

static void whatif_note(struct json_object *notes, const char *name, const char *text)
{
	struct json_object *note = json_make_object();

	json_add(note, "name", json_make_text(name));
	json_add(note, "text", json_make_text(text));
	json_append(notes, note);
}

static void add_windows(struct json_object *notes, const struct maui_whatif_windows *lacking)
{
	char text[200];

	if (lacking->none)
		whatif_note(notes, "FSPOLICY",
			    "nothing is counted today: fairshare counts as 0 here, and a "
			    "reconfigure would begin with what STATDIR has");
	if (lacking->interval)
		whatif_note(notes, "FSINTERVAL",
			    "windows of another length cannot be made from today's: fairshare "
			    "counts as 0 here, and a reconfigure would begin with what STATDIR has "
			    "of that length");
	if (lacking->missing) {
		snprintf(text, sizeof(text),
			 "the %u oldest windows are not in memory: they count as empty here, and a "
			 "reconfigure would load what STATDIR has of them",
			 lacking->missing);
		whatif_note(notes, "FSDEPTH", text);
	}
	if (lacking->metric)
		whatif_note(notes, "FSPOLICY",
			    "nothing is counted by this metric today: fairshare counts as 0 here, "
			    "and a reconfigure would begin with what STATDIR has of it");
}

struct json_object *maui_report_whatif_notes(const struct maui_whatif *whatif)
{
	const struct maui_config *today = whatif->today.policy->config;
	const struct maui_config *then = whatif->then.policy->config;
	struct json_object *notes = json_make_array();

	if (!whatif->facts.enforced)
		whatif_note(notes, "select",
			    "slurmctld has not loaded the select plugin: limits and caps hold "
			    "nobody back");
	add_windows(notes, &whatif->lacking);
	if (whatif->facts.treeless)
		whatif_note(notes, "FSTREEWEIGHT",
			    "slurmctld knows no associations: it adds nothing here");
	if (key_differs(today, then, MAUI_KEY_JOBPRIOACCRUALPOLICY))
		whatif_note(notes, "JOBPRIOACCRUALPOLICY",
			    "waiting that was lost stays lost; what would be lost is what the next "
			    "iteration would take");
	if (key_differs(today, then, MAUI_KEY_STATDIR))
		whatif_note(notes, "STATDIR",
			    "the windows are those in memory, as after a reconfigure");
	if (key_differs(today, then, MAUI_KEY_USEMACHINESPEEDFORFS))
		whatif_note(notes, "USEMACHINESPEEDFORFS", "it counts only from a reconfigure on");
	if (whatif->unknown_gres)
		whatif_note(notes, "MAXGRES",
			    "GRES that today's maui.cfg does not name are not counted yet: limits "
			    "on them hold nobody back here, and they weigh nothing");
	if (whatif_notes_differ(today, then, MAUI_AREA_RESERVATION))
		whatif_note(notes, "SRCFG",
			    "reservations are not planned anew: which nodes they take, whom they "
			    "admit, and what they cost their owners are as today");
	if (whatif_notes_differ(today, then, MAUI_AREA_NODE_ALLOCATION))
		whatif_note(
			notes, "NODECFG",
			"which nodes jobs would get, and limits of nodes, are not part of this");
	return notes;
}
