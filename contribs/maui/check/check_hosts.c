/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which nodes a HOSTLIST takes. An item may be a regular expression that looks like a range, and takes
 * other nodes than were meant without anything being wrong: ^n[0-13] is n0, n1 and n3.
 */
#include "contribs/maui/check/check.h"

#include <inttypes.h>
#include <stdlib.h>

#include <slurm/slurm.h>

/* In Slurm's own form, n[0-1,3]: malloc'ed; NULL when memory is short. */
static char *range_text(const struct maui_node_names *nodes, const bool *listed)
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

void check_hosts(const struct maui_sr *sr, const struct maui_node_names *nodes,
		 struct findings *findings)
{
	bool *listed = calloc(maui_node_names_count(nodes) + 1, sizeof(*listed));
	uint32_t count = listed ? maui_sr_hosts_match(sr->hosts, nodes, listed, NULL) : 0;
	char *text = count ? range_text(nodes, listed) : NULL;

	if (!listed || (count && !text))
		findings->short_of_memory = true;
	else if (count)
		findings_note(findings, "SRCFG[%.60s]: HOSTLIST takes %" PRIu32 " node%s: %s",
			      sr->name, count, count == 1 ? "" : "s", text);
	else if (sr->hosts)
		findings_note(findings, "SRCFG[%.60s]: HOSTLIST takes no node", sr->name);
	free(text);
	free(listed);
}
