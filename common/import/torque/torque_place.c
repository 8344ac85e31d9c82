/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of a queue: those with its properties, and those that acl_hosts names. */
#include <stdlib.h>
#include <string.h>

#include "common/import/torque/torque_private.h"
#include "common/util/memory.h"
#include "common/util/slurm/hostlist_join.h"

struct place_search {
	const struct maui_torque_site *site;
	const struct maui_torque_object *queue;
	struct maui_torque_result *result;
	bool *out; /* of each node: it is not of the queue */
};

/* Only nodes with the property, or this name, stay. */
static void place_need(struct place_search *search, const char *word, size_t size)
{
	for (size_t i = 0; i < search->site->node_count; i++) {
		const struct maui_torque_node *node = &search->site->nodes[i];

		if (!maui_torque_list_has(node->features, word, size) &&
		    !maui_torque_list_has(node->name, word, size))
			search->out[i] = true;
	}
}

/* 2:ppn=4:fast: properties; numbers are of a job's request. */
static void place_need_all(struct place_search *search,
			   const struct maui_torque_attribute *attribute)
{
	const char *at = attribute->value;

	if (strchr(at, '+')) {
		maui_torque_remark(search->result, search->queue, attribute, MAUI_IMPORT_LOST,
				   "Nodes= cannot say it: the partition has nodes of all kinds");
		return;
	}
	while (*at) {
		size_t size = strcspn(at, ":,");

		if (memchr(at, '=', size) || (size && strspn(at, "0123456789") == size))
			maui_torque_remark(
				search->result, search->queue, attribute, MAUI_IMPORT_OTHER,
				"%.*s is of a job's request: sbatch gives one task on one "
				"node by itself",
				(int)size, at);
		else if (size)
			place_need(search, at, size);
		at += size + (at[size] != '\0');
	}
}

/* Whether node is the host, with or without the host's domain. */
static bool place_is_host(const char *node, const char *host, size_t size)
{
	size_t length = strlen(node);

	if (length > size || memcmp(node, host, length) != 0)
		return false;
	return length == size || host[length] == '.';
}

/* Marks the nodes of acl_hosts in named; returns how many there are. */
static size_t place_mark_hosts(const struct maui_torque_site *site, const char *at, bool *named)
{
	size_t count = 0;

	while (*at) {
		size_t size = strcspn(at, ",+");

		for (size_t i = 0; i < site->node_count; i++)
			if (!named[i] && place_is_host(site->nodes[i].name, at, size)) {
				named[i] = true;
				count++;
			}
		at += size + (at[size] != '\0');
	}
	return count;
}

/* Without acl_host_enable Maui and Moab take acl_hosts for the queue's nodes. */
static void place_need_hosts(struct place_search *search)
{
	const struct maui_torque_attribute *hosts = maui_torque_get(search->queue, "acl_hosts");
	bool *named;

	if (!hosts || maui_torque_is_true(search->queue, "acl_host_enable"))
		return;
	named = maui_calloc(search->site->node_count, sizeof(*named));
	if (place_mark_hosts(search->site, hosts->value, named))
		for (size_t i = 0; i < search->site->node_count; i++)
			search->out[i] |= !named[i];
	else
		maui_torque_remark(search->result, search->queue, hosts, MAUI_IMPORT_LOST,
				   "without acl_host_enable these are the queue's nodes, but none "
				   "of them is in the nodes file");
	free(named);
}

static const char *place_text(struct place_search *search, const char **names)
{
	size_t count = 0;
	const char *kept;
	char *text;

	for (size_t i = 0; i < search->site->node_count; i++)
		if (!search->out[i])
			names[count++] = search->site->nodes[i].name;
	if (count == search->site->node_count)
		return "ALL";
	text = maui_hostlist_join(names, count);
	kept = maui_import_text(&search->result->import, "%s", text);
	free(text);
	if (!count)
		maui_import_remark(
			&search->result->import, MAUI_IMPORT_LOST,
			maui_import_text(&search->result->import, "%s:%u: queue %s",
					 search->queue->place.file, search->queue->place.line,
					 search->queue->name),
			"no node has what the queue needs (neednodes, features_required, "
			"acl_hosts): its partition has none");
	return kept;
}

const char *maui_torque_place(const struct maui_torque_site *site,
			      const struct maui_torque_object *queue,
			      struct maui_torque_result *result)
{
	struct place_search search = {site, queue, result,
				      maui_calloc(site->node_count, sizeof(bool))};
	const struct maui_torque_attribute *need =
		maui_torque_of_queue(site, queue, "resources_default.neednodes");
	const struct maui_torque_attribute *features = maui_torque_get(queue, "features_required");
	const char **names = maui_calloc(site->node_count, sizeof(*names));
	const char *text;

	if (need)
		place_need_all(&search, need);
	if (features)
		place_need_all(&search, features);
	place_need_hosts(&search);
	text = place_text(&search, names);
	free(names);
	free(search.out);
	return text;
}
