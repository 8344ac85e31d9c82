/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares HOSTLIST, EXCLUDEHOSTLIST, NODEFEATURES, PARTITION and CLASSLIST
 * with the machine's names, and finds users and groups without a number.
 */
#include "common/policy/reservation/sr_unknown.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/util/memory.h"

/* Names are truncated in texts. */
#define NAME "%.100s"

struct search {
	const struct maui_config *config;
	const struct maui_sr *sr;
	const struct maui_sr_machine *machine;
	maui_sr_unknown_told told;
	void *context;
};

__attribute__((format(printf, 3, 4))) static void
sr_unknown_report(const struct search *search, enum maui_key key, const char *format, ...)
{
	const struct maui_object *object =
		maui_config_object(search->config, MAUI_SRCFG, search->sr->name);
	const struct maui_value *value = maui_object_get(object, key);
	char text[MAUI_SR_UNKNOWN_TEXT];
	int length = snprintf(text, sizeof(text), "SRCFG[%.60s]: ", search->sr->name);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + length, sizeof(text) - (size_t)length, format, arguments);
	va_end(arguments);
	search->told(search->context, value ? &value->origin : &search->sr->origin, text);
}

static void look_at_host(const struct search *search, enum maui_key key, const char *item,
			 const struct maui_sr_host_use *use)
{
	const char *list = maui_key_info(key)->name;

	if (use->kind == MAUI_SR_HOST_NONE)
		sr_unknown_report(search, key, "%s: no node is " NAME, list, item);
	else if (use->kind == MAUI_SR_HOST_RANGE && use->missing)
		sr_unknown_report(search, key, "%s: %" PRIu32 " names of " NAME " are not nodes",
				  list, use->missing, item);
	else if (use->kind == MAUI_SR_HOST_PART)
		sr_unknown_report(search, key,
				  "%s: " NAME
				  " is not a node, but matches part of the names of %" PRIu32
				  ", such as " NAME "; ^ and $ say where a name begins and ends",
				  list, item, use->nodes,
				  maui_node_names_name(search->machine->nodes, use->example));
}

/* Of the attribute that has the list; hosts may be NULL. */
static void look_at_hosts(const struct search *search, enum maui_key key,
			  const struct maui_sr_hosts *hosts)
{
	const struct maui_node_names *nodes = search->machine->nodes;
	size_t count = maui_sr_hosts_count(hosts);
	struct maui_sr_host_use *uses;
	bool *listed;

	if (!nodes || !hosts)
		return;
	uses = maui_calloc(count + 1, sizeof(*uses));
	listed = maui_calloc(maui_node_names_count(nodes) + 1, sizeof(*listed));
	maui_sr_hosts_match(hosts, nodes, listed, uses);
	for (size_t i = 0; i < count; i++)
		look_at_host(search, key, maui_sr_hosts_item(hosts, i), &uses[i]);
	free(listed);
	free(uses);
}

static void look_at_features(const struct search *search)
{
	const struct maui_intern *features = search->machine->features;

	for (size_t i = 0; features && i < search->sr->feature_count; i++)
		if (!maui_intern_find(features, search->sr->features[i]))
			sr_unknown_report(search, MAUI_ATTR_NODEFEATURES,
					  "NODEFEATURES: no node has the feature " NAME
					  ", so there is none for the reservation",
					  search->sr->features[i]);
}

static void look_at_partitions(const struct search *search)
{
	const struct maui_intern *partitions = search->machine->partitions;
	const struct maui_acl_item *items;
	size_t count = maui_acl_items(search->sr->acl, &items);

	if (!partitions)
		return;
	if (search->sr->partition && !maui_intern_find(partitions, search->sr->partition))
		sr_unknown_report(search, MAUI_ATTR_PARTITION,
				  "PARTITION: there is no partition " NAME
				  ", so there is no node for the reservation",
				  search->sr->partition);
	for (size_t i = 0; i < count; i++)
		if (items[i].type == MAUI_CLASS && !maui_intern_find(partitions, items[i].name))
			sr_unknown_report(search, MAUI_ATTR_CLASSLIST,
					  "CLASSLIST: there is no partition " NAME, items[i].name);
}

void maui_sr_unknown(const struct maui_config *config, const struct maui_sr *sr,
		     const struct maui_sr_machine *machine, maui_sr_unknown_told told,
		     void *context)
{
	const struct search search = {config, sr, machine, told, context};

	look_at_features(&search);
	look_at_partitions(&search);
	look_at_hosts(&search, MAUI_ATTR_HOSTLIST, sr->hosts);
	look_at_hosts(&search, MAUI_ATTR_EXCLUDEHOSTLIST, sr->excluded);
}

/* ---- users and groups ---- */

static bool is_nobody(const struct maui_acl_item *item)
{
	return (item->type == MAUI_USER || item->type == MAUI_GROUP) && !item->id;
}

bool maui_sr_nobody(const struct maui_sr *sr, char text[MAUI_SR_NOBODY_TEXT])
{
	const struct maui_acl_item *items, *first = NULL;
	size_t count = maui_acl_items(sr->acl, &items), unknown = 0, used = 0;
	char others[64] = "";

	for (size_t i = 0; i < count; i++) {
		if (!is_nobody(&items[i]))
			continue;
		first = first ? first : &items[i];
		unknown++;
	}
	if (!first)
		return false;
	if (unknown > 1)
		snprintf(others, sizeof(others), ", nor %zu other%s of its lists", unknown - 1,
			 unknown == 2 ? "" : "s");
	used = (size_t)snprintf(text, MAUI_SR_NOBODY_TEXT,
				"the system has no %s '%.*s'%s: nobody gets in by that name",
				first->type == MAUI_USER ? "user" : "group",
				(int)(first->name_size < 64 ? first->name_size : 64), first->name,
				others);
	if (unknown == count)
		snprintf(text + used, MAUI_SR_NOBODY_TEXT - used,
			 ", and by no other: its nodes are closed to all until SRCFG names others");
	return true;
}
