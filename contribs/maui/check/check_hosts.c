/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which nodes a HOSTLIST matches. An item may be a regular expression that looks like a range, and
 * match other nodes than intended without being an error: ^n[0-13] is n0, n1 and n3.
 */
#include "contribs/maui/check/check.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/util/memory.h"
#include "contribs/maui/slurm/slurm_hosts.h"

void check_hosts(const struct maui_sr *sr, const struct maui_node_names *nodes,
		 struct findings *findings)
{
	bool *listed = maui_calloc(maui_node_names_count(nodes) + 1, sizeof(*listed));
	uint32_t count = maui_sr_hosts_match(sr->hosts, nodes, listed, NULL);
	char *text = count ? slurm_hosts_text(nodes, listed) : NULL;

	if (count && !text)
		exit_out_of_memory();
	if (count)
		findings_note(findings, "SRCFG[%.60s]: HOSTLIST takes %" PRIu32 " node%s: %s",
			      sr->name, count, count == 1 ? "" : "s", text);
	else if (sr->hosts)
		findings_note(findings, "SRCFG[%.60s]: HOSTLIST takes no node", sr->name);
	free(text);
	free(listed);
}
