/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names, counts and properties of nodes, within the bounds of slurm.conf. */
#include "common/import/torque/torque_node.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "common/util/list.h"
#include "common/util/memory.h"
#include "common/util/text.h"

#define NODES_LIMIT    65536
#define CPUS_LIMIT     65533 /* of a node, in slurm.conf */
#define FEATURES_LIMIT 4096  /* bytes of a node's features */

/* As a name of a node or a feature of slurm.conf: nothing that its lists have a meaning for. */
static bool torque_node_is_name(const char *text)
{
	for (const char *at = text; *at; at++)
		if (!maui_is_name(*at) && *at != '-')
			return false;
	return *text != '\0';
}

struct maui_torque_node *maui_torque_node_find(const struct maui_torque_site *site,
					       const char *name)
{
	uint32_t number = maui_intern_find(site->node_names, name);

	return number ? &site->nodes[number - 1] : NULL;
}

struct maui_torque_node *maui_torque_node_add(struct maui_torque_site *site,
					      struct maui_import_lines *lines, const char *at,
					      const char *name)
{
	struct maui_torque_node *node;

	if (!torque_node_is_name(name))
		maui_import_complain(lines, at, "slurm.conf cannot have this name");
	else if (maui_torque_node_find(site, name) || !strcasecmp(name, "DEFAULT"))
		maui_import_complain(lines, at, "this node is there already");
	else if (site->node_count == NODES_LIMIT)
		maui_import_complain(lines, at, "there are more than 65536 nodes");
	if (lines->wrong)
		return NULL;
	site->nodes = maui_grow(site->nodes, site->node_count + 1, &site->node_room,
				sizeof(*site->nodes));
	node = &site->nodes[site->node_count++];
	*node = (struct maui_torque_node){.name = name, .cpus = 1, .features = ""};
	maui_intern_add(site->node_names, name);
	return node;
}

void maui_torque_node_count(struct maui_import_lines *lines, const char *at, const char *value,
			    uint32_t least, uint32_t *ret_count)
{
	const char *why = maui_torque_check(MAUI_TORQUE_NUMBER, value);
	uint64_t number = why ? 0 : maui_torque_number(value);

	if (why || number < least || number > CPUS_LIMIT)
		maui_import_complain(lines, at,
				     why      ? why
				     : !least ? "this is more than 65533"
					      : "a number from 1 to 65533 is expected");
	else
		*ret_count = (uint32_t)number;
}

void maui_torque_node_feature(struct maui_torque_site *site, struct maui_import_lines *lines,
			      struct maui_torque_node *node, const char *at, const char *word)
{
	size_t size = strlen(node->features), more = strlen(word);
	char *both;

	if (!torque_node_is_name(word)) {
		maui_import_complain(lines, at, "slurm.conf cannot have this feature");
		return;
	}
	if (maui_torque_list_has(node->features, word, more))
		return;
	if (size + more > FEATURES_LIMIT) {
		maui_import_complain(lines, at, "this node has too many properties");
		return;
	}
	both = maui_arena_alloc(site->arena, size + more + 2, 1);
	memcpy(both, node->features, size);
	if (size)
		both[size++] = ',';
	memcpy(both + size, word, more + 1);
	node->features = both;
}

void maui_torque_node_other(struct maui_torque_site *site, const char *node, const char *text,
			    const struct maui_conf_place *place)
{
	site->words = maui_grow(site->words, site->word_count + 1, &site->word_room,
				sizeof(*site->words));
	site->words[site->word_count++] = (struct maui_torque_word){node, text, *place};
}

/* ---- attributes of qmgr ---- */

static void torque_node_features(struct maui_torque_site *site, struct maui_import_lines *lines,
				 struct maui_torque_node *node, const char *list, const char *at)
{
	struct maui_item item;

	while (!lines->wrong && maui_list_next(&list, ",", &item))
		maui_torque_node_feature(site, lines, node, at,
					 maui_arena_text(site->arena, item.text, item.size));
}

/* A few rows have no effect on slurm.conf: what all nodes have of one is one remark. */
static void torque_node_report(struct maui_torque_site *site, const struct maui_torque_node *node,
			       const struct maui_torque_attribute *attribute)
{
	for (size_t i = 0; i < site->report_count; i++)
		if (site->reports[i].known == attribute->known) {
			site->reports[i].lines++;
			return;
		}
	site->reports = maui_grow(site->reports, site->report_count + 1, &site->report_room,
				  sizeof(*site->reports));
	site->reports[site->report_count++] =
		(struct maui_torque_report){attribute->known, node->name, attribute->place, 1};
}

static void torque_node_unknown(struct maui_torque_site *site, const struct maui_torque_node *node,
				const struct maui_torque_attribute *attribute)
{
	char *text = maui_asprintf("%s = %s", attribute->name, attribute->value);

	maui_torque_node_other(site, node->name, maui_arena_text(site->arena, text, strlen(text)),
			       &attribute->place);
	free(text);
}

void maui_torque_node_set(struct maui_torque_site *site, struct maui_import_lines *lines,
			  struct maui_torque_node *node,
			  const struct maui_torque_attribute *attribute, const char *at)
{
	const char *name = attribute->name, *value = attribute->value;

	if (!strcmp(name, "np"))
		maui_torque_node_count(lines, at, value, 1, &node->cpus);
	else if (!strcmp(name, "gpus"))
		maui_torque_node_count(lines, at, value, 0, &node->gpus);
	else if (!strcmp(name, "mics"))
		maui_torque_node_count(lines, at, value, 0, &node->mics);
	else if (!strcmp(name, "properties"))
		torque_node_features(site, lines, node, value, at);
	else if (!strcmp(name, "state"))
		node->offline |= maui_list_has(value, "offline");
	else if (attribute->known)
		torque_node_report(site, node, attribute);
	else
		torque_node_unknown(site, node, attribute);
}
