/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums the configured amounts of the GRES in PEGRES over all node records. */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/gres_machine.h"

void gres_machine_bind(struct gres_machine *machine, const struct maui_pe_names *names)
{
	*machine = (struct gres_machine){0};
	noderec_gres_bind(&names->gres, &machine->names);
	for (uint32_t i = 0; i < names->gres.count; i++)
		machine->number[i] = names->number[i];
}

const struct maui_gres_amounts *gres_machine_count(struct gres_machine *machine)
{
	uint64_t sum[MAUI_GRES_NAMES] = {0};

	if (!machine->names.count)
		return NULL;
	for (int i = 0; i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];
		struct maui_node_gres_amounts of_node;

		if (!node || !node->name || !node->gres_list)
			continue;
		noderec_gres_look(node, &machine->names, &of_node);
		for (uint32_t j = 0; j < machine->names.count; j++)
			sum[j] = maui_gres_plus(sum[j], of_node.configured[j]);
	}
	for (uint32_t j = 0; j < machine->names.count; j++)
		maui_gres_set(&machine->amounts, machine->number[j], sum[j]);
	return &machine->amounts;
}
