/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks up what a queue or the server has set. */
#include "common/import/torque/torque_site.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void maui_torque_site_begin(struct maui_torque_site *ret_site)
{
	*ret_site = (struct maui_torque_site){
		.arena = maui_arena_new(), .server = {.name = ""}, .node_names = maui_intern_new()};
}

void maui_torque_site_clear(struct maui_torque_site *site)
{
	for (size_t i = 0; i < site->queue_count; i++)
		free(site->queues[i].attributes);
	free(site->server.attributes);
	free(site->queues);
	free(site->nodes);
	free(site->words);
	free(site->reports);
	maui_intern_free(site->node_names);
	maui_arena_free(site->arena);
	*site = (struct maui_torque_site){0};
}

const struct maui_torque_attribute *maui_torque_get(const struct maui_torque_object *object,
						    const char *name)
{
	for (size_t i = 0; i < object->count; i++)
		if (!strcmp(object->attributes[i].name, name))
			return &object->attributes[i];
	return NULL;
}

const struct maui_torque_attribute *maui_torque_of_queue(const struct maui_torque_site *site,
							 const struct maui_torque_object *queue,
							 const char *name)
{
	const struct maui_torque_attribute *own = maui_torque_get(queue, name);

	return own ? own : maui_torque_get(&site->server, name);
}

bool maui_torque_is_true(const struct maui_torque_object *object, const char *name)
{
	const struct maui_torque_attribute *attribute = maui_torque_get(object, name);

	return attribute && maui_torque_truth(attribute->value);
}

bool maui_torque_list_has(const char *list, const char *word, size_t size)
{
	while (*list) {
		size_t length = strcspn(list, ",");

		if (length == size && !memcmp(list, word, size))
			return true;
		list += length + (list[length] == ',');
	}
	return false;
}
