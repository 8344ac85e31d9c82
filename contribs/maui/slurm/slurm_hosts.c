/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contribs/maui/slurm/slurm_hosts.h"

#include <slurm/slurm.h>

char *slurm_hosts_text(const struct maui_node_names *nodes, const bool *listed)
{
	uint32_t count = maui_node_names_count(nodes);
	hostlist_t list = slurm_hostlist_create(NULL);
	char *text;

	if (!list)
		return NULL;
	for (uint32_t i = 0; i < count; i++)
		if (listed[i])
			slurm_hostlist_push_host(list, maui_node_names_name(nodes, i));
	text = slurm_hostlist_ranged_string_malloc(list);
	slurm_hostlist_destroy(list);
	return text;
}
