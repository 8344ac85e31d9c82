/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of NODECFG without effect: those of one user, group or QOS. */
#include "contribs/maui/check/check.h"

static void check_value(struct findings *findings, const struct maui_object *node,
			const struct maui_value *value)
{
	if (!value->has_dimension || !value->dimension_name ||
	    value->key->kind != MAUI_KIND_LIMIT || value->dimension == MAUI_CLASS ||
	    value->dimension == MAUI_ACCOUNT)
		return;
	findings_warn(findings, &value->origin,
		      "NODECFG[%.60s]: %s of %s %.60s has no effect: of a node's limits, only "
		      "those that name a class or an account are kept",
		      maui_object_name(node), value->key->name,
		      maui_credential_name(value->dimension), value->dimension_name);
}

void check_nodes(const struct maui_config *config, struct findings *findings)
{
	const struct maui_object *const *nodes;
	size_t count = maui_config_objects(config, MAUI_NODECFG, &nodes);

	for (size_t i = 0; i < count; i++) {
		const struct maui_value *const *values;
		size_t value_count = maui_object_values(nodes[i], &values);

		for (size_t j = 0; j < value_count; j++)
			check_value(findings, nodes[i], values[j]);
	}
}
