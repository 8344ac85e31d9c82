/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes become NodeName lines, alike ones together. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/import/torque/torque_private.h"
#include "common/util/intern.h"
#include "common/util/memory.h"
#include "common/util/slurm/hostlist_join.h"

/* What follows the names. */
static const char *machine_rest(const struct maui_torque_node *node, struct maui_import *import)
{
	const char *gpus = node->gpus ? maui_import_text(import, "gpu:%u", node->gpus) : "";
	const char *mics = node->mics ? maui_import_text(import, "mic:%u", node->mics) : "";
	bool gres = *gpus || *mics;

	return maui_import_text(import, "CPUs=%u%s%s%s%s%s%s%s", node->cpus, gres ? " Gres=" : "",
				gpus, *gpus && *mics ? "," : "", mics,
				*node->features ? " Feature=" : "", node->features,
				node->offline ? " State=DRAIN Reason=offline" : " State=UNKNOWN");
}

static void machine_gres_types(const struct maui_torque_site *site,
			       struct maui_torque_result *result)
{
	bool gpus = false, mics = false;

	for (size_t i = 0; i < site->node_count; i++) {
		gpus |= site->nodes[i].gpus > 0;
		mics |= site->nodes[i].mics > 0;
	}
	if (!gpus && !mics)
		return;
	maui_torque_line(result, MAUI_TORQUE_CONF, "GresTypes=%s%s%s", gpus ? "gpu" : "",
			 gpus && mics ? "," : "", mics ? "mic" : "");
	maui_import_remark(&result->import, MAUI_IMPORT_OTHER, "GPUs of nodes",
			   "Slurm needs a gres.conf beside slurm.conf: AutoDetect=nvml, or the "
			   "device files; SelectType=select/maui or select/cons_tres gives them "
			   "to jobs");
}

/* The line of all nodes with this rest, which is their number in kinds. */
static void machine_line(const struct maui_torque_site *site, const uint32_t *kind_of,
			 uint32_t kind, const char *rest, struct maui_torque_result *result)
{
	const char **names = maui_calloc(site->node_count, sizeof(*names));
	size_t count = 0;
	char *text;

	for (size_t i = 0; i < site->node_count; i++)
		if (kind_of[i] == kind)
			names[count++] = site->nodes[i].name;
	text = maui_hostlist_join(names, count);
	maui_torque_line(result, MAUI_TORQUE_CONF, "NodeName=%s %s", text, rest);
	free(text);
	free(names);
}

static void machine_tell_words(const struct maui_torque_site *site,
			       struct maui_torque_result *result)
{
	for (size_t i = 0; i < site->word_count; i++) {
		const struct maui_torque_word *word = &site->words[i];

		maui_import_remark(
			&result->import, MAUI_IMPORT_LOST,
			maui_import_text(&result->import, "%s:%u: node %s: %s", word->place.file,
					 word->place.line, word->node, word->text),
			"slurm.conf has nothing for this word of a node; `slurmd -C` on the node "
			"prints its sockets, cores and memory");
	}
}

static void machine_tell_reports(const struct maui_torque_site *site,
				 struct maui_torque_result *result)
{
	for (size_t i = 0; i < site->report_count; i++) {
		const struct maui_torque_report *report = &site->reports[i];
		const char *setting =
			maui_import_text(&result->import, "%s:%u: node %s: %s", report->place.file,
					 report->place.line, report->node, report->known->name);

		if (report->lines > 1)
			setting = maui_import_text(&result->import, "%s, and %zu lines more",
						   setting, report->lines - 1);
		maui_import_remark(&result->import, report->known->fate, setting, "%s",
				   report->known->effect);
	}
}

void maui_torque_machine(const struct maui_torque_site *site, struct maui_torque_result *result)
{
	struct maui_intern *kinds = maui_intern_new();
	uint32_t *kind_of = maui_calloc(site->node_count, sizeof(*kind_of));

	maui_torque_line(result, MAUI_TORQUE_CONF,
			 "# Nodes. `slurmd -C` on a node prints what is "
			 "missing: Sockets, RealMemory, ...");
	machine_gres_types(site, result);
	for (size_t i = 0; i < site->node_count; i++)
		kind_of[i] = maui_intern_add(kinds, machine_rest(&site->nodes[i], &result->import));
	for (uint32_t kind = 1; kind <= maui_intern_count(kinds); kind++)
		machine_line(site, kind_of, kind, maui_intern_name(kinds, kind), result);
	maui_import_remark(&result->import, MAUI_IMPORT_OTHER, "memory of nodes",
			   "Torque asked the nodes; NodeName needs RealMemory= before jobs can "
			   "ask for memory, as `slurmd -C` prints it");
	machine_tell_words(site, result);
	machine_tell_reports(site, result);
	free(kind_of);
	maui_intern_free(kinds);
}
