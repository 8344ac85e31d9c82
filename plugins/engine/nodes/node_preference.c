/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects feature names from --prefer and PREF, and matches them with Slurm's
 * node features and those of NODECFG.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/nodes/node_preference.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "common/util/extension.h"
#include "plugins/engine/slurm/features.h"
#include "plugins/engine/slurm/jobrec.h"

static void node_preference_add(struct node_preference *preference, struct maui_piece name)
{
	uint32_t at = preference->count;

	if (at == NODE_PREFERENCE_FEATURES || !name.size || name.size >= NODE_PREFERENCE_NAME)
		return;
	memcpy(preference->name[at], name.text, name.size);
	preference->name[at][name.size] = '\0';
	preference->nodes[at] = features_nodes(preference->name[at]);
	preference->count++;
}

/* --prefer is an expression: its words are features, except the counts after '*'. */
static void add_expression(struct node_preference *preference, const char *text)
{
	while (*text) {
		size_t size = strcspn(text, "&|,*[]()");

		node_preference_add(preference, (struct maui_piece){text, size});
		text += size;
		if (*text == '*')
			text += 1 + strspn(text + 1, "0123456789");
		else if (*text)
			text++;
	}
}

void node_preference_of(const job_record_t *job, struct node_preference *ret_preference)
{
	struct maui_piece rest, name;

	ret_preference->count = 0;
	if (jobrec_prefer(job))
		add_expression(ret_preference, jobrec_prefer(job));
	if (maui_extension_find(jobrec_comment(job), "PREF", &rest))
		while (maui_extension_next_feature(&rest, &name))
			node_preference_add(ret_preference, name);
}

static bool said_of_node(const struct node_preference *preference,
			 const struct maui_node_settings *settings)
{
	for (size_t i = 0; i < settings->feature_count; i++)
		for (uint32_t k = 0; k < preference->count; k++)
			if (!strcasecmp(settings->features[i], preference->name[k]))
				return true;
	return false;
}

bool node_preferred(const struct node_preference *preference, uint32_t index,
		    const struct maui_node_settings *settings)
{
	for (uint32_t i = 0; i < preference->count; i++)
		if (preference->nodes[i] && bit_test(preference->nodes[i], index))
			return true;
	return said_of_node(preference, settings);
}
