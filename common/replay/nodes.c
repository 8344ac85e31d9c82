/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/replay/nodes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/list.h"
#include "common/util/text.h"

#define NAME_SIZE 256

struct maui_replay_nodes *maui_replay_nodes_new(void)
{
	struct maui_replay_nodes *nodes = calloc(1, sizeof(*nodes));

	if (!nodes)
		return NULL;
	nodes->arena = maui_arena_new();
	nodes->names = maui_intern_new();
	nodes->features = maui_intern_new();
	nodes->gres = maui_intern_new();
	if (!nodes->arena || !nodes->names || !nodes->features || !nodes->gres)
		return maui_replay_nodes_free(nodes);
	return nodes;
}

struct maui_replay_nodes *maui_replay_nodes_free(struct maui_replay_nodes *nodes)
{
	if (!nodes)
		return NULL;
	maui_intern_free(nodes->names);
	maui_intern_free(nodes->features);
	maui_intern_free(nodes->gres);
	maui_arena_free(nodes->arena);
	free(nodes->nodes);
	free(nodes->partitions);
	free(nodes);
	return NULL;
}

/* ---- features and GRES ---- */

static size_t items_of(const char *list)
{
	size_t count = 0;
	struct maui_item item;

	while (maui_list_next(&list, ",", &item))
		count++;
	return count;
}

static int read_features(struct maui_replay_nodes *nodes, struct maui_replay_node *node,
			 const char *list)
{
	uint32_t *features = maui_arena_alloc(nodes->arena, items_of(list), sizeof(*features));
	struct maui_item item;
	char name[NAME_SIZE];

	if (!features)
		return -ENOMEM;
	node->features = features;
	while (maui_list_next(&list, ",", &item)) {
		if (!item.size)
			continue;
		*features =
			maui_intern_add(nodes->features, maui_item_copy(item, name, sizeof(name)));
		if (!*features++)
			return -ENOMEM;
		node->feature_count++;
	}
	return 0;
}

/* 4, 2K; what is not a number is no count, but a type. */
static bool read_count(const char *text, uint64_t *ret_count)
{
	char *rest;

	if (!maui_is_digit(*text))
		return false;
	errno = 0;
	*ret_count = strtoull(text, &rest, 10);
	if (errno || *ret_count > MAUI_REPLAY_MAX_UNITS)
		*ret_count = MAUI_REPLAY_MAX_UNITS + 1;
	if (maui_upper(*rest) == 'K')
		*ret_count <<= 10, rest++;
	else if (maui_upper(*rest) == 'M')
		*ret_count <<= 20, rest++;
	return !*rest;
}

static struct maui_replay_units *units_of(struct maui_replay_units *units, uint32_t count,
					  uint32_t gres)
{
	uint32_t i = 0;

	while (i < count && units[i].gres != gres)
		i++;
	return &units[i];
}

/* name[:type][:count][(...)], as one piece, which is changed. */
static int read_gres(struct maui_replay_nodes *nodes, struct maui_replay_node *node,
		     struct maui_replay_units *units, char *text, struct maui_error *error)
{
	char *last;
	uint64_t count = 1;
	uint32_t gres;
	struct maui_replay_units *place;

	text[strcspn(text, "(")] = '\0';
	last = strrchr(text, ':');
	if (last && read_count(last + 1, &count))
		*last = '\0';
	if (!*text || count > MAUI_REPLAY_MAX_UNITS)
		return maui_error_set(error, EINVAL, "GRES %s: NAME[:TYPE][:COUNT], at most %u",
				      text, MAUI_REPLAY_MAX_UNITS);
	gres = maui_intern_find(nodes->gres, text);
	if (!gres && maui_intern_count(nodes->gres) == MAUI_REPLAY_MAX_GRES)
		return maui_error_set(error, EINVAL, "GRES %s: more than %u different ones", text,
				      MAUI_REPLAY_MAX_GRES);
	if (!gres)
		gres = maui_intern_add(nodes->gres, text);
	if (!gres)
		return -ENOMEM;
	place = units_of(units, node->gres_count, gres);
	node->gres_count += place == &units[node->gres_count];
	place->gres = gres;
	place->count += (uint32_t)count;
	if (place->count > MAUI_REPLAY_MAX_UNITS)
		return maui_error_set(error, EINVAL, "GRES %s: more than %u on a node", text,
				      MAUI_REPLAY_MAX_UNITS);
	return 0;
}

