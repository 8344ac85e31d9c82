/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which nodes a HOSTLIST and an EXCLUDEHOSTLIST match. An item may be a regular expression that looks like a range, and
 * match other nodes than intended without being an error: ^n[0-13] is n0, n1 and n3.
 */
#include "contribs/maui/check/check.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/util/memory.h"
#include "contribs/maui/slurm/slurm_hosts.h"

/* The marked nodes, as Slurm writes them; malloc'ed. */
static char *nodes_text(const struct maui_node_names *nodes, const bool *marked)
{
	char *text = slurm_hosts_text(nodes, marked);

	if (!text)
		maui_memory_short(0);
	return text;
}

static void note_listed(const struct maui_sr *sr, const struct maui_node_names *nodes, bool *marked,
			struct findings *findings)
{
	const char *less = sr->excluded ? " without EXCLUDEHOSTLIST" : "";
	uint32_t count;
	char *text;

	maui_sr_hosts_match(sr->hosts, nodes, marked, NULL);
	count = maui_sr_hosts_exclude(sr->excluded, nodes, marked);
	if (!count) {
		findings_note(findings, "SRCFG[%.60s]: HOSTLIST%s takes no node", sr->name, less);
		return;
	}
	text = nodes_text(nodes, marked);
	findings_note(findings, "SRCFG[%.60s]: HOSTLIST%s takes %" PRIu32 " node%s: %s", sr->name,
		      less, count, count == 1 ? "" : "s", text);
	free(text);
}

static void note_excluded(const struct maui_sr *sr, const struct maui_node_names *nodes,
			  bool *marked, struct findings *findings)
{
	uint32_t count = maui_sr_hosts_match(sr->excluded, nodes, marked, NULL);
	char *text = count ? nodes_text(nodes, marked) : NULL;

	if (count)
		findings_note(findings,
			      "SRCFG[%.60s]: EXCLUDEHOSTLIST leaves out %" PRIu32 " node%s: %s",
			      sr->name, count, count == 1 ? "" : "s", text);
	else
		findings_note(findings, "SRCFG[%.60s]: EXCLUDEHOSTLIST leaves out no node",
			      sr->name);
	free(text);
}

void check_hosts(const struct maui_sr *sr, const struct maui_node_names *nodes,
		 struct findings *findings)
{
	bool *marked = maui_calloc(maui_node_names_count(nodes) + 1, sizeof(*marked));

	if (sr->hosts)
		note_listed(sr, nodes, marked, findings);
	if (sr->excluded)
		note_excluded(sr, nodes, marked, findings);
	free(marked);
}
