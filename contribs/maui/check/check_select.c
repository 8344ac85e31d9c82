/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What slurm.conf says about the choice of nodes, if maui.cfg does, too: slurmctld must load our
 * select plugin, and Slurm must use its order.
 */
#include "contribs/maui/check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/util/files/file.h"
#include "common/util/list.h"
#include "contribs/maui/slurm/slurm_facts.h"
#include "contribs/maui/slurm/slurm_select.h"

#define PLUGIN_LIMIT (64u << 20)
#define OURS         "libslurm_maui.so" /* what ours is linked against */

/* The first line that is about choosing nodes, or keeping jobs off them. */
static const struct maui_value *first_line(const struct maui_config *config)
{
	static const enum maui_key keys[] = {MAUI_KEY_NODEALLOCATIONPOLICY,
					     MAUI_KEY_NODEACCESSPOLICY};
	static const enum maui_section sections[] = {MAUI_NODECFG, MAUI_SRCFG};
	const struct maui_value *first = NULL;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct maui_value *value = maui_config_get(config, keys[i], NULL);

		if (value && maui_value_given(value) && (!first || value->order < first->order))
			first = value;
	}
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		const struct maui_object *const *objects;
		size_t count = maui_config_objects(config, sections[i], &objects);

		for (size_t k = 0; k < count; k++) {
			const struct maui_value *const *values;

			if (maui_object_values(objects[k], &values) &&
			    (!first || values[0]->order < first->order))
				first = values[0];
		}
	}
	return first;
}

/* Whether a plugin is ours; false if it cannot be read. */
static bool is_ours(const char *path)
{
	struct maui_error why;
	bool trusted, ours;
	char *text = NULL;
	size_t size = 0;

	if (maui_file_read(path, PLUGIN_LIMIT, NULL, &text, &size, &trusted, &why))
		return false;
	ours = memmem(text, size, OURS, strlen(OURS));
	free(text);
	return ours;
}

enum order { NOT_HERE, OURS_FIRST, OTHER_FIRST };

/* Which plugin comes first in the directories of PluginDir, as far as this host has them. */
static enum order first_plugin(const char *directories, const char *file, char path[4096])
{
	enum order found = NOT_HERE;
	struct maui_item directory;

	while (found == NOT_HERE && maui_list_next(&directories, ":", &directory)) {
		snprintf(path, 4096, "%.*s/%s", (int)directory.size, directory.text, file);
		if (access(path, R_OK) == 0)
			found = is_ours(path) ? OURS_FIRST : OTHER_FIRST;
	}
	return found;
}

static void check_order(struct findings *findings, const struct maui_value *line,
			const struct slurm_facts *facts, const char *file)
{
	char path[4096];

	switch (first_plugin(facts->words[SLURM_PLUGINS], file, path)) {
	case OTHER_FIRST:
		findings_warn(
			findings, &line->origin,
			"%s: PluginDir=%s in slurm.conf: slurmctld finds %s first, which is not "
			"Slurm-Maui's, so nodes are chosen by Slurm alone; write the directory "
			"with Slurm-Maui's before it",
			line->key->name, facts->words[SLURM_PLUGINS], path);
		break;
	case NOT_HERE:
		findings_note(findings,
			      "not checked: the order of PluginDir=%s in slurm.conf (this host has "
			      "no %s there)",
			      facts->words[SLURM_PLUGINS], file);
		break;
	default:
		break;
	}
}

static void check_type(struct findings *findings, const struct maui_value *line,
		       const struct slurm_facts *facts)
{
	const struct slurm_select_form *ours = slurm_select_form(facts->words[SLURM_RELEASE]);

	if (!ours)
		findings_note(findings,
			      "not checked: SelectType=%s in slurm.conf (slurmctld does not say "
			      "which release it is)",
			      facts->words[SLURM_SELECT]);
	else if (!slurm_select_is(ours, facts->words[SLURM_SELECT]))
		findings_warn(
			findings, &line->origin,
			"%s: SelectType=%s in slurm.conf: nodes are chosen by Slurm alone, and "
			"reservations admit nobody by their lists; write SelectType=%s",
			line->key->name, facts->words[SLURM_SELECT], ours->type);
	else if (ours->shadows)
		check_order(findings, line, facts, ours->file);
}

void check_select(const struct maui_config *config, struct findings *findings,
		  const struct slurm_facts *facts)
{
	const struct maui_value *line = first_line(config);

	if (!line)
		return;
	check_type(findings, line, facts);
	if (*facts->words[SLURM_LEAST_LOADED])
		findings_warn(findings, &line->origin,
			      "%s: SelectTypeParameters in slurm.conf has CR_LLN: Slurm takes the "
			      "least loaded node, whatever maui.cfg says; take CR_LLN out",
			      line->key->name);
}
