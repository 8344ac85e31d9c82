/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pushes the names into libslurm's hostlist, and doubles the buffer of
 * slurm_hostlist_ranged_string() until the text fits.
 */
#include "contribs/maui/slurm/slurm_hosts.h"

#include "common/util/memory.h"
#include "contribs/maui/slurm/slurm_compat.h"

/* libslurm says no more than that there was no room. */
static char *ranged_text(struct hostlist *list)
{
	size_t room = 1024;
	char *text = maui_malloc(room, 1);

	while (slurm_hostlist_ranged_string(list, room, text) < 0) {
		room *= 2;
		text = maui_realloc(text, room, 1);
	}
	return text;
}

char *slurm_hosts_text(const struct maui_node_names *nodes, const bool *listed)
{
	uint32_t count = maui_node_names_count(nodes);
	struct hostlist *list = slurm_hostlist_create(NULL);
	char *text;

	if (!list)
		return NULL;
	for (uint32_t i = 0; i < count; i++)
		if (listed[i])
			slurm_hostlist_push_host(list, maui_node_names_name(nodes, i));
	text = ranged_text(list);
	slurm_hostlist_destroy(list);
	return text;
}