static int read_all_gres(struct maui_replay_nodes *nodes, struct maui_replay_node *node,
			 const char *list, struct maui_error *error)
{
	struct maui_replay_units *units =
		maui_arena_alloc(nodes->arena, items_of(list), sizeof(*units));
	struct maui_item item;
	char text[NAME_SIZE];
	int rc = 0;

	if (!units)
		return -ENOMEM;
	node->gres = units;
	/* A comma within gpu:4(S:0,1) separates nothing. */
	while (!rc && maui_list_next(&list, ",", &item)) {
		if (memchr(item.text, '(', item.size) && !memchr(item.text, ')', item.size))
			list += strcspn(list, ")") + strspn(list + strcspn(list, ")"), "),");
		if (item.size)
			rc = read_gres(nodes, node, units,
				       (char *)maui_item_copy(item, text, sizeof(text)), error);
	}
	return rc;
}

/* ---- nodes ---- */

int maui_replay_nodes_add(struct maui_replay_nodes *nodes, const char *name, uint32_t cpus,
			  int64_t memory, const char *features, const char *gres,
			  struct maui_error *error)
{
	struct maui_replay_node node = {.cpus = cpus, .memory = memory};
	void *grown;
	int rc;

	if (nodes->count == MAUI_REPLAY_MAX_NODES)
		return maui_error_set(error, EINVAL, "more than %u nodes", MAUI_REPLAY_MAX_NODES);
	if (!cpus || cpus > MAUI_REPLAY_MAX_CPUS)
		return maui_error_set(error, EINVAL, "%s: processors are a number from 1 to %u",
				      name, MAUI_REPLAY_MAX_CPUS);
	if (memory < 0 || memory > MAUI_REPLAY_MAX_MEMORY)
		return maui_error_set(error, EINVAL, "%s: that is no amount of memory", name);
	if (maui_intern_find(nodes->names, name))
		return maui_error_set(error, EINVAL, "a second node %s", name);
	grown = maui_grow(nodes->nodes, nodes->count + (size_t)1, &nodes->node_room,
			  sizeof(*nodes->nodes));
	if (!grown)
		return -ENOMEM;
	nodes->nodes = grown;
	rc = read_features(nodes, &node, features);
	if (!rc)
		rc = read_all_gres(nodes, &node, gres, error);
	if (rc)
		return rc;
	if (!maui_intern_add(nodes->names, name))
		return -ENOMEM;
	node.name = maui_intern_name(nodes->names, nodes->count + 1);
	nodes->nodes[nodes->count++] = node;
	nodes->cpus += cpus;
	return 0;
}

uint32_t maui_replay_nodes_find(const struct maui_replay_nodes *nodes, const char *name)
{
	uint32_t number = maui_intern_find(nodes->names, name);

	return number ? number - 1 : UINT32_MAX;
}

/* ---- partitions ---- */

const struct maui_replay_partition *
maui_replay_nodes_find_partition(const struct maui_replay_nodes *nodes, const char *name)
{
	for (uint32_t i = 0; i < nodes->partition_count; i++)
		if (!strcmp(nodes->partitions[i].name, name))
			return &nodes->partitions[i];
	return NULL;
}

struct maui_replay_partition *maui_replay_nodes_partition(struct maui_replay_nodes *nodes,
							  const char *name)
{
	const struct maui_replay_partition *found = maui_replay_nodes_find_partition(nodes, name);
	struct maui_replay_partition made = {0};
	void *grown;

	if (found)
		return &nodes->partitions[found - nodes->partitions];
	grown = maui_grow(nodes->partitions, nodes->partition_count + (size_t)1,
			  &nodes->partition_room, sizeof(*nodes->partitions));
	if (!grown)
		return NULL;
	nodes->partitions = grown;
	made.name = maui_arena_text(nodes->arena, name, strlen(name));
	made.members = maui_arena_alloc(nodes->arena, maui_replay_words(nodes->count),
					sizeof(*made.members));
	if (!made.name || !made.members)
		return NULL;
	nodes->partitions[nodes->partition_count] = made;
	return &nodes->partitions[nodes->partition_count++];
}
